# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the requests of a disk that nobody observes cost, beside programs that do nothing.
# shellcheck source=tests/bench/lib.sh
. tests/bench/lib.sh

floor_of() { # NAME
	case $1 in
	unobserved) watch_core "$other" ;;
	empty) watch_empty ;;
	esac
	load --filename="$DEV"
	cost "$1"
	watch_end
}

bench_floor() {
	local other
	defaults 5 4
	echo "floor: ns of BPF run time for each request of a disk that is not observed"
	plainloop_up other 16M
	other=$DISK
	plainloop_up bench 256M
	stats_up
	in_turn floor_of unobserved empty
	stats_down
	disks_down
	compare 'ns per request' unobserved empty 'unobserved/empty<=1.6'
}
