# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What is left of the requests per second: of a loop device whose disk is saturated, which
# takes a tenth of a millisecond for each request as a SATA SSD does; of one that is
# saturated itself, where all depends on the machine's CPUs and memory; and of a task that
# is, since it can submit no faster. How many of the load's 32 requests the device held
# tells which of them it was.
# shellcheck source=tests/bench/lib.sh
. tests/bench/lib.sh

# Requests completed, and the ms that all of them have been on their way.
stat_of() {
	awk '{ print $1, $11 }' "/sys/block/$DISK/stat"
}

# One load goes on all the time, or the start of each would be measured as well.
iops_of() { # NAME
	local from to ms_from ms_to began ended
	case $1 in
	core) watch_core "$DISK" ;;
	all) watch_all "$DISK" ;;
	biolatency) watch biolatency -D ;;
	# as long as the others take to attach
	detached) pause 1 ;;
	esac
	read -r from ms_from < <(stat_of)
	began=${EPOCHREALTIME/[.,]/}
	pause "$each"
	read -r to ms_to < <(stat_of)
	ended=${EPOCHREALTIME/[.,]/}
	watch_end
	kill -0 "$loader" 2>/dev/null || { say "fio has ended"; exit 1; }
	note "$1" $(((to - from) * 1000000 / (ended - began)))
	printf '  %-16s round %d: %d, %d of 32 in the device\n' "$1" "$round" \
		"$(tail -n 1 "$work/$1.values")" $(((ms_to - ms_from) * 1000 / (ended - began)))
}

iops_at() { # SIZE GOAL ROUNDS: `/detached` of each, with the goal
	defaults "$3" 4
	load_up --filename="$DEV" --bs="$1"
	pause 2
	in_turn iops_of "${names[@]}"
	load_down
	compare "requests of ${1}iB per second" detached core all biolatency "core/detached$2" \
		"all/detached$2" biolatency/detached
}

bench_iops() {
	names_of detached core all biolatency
	# they would be part of the cost
	[ "$(cat /proc/sys/kernel/bpf_stats_enabled)" = 0 ] ||
		say "kernel.bpf_stats_enabled is 1 here, which makes each program dearer"
	modeldisk_up disk --no-seek --overhead 100 --no-data
	echo "iops: requests per second of a saturated disk under a loop device"
	iops_at 4K '>=0.98' 10
	disks_down
	plainloop_up bench 256M
	echo "iops: requests per second of a saturated loop device"
	iops_at 256K '>=0.98' 10
	echo "iops: requests per second of a saturated task"
	iops_at 4K '' 4
	disks_down
}
