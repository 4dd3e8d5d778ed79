#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Verdict and advice under loads that are made for them, on a modelled disk.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
need_kernel

# report_under NAME [FIO-JOB...]: a report of three seconds under those jobs, in $work/NAME.
report_under() {
	local name=$1
	shift
	if [ $# -gt 0 ]; then
		fio --filename="$DEV" --direct=1 --ioengine=libaio --time_based --runtime=30 --output=/dev/null "$@" &
		load=$!
		sleep 1
	fi
	# Where the machine is short of CPUs, a window may have losses: then it says nothing.
	for _ in 1 2 3; do
		"$SEEKWISE" report --json -d 3s "$DISK" >"$work/$name"
		[ "$(json "$work/$name" 'd["verdict"] is None')" = True ] || break
		info "$name: losses $(json "$work/$name" 'd["losses"]')"
	done
	[ $# = 0 ] || load_down
	info "$name: $(json "$work/$name" 'd["verdict"]["text"], [a["id"] for a in d["advice"]]')"
}
bound() { json "$work/$1" 'd["verdict"]["bound"]'; }
# given NAME ID [EXPRESSION on a, the piece of advice]: 0 or 1 pieces, or the value.
given() { json "$work/$1" "[${3:-1} for a in d['advice'] if a['id'] == '$2']"; }

modeldisk_up advice --speed 10

report_under idle
check idle-bound "$(bound idle)" = idle
check idle-no-advice "$(json "$work/idle" 'd["advice"]')" = "[]"

report_under one --name=one --rw=randread --bs=4k --iodepth=1
check one-reader-bound "$(bound one)" = submitter
check one-reader-no-knob-is-to-blame "$(json "$work/one" 'd["advice"]')" = "[]"

report_under deep --name=deep --rw=randread --bs=4k --iodepth=512
check deep-bound "$(bound deep)" = queue
check deep-pool-full "$(given deep pool-full 'a["commands"]')" = \
	"[['echo 512 > /sys/block/$DISK/queue/nr_requests']]"
check deep-evidence "$(given deep pool-full 'a["evidence"]["held.mean"] == d["held"]["mean"]')" = "[True]"
check deep-not-behind-writes "$(given deep reads-behind-writes)" = "[]"

# Fewer requests than the pool has, so that a reader gets in at all.
set_knob fifo_batch 128
report_under flood --name=flood --rw=randwrite --bs=4k --iodepth=200 \
	--name=reader --rw=randread --bs=4k --iodepth=1 --numjobs=8
check flood-bound "$(bound flood)" = queue
check flood-reads-behind-writes "$(given flood reads-behind-writes 'a["commands"]')" = \
	"[['echo 32 > /sys/block/$DISK/queue/iosched/fifo_batch']]"
check nothing-was-written "$(knob fifo_batch)" = 128

"$SEEKWISE" report -d 200ms "$DISK" >"$work/text"
grep -q '^  verdict  *the disk is idle' "$work/text" && pass text-verdict || fail "$(cat "$work/text")"
grep -q '^  advice  *none$' "$work/text" && pass text-no-advice || fail "$(cat "$work/text")"
