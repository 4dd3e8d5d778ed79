#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Where a sweep starts anew, and how many requests a pass takes (mq-deadline, 2022).
set -euo pipefail
# shellcheck source=tests/origins/lib.sh
. "$(dirname "$0")/lib.sh"
need

jobs() { # COUNT
	load --name=jobs --filename="$DEV" --direct=1 --ioengine=psync --rw=randrw --norandommap \
		--bs=512 --thread --numjobs="$1" --group_reporting
}
few() { jobs 32; }
more() { jobs 160; }
deep() {
	load --name=deep --filename="$DEV" --direct=1 --ioengine=libaio --rw=randrw --norandommap \
		--bs=512 --iodepth=512
}

modeldisk_up origin1 --speed=10 --no-data
batch='absent, as on all kernels that were released: what the 1 of it would do cannot be tried here'
[ ! -e "/sys/block/$DISK/queue/nr_sched_batch" ] || batch=$(<"/sys/block/$DISK/queue/nr_sched_batch")
compare few more deep
heading "1. where a sweep starts anew, and how many requests a pass takes (2022)" <<END
claim   at the end of a sweep mq-deadline jumps to the oldest request; to the lowest sector it should
        go, and the scheduler should be drained one by one (nr_sched_batch), for sorting's sake
feared  more expired deadlines
load    synchronous direct random reads and writes of 512 bytes: 32 jobs, which the disk takes all
        (a loop device takes 128), 160 jobs, of which it leaves 32, and one job 512 deep
disk    modelled, 7200 rpm, ten times as fast as a real one, deadlines ten times as short
nr_sched_batch  $batch
END
table few="32 jobs" more="160 jobs" deep="512 deep" <<'END'
requests per second         | ~,.0f | both("ios") / seconds
held, mean                  | .1f  | d["held"]["mean"]
in the device, mean         | .1f  | d["in_device"]["mean"]
reads: wraps to_head        | ,.0f | read["wraps"]["to_head"]
  wraps to_oldest           | ~,.0f | read["wraps"]["to_oldest"]
  wraps expired             | ,.0f | read["wraps"]["expired"]
writes: wraps to_head       | ,.0f | write["wraps"]["to_head"]
  wraps to_oldest           | ~,.0f | write["wraps"]["to_oldest"]
  wraps expired             | ,.0f | write["wraps"]["expired"]
another choice, of issues   | ~.1%  | (read["wraps"]["to_oldest"] + write["wraps"]["to_oldest"]) / both("issued")
expired requests, of issues | ~.1%  | both("expired") / both("issued")
  reads late by, p99 (ms)   | .1f  | read["late_us"]["p99"] / 1000
  writes late by, p99 (ms)  | .1f  | write["late_us"]["p99"] / 1000
seek, mean (10^6 sectors)   | ,.0f | both("travel_sectors") / both("located") / 1e6
batch, mean: reads          | .1f  | read["batches"]["mean"]
  writes                    | .1f  | write["batches"]["mean"]
pass, mean                  | .1f  | d["passes"]["mean"]
pass, longest               | .0f  | d["passes"]["max"]
losses                      | .0f  | losses(d)
END
