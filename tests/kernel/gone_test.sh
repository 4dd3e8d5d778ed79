#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A disk that goes away, or changes its scheduler, under report, top, tune and
# the daemon: one clear line, the right exit code, no hang. With the sanitizers.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
need_kernel
SEEKWISE=$top/.output/san/seekwise

# Its programs are attached: links are open.
observes() { grep -qs '^link_type:' /proc/"$1"/fdinfo/*; }
ended() { ! kill -0 "$1" 2>/dev/null; }
said() { grep -q "$1" "$work/out" "$work/err"; }

# goes_away NAME CODE TEXT COMMAND...: the loop device is detached once it is observed.
goes_away() {
	local name=$1 code=$2 text=$3 got=0 pid
	shift 3
	plainloop_up "$name" 64M
	echo 1 >"/sys/block/$DISK/queue/rotational"
	"$SEEKWISE" "$@" "$DISK" >"$work/out" 2>"$work/err" &
	pid=$!
	until_true 60 observes "$pid" || fail "$name: it does not observe: $(cat "$work/err")"
	losetup -d "$DEV"
	until_true 100 ended "$pid" || { fail "$name: it does not end"; kill -9 "$pid"; }
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

goes_away report-gone 1 "the disk is gone" report -d 60s
goes_away top-gone 1 "the disk is gone" top --plain -i 300ms
goes_away tune-gone 1 "the disk is gone" tune --window 300ms
goes_away trial-gone 1 "the disk is gone" trial -a fifo_batch=1 -b fifo_batch=2 --window 300ms --pairs 256

# The scheduler changes under a tuner: it waits, and touches nothing of the new one.
plainloop_up switch 64M
start() { # COMMAND...: in the background, as $tuner
	"$SEEKWISE" "$@" "$DISK" >"$work/out" 2>"$work/err" &
	tuner=$!
	until_true 60 observes "$tuner" || fail "it does not observe: $(cat "$work/err")"
}
start tune --any-rotation --window 300ms
echo none >"/sys/block/$DISK/queue/scheduler"
until_true 60 said "not tuned now: its scheduler is" && pass switch-is-said ||
	fail "the switch is not said: $(tail -3 "$work/out")"
echo mq-deadline >"/sys/block/$DISK/queue/scheduler"
until_true 60 said "tuned again" && pass switch-back-is-seen || fail "switch back: $(tail -3 "$work/out")"
kill -INT "$tuner"
wait "$tuner" && code=0 || code=$?
check switch-code "$code" = 0
check switch-leaves-default "$(knob fifo_batch)" = 16

# Under a trial it ends that.
is_changed() { [ "$(knob fifo_batch)" != 16 ]; }
start trial -a fifo_batch=1 -b fifo_batch=64 --window 200ms --pairs 256
until_true 60 is_changed || fail "the trial changed nothing: $(cat "$work/err")"
echo none >"/sys/block/$DISK/queue/scheduler"
wait "$tuner" && code=0 || code=$?
check trial-switch-code "$code" = 1
said "ended: its scheduler is none" && pass trial-switch-is-said || fail "switch: $(cat "$work/out")"
check trial-switch-no-baseline-left "$(baselines)" = 0
echo mq-deadline >"/sys/block/$DISK/queue/scheduler"
check trial-switch-leaves-default "$(knob fifo_batch)" = 16

# Somebody else writes the knob: hands off, said once, and their value stays.
for command in tune trial; do
	sets=()
	[ "$command" = tune ] && sets=(--any-rotation) || sets=(-a fifo_batch=1 -b fifo_batch=64 --pairs 256)
	start "$command" "${sets[@]}" --window 300ms
	"$SEEKWISE" tune --any-rotation -d 2s "$DISK" >/dev/null 2>"$work/second" && code=0 || code=$?
	check "beside-$command-code" "$code" = 6
	grep -q "another tuner holds it (process $tuner)" "$work/second" && pass "beside-$command-said" ||
		fail "second tuner: $(cat "$work/second")"
	"$SEEKWISE" restore "$DISK" 2>/dev/null && code=0 || code=$?
	check "restore-beside-$command-code" "$code" = 6
	[ "$command" = tune ] || until_true 60 is_changed || fail "the trial changed nothing: $(cat "$work/err")"
	set_knob fifo_batch 77
	wait "$tuner" && code=0 || code=$?
	check "foreign-$command-code" "$code" = 1
	check "foreign-$command-value-stays" "$(knob fifo_batch)" = 77
	check "foreign-$command-said-once" "$(grep -c 'hands off' "$work/out")" = 1
	check "foreign-$command-no-baseline-left" "$(baselines)" = 0
	set_knob fifo_batch 16
done

# The run folder is full before the first write, and in the middle: it ends, and what it wrote goes back.
mkdir "$work/small"
mount -t tmpfs -o size=32k none "$work/small"
fill() { dd if=/dev/zero of="$work/small/fill" bs=1k 2>/dev/null || true; }
export SEEKWISE_RUN=$work/small
start trial -a fifo_batch=1 -b fifo_batch=64 --window 200ms --pairs 256
until_true 60 is_changed || fail "the trial changed nothing: $(cat "$work/err")"
fill
wait "$tuner" && code=0 || code=$?
check full-folder-code "$code" = 1
said ENOSPC && pass full-folder-says || fail "ENOSPC is not said: $(tail -3 "$work/out")"
check full-folder-restores "$(knob fifo_batch)" = 16
# Neither the lock nor the baseline can be written.
"$SEEKWISE" trial "$DISK" -a fifo_batch=1 -b fifo_batch=64 --window 200ms --pairs 3 >"$work/out" 2>"$work/err" &&
	code=0 || code=$?
check full-from-the-start-code "$code" = 1
check full-from-the-start-writes-nothing "$(knob fifo_batch)" = 16
umount "$work/small"
