# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The simulator of tests/sim beside the real kernel on the modelled disk: requests per
# second and their mean wait, both of disk time, under the same load and knobs.
# shellcheck source=tests/bench/lib.sh
. tests/bench/lib.sh

simulate=$PWD/.output/bench/simulate
# The modelled disk is that much faster than disk time, and so are the deadlines here.
sim_speed=4
# us of disk time from a completion to the task's next request: measured first.
sim_lag=0

# "KNOB=VALUE..." with loads as simulate takes them: TASKS,DEPTH,KIB,READS,seq|rand
sim_cases=(
	"fifo_batch=1 8,64,4,1,rand"
	"fifo_batch=16 8,64,4,1,rand"
	"fifo_batch=128 8,64,4,1,rand"
	"nr_requests=64 8,64,4,1,rand"
	"nr_requests=1024 8,64,4,1,rand"
	"read_expire=4000 fifo_batch=4 8,64,4,1,rand"
	"fifo_batch=1 8,32,4,0.7,rand"
	"fifo_batch=16 8,32,4,0.7,rand"
	"fifo_batch=128 8,32,4,0.7,rand"
	"fifo_batch=16 8,64,4,0,rand"
	"fifo_batch=1 4,1,4,1,rand 1,128,64,0,rand"
	"fifo_batch=16 4,1,4,1,rand 1,128,64,0,rand"
	"fifo_batch=128 4,1,4,1,rand 1,128,64,0,rand"
	"fifo_batch=16 4,1,64,1,seq"
	"fifo_batch=16 16,4,64,1,seq"
)

sim_set_knob() { # NAME=VALUE, in disk time
	local name=${1%=*} value=${1#*=}
	case $name in
	*_expire) value=$((value / sim_speed)) ;;
	nr_requests)
		echo "$value" >"/sys/block/$DISK/queue/nr_requests"
		return
		;;
	esac
	echo "$value" >"/sys/block/$DISK/queue/iosched/$name"
}

# fio's options of a load; a sequential task begins where nobody else is.
sim_fio() { # NUMBER TASKS,DEPTH,KIB,READS,seq|rand
	local tasks depth kib reads order percent rw=randrw
	IFS=, read -r tasks depth kib reads order <<<"$2"
	percent=$(awk "BEGIN { print $reads * 100 }")
	[ "$order" = rand ] || rw=rw
	printf '%s\n' "--name=load$1" "--rw=$rw" "--rwmixread=$percent" "--bs=${kib}k" \
		"--numjobs=$tasks" "--iodepth=$depth"
	[ "$order" = rand ] || echo "--offset_increment=$((100 / (tasks + 1)))%"
}

# Sets `real` to requests per second and mean wait in us, of disk time, of the real kernel.
sim_real() { # CASE
	local word number=0
	local options
	modeldisk_up sim --speed "$sim_speed" --no-data
	options=(--filename="$DEV" --direct=1 --ioengine=libaio --time_based --runtime=1d
		--disk_util=0 --output=/dev/null --norandommap --randrepeat=0)
	for word in $1; do
		if [[ $word = *=* ]]; then
			sim_set_knob "$word"
		else
			number=$((number + 1))
			mapfile -t -O ${#options[@]} options < <(sim_fio "$number" "$word")
		fi
	done
	fio "${options[@]}" &
	loader=$!
	pause 2
	"$seekwise" report --json -d "$each" "$DISK" >"$work/report.json"
	load_down
	disks_down
	real=$(python3 - "$work/report.json" "$sim_speed" <<-'END'
		import json, sys
		disk, speed = json.load(open(sys.argv[1]))["devices"][0], float(sys.argv[2])
		sides = [disk[d] for d in ("read", "write") if disk[d]["issued"]]
		issued = sum(side["issued"] for side in sides)
		wait = sum(side["issued"] * side["wait_us"]["mean"] for side in sides) / issued
		print(sum(side["ios"] for side in sides) / disk["seconds"] / speed, wait * speed)
	END
	)
}

sim_simulated() { # CASE
	local word words=()
	for word in $1; do
		if [[ $word = *=* ]]; then words+=(--knob "$word"); else words+=("$word"); fi
	done
	"$simulate" --seconds 2000 --lag "$sim_lag" "${words[@]}"
}

# What one sequential reader takes for a request beyond what the disk takes.
sim_calibrate() {
	local one="fifo_batch=16 1,1,64,1,seq" rate
	sim_real "$one"
	read -r rate _ < <(sim_simulated "$one")
	sim_lag=$(awk "BEGIN { lag = 1e6 / ${real% *} - 1e6 / $rate; print (lag > 0 ? lag : 0) }")
	echo "  lag of a task: $sim_lag us of disk time, the disk being $sim_speed times faster"
}

bench_sim() {
	local one real
	defaults 1 10
	echo "sim: the simulated disk beside the modelled one: requests per second, mean wait (ms), disk time"
	: >"$work/sim"
	sim_calibrate
	for one in "${sim_cases[@]}"; do
		for round in $(seq "$rounds"); do
			sim_real "$one"
			echo "$one;$real;$(sim_simulated "$one")" >>"$work/sim"
		done
	done
	python3 tests/bench/agree.py "$work/sim"
}
