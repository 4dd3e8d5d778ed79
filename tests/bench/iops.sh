# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What is left of the requests per second of a disk that does nothing but serve them.
# shellcheck source=tests/bench/lib.sh
. tests/bench/lib.sh

# One load goes on all the time, or the start of each would be measured as well.
iops_of() { # NAME
	local from to began ended
	case $1 in
	core) watch_core "$DISK" ;;
	all) watch_all "$DISK" ;;
	biolatency) watch biolatency -D ;;
	# as long as the others take to attach
	detached) pause 1 ;;
	esac
	read -r from _ <"/sys/block/$DISK/stat"
	began=${EPOCHREALTIME/[.,]/}
	pause "$each"
	read -r to _ <"/sys/block/$DISK/stat"
	ended=${EPOCHREALTIME/[.,]/}
	watch_end
	kill -0 "$loader" 2>/dev/null || { say "fio has ended"; exit 1; }
	note "$1" $(((to - from) * 1000000 / (ended - began)))
	printf '  %-16s round %d: %d\n' "$1" "$round" "$(tail -n 1 "$work/$1.values")"
}

bench_iops() {
	defaults 10 4
	names_of detached core all biolatency
	echo "iops: requests per second of a saturated disk"
	# they would be part of the cost
	[ "$(cat /proc/sys/kernel/bpf_stats_enabled)" = 0 ] ||
		say "kernel.bpf_stats_enabled is 1 here, which makes each program dearer"
	plainloop_up bench 256M
	load_up --filename="$DEV"
	pause 2
	in_turn iops_of "${names[@]}"
	load_down
	disks_down
	compare 'requests per second' detached core all biolatency 'core/detached>=0.98' \
		'all/detached>=0.98' biolatency/detached
}
