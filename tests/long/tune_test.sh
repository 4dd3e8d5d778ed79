#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# tune on the modelled disk: finds what there is to gain, keeps its hands still
# where there is nothing, and puts the baseline back.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/../kernel/lib.sh"
need_kernel
speed=${SPEED:-10}

# rate: requests completed per second, over 4 seconds.
rate() {
	"$SEEKWISE" report --json -d 4s "$DISK" >"$work/rate.json"
	json "$work/rate.json" 'round(d["read"]["ios"] / d["seconds"])'
}

# From fifo_batch = 1, with --keep to measure what was found, within 3 minutes.
modeldisk_up gain --speed "$speed"
set_knob fifo_batch 1
load_up 600
sleep 2
before=$(rate)
began=$SECONDS
"$SEEKWISE" tune --once --keep -d 180s "$DISK" | tee "$work/tune" || fail "tune: exit code"
took=$((SECONDS - began))
found=$(knob fifo_batch)
after=$(rate)
info "fifo_batch 1 -> $found, $before -> $after requests per second, in $took s"
check gain-at-least-1.4 $((after * 10)) -ge $((before * 14))
check keep-leaves-no-baseline "$(baselines)" = 0
# The same once more without --keep: the value found comes back.
set_knob fifo_batch 1
"$SEEKWISE" tune -d 90s "$DISK" >"$work/tune"
grep -q kept: "$work/tune" && pass kept-is-said || fail "no line says kept: $(cat "$work/tune")"
check original-value-is-back "$(knob fifo_batch)" = 1

# Dry run: says what it would write, and does not.
set_knob fifo_batch 1
timeout 60 "$SEEKWISE" tune --dry-run "$DISK" >"$work/dry"
grep -q "would begin by trying fifo_batch .*: echo [0-9]* >/sys/block/$DISK/queue/iosched/fifo_batch" "$work/dry" &&
	pass dry-run-says || fail "dry run: $(cat "$work/dry")"
check dry-run-writes-nothing "$(knob fifo_batch)" = 1

# Started at the best value for this load (above 256 the curve is flat), nothing is changed for good.
set_knob fifo_batch 256
"$SEEKWISE" tune --once --keep -d 150s "$DISK" | tee "$work/best"
check best-stays "$(knob fifo_batch)" = 256
grep -qE 'trying|stays' "$work/best" && pass best-was-questioned || fail "tune did nothing: $(cat "$work/best")"
load_down
disk_down gain
