#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# make demo: a modelled disk, a load that gains from tuning, the live view, a
# report, the tuner at work, and a report after it. Takes all down again, also
# when it is interrupted.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=tests/disk/lib.sh
. tests/disk/lib.sh
seekwise=$PWD/.output/seekwise
work=$(mktemp -d)
load=
child=
export SEEKWISE_RUN=$work/run

cleanup() {
	trap - EXIT INT TERM HUP
	# The tuner puts the knobs back itself when it is told to end.
	for pid in $child $load; do
		kill -INT "$pid" 2>/dev/null || true
		wait "$pid" 2>/dev/null || true
	done
	[ -z "$DISK" ] || "$seekwise" restore "$DISK" >/dev/null 2>&1 || true
	disks_down
	rm -rf "$work"
}
trap cleanup EXIT
trap 'echo; echo "demo: interrupted, cleaning up" >&2; exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

# Runs a command so that a signal to the demo reaches us at once, and it after us.
run() {
	"$@" &
	child=$!
	wait "$child"
	child=
}
title() { printf '\n=== %s\n\n' "$*"; }
figure() { # FILE EXPRESSION
	python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))["devices"][0]
print(eval(sys.argv[2]))' "$@"
}
row() { # LABEL EXPRESSION
	printf '  %-34s %14s %14s\n' "$1" "$(figure "$work/before.json" "$2")" "$(figure "$work/after.json" "$2")"
}

if [ "$(id -u)" != 0 ]; then
	echo "demo: loading BPF programs takes root: sudo make demo" >&2
	exit 3
fi
why=$(disk_why_not)
if [ -n "$why" ]; then
	echo "demo: a modelled disk cannot be made here: $why" >&2
	exit 1
fi

title "a modelled hard disk (7200 rpm, ten times as fast, so that you need not wait), under a loop device"
modeldisk_up demo --speed 10
echo 1 >"/sys/block/$DISK/queue/iosched/fifo_batch"
echo "$DISK: mq-deadline, fifo_batch = 1 (somebody set it so), random reads of 4k at depth 512"
fio --name=load --filename="$DEV" --rw=randread --bs=4k --direct=1 --ioengine=libaio \
	--iodepth=512 --time_based --runtime=600 --output=/dev/null &
load=$!
sleep 2

title "seekwise top -n 4 $DISK"
run "$seekwise" top --plain -n 4 "$DISK"

title "seekwise report -d 4s $DISK"
run "$seekwise" report -d 4s "$DISK"
"$seekwise" report --json -d 4s "$DISK" >"$work/before.json"

title "seekwise tune --once --keep -d 90s $DISK"
run "$seekwise" tune --once --keep -d 90s "$DISK"

title "before and after"
"$seekwise" report --json -d 4s "$DISK" >"$work/after.json"
printf '  %-34s %14s %14s\n' "" before after
row "fifo_batch" 'd["knobs"]["fifo_batch"]'
row "requests per second" 'round(d["read"]["ios"] / d["seconds"])'
row "wraps per second" 'round(sum(v or 0 for v in d["read"]["wraps"].values()) / d["seconds"])'
row "seek distance, mean (sectors)" 'round(d["read"]["seek_sectors"]["mean"])'
row "batch, mean (requests)" 'round(d["read"]["batches"]["mean"], 1)'
row "wait, mean (ms)" 'round(d["read"]["wait_us"]["mean"] / 1000, 1)'
row "total, p99 (ms)" 'round(d["read"]["total_us"]["p99"] / 1000, 1)'

title "cleaning up"
echo "the loop device gets its old settings back, the modelled disk ends"
