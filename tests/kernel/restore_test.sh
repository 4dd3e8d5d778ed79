#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# kill -9 of tune at twenty random moments, then restore: every knob equals its
# baseline each time. And the other ends: signals, the next start, --keep.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
need_kernel
rounds=${ROUNDS:-20}

modeldisk_up kill --speed 20
set_knob fifo_batch 1
knobs() { (cd "/sys/block/$DISK/queue" && grep . iosched/* nr_requests async_depth nr_sched_batch 2>/dev/null || true); }
baseline=$(knobs)
load_up 600

# start_tune OPTION...: in the background, as $tuner.
start_tune() {
	"$SEEKWISE" tune --window 200ms "$@" "$DISK" >"$work/out" 2>"$work/err" &
	tuner=$!
}
changed=0 wrong=0
for _ in $(seq "$rounds"); do
	start_tune
	sleep "$((RANDOM % 6)).$((RANDOM % 10))$((RANDOM % 10))"
	kill -9 "$tuner"
	wait "$tuner" 2>/dev/null || true
	[ "$(knobs)" = "$baseline" ] || changed=$((changed + 1))
	"$SEEKWISE" restore "$DISK" >"$work/out" 2>&1 || { fail "restore: $(cat "$work/out")"; }
	if [ "$(knobs)" != "$baseline" ]; then
		wrong=$((wrong + 1))
		info "after restore: $(diff <(echo "$baseline") <(knobs) | tr '\n' ' ')"
		set_knob fifo_batch 1
	fi
done
check "killed-$rounds-times-restored" "$wrong" = 0
# The test must have met knobs that were changed, or it has shown nothing.
check "knobs-were-changed-when-killed ($changed times)" "$changed" -ge 3

# wait_changed: until the tuner has something else than the baseline in force.
wait_changed() {
	local _
	for _ in $(seq 200); do
		[ "$(knob fifo_batch)" = 1 ] || return 0
		sleep 0.1
	done
	fail "the tuner changed nothing: $(cat "$work/out")"
}
for signal in INT TERM HUP; do
	start_tune
	wait_changed
	kill "-$signal" "$tuner"
	wait "$tuner" && code=0 || code=$?
	check "SIG$signal-code" "$code" = 0
	check "SIG$signal-restores" "$(knobs)" = "$baseline"
done

start_tune
wait_changed
kill -9 "$tuner"
wait "$tuner" 2>/dev/null || true
start_tune -d 1s
wait "$tuner" || true
check next-start-restores "$(knobs)" = "$baseline"

# Detached under a dead tuner: the loop's knobs outlive it, and come back all the same.
start_tune
wait_changed
kill -9 "$tuner"
wait "$tuner" 2>/dev/null || true
"$SEEKWISE" restore >"$work/out"
grep -q "1 knob put back" "$work/out" && pass restore-all || fail "restore: $(cat "$work/out")"
"$SEEKWISE" restore >"$work/out"
check nothing-to-restore "$(cat "$work/out")" = "nothing to put back"

# Closed output: the tuner ends, and restores.
"$SEEKWISE" tune --window 200ms "$DISK" 2>/dev/null | head -1 >/dev/null
check closed-pipe-restores "$(knobs)" = "$baseline"

start_tune --keep --once -d 60s
wait "$tuner" && code=0 || code=$?
check keep-code "$code" = 0
check keep-keeps "$(knob fifo_batch)" -gt 1
check keep-leaves-no-baseline "$(baselines)" = 0
load_down
