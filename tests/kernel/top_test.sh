#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The live view: plain lines in a pipe, full screen on a terminal, and the
# terminal as it was afterwards, however it ends.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
need_kernel plain
plainloop_up top 64M
has_reads() { [ "$(awk '{ print $1 }' "/sys/block/$DISK/stat")" -ge "$1" ]; }
# Endless, and slow enough to leave room for others.
fio --name=w --filename="$DEV" --rw=randread --bs=4k --direct=1 --ioengine=libaio --iodepth=8 \
	--time_based --runtime=3600 --rate_iops=500 --output=/dev/null &
load=$!
until_true 60 has_reads 100 || fail "no load: $(cat "/sys/block/$DISK/stat")"

"$SEEKWISE" top -n 5 -i 400ms "$DISK" >"$work/out"
check plain-rows "$(grep -c " $DISK " "$work/out")" = 5
check plain-width "$(awk '{ if (length > 99) n++ } END { print n + 0 }' "$work/out")" = 0
# How many depends on the machine; unit/top_test has how rates are made.
rate=$(awk -v disk="$DISK" '$2 == disk { sum += $4 } END { print int(sum) }' "$work/out")
check plain-rate-is-measured "$rate" -gt 0
"$SEEKWISE" top -n 45 -i 100ms "$DISK" >"$work/out"
check header-comes-again "$(grep -c scheduler "$work/out")" -ge 2

# A file of its own: the shell beside us empties it later than we look, and until the program
# has said a row it does not hear an INT, which shells have their background ignore.
"$SEEKWISE" top --plain -i 200ms "$DISK" >"$work/rows" &
top_pid=$!
has_row() { grep -qs " $DISK " "$work/rows"; }
until_true 60 has_row || fail "top shows no row"
kill -INT "$top_pid"
wait "$top_pid" && code=0 || code=$?
check interrupt-code "$code" = 0

if ! command -v tmux >/dev/null; then
	echo "SKIP full-screen: tmux is not installed"
else
	export TMUX_TMPDIR=$work
	at_end() { tmux -L seekwise-test kill-server 2>/dev/null || true; }
	tmux="tmux -L seekwise-test -f /dev/null"
	screen() { $tmux capture-pane -p -t "$1" >"$work/screen"; }
	shows() { # NAME TEXT
		screen "$1"
		grep -q "$2" "$work/screen"
	}
	shows_not() { ! shows "$@"; }
	# full NAME HOW-TO-END...: in a terminal of 110 x 24, under a shell that says how it ended.
	full() {
		local name=$1
		shift
		rm -f "$work/before" "$work/after"
		$tmux new-session -d -s "$name" -x 110 -y 24 "env TERM=screen-256color bash --norc"
		$tmux send-keys -t "$name" "stty -a >$work/before; $SEEKWISE top -i 300ms $DISK; echo code \$?; stty -a >$work/after; echo over" Enter
		# A row of figures: the command itself names the disk as well.
		until_true 60 shows "$name" "$DISK *mq-deadline" && pass "$name-shows-the-disk" ||
			fail "$name: $(cat "$work/screen")"
		"$@"
		until_true 60 shows "$name" '^over' || true
		grep -q '^code 0' "$work/screen" && pass "$name-ends" || fail "$name: $(cat "$work/screen")"
		cmp -s "$work/before" "$work/after" && pass "$name-terminal-as-before" || fail "$name: stty differs"
		$tmux kill-session -t "$name" 2>/dev/null || true
	}
	top_of() { pgrep -f "$SEEKWISE top -i 300ms $DISK" | while read -r p; do [ "$(cat "/proc/$p/comm")" = seekwise ] && echo "$p"; done; }
	press_q() { $tmux send-keys -t key-q q; }
	press_c() { $tmux send-keys -t key-ctrl-c C-c; }
	# shellcheck disable=SC1003 # a backslash it is
	press_quit() { $tmux send-keys -t key-ctrl-backslash 'C-\'; }
	term() { kill -TERM "$(top_of)"; }
	pause() {
		$tmux send-keys -t pause p
		until_true 60 shows pause paused && pass pause-is-shown || fail "pause is not shown"
		$tmux send-keys -t pause p
		until_true 60 shows_not pause paused && pass pause-is-taken-back || fail "pause does not end"
		$tmux send-keys -t pause q
	}
	full key-q press_q
	full key-ctrl-c press_c
	full key-ctrl-backslash press_quit
	full sigterm term
	full pause pause
	$tmux kill-server 2>/dev/null || true
fi
kill "$load"
wait "$load" 2>/dev/null || true
