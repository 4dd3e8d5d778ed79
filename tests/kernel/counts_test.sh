#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Counts of a report against the kernel's own event log, to the request and the
# byte, on a loop device with mq-deadline.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
need_kernel plain

plainloop_up counts 256M
trace_up "$DISK"
seed=${SEED:-$RANDOM}
info "seed $seed (SEED=$seed repeats it)"

# An event that the kernel runs no BPF program for is a loss that the report
# tells; then the counts cannot be equal, and the workload is run once more.
has_losses() {
	[ "$(json "$1" 'sum(v or 0 for k, v in d["losses"].items() if k != "requeues")')" != 0 ]
}
# workload NAME FIO-OPTION...: with WAITS=--waits the times are compared as well.
workload() {
	local name=$1 try
	shift
	cat >"$work/run.sh" <<-SCRIPT
		set -e
		. "$top/tests/kernel/trace.sh"
		trace_on "$instance"
		fio --name=w --filename=$DEV --randseed=$seed --output=/dev/null $*
		settle
		trace_off "$instance" "$work/$name.trace"
	SCRIPT
	for try in 1 2 3; do
		"$SEEKWISE" report --json "$DISK" -- bash "$work/run.sh" >"$work/$name.json"
		has_losses "$work/$name.json" || break
		info "$name: losses in try $try: $(json "$work/$name.json" 'd["losses"]')"
	done
	python3 "$top/tests/kernel/oracle.py" "$work/$name.json" "$work/$name.trace" "${WAITS:-}" ||
		failed=1
}

direct=(--direct=1 --ioengine=libaio --bs=4k)
WAITS=--waits workload random-read-depth-1 "${direct[@]}" --rw=randread --iodepth=1 --number_ios=5000
WAITS=--waits workload random-read-depth-32 "${direct[@]}" --rw=randread --iodepth=32 --number_ios=20000
WAITS=--waits workload random-read-depth-256 "${direct[@]}" --rw=randread --iodepth=256 --number_ios=20000
WAITS=--waits workload random-write-depth-16 "${direct[@]}" --rw=randwrite --iodepth=16 --number_ios=20000
workload sequential-read "${direct[@]}" --rw=read --bs=128k --iodepth=4
workload sequential-write "${direct[@]}" --rw=write --bs=64k --iodepth=8
workload mixed-depth-64 "${direct[@]}" --rw=randrw --rwmixread=70 --iodepth=64 --number_ios=20000
workload sizes-512-to-1M "${direct[@]}" --rw=randrw --bsrange=512-1M --iodepth=16 --number_ios=3000
workload two-jobs "${direct[@]}" --rw=randrw --numjobs=2 --group_reporting --iodepth=32 --number_ios=8000
workload classes "${direct[@]}" --rw=randread --iodepth=16 --number_ios=4000 --prioclass=1 \
	--name=i --filename="$DEV" "${direct[@]}" --rw=randread --iodepth=16 --number_ios=4000 --prioclass=3
workload buffered-write --ioengine=psync --bs=4k --rw=randwrite --size=64M --io_size=32M --end_fsync=1
workload fsync-heavy --ioengine=psync --bs=4k --rw=randwrite --fsync=1 --number_ios=300
workload discard --ioengine=libaio --direct=1 --bs=64k --rw=randtrimwrite --iodepth=8 --number_ios=500

# The same programs, as raw tracepoints read them.
export SEEKWISE_RAW_TP=1
WAITS=--waits workload raw-tracepoints "${direct[@]}" --rw=randrw --iodepth=32 --number_ios=10000
unset SEEKWISE_RAW_TP

# And without a scheduler there are no inserts to see, but all else.
echo none >"/sys/block/$DISK/queue/scheduler"
workload no-scheduler "${direct[@]}" --rw=randread --iodepth=32 --number_ios=10000
check no-scheduler-waits-unknown "$(json "$work/no-scheduler.json" 'd["read"]["wait_us"]["p50"]')" = None
for scheduler in kyber bfq; do
	if ! grep -qw "$scheduler" "/sys/block/$DISK/queue/scheduler"; then
		echo "SKIP $scheduler: this kernel does not have it"
		continue
	fi
	echo "$scheduler" >"/sys/block/$DISK/queue/scheduler"
	workload "$scheduler" "${direct[@]}" --rw=randrw --iodepth=32 --number_ios=10000
	check "$scheduler-expired-unknown" "$(json "$work/$scheduler.json" 'd["read"]["expired"]')" = None
done
