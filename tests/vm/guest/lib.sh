# SPDX-License-Identifier: GPL-2.0-or-later
# What the guest's tests share. Each prints a line for each case that begins
# with PASS, FAIL, SKIP or INFO, on the console.
# shellcheck shell=sh

say() { echo "$*" >/dev/console; }
pass() { say "PASS $*"; }
fail() { say "FAIL $*"; }
skip() { say "SKIP $*"; }
same() { # NAME A B
	if [ "$2" = "$3" ]; then pass "$1"; else fail "$1: $2, expected $3"; fi
}

# number FILE KEY [N]: the Nth (1st) value of "KEY": in a report, null if it is null; classes,
# which have figures of the same names, are left out.
number() {
	sed -E 's/"classes":\{("[a-z]+":\{("[a-z_]+":([^{}]*|\{[^{}]*\}),?)*\},?)*\}//g' "$1" |
		grep -oE "\"$2\":[^,}]*" | sed -n "${3:-1}s/.*:[ ]*//p"
}

# part FILE FIGURE PART [N]: a part of the disk's (or of the Nth direction's) figure, e.g. passes mean.
part() {
	grep -oE "\"$2\":(null|\{[^}]*\})" "$1" | sed -n "${4:-1}p" | grep -oE "\"$3\":[^,}]*" | sed 's/.*://'
}

# disk_of_model WORD: the first SCSI disk of that model; nothing if there is none.
disk_of_model() {
	for d in /sys/block/sd*; do
		grep -q "$1" "$d/device/model" 2>/dev/null && echo "${d##*/}" && return
	done
}

debug_disk() { disk_of_model scsi_debug; }

# null_disk FOLDER FILE=VALUE...: makes a null_blk disk; its name in $made, "" if it cannot be.
# shellcheck disable=SC2034 # made is for the tests
null_disk() {
	folder=/sys/kernel/config/nullb/$1
	made=''
	mkdir "$folder" 2>/dev/null || return 0
	for pair in queue_mode=2 irqmode=2 completion_nsec=200000 submit_queues=1 poll_queues=0 \
		hw_queue_depth=32 "$@"; do
		[ -e "$folder/${pair%%=*}" ] && echo "${pair#*=}" >"$folder/${pair%%=*}"
	done
	echo 1 2>/dev/null >"$folder/power" || return 0
	for name in "$1" "nullb$(cat "$folder/index")"; do
		[ -e "/sys/block/$name" ] && made=$name
	done
}

drop_null_disk() { # FOLDER
	echo 0 >"/sys/kernel/config/nullb/$1/power"
	rmdir "/sys/kernel/config/nullb/$1"
}

stat_of() { # DISK: read ios, read sectors, write ios, write sectors
	awk '{ print $1, $3, $5, $7 }' "/sys/block/$1/stat"
}

scheduler() { # NAME DISK
	echo "$1" >"/sys/block/$2/queue/scheduler"
}

load() { # DISK FIO-OPTION...: the command for one load; what is global comes before its name
	disk=$1
	shift
	echo fio "--filename=/dev/$disk" --direct=1 --ioengine=libaio --bs=4k \
		--output=/tmp/fio.out --name=w "$@"
}

losses() { grep -oE '"losses":\{[^}]*\}' "$1" | tr '\n' ' '; }
sum_of() { # FILE KEY...: of all disks
	file=$1
	shift
	for key in "$@"; do grep -oE "\"$key\":[0-9]+" "$file"; done |
		awk -F : '{ n += $2 } END { print n + 0 }'
}
# The kernel lets no program interrupt itself: where null_blk completes in an interrupt
# that comes into scsi_debug's completion, the event is missed, which is counted once for
# each disk, and seen as another loss or not seen at all. Nothing else may be lost.
missed() { grep -oE '"missed":[0-9]+' "$1" | cut -d : -f 2 | sort -n | tail -1; }
has_losses() { # FILE
	[ "$(sum_of "$1" negative table_miss torn)" != 0 ] ||
		[ "$(sum_of "$1" no_insert unmatched stale)" -gt "$(missed "$1")" ]
}

no_losses() { # NAME REPORT
	if has_losses "$2"; then
		fail "$1: $(losses "$2")"
	elif [ "$(sum_of "$2" no_insert unmatched stale)" != 0 ]; then
		say "INFO $1: the kernel missed events: $(losses "$2")"
	fi
}

# same_as_stat NAME DISK BEFORE: /tmp/report.json against what DISK's statistics grew by, exactly.
same_as_stat() {
	want=$(echo "$3 $(stat_of "$2")" | awk '{ print $5 - $1, ($6 - $2) * 512, $7 - $3, ($8 - $4) * 512 }')
	same "$1" "$(number /tmp/report.json ios 1) $(number /tmp/report.json bytes 1) $(number /tmp/report.json ios 2) $(number /tmp/report.json bytes 2)" "$want"
	no_losses "$1" /tmp/report.json
}

# counts NAME DISK FIO-OPTION...: a report of a load against /sys/block/DISK/stat; FIGURES: groups.
counts() {
	name=$1 disk=$2
	shift
	before=$(stat_of "$disk")
	# shellcheck disable=SC2046 # words
	if ! seekwise report --json --groups "${FIGURES:-core}" "$disk" -- $(load "$@") >/tmp/report.json 2>/tmp/err; then
		fail "$name: $(head -c 300 /tmp/err)"
		return
	fi
	same_as_stat "$name" "$disk" "$before"
}
