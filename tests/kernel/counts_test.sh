#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Figures of a report against the kernel's own event log, to the request and the
# byte: loads that bring out one thing each. drawn_test.sh has those of all kinds.
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
workload reads-that-fail "${direct[@]}" --bs=60k --size=64M --rw=randread --iodepth=8 --number_ios=500 --continue_on_error=all
check reads-that-fail-did "$(json "$work/reads-that-fail.json" 'd["read"]["error_kinds"]["io"]')" -gt 0
check reads-that-fail-in-part "$(json "$work/reads-that-fail.json" 'd["read"]["partial"]')" -gt 0
disk_down counts

why=$(disk_why_not) || true
if [ -n "$why" ]; then
	echo "SKIP slow disk: $why"
	exit 0
fi

# A slow disk, so that requests wait in the scheduler: deadlines pass, bios are merged into what
# is held, one direction waits for the other, and kyber throttles.
modeldisk_up slow --speed 20 --data-max=64M
trace_disk "$DISK"
set_knob read_expire 20
set_knob write_expire 40
slow=("${direct[@]}" --size=16G)
waits=--waits workload expired "${slow[@]}" --rw=randrw --iodepth=200 --number_ios=2500
check expired-did "$(json "$work/expired.json" 'd["write"]["expired"]')" -gt 100
waits=--waits workload passed-over "${slow[@]}" --number_ios=600 --name=r --rw=randread --iodepth=100 --name=w --rw=randwrite --iodepth=60
workload held-back-merges "${slow[@]}" --rw=write --iodepth=240 --number_ios=4000
check held-back-merges-are "$(json "$work/held-back-merges.json" 'd["write"]["bio_merges"]["back"]')" -gt 0
workload held-front-merges "${slow[@]}" --offset=1G --rw=write:-8k --iodepth=240 --number_ios=3000
check held-front-merges-are "$(json "$work/held-front-merges.json" 'd["write"]["bio_merges"]["front"]')" -gt 0
# Every other block, then what is between: two requests become one.
workload held-request-merges "${slow[@]}" --iodepth=120 --number_ios=1500 --name=even --rw=write:4k \
	--name=odd --offset=4k --rw=write:4k
workload pool-full "${slow[@]}" --rw=randread --iodepth=1024 --number_ios=3000
check pool-full-was "$(json "$work/pool-full.json" 'd["pool_full"] > 0.1')" = True
workload streams-and-seeks "${slow[@]}" --rw=read --bs=64k --numjobs=4 --offset_increment=64G --number_ios=300
# One seek for eight reads; by the model it is about 400 us and half a turn of 417.
workload seek-cost "${direct[@]}" --size=1000G --rw=randread:8 --iodepth=1 --number_ios=2000
check seek-cost-each "$(json "$work/seek-cost.json" '250 < d["seek_cost"]["each_us"] < 1200')" = True
if use_scheduler kyber; then
	# Reads miss their target and writes do not, so that writes get fewer tokens.
	set_knob read_lat_nsec 100000
	set_knob write_lat_nsec 1000000000
	workload kyber-throttles "${slow[@]}" --rw=randrw --iodepth=100 --number_ios=3500
	check kyber-throttled-did "$(json "$work/kyber-throttles.json" 'sum(d["kyber_throttled"].values())')" -gt 0
	check kyber-adjusted "$(json "$work/kyber-throttles.json" 'sum(d["kyber_adjusts"].values())')" -gt 0
fi

# Beyond what the disk keeps of its contents.
use_scheduler mq-deadline
workload writes-that-fail "${slow[@]}" --size=256M --rw=randwrite --bs=1M --iodepth=8 --number_ios=150 --ignore_error=,ENOSPC
check writes-that-fail-did "$(json "$work/writes-that-fail.json" 'd["write"]["error_kinds"]["nospace"]')" -gt 0
