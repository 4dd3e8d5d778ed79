#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The shipped unit, as systemd runs it: readiness, state in words, watchdog, a
# tuner that writes inside the sandbox, and the baseline back after every end.
# shellcheck source=tests/vm/guest/lib.sh
. /tests/lib.sh

show() { systemctl show -P "$1" seekwise; }
is() { [ "$(show "$1")" = "$2" ]; } # PROPERTY VALUE
journal() { journalctl -q --no-pager -o cat -u seekwise; }
knob() { cat "/sys/block/$disk/queue/iosched/fifo_batch"; }
knob_is() { [ "$(knob)" = "$1" ]; }
changed() { ! knob_is 1; }
until_true() { # SECONDS COMMAND...
	end=$(($(date +%s) + $1))
	shift
	until "$@"; do
		[ "$(date +%s)" -lt "$end" ] || return 1
		sleep 0.3
	done
}
expect() { # NAME SECONDS COMMAND...: that it comes true in that time
	name=$1
	shift
	if until_true "$@"; then
		pass "$name"
	else
		fail "$name: $(show ActiveState), $(show Result), $(journal | tail -n 1)"
	fi
}
override() { # LINE...: of the unit's section Service, instead of those before
	mkdir -p /run/systemd/system/seekwise.service.d
	printf '%s\n' '[Service]' "$@" >/run/systemd/system/seekwise.service.d/test.conf
	systemctl daemon-reload
}
finish() {
	journal | tail -n 60 | while read -r line; do say "LOG $line"; done
	say VM-END
	systemctl poweroff -ff
}

echo >/dev/console
say "INFO kernel $(uname -r), $(systemctl --version | head -n 1)"
if ! why=$(/usr/sbin/seekwise --version 2>&1); then
	skip "unit: seekwise was built for another system: $why"
	finish
fi

# As shipped: it observes all disks.
systemctl start seekwise
same shipped-starts $? 0
same shipped-is-active "$(show ActiveState) $(show SubState)" "active running"
observes() { show StatusText | grep -q observed; }
expect shipped-tells-its-state 20 observes
say "INFO status $(show StatusText)"
say "INFO ready after $((($(show ActiveEnterTimestampMonotonic) - $(show InactiveExitTimestampMonotonic)) / 1000)) ms"
systemctl stop seekwise
same shipped-stops "$(show ActiveState) $(show Result)" "inactive success"
say "INFO can reload: $(show CanReload)"

# A disk that gains from tuning, or one where trying can at least be seen.
disk=$(disk_of_model HARDDISK) any=no
if [ -n "$disk" ]; then
	echo 32 >"/sys/block/$disk/device/queue_depth"
else
	say "INFO no rotational disk: $(grep -o 'vm_no_disk=[^"]*' /proc/cmdline); scsi_debug instead"
	disk=$(debug_disk) any=yes
fi
echo mq-deadline >"/sys/block/$disk/queue/scheduler"
echo 1 >"/sys/block/$disk/queue/iosched/fifo_batch"
printf '[%s]\nmode = tune\nwindow = 500ms\nany_rotation = %s\n' "$disk" $any >/etc/seekwise/seekwise.conf
reads=$(load "$disk" --rw=randread --iodepth=256 --time_based --runtime=600)
$reads &

# WatchdogSec and RestartSec are the unit's, but for their length.
override WatchdogSec=6 RestartSec=1
systemctl start seekwise
started=$(date +%s)
same tuner-starts $? 0
expect tuner-writes-in-the-sandbox 60 changed
journal | grep -q "$disk: trying fifo_batch" && pass decisions-are-in-the-journal ||
	fail "decisions: $(journal | tail -n 1)"
seekwise tune -d 1s "$disk" >/tmp/out 2>&1
same a-second-tuner-is-refused $? 6
since() { [ $(($(date +%s) - started)) -gt "$1" ]; }
until_true 20 since 8
same watchdog-is-fed "$(show ActiveState) $(show NRestarts)" "active 0"

# Stops the process while it has another value in force; else it goes on.
stop_when_changed() {
	pid=$(show MainPID)
	[ "$pid" -gt 1 ] || return
	kill -STOP "$pid"
	changed && return
	kill -CONT "$pid"
	return 1
}

# Killed: ExecStopPost puts the value back, and it is started anew.
until_true 20 stop_when_changed || fail "killed: nothing was changed"
systemctl kill -s KILL seekwise
expect killed-restores 20 knob_is 1
journal | grep -q "$disk: 1 knob put back" && pass killed-restored-by-ExecStopPost ||
	fail "ExecStopPost: $(journal | tail -n 3 | tr '\n' ' ')"
started_anew() { is NRestarts "$1" && is ActiveState active; }
expect killed-starts-anew 60 started_anew 1
expect killed-tunes-again 60 changed

# Hanging: the watchdog ends it. What starts then is ended by a system call that the
# filter refuses, which as shipped fails quietly.
override WatchdogSec=6 RestartSec=1 SystemCallErrorNumber=kill
until_true 20 stop_when_changed || fail "hanging: nothing was changed"
watchdog_ended_it() {
	journalctl -q --no-pager -o cat _PID=1 | grep -q 'seekwise.service: Watchdog timeout'
}
expect hanging-by-the-watchdog 40 watchdog_ended_it
expect hanging-restores 20 knob_is 1
expect hanging-starts-anew 60 started_anew 2
expect no-system-call-is-refused 60 changed

same no-other-restarts "$(show NRestarts)" 2
systemctl stop seekwise
same stop-restores "$(knob) $(show Result)" "1 success"
same stop-leaves-no-baseline "$(find /run/seekwise -name '*.baseline')" ""
refused=$(journal | grep -iE 'not permitted|denied|EPERM|EACCES|EROFS|read-only' | head -n 1)
same nothing-is-refused "$refused" ""
say "INFO $(systemd-analyze --no-pager security seekwise 2>/dev/null | tail -n 1)"
finish
