#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Verdict and advice under loads that are made for them, on a modelled disk.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/../kernel/lib.sh"
need_kernel

# report_under NAME [FIO-JOB...]: a report of three seconds under those jobs, in $work/NAME.
report_under() {
	local name=$1
	shift
	if [ $# -gt 0 ]; then
		fio --filename="$DEV" --ioengine=libaio --time_based --runtime=60 --output=/dev/null "$@" &
		load=$!
		sleep 1
	fi
	# A window may have more losses than one can be judged with: then it says nothing.
	for _ in 1 2 3 4 5 6; do
		"$SEEKWISE" report --json --groups all -d 3s "$DISK" >"$work/$name"
		[ "$(json "$work/$name" 'd["verdict"] is None')" = True ] || break
		info "$name: losses $(json "$work/$name" 'd["losses"]')"
	done
	[ $# = 0 ] || load_down
	info "$name: $(json "$work/$name" 'd["verdict"]["text"], [a["id"] for a in d["advice"]]')"
}
bound() { json "$work/$1" 'd["verdict"]["bound"]'; }
# given NAME ID [EXPRESSION on a, the piece of advice]: 0 or 1 pieces, or the value.
given() { json "$work/$1" "[${3:-1} for a in d['advice'] if a['id'] == '$2']"; }
commands() { given "$1" "$2" 'a["commands"]'; }
# of_detail NAME: the ids given that rest on the detail groups, one after the other.
of_detail() {
	json "$work/$1" '" ".join(a["id"] for a in d["advice"] if a["id"] in (
	"streams-held", "streams-not-held", "read-ahead", "requests-split", "pool-splits",
	"async-crowds", "writes-crowd", "sync-behind-async", "ionice-ignored"))'
}
queue() { cat "/sys/block/$DISK/queue/$1"; }
set_queue() { echo "$2" >"/sys/block/$DISK/queue/$1"; }

modeldisk_up advice --speed 10

report_under idle
check idle-bound "$(bound idle)" = idle
check idle-no-advice "$(json "$work/idle" 'd["advice"]')" = "[]"

report_under one --direct=1 --name=one --rw=randread --bs=4k --iodepth=1
check one-reader-bound "$(bound one)" = submitter
check one-reader-no-knob-is-to-blame "$(json "$work/one" 'd["advice"]')" = "[]"

report_under deep --direct=1 --name=deep --rw=randread --bs=4k --iodepth=512
check deep-bound "$(bound deep)" = queue
check deep-pool-full "$(commands deep pool-full)" = \
	"[['echo 512 > /sys/block/$DISK/queue/nr_requests']]"
check deep-evidence "$(given deep pool-full 'a["evidence"]["held.mean"] == d["held"]["mean"]')" = "[True]"
check deep-not-behind-writes "$(given deep reads-behind-writes)" = "[]"
check deep-nothing-of-detail "$(of_detail deep)" = ""

# Fewer requests than the pool has, so that a reader gets in at all.
set_knob fifo_batch 128
report_under flood --direct=1 --name=flood --rw=randwrite --bs=4k --iodepth=200 \
	--name=reader --rw=randread --bs=4k --iodepth=1 --numjobs=8
check flood-bound "$(bound flood)" = queue
check flood-reads-behind-writes "$(commands flood reads-behind-writes)" = \
	"[['echo 32 > /sys/block/$DISK/queue/iosched/fifo_batch']]"
check flood-nothing-of-detail "$(of_detail flood)" = ""
check nothing-was-written "$(knob fifo_batch)" = 128
set_knob fifo_batch 16

"$SEEKWISE" report -d 200ms "$DISK" >"$work/text"
grep -q '^  verdict  *the disk is idle' "$work/text" && pass text-verdict || fail "$(cat "$work/text")"
grep -q '^  advice  *none$' "$work/text" && pass text-no-advice || fail "$(cat "$work/text")"

# Streams that ask for one thing at a time: the programs' own, and what is read ahead of them.
# On a slower disk, where it is the seeks that take the time.
modeldisk_up streams --speed 4 --no-data
streams=(--bs=64k --size=20G --offset_increment=50G --numjobs=4 --rw=read)
report_under stream --direct=1 --name=stream --bs=64k --rw=read --iodepth=1
check one-stream-nothing "$(of_detail stream)" = ""
report_under streams --direct=1 --name=streams "${streams[@]}" --iodepth=1
check streams-not-held "$(of_detail streams)" = streams-not-held
check streams-not-held-commands "$(commands streams streams-not-held)" = "[[]]"
set_queue read_ahead_kb 128
report_under ahead --direct=0 --ioengine=psync --fadvise_hint=0 --name=ahead "${streams[@]}"
check read-ahead "$(of_detail ahead)" = read-ahead
check read-ahead-commands "$(commands ahead read-ahead)" = \
	"[['echo 1024 > /sys/block/$DISK/queue/read_ahead_kb']]"

# A stream of reads and one of writes, as many requests as are held: merged they would be few.
largest=$(queue max_sectors_kb)
set_queue max_sectors_kb 64
held=(--direct=1 --bs=64k --iodepth=120 --name=r --rw=read --size=50G
	--name=w --rw=write --offset=500G --size=50G)
report_under held "${held[@]}"
check streams-held "$(of_detail held)" = streams-held
check streams-held-commands "$(commands held streams-held)" = \
	"[['echo 64 > /sys/block/$DISK/queue/iosched/fifo_batch', 'seekwise tune $DISK']]"
check streams-held-batches-not-shorter "$(given held reads-behind-writes)" = "[]"

# Large I/O cut into pieces, which part in a full pool.
large=(--direct=1 --name=large --rw=randread --bs=1m --iodepth=8 --numjobs=8 --size=500G)
set_queue max_sectors_kb 128
report_under pieces "${large[@]}"
check requests-split "$(of_detail pieces)" = requests-split
check requests-split-commands "$(commands pieces requests-split)" = \
	"[['echo $largest > /sys/block/$DISK/queue/max_sectors_kb']]"
set_queue max_sectors_kb "$largest"
report_under whole "${large[@]}"
check requests-whole-nothing "$(of_detail whole)" = ""

disk_down streams
disk_use advice

# Writes that leave no room: sync ones, which async_depth bounds as well.
crowd=(--direct=1 --bs=4k --name=crowd --rw=randwrite --iodepth=16 --numjobs=30
	--name=reader --rw=randread --iodepth=1 --numjobs=4)
async_depth=iosched/async_depth
[ -e "/sys/block/$DISK/queue/$async_depth" ] || async_depth=async_depth
if [ -e "/sys/block/$DISK/queue/$async_depth" ]; then
	report_under crowd "${crowd[@]}"
	check writes-crowd "$(of_detail crowd)" = writes-crowd
	check writes-crowd-commands "$(commands crowd writes-crowd)" = \
		"[['echo 192 > /sys/block/$DISK/queue/$async_depth']]"
	set_queue $async_depth 192
	report_under beside "${crowd[@]}"
	check writes-beside-reads-nothing "$(of_detail beside)" = ""
	check writes-beside-reads-pool "$(json "$work/beside" 'd["pool_full"] < 0.2')" = True
else
	echo "SKIP writes-crowd: no async_depth here"
fi

# What the page cache writes, sent off by the program that made it.
flood=(--name=flood --direct=0 --ioengine=psync --rw=randwrite --bs=4k --size=64G
	--norandommap --sync_file_range=write:32)
sync=(--name=sync --direct=1 --ioengine=psync --rw=randwrite --bs=4k --offset=100G --size=10G)
if { set_queue wbt_lat_usec 0; } 2>/dev/null; then
	set_queue $async_depth 256
	report_under async "${flood[@]}" "${sync[@]}" --numjobs=8
	check async-crowds "$(of_detail async)" = async-crowds
	check async-crowds-commands "$(commands async async-crowds)" = \
		"[['echo 75000 > /sys/block/$DISK/queue/wbt_lat_usec']]"
	set_queue wbt_lat_usec 75000
	report_under throttled "${flood[@]}" "${sync[@]}" --numjobs=8
	check throttled-nothing "$(of_detail throttled)" = ""
	set_queue wbt_lat_usec 0
	# Less than half of the pool, and a limit that they reach.
	set_queue nr_requests 512
	set_queue $async_depth 240
	report_under behind "${flood[@]}" "${sync[@]}" --numjobs=24
	check sync-behind-async "$(of_detail behind)" = sync-behind-async
	check sync-behind-async-commands "$(commands behind sync-behind-async)" = \
		"[['echo 120 > /sys/block/$DISK/queue/$async_depth']]"
else
	echo "SKIP async-crowds: no write-back throttling here"
fi

# Priority classes under a scheduler without them.
set_queue scheduler none
classes=(--direct=1 --rw=randread --bs=4k --iodepth=8 --name=plain --name=idle)
report_under alike "${classes[@]}"
check one-class-nothing "$(given alike ionice-ignored)" = "[]"
report_under classes "${classes[@]}" --prioclass=3
check ionice-ignored "$(of_detail classes)" = ionice-ignored
check ionice-ignored-commands "$(commands classes ionice-ignored)" = \
	"[['echo mq-deadline > /sys/block/$DISK/queue/scheduler']]"
set_queue scheduler mq-deadline
report_under by-class "${classes[@]}" --prioclass=3
check classes-served-nothing "$(of_detail by-class)" = ""
