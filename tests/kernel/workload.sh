# shellcheck shell=bash disable=SC2034,SC2154 # lib.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A load, a report of it, and the kernel's event log of the same time, compared
# (oracle/). Sourced after lib.sh; $DISK and its trace are up.
seed=${SEED:-$RANDOM}

# An event that the kernel runs no BPF program for is a loss that the report
# tells; then the counts cannot be equal, and the load is run once more.
has_losses() {
	# The loads end before the report does: what is there still was not seen to complete.
	[ "$(json "$1" 'sum(v or 0 for k, v in d["losses"].items() if k != "requeues")')" != 0 ] ||
		[ "$(json "$1" 'd["held"]["now"] + d["in_device"]["now"]')" != 0 ]
}

# logged NAME COMMAND...: the report is $work/NAME.json, the log $work/NAME.trace.
# groups=core,depth: with figures of these groups (all); waits=--waits: times are compared strictly.
logged() {
	local name=$1 figures=() try
	shift
	# without the option it is the core
	[ "${groups:-all}" = core ] || figures=(--groups "${groups:-all}")
	{
		printf 'set -e\n. %q\ntrace_on %q\n' "$top/tests/kernel/trace.sh" "$instance"
		printf '%q ' "$@"
		printf '\nsettle\ntrace_off %q %q\n' "$instance" "$work/$name.trace"
	} >"$work/run.sh"
	for try in 1 2 3; do
		"$SEEKWISE" report --json "${figures[@]}" "$DISK" -- bash "$work/run.sh" >"$work/$name.json"
		has_losses "$work/$name.json" || break
		info "$name: losses in try $try: $(json "$work/$name.json" 'd["losses"], d["in_device"]["now"]')"
	done
	python3 "$top/tests/kernel/oracle" "$work/$name.json" "$work/$name.trace" --disk "$DISK" \
		--groups "${groups:-all}" ${waits:+"$waits"} || failed=1
}

# workload NAME FIO-OPTION...: options before the first --name are for all jobs.
workload() {
	local name=$1
	shift
	[[ " $* " == *" --name="* ]] || set -- "$@" --name=w
	logged "$name" fio --name=global "--filename=$DEV" "--randseed=$seed" --output=/dev/null "$@"
}

# Schedulers this kernel can use on $DISK: set one, 1 if it cannot.
use_scheduler() {
	grep -qw "$1" "/sys/block/$DISK/queue/scheduler" || {
		echo "SKIP $1: this kernel does not have it"
		return 1
	}
	echo "$1" >"/sys/block/$DISK/queue/scheduler"
}
