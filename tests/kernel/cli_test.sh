#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Bad input and devices that cannot be observed or tuned: one clear line on
# stderr, the right exit code, no hang. With the sanitizers' build.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
SEEKWISE=$top/.output/san/seekwise
export ASAN_OPTIONS=detect_leaks=1

# expect NAME CODE TEXT COMMAND...: that exit code, and one line with TEXT on stderr.
expect() {
	local name=$1 code=$2 text=$3 got=0 lines
	shift 3
	timeout -k 5 60 "$@" >"$work/out" 2>"$work/err" </dev/null || got=$?
	lines=$(wc -l <"$work/err")
	if [ "$got" != "$code" ]; then
		fail "$name: exit code $got instead of $code: $(head -c 300 "$work/err")"
	elif ! grep -qF -- "$text" "$work/err"; then
		fail "$name: stderr lacks '$text': $(head -c 300 "$work/err")"
	elif [ "$lines" != 1 ]; then
		fail "$name: $lines lines on stderr: $(head -c 300 "$work/err")"
	else
		pass "$name"
	fi
}

touch "$work/plain file"
mkdir "$work/folder"

# What needs neither root nor a disk.
expect unknown-command 2 "unknown command 'tpo'" "$SEEKWISE" tpo
expect unknown-disk 2 "no-such-disk" "$SEEKWISE" report no-such-disk
expect unknown-path 2 "/dev/no-such-disk" "$SEEKWISE" report /dev/no-such-disk
expect file-for-disk 2 "plain file" "$SEEKWISE" report "$work/plain file"
expect folder-for-disk 2 "folder" "$SEEKWISE" top "$work/folder"
expect character-device 2 "/dev/null" "$SEEKWISE" report /dev/null
expect bad-duration 2 "-d 5x" "$SEEKWISE" report -d 5x
expect duration-too-short 2 "-d 1ms" "$SEEKWISE" report -d 1ms
expect duration-negative 2 "-d -3" "$SEEKWISE" report -d -3
expect interval-zero 2 "-i 0" "$SEEKWISE" top -i 0
expect count-zero 2 "-n 0" "$SEEKWISE" top -n 0
expect count-fraction 2 "-n 1.5" "$SEEKWISE" top -n 1.5
expect window-too-short 2 "--window 1ms" "$SEEKWISE" tune --window 1ms
expect duration-and-command 2 "exclude" "$SEEKWISE" report -d 1s -- true
expect command-missing 2 "missing" "$SEEKWISE" report --
all_groups="there are core, merges, streams, depth, locality, classes and all"
expect groups-unknown 2 "--groups merge: 'merge' is no group; $all_groups" \
	"$SEEKWISE" report --groups merge
expect groups-empty 2 "'' is no group; $all_groups" "$SEEKWISE" report --groups ""
expect groups-end-in-a-comma 2 "'' is no group" "$SEEKWISE" report --groups merges,
expect groups-with-a-space 2 "' depth' is no group" "$SEEKWISE" report --groups "merges, depth"
expect groups-one-unknown 2 "'nonsense' is no group" "$SEEKWISE" report --groups all,nonsense,core
expect config-missing 1 "ENOENT" "$SEEKWISE" daemon -c "$work/no.conf"
printf '[sda]\nmode = tnue\n' >"$work/bad.conf"
expect config-bad 2 ":2: mode = tnue" "$SEEKWISE" daemon -c "$work/bad.conf"
for command in top report tune trial daemon restore check; do
	"$SEEKWISE" "$command" --help >"$work/out" || fail "$command --help"
	grep -q Usage "$work/out" && pass "$command-help" || fail "$command --help says nothing"
done
"$SEEKWISE" report --json-schema | python3 -m json.tool >/dev/null && pass json-schema || fail json-schema
"$SEEKWISE" report --explain | grep -q wraps && pass explain || fail explain

need_kernel plain
plainloop_up cli 64M
expect config-and-disk 2 "exclude" "$SEEKWISE" daemon -c "$work/bad.conf" "$DISK"

# not_root COMMAND...: as nobody.
not_root() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
if [ "$(id -u)" = 0 ]; then
	chmod 755 "$work"
	expect report-not-root 3 "not permitted" setpriv --reuid=65534 --regid=65534 --clear-groups \
		"$SEEKWISE" report -d 1s "$DISK"
	expect tune-not-root 3 "takes root" setpriv --reuid=65534 --regid=65534 --clear-groups \
		"$SEEKWISE" tune "$DISK"
	expect restore-not-root 3 "takes root" setpriv --reuid=65534 --regid=65534 --clear-groups \
		"$SEEKWISE" restore "$DISK"
	not_root "$SEEKWISE" check "$DISK" >"$work/out" 2>&1 && code=0 || code=$?
	check check-not-root-code "$code" = 3
	grep -q 'observing *no' "$work/out" && pass check-not-root-says || fail "check does not say why"
fi
expect command-not-found 127 "ENOENT" "$SEEKWISE" report "$DISK" -- /no/such/command
expect command-not-executable 126 "EACCES" "$SEEKWISE" report "$DISK" -- "$work/plain file"
"$SEEKWISE" report "$DISK" -- sh -c 'exit 7' >/dev/null && code=0 || code=$?
check command-status-passed-on "$code" = 7
# shellcheck disable=SC2016
"$SEEKWISE" report --json "$DISK" -- sh -c 'kill -9 $$' >"$work/out" && code=0 || code=$?
check command-signal-passed-on "$code" = 137
check command-signal-in-json "$(json "$work/out" 'r["command"]["signal"]')" = 9
"$SEEKWISE" report --json "$DISK" -- echo hello >"$work/out" 2>"$work/err"
check command-output-apart "$(cat "$work/err")" = hello
check json-is-one-line "$(wc -l <"$work/out")" = 1
"$SEEKWISE" report -d 200ms "$DISK" >/dev/full 2>"$work/err" && code=0 || code=$?
check full-output-code "$code" = 1
grep -q ENOSPC "$work/err" && pass full-output-says || fail "ENOSPC is not said: $(cat "$work/err")"
"$SEEKWISE" top --plain -i 100ms "$DISK" | head -3 >/dev/null && code=0 || code=$?
check closed-pipe-is-no-error "$code" = 0

# measured LIST: which groups a report with that list measured. What this kernel cannot give is
# named with its reason.
measured() {
	"$SEEKWISE" report --json -d 100ms --groups "$1" "$DISK" >"$work/out"
	json "$work/out" '" ".join(name for name, figure in (
		("core", d["read"]["ios"]), ("merges", d["read"]["bio_merges"]), ("streams", d["streams"]),
		("depth", d["held_levels"] or [m for m in d["not_measured"]
			if "held_levels" in m["figures"]]),
		("locality", d["unplugs"]), ("classes", d["write"]["classes"]["rt"]["ios"]))
		if figure not in (None, []))'
}
check groups-core "$(measured core)" = core
check groups-all "$(measured all)" = "core merges streams depth locality classes"
check groups-two "$(measured merges,depth)" = "core merges depth"
check groups-repeated "$(measured core,streams,core,streams)" = "core streams"
check groups-by-name "$(measured merges,streams,depth,locality,classes)" = "$(measured all)"
"$SEEKWISE" report --json -d 100ms "$DISK" >"$work/out"
check groups-default "$(json "$work/out" 'd["unplugs"]')" = None

# An idle disk: a verdict, in words and as data, and nothing advised.
check idle-bound "$(json "$work/out" 'd["verdict"]["bound"]')" = idle
check idle-no-advice "$(json "$work/out" 'd["advice"]')" = "[]"
"$SEEKWISE" report -d 200ms "$DISK" >"$work/out"
grep -q '^  verdict  *the disk is idle' "$work/out" && pass idle-verdict || fail "verdict: $(cat "$work/out")"
grep -q '^  advice  *none$' "$work/out" && pass idle-advice || fail "advice: $(cat "$work/out")"

# Not rotational, other schedulers: nothing to tune.
expect tune-not-rotational 5 "non-rotational" "$SEEKWISE" tune "$DISK"
for scheduler in none kyber; do
	grep -qw "$scheduler" "/sys/block/$DISK/queue/scheduler" || continue
	echo "$scheduler" >"/sys/block/$DISK/queue/scheduler"
	expect "tune-$scheduler" 5 "its scheduler is $scheduler" "$SEEKWISE" tune "$DISK"
	"$SEEKWISE" check "$DISK" >"$work/out" && code=0 || code=$?
	check "check-$scheduler" "$code" = 5
done
echo mq-deadline >"/sys/block/$DISK/queue/scheduler"
"$SEEKWISE" check "$DISK" >"$work/out" && code=0 || code=$?
check check-not-rotational "$code" = 5
echo 1 >"/sys/block/$DISK/queue/rotational"
"$SEEKWISE" check "$DISK" >"$work/out" && code=0 || code=$?
check check-ready "$code" = 0

# A state folder that cannot be written: nothing is changed then.
SEEKWISE_RUN="/proc/no/such" expect run-folder-unwritable 1 "/proc/no/such" "$SEEKWISE" tune -d 2s "$DISK"

# An idle disk: tune says why it does nothing, and ends in time.
timeout -k 5 30 "$SEEKWISE" tune -d 6s --window 500ms "$DISK" >"$work/out" 2>&1 && code=0 || code=$?
check idle-code "$code" = 0
grep -q "$DISK: " "$work/out" && pass idle-says-why || fail "an idle disk is not explained"
check idle-writes-nothing "$(knob fifo_batch)" = 16

# What could not be printed makes a command fail, whatever it printed.
for command in --help --version "check $DISK" "restore $DISK" "report --explain"; do
	# shellcheck disable=SC2086 # words
	"$SEEKWISE" $command >/dev/full 2>"$work/err" && code=0 || code=$?
	check "full-output-of-${command%% *}" "$code" = 1
done

# A command that ends with 127 itself is reported all the same; descriptors that
# are closed do not become somebody's output.
"$SEEKWISE" report --json "$DISK" -- sh -c 'exit 127' >"$work/out" && code=0 || code=$?
check command-127-code "$code" = 127
check command-127-is-reported "$(json "$work/out" 'r["command"]["exit_status"]')" = 127
"$SEEKWISE" report --json "$DISK" -- /bin/echo hi >"$work/out" 2>&- && code=0 || code=$?
check closed-stderr-code "$code" = 0
"$SEEKWISE" tune -d 2s "$DISK" <&- >&- 2>"$work/err" && code=0 || code=$?
check closed-stdout-code "$code" = 1
"$SEEKWISE" report -d 200ms "$DISK" >&- 2>"$work/err" && code=0 || code=$?
check closed-stdout-of-report "$code" = 1
check closed-stdout-is-said "$(wc -l <"$work/err")" = 1
check lock-file-holds-a-pid-alone "$(tr -d '0-9\n' <"$SEEKWISE_RUN/$DISK.lock" | wc -c)" = 0

# The scheduler is switched meanwhile: what was read for a part is not given for the whole.
"$SEEKWISE" report --json "$DISK" -- sh -c "fio --name=w --filename=$DEV --rw=randread --direct=1 \
	--number_ios=500 --output=/dev/null; echo none >/sys/block/$DISK/queue/scheduler" >"$work/out"
check switch-meanwhile-null "$(json "$work/out" 'd["read"]["expired"]')" = None
json "$work/out" 'd["note"]' | grep -q "switched from mq-deadline to none" && pass switch-is-noted ||
	fail "the switch is not noted"
echo mq-deadline >"/sys/block/$DISK/queue/scheduler"
"$SEEKWISE" report --json -d 200ms "$DISK" >"$work/out"
check idle-is-measured "$(json "$work/out" 'd["read"]["expired"]')" = 0

# Who is asked to end before the command began does not begin it.
began=$SECONDS
"$SEEKWISE" report "$DISK" -- sleep 100 >"$work/out" 2>&1 &
early=$!
sleep 0.1
kill -TERM "$early"
wait "$early" && code=0 || code=$?
check early-end-code "$code" = 143
check early-end-starts-nothing $((SECONDS - began)) -lt 90
# nohup means it.
nohup "$SEEKWISE" report --json -d 5s "$DISK" >"$work/out" 2>"$work/err" &
early=$!
sleep 1.5
kill -HUP "$early" || true
wait "$early" && code=0 || code=$?
check nohup-code "$code" = 0
check nohup-goes-on "$(json "$work/out" 'r["seconds"] >= 5')" = True

# A stop is not made up for by a burst of empty intervals.
# (A file of its own: the shell beside us empties it later than we look.)
rows() { grep -c " $DISK " "$work/rows" 2>/dev/null || true; }
has_rows() { [ "0$(rows)" -gt "$1" ]; }
"$SEEKWISE" top --plain -i 500ms "$DISK" >"$work/rows" &
stopped=$!
until_true 60 has_rows 0 || fail "top shows no row"
kill -STOP "$stopped"
before=$(rows)
sleep 10
kill -CONT "$stopped"
until_true 60 has_rows "$before" || fail "top does not go on"
check no-burst-after-a-stop $(($(rows) - before)) -le 10
kill -INT "$stopped"
wait "$stopped" || true
