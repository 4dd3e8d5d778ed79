#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# init of the test machines: runs the tests of this kernel, prints a line for
# each case (PASS, FAIL, SKIP, INFO), then the end marker, and powers off.
export PATH=/bin:/sbin HOME=/tmp
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t debugfs debug /sys/kernel/debug 2>/dev/null
mount -t tmpfs tmp /tmp
mount -t tmpfs run /run
ifconfig lo 127.0.0.1 2>/dev/null

say() { echo "$*" >/dev/console; }
pass() { say "PASS $*"; }
fail() { say "FAIL $*"; }
same() { # NAME A B
	if [ "$2" = "$3" ]; then pass "$1"; else fail "$1: $2, expected $3"; fi
}
finish() {
	dmesg | grep -E 'WARNING:|BUG:|Oops|lockdep|rcu.*stall|bpf.*error' | head -5 | while read -r line; do
		fail "kernel log: $line"
	done
	say "VM-END"
	sync
	reboot -f
}

# number FILE KEY [N]: the Nth (1st) value of "KEY": in a report, null if it is null.
number() {
	grep -oE "\"$2\":[^,}]*" "$1" | sed -n "${3:-1}s/.*:[ ]*//p"
}
stat_of() { # DISK: read ios, read sectors, write ios, write sectors
	awk '{ print $1, $3, $5, $7 }' "/sys/block/$1/stat"
}

# counts NAME DISK FIO-OPTION...: a report against /sys/block/DISK/stat, exactly.
counts() {
	name=$1 disk=$2
	shift 2
	before=$(stat_of "$disk")
	if ! seekwise report --json "$disk" -- fio --name=w --filename="/dev/$disk" --direct=1 \
		--ioengine=libaio --bs=4k --output=/tmp/fio.out "$@" >/tmp/report.json 2>/tmp/err; then
		fail "$name: $(head -c 300 /tmp/err)"
		return
	fi
	after=$(stat_of "$disk")
	want=$(echo "$before $after" | awk '{ print $5 - $1, ($6 - $2) * 512, $7 - $3, ($8 - $4) * 512 }')
	got="$(number /tmp/report.json ios 1) $(number /tmp/report.json bytes 1) $(number /tmp/report.json ios 2) $(number /tmp/report.json bytes 2)"
	same "$name" "$got" "$want"
	grep -oE '"losses":\{[^}]*\}' /tmp/report.json | grep -qE '"(no_insert|unmatched|negative|table_miss|stale|torn)":[1-9]' &&
		fail "$name: $(grep -oE '"losses":\{[^}]*\}' /tmp/report.json)"
}

# figures NAME DISK: which figures this kernel gives, for the table in docs/.
figures() {
	say "INFO figures $1 expired=$(number /tmp/report.json expired) batches=$(grep -oE '"batches":(null|\{[^}]*\})' /tmp/report.json | head -1) wraps=$(grep -oE '"wraps":\{[^}]*\}' /tmp/report.json | head -1)"
}

echo >/dev/console
say "INFO kernel $(uname -r) $(md5sum /bin/seekwise | cut -c1-32)"
for module in virtio_pci virtio_blk virtio_scsi sd_mod loop mq-deadline kyber-iosched bfq; do
	modprobe $module 2>/dev/null
done
modprobe null_blk nr_devices=1 queue_mode=2 hw_queue_depth=32 irqmode=2 completion_nsec=1000000 \
	submit_queues=1 poll_queues=0 2>/dev/null || modprobe null_blk nr_devices=1 queue_mode=2 \
	hw_queue_depth=32 irqmode=2 completion_nsec=1000000 submit_queues=1 2>/dev/null
modprobe scsi_debug dev_size_mb=64 max_queue=32 ndelay=1000000 2>/dev/null
sleep 1

# Scheduler switches, and its module's unloading, while it is observed: counts go on, and the
# kernel has nothing to complain of (finish looks into its log).
switches() { # DISK
	disk=$1
	( for scheduler in none kyber mq-deadline bfq none mq-deadline; do
		sleep 0.5
		echo $scheduler >"/sys/block/$disk/queue/scheduler"
		[ $scheduler != none ] || { rmmod mq-deadline && modprobe mq-deadline; } 2>/dev/null
	done ) &
	counts "$disk-switches" "$disk" --rw=randrw --iodepth=16 --time_based --runtime=5
	wait
	echo mq-deadline >"/sys/block/$disk/queue/scheduler"
	counts "$disk-after-switches" "$disk" --rw=randread --iodepth=32 --number_ios=1000
	grep -q '"batches":{' /tmp/report.json && pass "$disk-figures-resume" || fail "$disk: no batches after the switches"
}

# The knobs that this kernel has; nr_sched_batch on the patched one alone.
knobs() { # DISK
	say "INFO knobs $1 $(grep -oE '"knobs":\{[^}]*\}' /tmp/report.json)"
	if [ -e "/sys/block/$1/queue/nr_sched_batch" ]; then
		grep -q '"nr_sched_batch":' /tmp/report.json && pass "$1-nr_sched_batch-is-found" ||
			fail "$1: nr_sched_batch is not reported"
	fi
}

# The disk goes away under a report.
removal() {
	seekwise report -d 60s nullb0 >/tmp/out 2>/tmp/err &
	pid=$!
	sleep 2
	rmmod null_blk 2>/dev/null || { kill $pid; say "SKIP removal: null_blk is built in"; return; }
	wait $pid
	same removal-code $? 1
	grep -q 'the disk is gone' /tmp/err && pass removal-is-said || fail "removal: $(head -c 200 /tmp/err)"
}

seekwise check >/tmp/check 2>&1
grep -E 'observing|BTF' /tmp/check | while read -r line; do say "INFO $line"; done
if grep -q 'observing *yes' /tmp/check; then
	pass observes
else
	fail "observes: $(grep observing /tmp/check)"
	SEEKWISE_DEBUG=1 seekwise check >/tmp/debug 2>&1
	grep -B 16 -A 1 processed /tmp/debug | cut -c1-200 | while read -r line; do say "INFO $line"; done
	finish
fi

debug=
for d in /sys/block/sd*; do
	grep -q scsi_debug "$d/device/model" 2>/dev/null && debug=${d##*/}
done
for disk in nullb0 $debug; do
	[ -e "/sys/block/$disk" ] || { say "SKIP $disk: this kernel has none"; continue; }
	echo mq-deadline >"/sys/block/$disk/queue/scheduler"
	counts "$disk-random-read-32" "$disk" --rw=randread --iodepth=32 --number_ios=3000
	counts "$disk-random-write-8" "$disk" --rw=randwrite --iodepth=8 --number_ios=1500
	counts "$disk-mixed-128" "$disk" --rw=randrw --iodepth=128 --number_ios=3000
	figures "$disk"
	knobs "$disk"
	switches "$disk"
	counts "$disk-sequential" "$disk" --rw=read --bs=64k --iodepth=4 --size=32M
	for scheduler in none kyber; do
		grep -qw $scheduler "/sys/block/$disk/queue/scheduler" || continue
		echo $scheduler >"/sys/block/$disk/queue/scheduler"
		counts "$disk-$scheduler" "$disk" --rw=randrw --iodepth=32 --number_ios=1000
	done
	SEEKWISE_RAW_TP=1
	export SEEKWISE_RAW_TP
	echo mq-deadline >"/sys/block/$disk/queue/scheduler"
	counts "$disk-raw" "$disk" --rw=randrw --iodepth=32 --number_ios=1000
	unset SEEKWISE_RAW_TP
done
removal
finish
