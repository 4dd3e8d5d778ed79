# shellcheck shell=bash disable=SC2034,SC2154 # lib.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A load, a report of it, and the kernel's event log of the same time, compared
# (oracle/). Sourced after lib.sh; $DISK and its trace are up.
seed=${SEED:-$RANDOM}

# A comparison that leaves doubts, or of a run in which the kernel missed completions, is made
# once more; so often at most in all.
tries=4

# logged NAME COMMAND...: the report is $work/NAME.json, the log $work/NAME.trace.
# groups=core,depth: with figures of these groups (all); waits=--waits: times are compared strictly.
logged() {
	local name=$1 figures=() try code last=
	shift
	# without the option it is the core
	[ "${groups:-all}" = core ] || figures=(--groups "${groups:-all}")
	{
		printf 'set -e\n. %q\ntrace_on %q\nmark_runs %q\n' "$top/tests/kernel/trace.sh" "$instance" "$instance"
		printf '%q ' "$@"
		printf '\nsettle\nmark_runs %q\ntrace_off %q %q\n' "$instance" "$instance" "$work/$name.trace"
	} >"$work/run.sh"
	for ((try = 1; try <= tries; try++)); do
		"$SEEKWISE" report --json "${figures[@]}" "$DISK" -- bash "$work/run.sh" >"$work/$name.json" || {
			fail "$name: the report ended with $?"
			return 0
		}
		[ "$try" -lt "$tries" ] || last=--last
		python3 "$top/tests/kernel/oracle" "$work/$name.json" "$work/$name.trace" --disk "$DISK" \
			--groups "${groups:-all}" ${waits:+"$waits"} $last && code=0 || code=$?
		[ "$code" = 3 ] || break
	done
	[ "$code" = 0 ] || failed=1
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
