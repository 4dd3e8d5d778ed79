#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How deep asynchronous writes may go beside synchronous reads (CFQ, 2010).
set -euo pipefail
# shellcheck source=tests/origins/lib.sh
. "$(dirname "$0")/lib.sh"
need
need_files

beside() { # WRITERS [SETTING...]
	local n
	settings "${@:2}"
	load --name=readers --filename="$DEV" --readonly --direct=1 --ioengine=psync --rw=randread --norandommap \
		--bs=4k --thread --numjobs=4 --group_reporting
	for ((n = 1; n <= $1; n++)); do
		load --name=writer --filename="$work/mnt/$n" --size=192M --overwrite=1 --fallocate=none \
			--ioengine=psync --rw=write --bs=1M
	done
}
alone() { beside 0; }
one() { beside 1; }
four() { beside 4; }
batch() { beside 4 iosched/fifo_batch=1 iosched/writes_starved=16; }
depth64() { beside 4 "$async_depth=64"; }
depth1() { beside 4 "$async_depth=1"; }

modeldisk_up origin4 --speed=3
keep_deadlines
files_up 4 192
list=(alone one four batch)
for async_depth in iosched/async_depth async_depth; do
	[ -e "/sys/block/$DISK/queue/$async_depth" ] || continue
	list+=(depth64 depth1)
	break
done
compare "${list[@]}"
heading "4. how deep asynchronous writes may go beside synchronous reads (2010)" <<'END'
claim   buffered writes are held at a depth of 1, even those of one busy writer; deeper ones go
        faster, if the latency of synchronous reads stays within bounds
load    4 synchronous random readers of 4 kB, alone and beside 1 and 4 buffered writers of files;
        then 4 writers with fifo_batch 1 and writes_starved 16, and with async_depth bounded
disk    modelled, 7200 rpm, three times as fast as a real one, first come first served
END
table alone="readers alone" one="+ 1 writer" four="+ 4 writers" batch="4, fifo_batch 1" depth64="4, async_depth 64" \
	depth1="4, async_depth 1" <<'END'
written, MB per second     | ~,.1f | write["bytes"] / seconds / 1e6
reads per second           | ~,.0f | read["ios"] / seconds
sync total (ms): p50       | .0f  | read["classes"]["sync"]["total_us"]["p50"] / 1000
  p99                      | ~.0f  | read["classes"]["sync"]["total_us"]["p99"] / 1000
  max                      | ~.0f  | read["classes"]["sync"]["total_us"]["max"] / 1000
  of it held, mean         | .1f  | read["classes"]["sync"]["wait_us"]["mean"] / 1000
in the device: async writes p50 | .0f | d["device_levels_async_write"]["p50"]
  p95                      | .0f  | d["device_levels_async_write"]["p95"]
  p99                      | .0f  | d["device_levels_async_write"]["p99"]
  sync writes p99          | .0f  | d["device_levels_sync_write"]["p99"]
  reads p50                | .0f  | d["device_levels_read"]["p50"]
  reads p99                | .0f  | d["device_levels_read"]["p99"]
held: async writes p50     | .0f  | d["held_levels_async_write"]["p50"]
  reads p99                | .0f  | d["held_levels_read"]["p99"]
pool full, of the time     | .0%  | d["pool_full"]
idle with work             | .2%  | d["idle_with_work"]
device idle                | .2%  | d["device_idle"]
longest passed over (ms): reads | .0f | read["starved_us"] / 1000
  writes                   | .0f  | write["starved_us"] / 1000
losses                     | .0f  | losses(d)
END
