#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A disk that goes away, or changes its scheduler, under report, top, tune and
# the daemon: one clear line, the right exit code, no hang. With the sanitizers.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
need_kernel
SEEKWISE=$top/.output/san/seekwise

# goes_away NAME CODE TEXT COMMAND...: the loop device is detached after a second.
goes_away() {
	local name=$1 code=$2 text=$3 got=0 pid
	shift 3
	plainloop_up "$name" 64M
	echo 1 >"/sys/block/$DISK/queue/rotational"
	timeout -k 5 60 "$SEEKWISE" "$@" "$DISK" >"$work/out" 2>"$work/err" &
	pid=$!
	sleep 1
	losetup -d "$DEV"
	wait "$pid" || got=$?
	if [ "$got" != "$code" ]; then
		fail "$name: exit code $got instead of $code: $(cat "$work/out" "$work/err" | head -c 400)"
	elif [ "$(cat "$work/out" "$work/err" | grep -c "$text")" != 1 ]; then
		fail "$name: not one line with '$text': $(cat "$work/out" "$work/err" | head -c 400)"
	elif grep -q 'AddressSanitizer\|runtime error' "$work/err"; then
		fail "$name: $(head -c 400 "$work/err")"
	else
		pass "$name"
	fi
	disk_down "$name"
}

goes_away report-gone 1 "the disk is gone" report -d 20s
goes_away top-gone 1 "the disk is gone" top --plain -i 300ms
goes_away tune-gone 1 "the disk is gone" tune --window 300ms

# The scheduler changes under a tuner: it waits, and touches nothing of the new one.
modeldisk_up switch --speed 20
load_up 25 256
"$SEEKWISE" tune --window 300ms "$DISK" >"$work/out" 2>"$work/err" &
tuner=$!
sleep 6
echo bfq >"/sys/block/$DISK/queue/scheduler" 2>/dev/null || echo none >"/sys/block/$DISK/queue/scheduler"
sleep 7
grep -q "not tuned now: its scheduler is" "$work/out" && pass switch-is-said ||
	fail "the switch is not said: $(tail -3 "$work/out")"
echo mq-deadline >"/sys/block/$DISK/queue/scheduler"
sleep 7
grep -q "tuned again" "$work/out" && pass switch-back-is-seen || fail "switch back: $(tail -3 "$work/out")"
kill -INT "$tuner"
wait "$tuner" && code=0 || code=$?
check switch-code "$code" = 0
check switch-leaves-default "$(knob fifo_batch)" = 16
load_down
disk_down switch

# Somebody else writes the knob: hands off, said once, and their value stays.
modeldisk_up foreign --speed 20
load_up 25 256
"$SEEKWISE" tune --window 300ms "$DISK" >"$work/out" 2>"$work/err" &
tuner=$!
sleep 5
"$SEEKWISE" tune -d 2s "$DISK" >/dev/null 2>"$work/second" && code=0 || code=$?
check two-tuners-code "$code" = 6
grep -q "another tuner holds it (process $tuner)" "$work/second" && pass two-tuners-said ||
	fail "second tuner: $(cat "$work/second")"
"$SEEKWISE" restore "$DISK" 2>/dev/null && code=0 || code=$?
check restore-beside-tuner-code "$code" = 6
set_knob fifo_batch 77
wait "$tuner" && code=0 || code=$?
check foreign-code "$code" = 1
check foreign-value-stays "$(knob fifo_batch)" = 77
check foreign-said-once "$(grep -c 'hands off' "$work/out")" = 1
check foreign-no-baseline-left "$(baselines)" = 0
load_down
disk_down foreign

# The run folder is full in the middle of a trial: the tuner ends, and the knob goes back at once.
modeldisk_up full --speed 20
set_knob fifo_batch 1
mkdir "$work/small"
mount -t tmpfs -o size=32k none "$work/small"
load_up 90
SEEKWISE_RUN=$work/small "$SEEKWISE" tune --window 200ms "$DISK" >"$work/out" 2>"$work/err" &
tuner=$!
for _ in $(seq 300); do [ "$(knob fifo_batch)" = 1 ] || break; sleep 0.05; done
dd if=/dev/zero of="$work/small/fill" bs=1k 2>/dev/null || true
wait "$tuner" && code=0 || code=$?
check full-folder-code "$code" = 1
grep -q ENOSPC "$work/out" && pass full-folder-says || fail "ENOSPC is not said: $(tail -3 "$work/out")"
check full-folder-restores "$(knob fifo_batch)" = 1
load_down
umount "$work/small"
