# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How the cost of a request grows with the disks observed and with the CPUs that make requests.
# Names: who observes (1 or 64 disks by seekwise, or the peer), then the load: `one` disk, `eight` at
# once, one disk by jobs on two `cpus`. Where a request completes is the loop driver's choice.
# shellcheck source=tests/bench/lib.sh
. tests/bench/lib.sh

scale_of() { # NAME
	local cpu=(--cpus_allowed="${cpus[0]}")
	case $1 in
	1-*) watch_core "${disks[0]}" ;;
	64-*) watch_core "${disks[@]}" ;;
	biolatency-*) watch biolatency -D ;;
	esac
	case $1 in
	*-one) load --filename="${devs[0]}" "${cpu[@]}" ;;
	*-eight) load --filename="$(IFS=:; echo "${devs[*]:0:8}")" "${cpu[@]}" ;;
	*-cpus) load --filename="${devs[0]}" --numjobs=2 --cpus_allowed_policy=split \
		--cpus_allowed="${cpus[0]},${cpus[1]}" ;;
	esac
	cost "$1"
	watch_end
}

# The numbers of the CPUs that we may use.
cpus_here() {
	python3 -c 'import os; print(*sorted(os.sched_getaffinity(0)))'
}

bench_scale() {
	local cpus disks devs
	local points=(1-one 64-one 64-eight)
	local ratios=(64-one/1-one 64-eight/1-one)
	defaults 5 4
	read -ra cpus < <(cpus_here)
	names_of biolatency
	if [ ${#names[@]} -gt 0 ]; then
		points+=(biolatency-one biolatency-eight)
		ratios+=(biolatency-eight/biolatency-one 1-one/biolatency-one 64-one/biolatency-one
			64-eight/biolatency-eight)
	fi
	if [ ${#cpus[@]} -lt 2 ]; then
		say "left out: there is one CPU here"
	else
		points+=(1-cpus)
		ratios+=(1-cpus/1-one)
		if [ ${#names[@]} -gt 0 ]; then
			points+=(biolatency-cpus)
			ratios+=(biolatency-cpus/biolatency-one 1-cpus/biolatency-cpus)
		fi
	fi
	echo "scale: ns of BPF run time for each request"
	several_up 64
	stats_up
	in_turn scale_of "${points[@]}"
	stats_down
	disks_down
	compare 'ns per request' "${points[@]}" "${ratios[@]}"
}
