#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Stress: disks that are written and verified, while their schedulers are switched,
# other disks come and go, and observers beside the one that stays begin and end, some
# of them by a signal. Nothing may be lost, corrupted, leaked or complained of.
# An hour, or STRESS_SECONDS.
# SEED repeats the choices, though not their timing. STRESS_KEEP names a new folder
# for what the observers wrote.
# shellcheck disable=SC2030,SC2031 # each worker has a RANDOM of its own
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/../kernel/lib.sh"
need_kernel plain
seconds=${STRESS_SECONDS:-3600}
seed=${SEED:-$RANDOM}
info "seed $seed (SEED=$seed repeats it), $seconds s"
sanitized=$top/.output/san/seekwise
[ -x "$sanitized" ] || sanitized=$SEEKWISE
groups=()
if "$SEEKWISE" report --help | grep -q -- --groups; then groups=(--groups all); fi

stop=$work/stop workers=()
mkdir "$work/reports" "$work/churn"

# The workers look at $stop between two steps, so that each ends what it began.
wait_for_workers() {
	local pid
	touch "$stop"
	for pid in "${workers[@]}"; do
		if ! until_true 60 ended "$pid"; then kill -9 "$pid" 2>/dev/null || true; fi
		wait "$pid" || fail "a worker ended with code $?"
	done
	workers=()
}
ended() { ! kill -0 "$1" 2>/dev/null; }
at_end() {
	wait_for_workers
	touch "$work/over"
	[ -z "${STRESS_KEEP:-}" ] || cp -r "$work" "$STRESS_KEEP"
}
work_on() { # SALT COMMAND...: a worker, with random numbers of its own
	(
		# A signal to all processes, as timeout sends it, must not leave a disk behind.
		trap 'disk_down churn || true' EXIT
		trap 'exit 143' TERM
		trap 'exit 129' HUP
		RANDOM=$((seed + $1))
		shift
		until [ -e "$stop" ]; do "$@"; done
	) &
	workers+=($!)
}

# pick WORD...: one of them in $picked; not printed, since $(...) has a RANDOM of its own.
pick() { shift $((RANDOM % $#)); picked=$1; }
# pause MIN MAX: milliseconds.
pause() {
	local ms=$(($1 + RANDOM % ($2 - $1 + 1)))
	sleep "$((ms / 1000)).$(printf %03d $((ms % 1000)))"
}
count() { echo >>"$work/$1"; }
counted() { wc -l 2>/dev/null <"$work/$1" || echo 0; }

# One round on a disk: three jobs that write and verify, and one that discards what an
# earlier round wrote; the regions change places. MIB is the size of a region.
round=0
verified_round() { # DEV MIB
	local dev=$1 mib=$2 at=() job bs depth direct=()
	round=$((round + 1))
	for job in 0 1 2 3; do at[job]="--offset=$(((job + round) % 4 * mib))M"; done
	local common=(--filename="$dev" "--randseed=$((RANDOM + 1))" "--size=${mib}M"
		--verify_fatal=1 --verify_state_save=0 --output="$work/fio.${dev##*/}")
	pick 4k 8k 16k && bs=$picked
	pick 1 4 32 128 256 && depth=$picked
	pick 0 1 && direct=("--direct=$picked")
	fio "${common[@]}" --name=aio-write --verify=crc32c --direct=1 --ioengine=libaio \
		--rw=randwrite "--bs=$bs" "--iodepth=$depth" "${at[0]}" \
		--name=aio-mixed --verify=crc32c --direct=1 --ioengine=libaio \
		--rw=randrw --bs=8k "--iodepth=$((RANDOM % 64 + 1))" \
		"--verify_backlog=$((RANDOM % 500 + 1))" "${at[1]}" \
		--name=fsync --verify=crc32c "${direct[@]}" --ioengine=psync \
		--rw=randwrite --bs=16k "--fsync=$((RANDOM % 16 + 1))" "--size=$((mib / 4))M" "${at[2]}" \
		--name=discard --direct=1 --ioengine=libaio --rw=randtrim --bs=64k \
		"--iodepth=$((RANDOM % 8 + 1))" "${at[3]}" 2>"$work/fio.${dev##*/}.err" || {
		count verify-failures
		tail -5 "$work/fio.${dev##*/}"* >>"$work/verify-errors"
	}
	cmp -n "$((mib << 20))" -i "$(((3 + round) % 4 * mib << 20)):0" "$dev" /dev/zero \
		>>"$work/verify-errors" 2>&1 || count verify-failures
	count rounds
}

switch_one() {
	local queue
	pick "${disks[@]}"
	queue=/sys/block/$picked/queue
	# shellcheck disable=SC2046 # words
	pick $(tr -d '[]' <"$queue/scheduler")
	if echo "$picked" 2>/dev/null >"$queue/scheduler"; then count switches; else count refused-switches; fi
	echo "$(date +%T.%N) $queue $picked" >>"$work/switched"
	if [ $((RANDOM % 4)) = 0 ]; then
		pick 16 64 256 1024
		echo "$picked" 2>/dev/null >"$queue/nr_requests" || true
	fi
	pause 200 2500
}

# A disk that comes, is written to, and goes, now and then under the load.
churn_one() {
	local load=''
	plainloop_up churn 16M 2>>"$work/churn.err" || { pause 100 500; return 0; }
	echo "$DISK" >"$work/churn/disk"
	if [ $((RANDOM % 2)) = 0 ]; then
		fio --name=w --filename="$DEV" --rw=randrw --bs=4k --direct=1 --ioengine=libaio --iodepth=16 \
			--time_based --runtime=1 --output=/dev/null >/dev/null 2>&1 &
		load=$!
	fi
	pause 500 2500
	rm "$work/churn/disk"
	if [ -n "$load" ]; then
		if [ $((RANDOM % 2)) = 0 ]; then losetup -d "$DEV" 2>/dev/null || true; fi
		wait "$load" || true
	fi
	disk_down churn 2>>"$work/churn.err"
	count churned
}

# A report beside the others: of some of the disks, by either build and kind of program,
# until its end or until a signal at any moment.
reports=0
report_one() { # NAME
	local out how=end code=0 pid what=() program churned='' duration=$((RANDOM % 3 + 1))
	reports=$((reports + 1))
	out=$work/reports/$1-$reports
	for disk in "${disks[@]}"; do
		if [ $((RANDOM % 2)) = 0 ]; then what+=("$disk"); fi
	done
	[ ${#what[@]} != 0 ] || what=("${disks[@]}")
	if [ $((RANDOM % 2)) = 0 ] && read -r churned 2>/dev/null <"$work/churn/disk"; then what+=("$churned"); fi
	pick "$SEEKWISE" "$sanitized" && program=$picked
	pick '' '' '' 1
	SEEKWISE_RAW_TP=$picked "$program" report --json -d "$duration" "${groups[@]}" "${what[@]}" >"$out.json" 2>"$out.err" &
	pid=$!
	pick end end end KILL TERM INT && how=$picked
	if [ "$how" != end ]; then
		pause 1 $((duration * 1000 + 300))
		kill "-$how" "$pid" 2>/dev/null || true
	fi
	{ wait "$pid" || code=$?; } 2>/dev/null
	echo "$how $code ${churned:--}" >"$out.how"
	pause 0 700
}

# What the kernel says from now on; a file, since an hour may fill the kernel's own buffer.
kernel_log() {
	if ! dmesg >/dev/null 2>&1; then
		echo "the kernel's log cannot be read"
	elif ! dmesg --help | grep -q -- --follow-new; then
		echo "dmesg cannot follow it (util-linux before 2.36)"
	else
		dmesg --follow-new >"$work/dmesg" 2>/dev/null &
		return 0
	fi >"$work/no-dmesg"
	return 1
}

# Programs and maps of BPF that no process holds.
orphans() {
	local kind
	command -v bpftool >/dev/null || return 0
	for kind in prog map; do
		comm -23 <(bpftool -j "$kind" show | grep -oE '\{"id":[0-9]+' | grep -oE '[0-9]+' | sort -u) \
			<(grep -hs "^${kind}_id:" /proc/[0-9]*/fdinfo/* | awk '{ print $2 }' | sort -u) |
			sed "s/^/$kind /"
	done
}
no_new_orphans() {
	orphans | sort >"$work/orphans.after"
	[ -z "$(comm -13 "$work/orphans.before" "$work/orphans.after")" ]
}

# Reads, sectors read and written. Not writes: a flush without data counts as one.
statistics() {
	for disk in "${disks[@]}"; do echo "$disk $(awk '{ print $1, $3, $7 }' "/sys/block/$disk/stat")"; done
}

plainloop_up one 128M
disks=("$DISK")
plainloop_up two 128M
disks+=("$DISK")
# A slow one, on which a scheduler has something to hold; a file does as well.
if [ -z "$(disk_why_not)" ]; then
	modeldisk_up three --speed 50
else
	plainloop_up three 128M
fi
disks+=("$DISK")
info "disks ${disks[*]}, $(tr -d '[]' <"/sys/block/$DISK/queue/scheduler")"

orphans | sort >"$work/orphans.before"
kernel_log || echo "SKIP kernel-log: $(cat "$work/no-dmesg")"
"$SEEKWISE" top --plain -i 1 "${disks[@]}" >"$work/top.out" 2>"$work/top.err" &
top_pid=$!
# One window over all of it, whose end comes when the loads have ended.
"$SEEKWISE" report --json "${groups[@]}" "${disks[@]}" -- sh -c "touch '$work/whole-runs'
	while [ ! -e '$work/over' ]; do sleep 0.2; done" >"$work/whole.json" 2>"$work/whole.err" &
whole_pid=$!
until_true 20 [ -e "$work/whole-runs" ] || fail "the report does not begin: $(cat "$work/whole.err")"
statistics >"$work/stat.before"
start=$SECONDS

work_on 1 verified_round "/dev/${disks[0]}" 32
work_on 2 verified_round "/dev/${disks[1]}" 32
work_on 3 verified_round "/dev/${disks[2]}" 8
work_on 4 switch_one
work_on 5 churn_one
work_on 6 report_one a
work_on 7 report_one b
while [ $((SECONDS - start)) -lt "$seconds" ]; do
	sleep $((seconds > 300 ? 5 : 1))
	sed -n 's/^VmRSS:[[:space:]]*\([0-9]*\) kB/\1/p' "/proc/$top_pid/status" >>"$work/rss" 2>/dev/null || true
	for pid in "${workers[@]}"; do
		! ended "$pid" || { fail "a worker ended early"; break 2; }
	done
done
wait_for_workers
statistics >"$work/stat.after"
touch "$work/over"
wait "$whole_pid" && code=0 || code=$?
check whole-code "$code" = 0
sleep 2.5 # two rows of disks at rest
kill -INT "$top_pid"
wait "$top_pid" && code=0 || code=$?
check top-code "$code" = 0

info "$(counted rounds) rounds of fio, $(counted switches) switches ($(counted refused-switches) refused), $(counted churned) disks came and went, $(find "$work/reports" -name '*.how' | wc -l) reports"
check fio-verify "$(counted verify-failures)" = 0
if [ -s "$work/verify-errors" ]; then head -c 2000 "$work/verify-errors"; fi
check schedulers-were-switched "$(counted switches)" -ge $((seconds / 10))
check disks-came-and-went "$(counted churned)" -ge 2
python3 "$top/tests/long/stress.py" "$work" || failed=1

if [ -e "$work/dmesg" ]; then
	sleep 0.5
	complaints=$(grep -E 'WARNING:|BUG:|kernel BUG|Oops|Call Trace|general protection|refcount_t|rcu.*stall|blocked for more than|soft lockup' "$work/dmesg" || true)
	[ -z "$complaints" ] && pass kernel-log || fail "kernel log: $(head -c 1500 <<<"$complaints")"
fi
if ! command -v bpftool >/dev/null; then
	echo "SKIP nothing-left-in-the-kernel: bpftool is not installed"
elif until_true 15 no_new_orphans; then
	pass nothing-left-in-the-kernel
else
	fail "programs or maps that nobody holds: $(comm -13 "$work/orphans.before" "$work/orphans.after" | tr '\n' ' ')"
fi
