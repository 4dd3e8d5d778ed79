#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The service: readiness, watchdog and state are told; it holds the disks that the file tells
# it to tune, and no others; a clean stop. What it tunes is make check-long's.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
need_kernel plain

plainloop_up tuned 64M
tuned=$DISK tuned_dev=$DEV
echo 1 >"/sys/block/$DISK/queue/rotational"
plainloop_up watched 64M
watched=$DISK
value() { cat "/sys/block/$1/queue/iosched/fifo_batch"; }
noted() { grep -q "$1" "$work/notify"; }

printf '[%s]\nmode = tune\nwindow = 300ms\n[%s]\nmode = observe\n' "$tuned_dev" "$watched" >"$work/seekwise.conf"
python3 "$top/tests/kernel/notify.py" "$work/socket" "$work/notify" &
listener=$!
until_true 60 [ -S "$work/socket" ] || fail "no socket to notify"

start() {
	NOTIFY_SOCKET=$work/socket WATCHDOG_USEC=2000000 "$SEEKWISE" daemon -c "$work/seekwise.conf" \
		2>"$work/err" >"$work/out" &
	daemon=$!
}

start
until_true 60 noted READY=1 && pass ready || fail "no READY=1: $(cat "$work/err")"
until_true 60 noted "^STATUS=.*$tuned" && pass status || fail "no status"
fed() { [ "$(grep -c WATCHDOG=1 "$work/notify")" -ge 5 ]; }
until_true 60 fed && pass watchdog-is-fed || fail "watchdog: $(cat "$work/notify")"
# beside DISK: how a trial on it ends, of one pair.
beside() {
	"$SEEKWISE" trial "$1" -a fifo_batch=1 -b fifo_batch=2 --window 200ms --pairs 1 >"$work/out" 2>&1 &&
		echo 0 || echo $?
}
check holds-what-it-tunes "$(beside "$tuned")" = 6
check holds-nothing-else "$(beside "$watched")" = 1
check writes-nothing-on-an-idle-disk "$(value "$tuned") $(value "$watched")" = "16 16"
kill -TERM "$daemon"
wait "$daemon" && code=0 || code=$?
check stop-code "$code" = 0
grep -q STOPPING=1 "$work/notify" && pass stopping || fail "no STOPPING=1"
check stop-lets-go "$(beside "$tuned")" = 1
check one-line-per-decision "$(sort "$work/err" | uniq -d | wc -l)" = 0

# Disks of the command line are observed only.
observes() { grep -qs '^link_type:' /proc/"$1"/fdinfo/*; }
"$SEEKWISE" daemon "$tuned" 2>"$work/err" &
daemon=$!
until_true 60 observes "$daemon" || fail "it does not observe: $(cat "$work/err")"
check command-line-holds-nothing "$(beside "$tuned")" = 1
kill -TERM "$daemon"
wait "$daemon" && code=0 || code=$?
check command-line-code "$code" = 0
kill "$listener"
wait "$listener" 2>/dev/null || true

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
until_true 60 observes "$daemon" || fail "the shipped configuration: $(cat "$work/err")"
kill -TERM "$daemon"
wait "$daemon" && code=0 || code=$?
check shipped-configuration "$code" = 0
