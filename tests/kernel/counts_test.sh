#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Figures of a report against the kernel's own event log, to the request and the
# byte: loads that bring out one thing each. slow_disk_test.sh has more of these, and
# drawn_test.sh has all kinds.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/kernel/workload.sh
. "$(dirname "$0")/workload.sh"
need_kernel plain
python3 "$top/tests/kernel/oracle" --selftest || failed=1

plainloop_up counts 256M
trace_up "$DISK"
info "seed $seed (SEED=$seed repeats it)"

direct=(--direct=1 --ioengine=libaio --bs=4k)
waits=--waits workload random-read-depth-1 "${direct[@]}" --rw=randread --iodepth=1 --number_ios=5000
waits=--waits workload random-read-depth-256 "${direct[@]}" --rw=randread --iodepth=256 --number_ios=10000
waits=--waits groups=core workload random-write-depth-16 "${direct[@]}" --rw=randwrite --iodepth=16 --number_ios=10000
groups=core workload sequential-read "${direct[@]}" --rw=read --bs=128k --iodepth=4
workload plugged-write "${direct[@]}" --rw=write --iodepth=64 --iodepth_batch_submit=16 \
	--iodepth_batch_complete_min=16 --number_ios=10000
workload plugged-backwards "${direct[@]}" --rw=write:-8k --iodepth=64 --iodepth_batch_submit=8 \
	--iodepth_batch_complete_min=8 --number_ios=4000
workload sizes-512-to-1M "${direct[@]}" --rw=randrw --bsrange=512-1M --iodepth=16 --number_ios=3000
workload two-jobs "${direct[@]}" --rw=randrw --numjobs=2 --iodepth=32 --number_ios=8000
workload classes "${direct[@]}" --iodepth=16 --number_ios=3000 --name=rt --rw=randread --prioclass=1 \
	--name=be --rw=randrw --prioclass=2 --name=idle --rw=randread --prioclass=3
workload buffered-write --ioengine=psync --bs=4k --rw=randwrite --size=64M --io_size=32M --end_fsync=1
workload fsync-heavy --ioengine=psync --bs=4k --rw=randwrite --fsync=1 --number_ios=300
workload discard --ioengine=libaio --direct=1 --bs=64k --rw=randtrimwrite --iodepth=8 --number_ios=500
logged zeroes blkdiscard -z -l 32M "$DEV"

# The same programs, as raw tracepoints read them.
export SEEKWISE_RAW_TP=1
waits=--waits workload raw-tracepoints "${direct[@]}" --rw=randrw --iodepth=32 --number_ios=10000
unset SEEKWISE_RAW_TP

# Without a scheduler there are no inserts to see, but all else.
for scheduler in none kyber bfq; do
	use_scheduler "$scheduler" || continue
	workload "$scheduler" "${direct[@]}" --rw=randrw --iodepth=32 --number_ios=10000
done
check none-waits-unknown "$(json "$work/none.json" 'd["read"]["wait_us"]["p50"]')" = None

# What lies beyond the end of the file is an error: of the first request that
# goes beyond, a part completes and the rest comes back to be issued again.
use_scheduler mq-deadline
truncate -s 32M "$(cat "/sys/block/$DISK/loop/backing_file")"
workload reads-that-fail "${direct[@]}" --bs=60k --size=64M --rw=randread --iodepth=8 --number_ios=500 \
	--continue_on_error=all
check reads-that-fail-did "$(json "$work/reads-that-fail.json" 'd["read"]["error_kinds"]["io"]')" -gt 0
check reads-that-fail-in-part "$(json "$work/reads-that-fail.json" 'd["read"]["partial"]')" -gt 0
