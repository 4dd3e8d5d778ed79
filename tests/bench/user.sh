# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the program itself takes with 64 disks, four of them under a light load, beside a
# biolatency -D that prints every second as well; and how long one look at all the disks
# takes, under that load and under one on all of them.
# shellcheck source=tests/bench/lib.sh
. tests/bench/lib.sh

# All threads' time on a CPU, in ns: utime and stime of /proc/PID/stat come in ticks of 10 ms.
cpu_ns() { # PID
	cat /proc/"$1"/task/*/schedstat | awk '{ ns += $1 } END { printf "%d\n", ns }'
}

# memory PID FIELD: in MiB
memory() {
	awk -v field="$2:" '$1 == field { printf "%.2f\n", $2 / 1024 }' "/proc/$1/status"
}

user_of() { # NAME
	local from to began ended
	case $1 in
	seekwise) watch "$seekwise" top --plain -i 1 "${disks[@]}" ;;
	biolatency) watch biolatency -D 1 ;;
	esac
	# start-up is over then, and what is allocated once is
	pause 1
	from=$(cpu_ns "$watcher")
	began=${EPOCHREALTIME/[.,]/}
	pause "$each"
	to=$(cpu_ns "$watcher")
	ended=${EPOCHREALTIME/[.,]/}
	note "$1-cpu" "$(awk -v ns=$((to - from)) -v us=$((ended - began)) 'BEGIN { print ns / us / 10 }')"
	note "$1-rss" "$(memory "$watcher" VmRSS)"
	note "$1-peak" "$(memory "$watcher" VmHWM)"
	printf '  %-16s round %d: %s %% of a CPU; MiB: RSS %s (anonymous %s, files %s, shared %s), at most %s\n' \
		"$1" "$round" "$(tail -n 1 "$work/$1-cpu.values")" "$(memory "$watcher" VmRSS)" \
		"$(memory "$watcher" RssAnon)" "$(memory "$watcher" RssFile)" \
		"$(memory "$watcher" RssShmem)" "$(memory "$watcher" VmHWM)"
	watch_end
}

# light_load_up COUNT: on that many of the disks, few requests on each.
light_load_up() {
	load_up --filename="$(IFS=:; echo "${devs[*]:0:$1}")" --iodepth=4 --rate_iops=$((50 * $1))
	pause 1
}

# Medians and 95th percentiles of many looks, noted as WHAT-LOADED.
user_snapshot() { # LOADED
	local what median p95
	light_load_up "$1"
	wait_for .output/bench/snapshot "${disks[@]}" >"$work/snapshot"
	load_down
	while read -r what median p95; do
		note "$what-$1" "$median"
		note "$what-$1-p95" "$p95"
		printf '  %-16s round %d: median %s us, p95 %s us\n' "$what-$1" "$round" "$median" "$p95"
	done <"$work/snapshot"
}

bench_user() {
	local disks devs
	defaults 3 30
	names_of seekwise biolatency
	echo "user: the program itself, 64 disks"
	several_up 64
	light_load_up 4
	in_turn user_of "${names[@]}"
	load_down
	in_turn user_snapshot 4 64
	disks_down
	compare '% of one CPU' 'seekwise-cpu<=0.5' biolatency-cpu seekwise-cpu/biolatency-cpu
	compare 'MiB' 'seekwise-rss<=16' biolatency-rss seekwise-rss/biolatency-rss
	compare 'MiB at its peak' seekwise-peak biolatency-peak seekwise-peak/biolatency-peak
	compare 'us for all 64 disks' 'windows-4<=1000' windows-4-p95 'windows-64<=1000' windows-64-p95 \
		windows-all-4 windows-all-64 sysfs-4 sysfs-4-p95
}
