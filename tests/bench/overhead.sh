# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What an observed disk's requests cost, beside libbpf-tools' biolatency -D.
# shellcheck source=tests/bench/lib.sh
. tests/bench/lib.sh

overhead_of() { # NAME
	case $1 in
	core) watch_core "$DISK" ;;
	all) watch_all "$DISK" ;;
	biolatency) watch biolatency -D ;;
	esac
	load --filename="$DEV"
	cost "$1"
	watch_end
}

bench_overhead() {
	defaults 5 4
	names_of core all biolatency
	echo "overhead: ns of BPF run time for each request of an observed disk"
	plainloop_up bench 256M
	stats_up
	in_turn overhead_of "${names[@]}"
	stats_down
	disks_down
	compare 'ns per request' core all biolatency 'core/biolatency<=0.6' 'all/biolatency<=1.0'
}
