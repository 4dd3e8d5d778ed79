#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Figures of a report against the kernel's own event log on a slow disk, so that requests
# wait in the scheduler: deadlines pass, bios are merged into what is held, one direction
# waits for the other, the pool is full, kyber throttles.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/kernel/workload.sh
. "$(dirname "$0")/workload.sh"
need_kernel

# Each request takes half a millisecond at least, so that who submits is faster, on any machine.
modeldisk_up slow --speed 20 --overhead 10000 --data-max=64M
trace_up "$DISK"
info "seed $seed (SEED=$seed repeats it)"
direct=(--direct=1 --ioengine=libaio --bs=4k)
set_knob read_expire 20
set_knob write_expire 40
slow=("${direct[@]}" --size=16G)
waits=--waits workload expired "${slow[@]}" --rw=randrw --iodepth=200 --number_ios=2500
check expired-did "$(json "$work/expired.json" 'd["write"]["expired"]')" -gt 100
waits=--waits workload passed-over "${slow[@]}" --number_ios=600 --name=r --rw=randread --iodepth=100 \
	--name=w --rw=randwrite --iodepth=60
workload held-back-merges "${slow[@]}" --rw=write --iodepth=240 --number_ios=4000
check held-back-merges-are "$(json "$work/held-back-merges.json" 'd["write"]["bio_merges"]["back"]')" -gt 0
workload held-front-merges "${slow[@]}" --offset=1G --rw=write:-8k --iodepth=240 --number_ios=3000
check held-front-merges-are "$(json "$work/held-front-merges.json" 'd["write"]["bio_merges"]["front"]')" -gt 0
# Every other block, then what is between: two requests become one.
workload held-request-merges "${slow[@]}" --iodepth=120 --number_ios=1500 --name=even --rw=write:4k \
	--name=odd --offset=4k --rw=write:4k
workload pool-full "${slow[@]}" --rw=randread --iodepth=1024 --number_ios=3000
check pool-full-was "$(json "$work/pool-full.json" 'd["pool_full"] > 0')" = True
workload streams-and-seeks "${slow[@]}" --rw=read --bs=64k --numjobs=4 --offset_increment=64G --number_ios=300
# One seek for eight reads; by the model it is about 400 us and half a turn of 417, and longer on
# a machine that is busy with other things.
workload seek-cost "${direct[@]}" --size=1000G --rw=randread:8 --iodepth=1 --number_ios=2000
check seek-cost-each "$(json "$work/seek-cost.json" 'd["seek_cost"]["each_us"] > 250')" = True
if use_scheduler kyber; then
	# Reads miss their target and writes do not, so that writes get fewer tokens.
	set_knob read_lat_nsec 100000
	set_knob write_lat_nsec 1000000000
	workload kyber-throttles "${slow[@]}" --rw=randrw --iodepth=100 --number_ios=3500
	# Whether it does depends on the latencies that this machine gives it.
	info "kyber: $(json "$work/kyber-throttles.json" 'd["kyber_throttled"], d["kyber_adjusts"]')"
fi

# Beyond what the disk keeps of its contents.
use_scheduler mq-deadline
workload writes-that-fail "${slow[@]}" --size=256M --rw=randwrite --bs=1M --iodepth=8 --number_ios=150 \
	--ignore_error=,ENOSPC 2>"$work/fio.err"
check writes-that-fail-did "$(json "$work/writes-that-fail.json" 'd["write"]["error_kinds"]["nospace"]')" -gt 0
