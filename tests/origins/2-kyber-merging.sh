#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What a scheduler leaves for bios to merge with (kyber, 2018).
set -euo pipefail
SECONDS_EACH=${SECONDS_EACH:-1}
SETTLE=${SETTLE:-0.5}
# shellcheck source=tests/origins/lib.sh
. "$(dirname "$0")/lib.sh"
need

# jobs DIRECTION PLUG: eight, 64 deep, PLUG requests for each plug
jobs() {
	load --name=jobs --filename="$DEV" --direct=1 --ioengine=libaio --rw="$1" --norandommap --bs=4k --numjobs=8 \
		--iodepth=64 --iodepth_batch_submit="$2" --iodepth_batch_complete_min="$2" --offset_increment=100M --size=100M --group_reporting
}
none() { settings scheduler=none; jobs read 1; }
deadline() { settings; jobs read 1; }
kyber() { settings scheduler=kyber; jobs read 1; }
unmerged() { settings scheduler=kyber nomerges=2; jobs read 1; }
plugged() { settings scheduler=kyber; jobs read 16; }
random() { settings scheduler=kyber; jobs randread 1; }
rows() { # DIRECTION
	local all='for side in (read, write))'
	cat <<END
MB per second           | ~,.0f | both("bytes") / seconds / 1e6
requests per second     | ,.0f | both("ios") / seconds
merged per second: bios
  into held requests    | ~,.0f | sum(side["bio_merges"]["back"] + side["bio_merges"]["front"] $all / seconds
  in the plug           | ~,.0f | sum(side["bio_merges"]["plug_back"] + side["bio_merges"]["plug_front"] $all / seconds
  requests              | ,.0f | both("merges") / seconds
kB of one: at insert    | .1f  | $1["insert_bytes"]["mean"] / 1000
  at issue              | ~.1f  | $1["issue_bytes"]["mean"] / 1000
held, mean              | .1f  | d["held"]["mean"]
in the device, mean     | .1f  | d["in_device"]["mean"]
total p99 (ms)          | .1f  | $1["total_us"]["p99"] / 1000
kyber: throttled        | ,.0f | d["kyber_throttled"]["$1"]
  depth changed         | ,.0f | d["kyber_adjusts"]["$1"]
  depth set last        | .0f  | d["kyber_depth"]["$1"]
  latency, of target    | .1f  | d["kyber_latency"]["$1_total"]
losses                  | .0f  | losses(d)
END
}

plainloop_up origin2 1G
modprobe -q kyber-iosched || true
grep -qw kyber "/sys/block/$DISK/queue/scheduler" || skip "this kernel has no kyber"
kept=(nomerges=0)
compare none deadline kyber unmerged plugged random
heading "2. what a scheduler leaves for bios to merge with (2018)" <<'END'
claim   kyber keeps requests where bios cannot find them to merge with; queues for each kind of request
        bring merging back, and with it sequential throughput; random I/O stays as it was
        (present kernels have them; "no merges", by queue/nomerges, is what it was like before)
load    8 jobs, 64 deep, direct reads of 4 kB, each in a part of its own: sequential, one by one or in
        plugs of 16, and random
disk    a loop device on a file in memory
END
rows read | table none=none deadline=mq-deadline unmerged="kyber, no merges" \
	plugged="kyber, plugs" random="kyber, random"
disk_down origin2

slow_none() { settings scheduler=none; jobs write 1; }
slow_deadline() { settings; jobs write 1; }
slow_kyber() { settings scheduler=kyber; jobs write 1; }
modeldisk_up origin2 --speed=10 --no-data
keep_deadlines
compare slow_none slow_deadline slow_kyber
heading "   the same, sequential writes, on a disk that is slower than they come" <<'END'
disk    modelled, 7200 rpm, ten times as fast as a real one
END
rows write | table slow_none=none slow_deadline=mq-deadline slow_kyber=kyber
