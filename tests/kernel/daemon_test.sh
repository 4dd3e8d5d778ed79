#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The service: readiness, watchdog and state are told; it tunes where the file
# says so, and only there; a clean stop, and restore after a crash, put all back.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
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
python3 "$top/tests/kernel/notify.py" "$work/socket" "$work/notify" &
listener=$!
for _ in $(seq 50); do [ -S "$work/socket" ] && break; sleep 0.1; done

start() {
	NOTIFY_SOCKET=$work/socket WATCHDOG_USEC=2000000 "$SEEKWISE" daemon -c "$work/seekwise.conf" \
		2>"$work/err" >"$work/out" &
	daemon=$!
}
changed() { [ "$(value "$tuned")" != 1 ]; }

start
until_true 20 grep -q READY=1 "$work/notify" && pass ready || fail "no READY=1: $(cat "$work/err")"
until_true 40 changed && pass tunes-where-told || fail "nothing tuned: $(cat "$work/err")"
until_true 40 grep -q "^STATUS=.*$tuned" "$work/notify" && pass status || fail "no status"
until_true 40 grep -q 'kept:' "$work/err" && pass decisions-are-logged || fail "no decision: $(cat "$work/err")"
check observed-disk-untouched "$(value "$watched")" = 1
check watchdog-is-fed "$(grep -c WATCHDOG=1 "$work/notify")" -ge 5
check one-line-per-decision "$(sort "$work/err" | uniq -d | wc -l)" = 0
kill -TERM "$daemon"
wait "$daemon" && code=0 || code=$?
check stop-code "$code" = 0
grep -q STOPPING=1 "$work/notify" && pass stopping || fail "no STOPPING=1"
check stop-restores "$(value "$tuned")" = 1

# Crash, then what ExecStopPost does.
start
until_true 40 changed || fail "nothing tuned after the second start"
kill -9 "$daemon"
wait "$daemon" 2>/dev/null || true
"$SEEKWISE" restore >/dev/null
check restore-after-crash "$(value "$tuned")" = 1

# Disks of the command line are observed only.
"$SEEKWISE" daemon "$tuned" 2>"$work/err" &
daemon=$!
sleep 5
kill -TERM "$daemon"
wait "$daemon" && code=0 || code=$?
check command-line-code "$code" = 0
check command-line-observes "$(value "$tuned")" = 1

# shellcheck disable=SC2086
kill $loads "$listener"
# shellcheck disable=SC2086
wait $loads "$listener" 2>/dev/null || true

# The unit: installed into a folder of its own, and accepted by systemd.
make -C "$top" --no-print-directory -s install DESTDIR="$work/root" PREFIX=/usr >/dev/null
for file in usr/sbin/seekwise usr/lib/systemd/system/seekwise.service etc/seekwise/seekwise.conf; do
	[ -e "$work/root/$file" ] && pass "installs $file" || fail "make install does not put $file"
done
unit=$work/root/usr/lib/systemd/system/seekwise.service
if ! command -v systemd-analyze >/dev/null; then
	echo "SKIP systemd-analyze verify: no systemd here"
else
	# It looks for the programs: they stand below the folder.
	sed "s|/usr/sbin/seekwise|$work/root/usr/sbin/seekwise|" "$unit" >"$work/seekwise.service"
	systemd-analyze verify --man=no "$work/seekwise.service" >"$work/verify" 2>&1 || true
	check systemd-accepts-the-unit "$(grep -c "seekwise.service" "$work/verify" || true)" = 0
fi
grep -q ProtectKernelTunables=yes "$unit" && fail "the unit would make /sys read-only" || pass sys-stays-writable
"$SEEKWISE" daemon -c "$work/root/etc/seekwise/seekwise.conf" 2>"$work/err" &
daemon=$!
sleep 1.5
kill -TERM "$daemon"
wait "$daemon" && code=0 || code=$?
check shipped-configuration "$code" = 0
