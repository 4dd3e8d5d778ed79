#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Two sequential writers and the seeks between them (2019).
set -euo pipefail
# shellcheck source=tests/origins/lib.sh
. "$(dirname "$0")/lib.sh"
need
need_files

writer() { # FILE [FIO-OPTION...]: overwrites it, through the page cache
	load --name=writer --filename="$work/mnt/$1" --size="${megabytes}M" --overwrite=1 --fallocate=none \
		--ioengine=psync --rw=write --bs=1M "${@:2}"
}
one() { settings; writer 1; }
two() { settings; writer 1; writer 2; }
# Each begins write-back of what it wrote after 8 MB, as programs do that write much: two
# tasks submit, where else one task of the kernel writes back for all.
own() {
	writer 1 --sync_file_range=write:8
	writer 2 --sync_file_range=write:8
}
both_own() { settings; own; }
small() { settings nr_requests=64; own; }
bare() { settings scheduler=none; own; }

megabytes=256
modeldisk_up origin3 --speed=3 --order=sptf
keep_deadlines
files_up 2 $megabytes
compare one two both_own small bare
heading "3. two sequential writers and the seeks between them (2019)" <<'END'
claim   two buffered overwriters of files lose a third of the throughput: the queues hold more than
        the disk takes, their requests interleave, and the disk seeks between them
counter a seek for every 256 MiB costs 0.5 % (one to the other file and the wait for the sector: 9 ms)
load    one or two writers of files on ext4; write-back by the kernel's flusher, or begun by each writer
        for itself (own); the same with a pool of 64 requests, and without a scheduler: there the
        device takes all, and nothing is held and sorted
disk    modelled, 7200 rpm, three times as fast as a real one, shortest positioning time among 32
END
table one="one writer" two="two, flusher" both_own="two, own" small="own, pool of 64" bare="own, none" <<'END'
MB per second              | ~,.0f  | write["bytes"] / seconds / 1e6
streams interleaved, p50   | .0f   | d["streams"]["p50"]
  p95                      | .0f   | d["streams"]["p95"]
resumptions, of issues     | ~.1%   | d["streams"]["count"] / both("issued")
MB between seeks, mean     | ~.2f   | write["run_bytes"]["mean"] / 1e6
  p50                      | .2f   | write["run_bytes"]["p50"] / 1e6
  p95                      | .2f   | write["run_bytes"]["p95"] / 1e6
requests between seeks     | .1f   | write["run_requests"]["mean"]
seek_cost: one (ms)        | .2f   | d["seek_cost"]["each_us"] / 1000
  of the busy time         | ~.1%   | d["seek_cost"]["share"]
one such seek in 256 MiB   | .2%   | d["seek_cost"]["each_us"] / 1e6 / (d["seek_cost"]["each_us"] / 1e6 + 268.4e6 * seconds / write["bytes"])
held, mean                 | .1f   | d["held"]["mean"]
in the device, mean        | .1f   | d["in_device"]["mean"]
pool full, of the time     | .0%   | d["pool_full"]
kB of a write at issue     | .0f   | write["issue_bytes"]["mean"] / 1000
losses                     | .0f   | losses(d)
END
