# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the kernel tests share. Sourced; the test sets -euo pipefail itself.
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
SEEKWISE=${SEEKWISE:-$top/.output/seekwise}
# shellcheck source=tests/disk/lib.sh
. "$top/tests/disk/lib.sh"

work=$(mktemp -d)
tracing=""
stats_before=""
# A folder of state of our own: a daemon of the machine's owner is not disturbed.
export SEEKWISE_RUN=$work/run

pass() { echo "PASS $*"; }
fail() { echo "FAIL $*"; failed=1; }
info() { echo "INFO $*"; }
failed=0

# check NAME CONDITION...: the condition is a test(1) expression.
check() {
	local name=$1
	shift
	# What is no expression (an empty number) fails as well, with what it was.
	if [ "$@" ] 2>/dev/null; then pass "$name"; else fail "$name: [ $* ]"; fi
}

# need_kernel [plain]: ends the test as skipped where it cannot run.
need_kernel() {
	local why
	why=$(disk_why_not "$@") || true
	if [ -n "$why" ]; then
		echo "SKIP ${0##*/}: $why"
		exit 0
	fi
}

# Ended before the disks are taken down; a test may define it anew.
at_end() { :; }

cleanup() {
	local status=$? pid
	trap - EXIT INT TERM HUP
	at_end
	# Loads and tuners of a test that failed half way.
	for pid in $(jobs -p); do kill "$pid" 2>/dev/null || true; done
	if [ -n "$tracing" ]; then trace_down; fi
	umount "$work/small" 2>/dev/null || true
	disks_down || true
	# Should a mount be left below it, nothing of that goes.
	rm -rf --one-file-system "$work"
	[ "$status" != 0 ] || status=$failed
	exit "$status"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

# The kernel's own event log, in an instance of its own; of one disk, where the event names it.
trace_up() { # DISK
	local event
	tracing=$work/tracing
	mkdir "$tracing"
	mount -t tracefs nodev "$tracing"
	instance=$tracing/instances/seekwise-test-$$
	mkdir "$instance"
	stats_before=$(cat /proc/sys/kernel/bpf_stats_enabled 2>/dev/null) || true
	[ "$stats_before" != 0 ] || echo 1 >/proc/sys/kernel/bpf_stats_enabled
	echo mono >"$instance/trace_clock"
	echo 65536 >"$instance/buffer_size_kb"
	echo 0 >"$instance/tracing_on"
	trace_disk "$1"
	for event in "$instance"/events/block/block_{rq_{insert,issue,complete,requeue,merge},bio_{back,front}merge,unplug} \
		"$instance"/events/kyber/kyber_{throttled,adjust,latency}; do
		[ ! -d "$event" ] || echo 1 >"$event/enable"
	done
}
trace_disk() { # DISK: the log is of this one from now on
	local event major minor
	IFS=: read -r major minor <"/sys/block/$1/dev"
	for event in "$instance"/events/{block,kyber}/*/; do
		# Completions of all disks: the runs of a program are (oracle/misses.py).
		case $event in */block_rq_complete/) continue ;; esac
		! grep -q 'field:dev_t dev;' "$event/format" || echo "dev == $((major << 20 | minor))" >"$event/filter"
	done
}
trace_down() {
	[ "$stats_before" != 0 ] || echo 0 >/proc/sys/kernel/bpf_stats_enabled
	rmdir "$instance" 2>/dev/null || true
	umount "$tracing" 2>/dev/null || umount -l "$tracing" || true
	tracing=
}

# json FILE EXPRESSION: d is the first device, r the report. Of what is no such report it
# prints what it is, for the check to fail with.
json() {
	python3 -c 'import json, sys
text = open(sys.argv[1], errors="replace").read()
try:
    r = json.loads(text)
    d = r["devices"][0]
    print(eval(sys.argv[2]))
except Exception as why:
    print(f"{type(why).__name__} {why} in {text[:200]!r}")' "$@"
}

knob() { cat "/sys/block/$DISK/queue/iosched/$1"; }
set_knob() { echo "$2" >"/sys/block/$DISK/queue/iosched/$1"; }

# Baseline files that are left.
baselines() { find "$SEEKWISE_RUN" -name '*.baseline' 2>/dev/null | wc -l; }

# load_up SECONDS [DEPTH]: random reads on $DEV in the background, until load_down.
load_up() {
	fio --name=w --filename="$DEV" --rw=randread --bs=4k --direct=1 --ioengine=libaio \
		--iodepth="${2:-512}" --time_based --runtime="$1" --output=/dev/null &
	load=$!
}
load_down() {
	kill "$load" 2>/dev/null || true
	wait "$load" 2>/dev/null || true
}

# until_true SECONDS COMMAND...: 1 if it does not come true in that time.
until_true() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.1
	done
}
