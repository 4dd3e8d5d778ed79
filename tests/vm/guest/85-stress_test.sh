# SPDX-License-Identifier: GPL-2.0-or-later
# Stress: disks that are written and verified while their schedulers are switched, a CPU
# goes and comes, and other disks and SCSI hosts do. On these kernels no event may be
# lost: counts equal those of /sys/block, and all losses are 0.
# 30 seconds, or vm_stress_seconds of the kernel's command line (VM_STRESS_SECONDS).
# shellcheck shell=sh disable=SC2154 # lib.sh
seconds=${vm_stress_seconds:-30}
stop=/tmp/stress-stop
rm -rf /tmp/stress && mkdir /tmp/stress && cd /tmp/stress || exit 1
mount -t configfs config /sys/kernel/config 2>/dev/null

# The choices are the same in each run; the timing is not. $picked: one of the words.
random=1
draw() { # N: a number below it, in $drawn
	random=$(((random * 1103515245 + 12345) & 0x7fffffff))
	drawn=$((random / 65536 % $1))
}
pick() {
	draw $#
	shift $drawn
	picked=$1
}
pause() { # MIN MAX, in tenths of a second
	draw $(($2 - $1 + 1))
	sleep "$((($1 + drawn) / 10)).$((($1 + drawn) % 10))"
}
# count is one write, so that workers may share a file.
count() { echo >>"$1"; }
counted() { if [ -e "$1" ]; then wc -l <"$1"; else echo 0; fi; }
work_on() { # SEED COMMAND...: a worker
	(
		random=$1
		shift
		until [ -e $stop ]; do "$@"; done
	) &
	workers="$workers $!"
}

# As in tests/kernel/stress_test.sh: the regions change places.
round=0
verified_round() { # DISK
	round=$((round + 1))
	pick 4k 8k && bs=$picked
	pick 1 8 64 && depth=$picked
	discard=''
	if [ "$(cat "/sys/block/$1/queue/discard_max_bytes")" != 0 ]; then
		discard="--name=discard --direct=1 --ioengine=libaio --rw=randtrim --bs=64k --iodepth=4
			--offset=$((round % 4))M"
	fi
	draw 1000
	# shellcheck disable=SC2086 # words
	fio --thread "--filename=/dev/$1" --size=1M "--randseed=$((drawn + 1))" --verify_fatal=1 \
		--verify_state_save=0 "--output=fio.$1" \
		--name=write --verify=crc32c --direct=1 --ioengine=libaio --rw=randwrite "--bs=$bs" \
		"--iodepth=$depth" "--offset=$(((round + 1) % 4))M" \
		--name=mixed --verify=crc32c --direct=1 --ioengine=libaio --rw=randrw --bs=8k \
		--iodepth=16 --verify_backlog=32 "--offset=$(((round + 2) % 4))M" \
		--name=fsync --verify=crc32c --ioengine=psync --rw=randwrite --bs=16k --fsync=4 \
		--size=128k "--offset=$(((round + 3) % 4))M" $discard >"fio.$1.err" 2>&1 || {
		count verify-failures
		tail -5 "fio.$1" "fio.$1.err" >>verify-errors
	}
	count rounds
}

switch_one() {
	# shellcheck disable=SC2086 # words
	pick $disks && disk=$picked
	# shellcheck disable=SC2046 # words
	pick $(tr -d '[]' <"/sys/block/$disk/queue/scheduler")
	if scheduler "$picked" "$disk" 2>/dev/null; then count switches; else count refused; fi
	pause 3 25
}

hotplug_one() {
	echo 0 2>/dev/null >"$cpu/online" && count offline
	pause 2 15
	echo 1 >"$cpu/online" || count stays-offline
	pause 2 15
}

# Another disk of null_blk, and now and then another SCSI host.
churn_one() {
	null_disk stress-churn size=8 memory_backed=1
	if [ "$made" ]; then
		scheduler mq-deadline "$made"
		dd if=/dev/zero of="/dev/$made" bs=4k count=50 oflag=direct 2>/dev/null
		drop_null_disk stress-churn
		count churned
	fi
	draw 4
	if [ $drawn = 0 ] && [ -e $hosts ]; then
		echo 1 >$hosts
		pause 2 10
		echo -1 >$hosts
		count hosts
	fi
	pause 1 15
}

# A report beside the others that ends by itself, or by a signal at any moment.
report_one() {
	pause 10 60
	# shellcheck disable=SC2086 # words
	pick $disks
	seekwise report --json -d 1s "$picked" >beside.json 2>beside.err &
	pid=$!
	pick end end KILL TERM && how=$picked
	if [ "$how" != end ]; then
		pause 1 60
		kill "-$how" $pid 2>/dev/null
	fi
	wait $pid
	code=$?
	case $how$code in
	end0 | TERM0) grep -q '"schema"' beside.json && ! has_losses beside.json && count reports && return ;;
	TERM143 | KILL0 | KILL137) count reports && return ;;
	esac
	echo "$how: code $code: $(head -c 300 beside.err) $(losses beside.json)" >>wrong-reports
}

kernel_complaints() {
	dmesg | grep -E 'WARNING:|BUG:|Oops|Call Trace|general protection|refcount_t|rcu.*stall|blocked for more than' | head -3
}

# Reads, sectors read and written. Not writes: a flush without data counts as one.
statistics() {
	for disk in $disks; do
		echo "$disk $(stat_of "$disk" | cut -d ' ' -f 1,2,4)"
	done
}

requests() {
	grep -oE '"(read|write)":\{"ios":[0-9]+' whole.json | awk -F : '{ n += $NF } END { print n }'
}

# Each observer has programs of its own: what they miss need not be the same. What was
# missed of a disk may be in the device for top until its tag is used again.
judge_top() {
	top_losses=$(grep '  losses ' top.out | sed 's/.*: //' | tr ',' '\n' |
		awk '{ sum[$1] += $2 } END { for (kind in sum) print kind, sum[kind] }' | tr '\n' ' ')
	at_rest=$(grep -E '^[0-9:]{8} ' top.out | tail -n "$(echo "$disks" | wc -w)" |
		awk '$(NF-2) != 0 || $(NF-1) != 0')
	if [ "$(missed whole.json)" != 0 ]; then
		say "INFO stress: losses of top: $top_losses"
	else
		same stress-top-losses "$top_losses" ''
		same stress-at-rest "$at_rest" ''
	fi
}

judge_counts() {
	missed=$(missed whole.json)
	[ "$missed" = 0 ] || say "INFO stress: the kernel missed $missed events: $(losses whole.json)"
	while read -r disk reads read written; do
		read -r _ reads2 read2 written2 <<-END
			$(grep "^$disk " stat.after)
		END
		sed 's/{"name":"/\n&/g' whole.json | grep "^{\"name\":\"$disk\"" >one.json
		sed 's/.*"write":{//' one.json >written.json
		got="$(number one.json ios) $(number one.json bytes) $(number written.json bytes)"
		want="$((reads2 - reads)) $(((read2 - read) * 512)) $(((written2 - written) * 512))"
		if [ "$missed" = 0 ]; then
			same "stress-counts-$disk" "$got" "$want"
		else
			[ "$got" = "$want" ] || say "INFO stress: $disk has $got, by /sys/block $want"
		fi
	done <stat.before
}

# Growth of the observer's memory from the first third of the samples to the last, within
# 5 % or 256 KiB. The first ones are left out: it is still starting.
judge_memory() {
	said=$(awk 'NR > 2 && NR > skip { a[n++] = $1 }
		END {
			third = int(n / 3)
			if (!third) { print "no samples"; exit }
			for (i = 0; i < third; i++) { early += a[i] / third; late += a[n - 1 - i] / third }
			bound = early * 0.05 > 256 ? early * 0.05 : 256
			printf "%s%d KiB, later %d KiB\n", (late - early > bound ? "grew: " : ""), early, late
		}' skip=$(($(wc -l <rss) / 10)) rss)
	case $said in
	no* | grew* | "") fail "stress-memory: $said ($(wc -l <rss))" ;;
	*) pass stress-memory-flat && say "INFO stress: memory of top $said" ;;
	esac
}

hosts=/sys/bus/pseudo/drivers/scsi_debug/add_host
cpu=$(find /sys/devices/system/cpu/cpu[1-9]* -maxdepth 1 -name online 2>/dev/null | head -1)
cpu=${cpu%/online}
disks=$(debug_disk)
null_disk stress size=64 memory_backed=1 submit_queues=2 discard=1
[ -z "$made" ] || disks="$disks $made"
workers=''

# shellcheck disable=SC2086 # words
seekwise top --plain -i 1 $disks >top.out 2>top.err &
top=$!
# One window over all of it, whose end comes when the loads have ended.
groups=''
if seekwise report --help | grep -q -- --groups; then groups='--groups all'; fi
# shellcheck disable=SC2086 # words
seekwise report --json $groups $disks -- sh -c 'touch runs; while [ ! -e over ]; do sleep 0.2; done' >whole.json 2>whole.err &
whole=$!
for _ in $(seq 300); do
	[ -e runs ] && [ "$(wc -l <top.out)" -gt 2 ] && break
	sleep 0.1
done
statistics >stat.before
start=$(cut -d . -f 1 /proc/uptime)

salt=10
for disk in $disks; do
	salt=$((salt + 1))
	work_on $salt verified_round "$disk"
done
work_on 1 switch_one
work_on 2 churn_one
work_on 3 report_one
[ -z "$cpu" ] || work_on 4 hotplug_one
while [ $(($(cut -d . -f 1 /proc/uptime) - start)) -lt "$seconds" ]; do
	sleep $((seconds > 300 ? 10 : 1))
	sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB/\1/p' /proc/$top/status >>rss
	# init looks at the end of the run, when the log may have lost its beginning.
	[ "$seconds" -le 300 ] || kernel_complaints >complaints
	[ ! -s complaints ] || break
done
kernel_complaints >>complaints
touch $stop
# shellcheck disable=SC2086 # words
wait $workers
statistics >stat.after
touch over
wait $whole
same stress-report-code $? 0
sleep 3 # rows of disks at rest
kill -INT $top
wait $top
same stress-top-code $? 0
[ "$made" ] && drop_null_disk stress

say "INFO stress: $seconds s, $(requests) requests, $(counted rounds) rounds of fio, $(counted switches) switches ($(counted refused) refused), CPU offline $(counted offline) times, $(counted churned) disks and $(counted hosts) hosts came and went, $(counted reports) reports"
same stress-fio-verify "$(counted verify-failures)" 0
[ ! -e verify-errors ] || say "INFO $(head -c 500 verify-errors)"
[ "$(counted switches)" -ge 3 ] && pass stress-switches || fail "stress: hardly any switches"
if [ -z "$cpu" ]; then
	skip "stress-hotplug: no CPU can be taken off here"
else
	[ "$(counted offline)" -ge 2 ] && pass stress-hotplug || fail "stress: hardly any hotplug"
	same stress-cpu-is-back "$(counted stays-offline)" 0
fi
[ ! -e wrong-reports ] && pass stress-reports || fail "stress-reports: $(head -3 wrong-reports)"
has_losses whole.json && fail "stress-losses: $(losses whole.json)" || pass stress-losses
judge_top
judge_counts
judge_memory
[ ! -s complaints ] && pass stress-kernel-log || fail "stress: kernel log: $(cat complaints)"
