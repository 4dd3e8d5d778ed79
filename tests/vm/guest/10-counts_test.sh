# SPDX-License-Identifier: GPL-2.0-or-later
# Requests and bytes of a report equal the kernel's own statistics, under every
# scheduler; and which figures and knobs this kernel has, for the table in docs/.
# shellcheck shell=sh disable=SC2034,SC2154 # lib.sh

figures() { # NAME
	say "INFO figures $1 expired=$(number /tmp/report.json expired) batches=$(grep -oE '"batches":(null|\{[^}]*\})' /tmp/report.json | head -1) wraps=$(grep -oE '"wraps":\{[^}]*\}' /tmp/report.json | head -1) passes=$(grep -oE '"passes":(null|\{[^}]*\})' /tmp/report.json | head -1)"
	say "INFO knobs $1 $(grep -oE '"knobs":\{[^}]*\}' /tmp/report.json)"
}

# What each detail group came to: null where the kernel does not give it.
details() { # NAME
	say "INFO details $1 $(grep -oE '"(bio_merges|issue_bytes|run_requests|streams|held_levels|device_levels_read|pool_full|idle_with_work|starved_us|other_cpu|unplugs|busiest_cpu|busiest_task)":(null|[0-9.]+|\{[^}]*\})' /tmp/report.json | tr '\n' ' ')"
	say "INFO details $1 not measured $(grep -oE '"not_measured":\[[^]]*\][^]]*\]' /tmp/report.json)"
}

for disk in nullb0 $(debug_disk); do
	[ -e "/sys/block/$disk" ] || { skip "$disk: this kernel has none"; continue; }
	scheduler mq-deadline "$disk"
	# One after the other under one report: each start takes seconds in emulation.
	FIGURES=all
	counts "$disk-loads" "$disk" --rw=randread --iodepth=32 --number_ios=1500 \
		--name=x --stonewall --rw=randwrite --iodepth=8 --number_ios=800 \
		--name=y --stonewall --rw=randrw --iodepth=128 --number_ios=2000 \
		--name=z --stonewall --rw=read --bs=64k --iodepth=4 --size=16M
	figures "$disk"
	details "$disk"
	FIGURES=core
	for name in none kyber; do
		grep -qw $name "/sys/block/$disk/queue/scheduler" || continue
		scheduler $name "$disk"
		counts "$disk-$name" "$disk" --rw=randrw --iodepth=32 --number_ios=1000
	done
	scheduler mq-deadline "$disk"
	export SEEKWISE_RAW_TP=1
	FIGURES=all
	counts "$disk-raw" "$disk" --rw=randrw --iodepth=32 --number_ios=1000
	unset SEEKWISE_RAW_TP
	FIGURES=core
done
