#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The service under load: it tunes where the file says so, and only there; a clean stop, and
# restore after a crash, put all back.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/../kernel/lib.sh"
need_kernel

modeldisk_up tuned --speed 20
tuned=$DISK tuned_dev=$DEV
set_knob fifo_batch 1
modeldisk_up watched --speed 20
watched=$DISK watched_dev=$DEV
set_knob fifo_batch 1
for dev in "$tuned_dev" "$watched_dev"; do
	fio --name=w --filename="$dev" --rw=randread --bs=4k --direct=1 --ioengine=libaio \
		--iodepth=512 --time_based --runtime=300 --output=/dev/null &
	loads="${loads:-} $!"
done
value() { cat "/sys/block/$1/queue/iosched/fifo_batch"; }

printf '[%s]\nmode = tune\nwindow = 300ms\n[%s]\nmode = observe\n' "$tuned_dev" "$watched" >"$work/seekwise.conf"

start() {
	"$SEEKWISE" daemon -c "$work/seekwise.conf" \
		2>"$work/err" >"$work/out" &
	daemon=$!
}
changed() { [ "$(value "$tuned")" != 1 ]; }

start
until_true 40 changed && pass tunes-where-told || fail "nothing tuned: $(cat "$work/err")"
until_true 40 grep -q 'kept:' "$work/err" && pass decisions-are-logged || fail "no decision: $(cat "$work/err")"
check observed-disk-untouched "$(value "$watched")" = 1
check one-line-per-decision "$(sort "$work/err" | uniq -d | wc -l)" = 0
kill -TERM "$daemon"
wait "$daemon" && code=0 || code=$?
check stop-code "$code" = 0
check stop-restores "$(value "$tuned")" = 1

# Crash, then what ExecStopPost does.
start
until_true 40 changed || fail "nothing tuned after the second start"
kill -9 "$daemon"
wait "$daemon" 2>/dev/null || true
"$SEEKWISE" restore >/dev/null
check restore-after-crash "$(value "$tuned")" = 1

# shellcheck disable=SC2086
kill $loads
# shellcheck disable=SC2086
wait $loads 2>/dev/null || true
