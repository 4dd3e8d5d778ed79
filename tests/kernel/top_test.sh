#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The live view: plain lines in a pipe, full screen on a terminal, and the
# terminal as it was afterwards, however it ends.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
need_kernel plain
plainloop_up top 64M
fio --name=w --filename="$DEV" --rw=randread --bs=4k --direct=1 --ioengine=libaio --iodepth=8 \
	--time_based --runtime=60 --rate_iops=500 --output=/dev/null &
load=$!

"$SEEKWISE" top -n 5 -i 400ms "$DISK" >"$work/out"
check plain-rows "$(grep -c " $DISK " "$work/out")" = 5
check plain-width "$(awk '{ if (length > 99) n++ } END { print n + 0 }' "$work/out")" = 0
# The rate that fio was told, as the second to the last rows see it.
rate=$(awk -v disk="$DISK" '$2 == disk && ++n > 1 { sum += $4 } END { print int(sum / (n - 1)) }' "$work/out")
check plain-rate-is-measured "$rate" -gt 350 -a "$rate" -lt 650
"$SEEKWISE" top -n 45 -i 100ms "$DISK" >"$work/out"
check header-comes-again "$(grep -c scheduler "$work/out")" -ge 2

"$SEEKWISE" top --plain -i 1s "$DISK" >"$work/out" &
top_pid=$!
sleep 0.5
kill -INT "$top_pid"
wait "$top_pid" && code=0 || code=$?
check interrupt-code "$code" = 0

if ! command -v tmux >/dev/null; then
	echo "SKIP full-screen: tmux is not installed"
else
	export TMUX_TMPDIR=$work
	at_end() { tmux -L seekwise-test kill-server 2>/dev/null || true; }
	tmux="tmux -L seekwise-test -f /dev/null"
	# full NAME HOW-TO-END...: in a terminal of 110 x 24, under a shell that says how it ended.
	full() {
		local name=$1
		shift
		$tmux new-session -d -s "$name" -x 110 -y 24 "env TERM=screen-256color bash --norc"
		$tmux send-keys -t "$name" "stty -a >$work/before; $SEEKWISE top -i 300ms $DISK; echo code \$?; stty -a >$work/after; echo over" Enter
		sleep 2.5
		$tmux capture-pane -p -t "$name" >"$work/screen"
		grep -q "$DISK" "$work/screen" && pass "$name-shows-the-disk" || fail "$name: $(cat "$work/screen")"
		"$@"
		sleep 1.5
		$tmux capture-pane -p -t "$name" >"$work/screen"
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
		sleep 1
		$tmux capture-pane -p -t pause | grep -q paused && pass pause-is-shown || fail "pause is not shown"
		$tmux send-keys -t pause p
		sleep 0.5
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
