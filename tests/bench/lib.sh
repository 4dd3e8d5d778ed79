# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the parts of the bench share. Each of them sources it; the first time counts.
#
#   defaults ROUNDS SECONDS     of a part, where the environment does not set them
#   names_of NAME...            sets `names` to those that can be measured here
#   several_up COUNT            sets `disks` and `devs` to that many loop devices
#   stats_up                    statistics of BPF programs are on, until stats_down
#   in_turn FUNCTION NAME...    FUNCTION NAME for each, in every round; every second round
#                               goes backwards, so that a drift of the machine evens out
#   watch COMMAND...            an observer beside us, until watch_end; its programs run
#   watch_core, watch_all DISK...   that is seekwise with the core figures, with all
#   watch_empty                 and programs that do nothing
#   load OPTION...              random reads by fio for $each seconds; OPTION: at least --filename
#   load_up OPTION...           the same in the background, until load_down
#   wait_for COMMAND...         a command that a signal to us ends
#   pause SECONDS               sleep is one
#   cost NAME                   notes under NAME the ns per request of the observer under way
#   note NAME VALUE             notes a value of this round under NAME
#   compare UNIT WHAT...        medians and spread of what was noted (compare.py)
#
# Nothing is asserted: times depend on the machine and on who else uses it.

[ -z "${bench_lib:-}" ] || return 0
bench_lib=sourced

# shellcheck source=tests/disk/lib.sh
. tests/disk/lib.sh

seekwise=${SEEKWISE:-$PWD/.output/seekwise}
hold=$PWD/.output/bench/hold
work=$(mktemp -d)
watcher='' loader='' stats='' helper=''
rounds=5 each=4 round=0 served_before=0 disturbed=0
PATH=$PATH:/usr/sbin:/sbin

say() { echo "bench: $*" >&2; }

# end SIGNAL PID: and wait for it; no PID is no error. What is ended as it starts may not
# know the signal yet, and the shell starts what is in the background with SIGINT ignored.
end() {
	[ -n "$2" ] || return 0
	kill -"$1" "$2" 2>/dev/null || true
	_disk_until 10 _disk_gone "$2" || kill -KILL "$2" 2>/dev/null || true
	wait "$2" 2>/dev/null || true
}
watch_end() { end INT "$watcher"; watcher=; }
load_down() { end INT "$loader"; loader=; }
stats_down() { end TERM "$stats"; stats=; }

cleanup() {
	trap - EXIT
	# a second ^C must not leave half of it behind
	trap '' INT TERM HUP
	load_down
	watch_end
	stats_down
	end TERM "$helper"
	disks_down
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

defaults() {
	rounds=${ROUNDS:-$1} each=${SECONDS_EACH:-$2}
	disturbed=0
	rm -f "$work"/*.values
}

has_groups() { [[ $("$seekwise" report --help) == *--groups* ]]; }
has_peer() { command -v biolatency >/dev/null; }

# Says what is left out.
names_of() {
	local name
	names=()
	for name in "$@"; do
		if [ "$name" = all ] && ! has_groups; then
			say "left out: this seekwise has no 'report --groups', so its core figures are all"
		elif [ "$name" = biolatency ] && ! has_peer; then
			say "left out: biolatency of libbpf-tools is the peer, and not installed here"
		else
			names+=("$name")
		fi
	done
}

in_turn() {
	local function=$1 name
	shift
	for round in $(seq "$rounds"); do
		local order=("$@")
		if [ $((round % 2)) = 0 ]; then
			order=()
			for name in "$@"; do order=("$name" "${order[@]}"); done
		fi
		for name in "${order[@]}"; do "$function" "$name"; done
	done
}

# Where its links are open, its programs are attached.
is_attached() { grep -qs '^link_type:' /proc/"$1"/fdinfo/*; }

watch() {
	local try
	served_before=$(served)
	"$@" >/dev/null 2>"$work/watcher.err" &
	watcher=$!
	for try in $(seq 200); do
		if is_attached "$watcher"; then break; fi
		if [ "$try" = 200 ] || ! kill -0 "$watcher" 2>/dev/null; then
			cat "$work/watcher.err" >&2
			say "this did not attach: $*"
			exit 1
		fi
		sleep 0.05
	done
	# and until all of them are
	sleep 1
}

watch_core() { watch "$seekwise" report -d 1h "$@"; }
watch_all() { watch "$seekwise" report --groups all -d 1h "$@"; }
watch_empty() { watch "$hold" .output/bench/empty.bpf.o; }

# Statistics of BPF programs are on as long as somebody holds them: the setting
# kernel.bpf_stats_enabled stays what it is, however we end.
stats_up() {
	"$hold" >"$work/stats" &
	stats=$!
	_disk_until 5 test -s "$work/stats" || { say "no statistics of BPF programs here"; exit 1; }
}

load_up() {
	fio --name=load --rw=randread --bs=4k --direct=1 --ioengine=libaio --iodepth=32 \
		--time_based --runtime=1d --disk_util=0 --output=/dev/null "$@" &
	loader=$!
}
# Not in the foreground either: a signal would wait until it ends.
load() {
	load_up --runtime="$each" "$@"
	wait "$loader"
	loader=
}
wait_for() {
	"$@" &
	helper=$!
	wait "$helper"
	helper=
}
pause() { wait_for sleep "$1"; }

note() { echo "$2" >>"$work/$1.values"; }

# Requests that our disks have served.
served() {
	local loop reads writes sum=0
	for loop in "${_disk_loop[@]}"; do
		read -r reads _ _ _ writes _ <"/sys/block/$loop/stat"
		sum=$((sum + reads + writes))
	done
	echo "$sum"
}

cost() {
	local ns others text
	python3 tests/bench/programs.py "$watcher" $(($(served) - served_before)) >"$work/one" ||
		{ cat "$work/one" >&2; exit 1; }
	IFS=$'\t' read -r ns others text <"$work/one"
	note "$1" "$ns"
	[ "$others" -lt 5 ] || disturbed=$((disturbed + 1))
	printf '  %-16s round %d: %s\n' "$1" "$round" "$text"
}

compare() {
	python3 tests/bench/compare.py "$work" "$@"
	[ "$disturbed" = 0 ] ||
		say "do not rely on it: in $disturbed measurements 5 % of the requests or more were of other disks"
}

several_up() {
	local i
	disks=() devs=()
	say "making $1 loop devices"
	for i in $(seq "$1"); do
		plainloop_up "bench$i" 16M
		disks+=("$DISK")
		devs+=("$DEV")
	done
}
