#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# seekwise trial: both settings come into force, what was found comes back however it
# ends, and bad input is refused in one line. What a trial finds out is unit/comparison_test's, and
# make check-long's.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
need_kernel plain
plainloop_up trial 64M
both=(-a fifo_batch=1 -b "fifo_batch=64,read_expire=200")

# refused NAME CODE TEXT OPTION...: with one line that has TEXT on stderr.
refused() {
	local name=$1 code=$2 text=$3 got=0
	shift 3
	timeout -k 5 60 "$SEEKWISE" trial "$@" >"$work/out" 2>"$work/err" || got=$?
	check "$name-code" "$got" = "$code"
	check "$name-one-line" "$(wc -l <"$work/err")" = 1
	grep -qF -- "$text" "$work/err" && pass "$name-says" || fail "$name: $(cat "$work/err")"
}
refused no-b 2 "it takes -a SET and at least one -b SET" "$DISK" -a fifo_batch=1
refused no-a 2 "it takes -a SET" "$DISK" -b fifo_batch=1
refused two-a 2 "there is one -a" "$DISK" -a fifo_batch=1 -a fifo_batch=2
refused unknown-knob 2 "-b fifo=2: 'fifo' is no knob; there are scheduler, nr_requests" "$DISK" -a fifo_batch=1 -b fifo=2
refused unknown-scheduler 5 "it has no scheduler no-such; it has none, mq-deadline" "$DISK" -a scheduler=no-such -b fifo_batch=2
refused no-name 2 "scheduler '../none': not a scheduler's name" "$DISK" -a scheduler=../none -b fifo_batch=2
refused knob-of-another 2 "fifo_batch is of mq-deadline, not of none" "$DISK" -a fifo_batch=1 -b scheduler=none,fifo_batch=2
refused bad-value 2 "fifo_batch '2x': not a whole number from 1 to 4096" "$DISK" -a fifo_batch=1 -b fifo_batch=2x
refused out-of-bounds 2 "from 1 to 4096" "$DISK" -a fifo_batch=0 -b fifo_batch=2
refused twice 2 "fifo_batch is named twice" "$DISK" -a fifo_batch=1,fifo_batch=2 -b fifo_batch=2
refused same 2 "-b fifo_batch=1: the same as another set" "$DISK" -a fifo_batch=1 -b fifo_batch=1
refused six 2 "there are at most 5 -b" "$DISK" -a fifo_batch=1 -b fifo_batch=2 -b fifo_batch=3 -b fifo_batch=4 \
	-b fifo_batch=5 -b fifo_batch=6 -b fifo_batch=7
refused bad-metric 2 "there are throughput, sync_p99 and wait_mean" "$DISK" "${both[@]}" --metric speed
refused bad-pairs 2 "from 1 to 256" "$DISK" "${both[@]}" --pairs 0
refused bad-window 2 "--window 1ms" "$DISK" "${both[@]}" --window 1ms
refused no-disk 2 "it takes one disk" "${both[@]}"
refused unknown-disk 2 "no-such-disk" no-such-disk "${both[@]}"
if [ ! -e "/sys/block/$DISK/queue/nr_sched_batch" ]; then
	refused knob-missing 5 "it has no nr_sched_batch" "$DISK" -a fifo_batch=1 -b nr_sched_batch=2
fi
if [ "$(id -u)" = 0 ]; then
	chmod 755 "$work"
	code=0
	setpriv --reuid=65534 --regid=65534 --clear-groups "$SEEKWISE" trial "$DISK" "${both[@]}" 2>"$work/err" || code=$?
	check not-root-code "$code" = 3
fi
check refused-writes-nothing "$(knob fifo_batch)" = 16

settings() { echo "$(knob fifo_batch) $(knob read_expire)"; }
before=$(settings)
is() { [ "$(settings)" = "$1" ]; }
start_trial() { # OPTION...: in the background, as $trial; without an end of its own
	"$SEEKWISE" trial "$DISK" "${both[@]}" --window 200ms --pairs 256 "$@" >"$work/out" 2>"$work/err" &
	trial=$!
	until_true 60 is "1 ${before#* }" || fail "a is not in force: $(cat "$work/err")"
	until_true 60 is "64 200" || fail "b is not in force: $(cat "$work/err")"
}
for signal in INT TERM HUP; do
	start_trial
	kill "-$signal" "$trial"
	wait "$trial" && code=0 || code=$?
	# Nothing could be judged of an idle disk.
	check "SIG$signal-code" "$code" = 1
	check "SIG$signal-restores" "$(settings)" = "$before"
	check "SIG$signal-leaves-no-baseline" "$(baselines)" = 0
done
start_trial
"$SEEKWISE" trial "$DISK" "${both[@]}" 2>"$work/second" && code=0 || code=$?
check two-at-once-code "$code" = 6
grep -q "another tuner holds it (process $trial)" "$work/second" && pass two-at-once-says ||
	fail "second trial: $(cat "$work/second")"
kill -9 "$trial"
wait "$trial" 2>/dev/null || true
"$SEEKWISE" restore "$DISK" >/dev/null
check killed-and-restored "$(settings)" = "$before"

"$SEEKWISE" trial "$DISK" "${both[@]}" --window 200ms --pairs 3 >"$work/out" && code=0 || code=$?
check idle-code "$code" = 1
check idle-rounds "$(grep -c "^$DISK: round " "$work/out")" = 3
grep -q "nothing could be judged of .*; 3 pairs not used: too few requests" "$work/out" && pass idle-says ||
	fail "idle: $(cat "$work/out")"
check idle-restores "$(settings)" = "$before"
"$SEEKWISE" trial "$DISK" "${both[@]}" --window 200ms --pairs 100 -d 2s --json >"$work/out" && code=0 || code=$?
check duration-code "$code" = 1
check json-is-one-line "$(wc -l <"$work/out")" = 1
check json-says "$(python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
c = r["comparisons"][0]
print(r["schema"], r["rounds"] < 100, c["verdict"], c["pairs"], c["ratio"], r["restored"], r["ended"])' "$work/out")" = \
	"seekwise.trial/1 True unjudged 0 None True None"
"$SEEKWISE" trial "$DISK" "${both[@]}" --window 200ms --pairs 20 2>/dev/null | head -1 >/dev/null || true
check closed-pipe-restores "$(settings)" = "$before"
"$SEEKWISE" trial "$DISK" "${both[@]}" --window 200ms --pairs 20 >/dev/full 2>"$work/err" && code=0 || code=$?
check full-output-code "$code" = 1
check full-output-restores "$(settings)" = "$before"

# unread COMMAND...: in the background, as $unread, its output and its messages in a pipe that
# is full and that nobody reads.
mkfifo "$work/pipe"
exec 7<>"$work/pipe"
unread() {
	timeout 1 dd if=/dev/zero of="$work/pipe" bs=4096 status=none && fail "the pipe is never full" || true
	"$@" >"$work/pipe" 2>&1 7<&- &
	unread=$!
}
is_over() { ! kill -0 "$unread" 2>/dev/null; }
ends() { # NAME
	until_true 60 is_over && pass "$1-ends" || { fail "$1 does not end"; kill -9 "$unread"; }
	wait "$unread" 2>/dev/null || true
	timeout 5 dd if="$work/pipe" of="$work/rest" bs=65536 iflag=nonblock count=1000 status=none 2>/dev/null || true
}
unread "$SEEKWISE" trial "$DISK" "${both[@]}" --window 200ms --pairs 256
for setting in "1 ${before#* }" "64 200" "1 ${before#* }" "64 200"; do
	until_true 60 is "$setting" || fail "unread: $setting is not in force"
done
kill -TERM "$unread"
ends unread-trial
check unread-trial-restores "$(settings)" = "$before"
unread "$SEEKWISE" trial "$DISK" "${both[@]}" --window 200ms --pairs 1
until_true 60 is "64 200" || fail "unread: b is not in force"
until_true 60 is "$before" && pass unread-restores-before-it-reports || fail "unread: $(settings)"
kill -INT "$unread"
ends unread-result
for command in "tune --any-rotation --window 200ms" "top -i 100ms" "report -d 200ms"; do
	# shellcheck disable=SC2086 # words
	unread "$SEEKWISE" $command "$DISK"
	sleep 2
	kill -TERM "$unread"
	ends "unread-${command%% *}"
done
exec 7<&-

# Schedulers against each other: what was found comes back with its knobs, however it ends.
set_knob fifo_batch 5
scheduler() { sed 's/.*\[\(.*\)\].*/\1/' "/sys/block/$DISK/queue/scheduler"; }
pool() { cat "/sys/block/$DISK/queue/nr_requests"; }
found="$(pool) $(settings)"
is_found() { [ "$(scheduler)" = mq-deadline ] && [ "$(pool) $(settings)" = "$found" ]; }
is_none() { [ "$(scheduler)" = none ]; }
refused pool-under-none 5 "nr_requests under none stays with the driver" "$DISK" -a scheduler=mq-deadline -b "scheduler=none,nr_requests=8"
both=(-a scheduler=mq-deadline -b scheduler=none)
start_switching() {
	"$SEEKWISE" trial "$DISK" "${both[@]}" --window 200ms --pairs 256 >"$work/out" 2>"$work/err" &
	trial=$!
	until_true 60 is_none || fail "b is not in force: $(cat "$work/err")"
	until_true 60 is_found || fail "a is not in force again: $(cat "$work/err")"
	until_true 60 is_none || fail "b is not in force again: $(cat "$work/err")"
}
start_switching
kill -TERM "$trial"
wait "$trial" || true
is_found && pass switching-restores || fail "after SIGTERM: $(scheduler) $(pool) $(settings)"
check switching-leaves-no-baseline "$(baselines)" = 0
for _ in 1 2 3 4 5; do
	start_switching
	sleep "0.$((RANDOM % 10))$((RANDOM % 10))"
	kill -9 "$trial"
	wait "$trial" 2>/dev/null || true
	"$SEEKWISE" restore "$DISK" >/dev/null 2>"$work/err" || fail "restore: $(cat "$work/err")"
	is_found && pass switching-killed-and-restored ||
		fail "after kill -9: $(scheduler) $(pool) $(knob fifo_batch): $(cat "$work/err")"
done
start_switching
echo kyber >"/sys/block/$DISK/queue/scheduler" 2>/dev/null && foreign=kyber || foreign=
if [ -n "$foreign" ]; then
	wait "$trial" && code=0 || code=$?
	check foreign-switch-code "$code" = 1
	check foreign-switch-stays "$(scheduler)" = "$foreign"
	check foreign-switch-said-once "$(grep -c "switched the scheduler to $foreign .*hands off" "$work/out")" = 1
	check foreign-switch-leaves-no-baseline "$(baselines)" = 0
	echo mq-deadline >"/sys/block/$DISK/queue/scheduler"
	set_knob fifo_batch 5
else
	kill -TERM "$trial"
	wait "$trial" || true
	echo "SKIP foreign-switch: this kernel has no kyber"
fi
# Under load windows of both are judged.
load_up 600
"$SEEKWISE" trial "$DISK" "${both[@]}" --window 400ms --pairs 3 --json >"$work/out" 2>"$work/err" && code=0 || code=$?
load_down
check switching-under-load-code "$code" = 0
check switching-under-load-says "$(python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
c = r["comparisons"][0]
print(c["pairs"] + c["not_judged"], c["ratio"] is not None, r["restored"], r["ended"], r["sets"][1]["knobs"])' "$work/out")" = \
	"3 True True None {'scheduler': 'none'}"
is_found && pass switching-under-load-restores || fail "after a load: $(scheduler) $(pool) $(settings)"
