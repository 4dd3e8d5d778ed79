#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# One task that dispatches for all, or each for itself (md raid1 and raid10, 2012).
set -euo pipefail
SECONDS_EACH=${SECONDS_EACH:-1}
SETTLE=${SETTLE:-0.5}
# shellcheck source=tests/origins/lib.sh
. "$(dirname "$0")/lib.sh"
need plain

# jobs COUNT DEPTH DIRECTION FILES: four parts of 200 MB, in plugs of 8
jobs() {
	load --name=jobs --filename="$4" --direct=1 --ioengine=libaio --rw="$3" --norandommap --bs=4k --numjobs="$1" \
		--iodepth="$2" --iodepth_batch_submit=8 --iodepth_batch_complete_min=8 \
		--offset_increment=200M --size=200M --group_reporting
}
four() { jobs 4 16 randwrite "/dev/$lower"; }
one() { jobs 1 64 randwrite "/dev/$lower"; }
through() { jobs 4 16 randwrite "/dev/$upper"; }

plainloop_up origin5 1G
lower=$DISK
stackloop_up origin5-upper origin5
settings scheduler=none
upper=$DISK
disk_use origin5
compare four one through
heading "5. one task that dispatches for all, or each for itself (2012)" <<'END'
claim   all writes leave md through one thread: a bottleneck before fast members, on the wrong CPU;
        they should leave from the task that submits, through its plug
load    direct writes of 4 kB, 64 under way, in plugs of 8: 4 tasks on a member; one task as deep;
        4 tasks on a loop device that stands on the member and has the kernel dispatch for all, one
        worker at a time (no md or dm on this kernel: tests/vm/guest/40-stacked_test.sh has them)
disk    a loop device on a file in memory
END
table four="4 tasks" one="1 task" through="4, stacked" <<'END'
writes per second        | ~,.0f | write["ios"] / seconds
MB per second            | ,.0f | write["bytes"] / seconds / 1e6
issues of the busiest CPU  | .0% | d["busiest_cpu"]["share"]
issues of the busiest task | ~.0% | d["busiest_task"]["share"]
  its name               |      | d["busiest_task_name"].split("/")[0]
done on another CPU      | ~.0%  | write["other_cpu_share"]
  on another cache       | .0%  | write["other_llc_share"]
plug flushes per second  | ,.0f | d["unplugs"]["count"] / seconds
  requests in one, mean  | .1f  | d["unplugs"]["mean"]
  explicit               | .0%  | d["unplugs_explicit"] / d["unplugs"]["count"]
in the device, mean      | .1f  | d["in_device"]["mean"]
total p99 (ms)           | ~.1f  | write["total_us"]["p99"] / 1000
losses                   | .0f  | losses(d)
END
disk_down origin5-upper

# Two members side by side: written alike, read from one of them alone, as of a mirror
# whose other half is passed over; and read alike.
balanced() {
	jobs 4 8 randwrite "/dev/$lower:/dev/$second"
	jobs 1 8 randread "/dev/$lower:/dev/$second"
}
lopsided() {
	jobs 4 8 randwrite "/dev/$lower:/dev/$second"
	jobs 1 8 randread "/dev/$lower"
}
plainloop_up origin5-second 1G
second=$DISK
watched=("$lower" "$second")
compare balanced lopsided
heading "   members side by side" <<'END'
load    two loop devices that are written alike, and read alike or from the first alone
END
table balanced="read alike" lopsided="from the first" <<'END'
first: writes per second | ~,.0f | devices[0]["write"]["ios"] / seconds
  reads per second       | ~,.0f | devices[0]["read"]["ios"] / seconds
  read total p99 (ms)    | ~.1f  | devices[0]["read"]["total_us"]["p99"] / 1000
  busy                   | ~.0%  | devices[0]["busy"]
second: writes per second | ~,.0f | devices[1]["write"]["ios"] / seconds
  reads per second       | ~,.0f | devices[1]["read"]["ios"] / seconds
  read total p99 (ms)    | ~.1f  | devices[1]["read"]["total_us"]["p99"] / 1000
  busy                   | ~.0%  | devices[1]["busy"]
END
