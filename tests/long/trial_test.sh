#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# trial on the modelled disk: under deep random reads fifo_batch 16 is found better than 1,
# and 16 no different from itself, each within a time.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/../kernel/lib.sh"
need_kernel
modeldisk_up trial --speed "${SPEED:-10}"
load_up 600
sleep 2

verdict() { python3 -c 'import json, sys; c = json.load(open(sys.argv[1]))["comparisons"][0]; print(c["verdict"])' "$1"; }
try_it() { # NAME SECONDS VERDICT OPTION...
	local name=$1 most=$2 wanted=$3 began=$SECONDS
	shift 3
	"$SEEKWISE" trial "$DISK" "$@" --json -d "$most" >"$work/$name" || fail "$name: exit code $?"
	info "$name: $((SECONDS - began)) s: $(cut -c 1-900 "$work/$name")"
	check "$name-decided" "$(verdict "$work/$name")" = "$wanted"
}
before=$(knob fifo_batch)
try_it 16-against-1 60s better -a fifo_batch=1 -b fifo_batch=16
try_it 1-against-16 60s worse -a fifo_batch=16 -b fifo_batch=1
# By the other knob nothing changes: front_merges has nothing to merge here.
try_it 16-against-16 300s same -a fifo_batch=16 -b fifo_batch=16,front_merges=0
check restored "$(knob fifo_batch) $(knob front_merges)" = "$before 1"
load_down
disk_down trial
