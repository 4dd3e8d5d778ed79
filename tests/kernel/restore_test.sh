#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# kill -9 of a trial at twenty random moments, then restore: every knob equals its
# baseline each time. And the other ends: signals, the next start. A trial changes knobs
# whatever the disk does; it holds them as the tuner does.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
need_kernel plain
rounds=${ROUNDS:-20}

plainloop_up kill 64M
set_knob fifo_batch 1
knobs() { (cd "/sys/block/$DISK/queue" && grep . iosched/* nr_requests async_depth nr_sched_batch 2>/dev/null || true); }
baseline=$(knobs)

# start_trial OPTION...: in the background, as $trial; without an end of its own.
start_trial() {
	"$SEEKWISE" trial "$DISK" -a fifo_batch=16 -b fifo_batch=64,read_expire=100,writes_starved=5 \
		--window 200ms --pairs 256 "$@" >"$work/out" 2>"$work/err" &
	trial=$!
}
is_changed() { [ "$(knobs)" != "$baseline" ]; }
changed=0 wrong=0
for _ in $(seq "$rounds"); do
	start_trial
	# Some while it is about to write for the first time, some in between.
	[ $((RANDOM % 4)) = 0 ] || until_true 60 is_changed || fail "the trial changed nothing: $(cat "$work/err")"
	sleep "0.$((RANDOM % 10))$((RANDOM % 10))"
	kill -9 "$trial"
	wait "$trial" 2>/dev/null || true
	! is_changed || changed=$((changed + 1))
	"$SEEKWISE" restore "$DISK" >"$work/out" 2>&1 || { fail "restore: $(cat "$work/out")"; }
	if [ "$(knobs)" != "$baseline" ]; then
		wrong=$((wrong + 1))
		info "after restore: $(diff <(echo "$baseline") <(knobs) | tr '\n' ' ')"
		break
	fi
done
check "killed-$rounds-times-restored" "$wrong" = 0
# The test must have met knobs that were changed, or it has shown nothing.
check "knobs-were-changed-when-killed ($changed times)" "$changed" -ge 3

start_changed() {
	start_trial "$@"
	until_true 60 is_changed || fail "the trial changed nothing: $(cat "$work/err")"
}
for signal in INT TERM HUP; do
	start_changed
	kill "-$signal" "$trial"
	# Of an idle disk nothing can be judged: 1.
	wait "$trial" && code=0 || code=$?
	check "SIG$signal-code" "$code" = 1
	check "SIG$signal-restores" "$(knobs)" = "$baseline"
done

start_changed
kill -9 "$trial"
wait "$trial" 2>/dev/null || true
"$SEEKWISE" trial "$DISK" -a fifo_batch=1 -b fifo_batch=2 --window 200ms --pairs 1 >"$work/out" 2>&1 || true
check next-start-restores "$(knobs)" = "$baseline"
start_changed
kill -9 "$trial"
wait "$trial" 2>/dev/null || true
"$SEEKWISE" tune --any-rotation --window 200ms -d 1s "$DISK" >"$work/out" 2>&1 || true
check next-tuner-restores "$(knobs)" = "$baseline"

start_changed
kill -9 "$trial"
wait "$trial" 2>/dev/null || true
"$SEEKWISE" restore >"$work/out"
grep -qE "[123] knobs? put back" "$work/out" && pass restore-all || fail "restore: $(cat "$work/out")"
check restore-all-restores "$(knobs)" = "$baseline"
"$SEEKWISE" restore >"$work/out"
check nothing-to-restore "$(cat "$work/out")" = "nothing to put back"

# Detached under a dead trial: the loop's knobs outlive it, and come back all the same.
start_changed
kill -9 "$trial"
wait "$trial" 2>/dev/null || true
losetup -d "$DEV"
"$SEEKWISE" restore >"$work/out"
check detached-restores "$(knobs)" = "$baseline"
check none-left "$(baselines)" = 0
