# SPDX-License-Identifier: GPL-2.0-or-later
# Requests and bytes of a report equal the kernel's own statistics, under every
# scheduler; and which figures and knobs this kernel has, for the table in docs/.
# shellcheck shell=sh disable=SC2154 # lib.sh

figures() { # NAME
	say "INFO figures $1 expired=$(number /tmp/report.json expired) batches=$(grep -oE '"batches":(null|\{[^}]*\})' /tmp/report.json | head -1) wraps=$(grep -oE '"wraps":\{[^}]*\}' /tmp/report.json | head -1) passes=$(grep -oE '"passes":(null|\{[^}]*\})' /tmp/report.json | head -1)"
	say "INFO knobs $1 $(grep -oE '"knobs":\{[^}]*\}' /tmp/report.json)"
}

for disk in nullb0 $(debug_disk); do
	[ -e "/sys/block/$disk" ] || { skip "$disk: this kernel has none"; continue; }
	scheduler mq-deadline "$disk"
	# One after the other under one report: each start takes seconds in emulation.
	counts "$disk-loads" "$disk" --rw=randread --iodepth=32 --number_ios=1500 \
		--name=x --stonewall --rw=randwrite --iodepth=8 --number_ios=800 \
		--name=y --stonewall --rw=randrw --iodepth=128 --number_ios=2000 \
		--name=z --stonewall --rw=read --bs=64k --iodepth=4 --size=16M
	figures "$disk"
	for name in none kyber; do
		grep -qw $name "/sys/block/$disk/queue/scheduler" || continue
		scheduler $name "$disk"
		counts "$disk-$name" "$disk" --rw=randrw --iodepth=32 --number_ios=1000
	done
	scheduler mq-deadline "$disk"
	export SEEKWISE_RAW_TP=1
	counts "$disk-raw" "$disk" --rw=randrw --iodepth=32 --number_ios=1000
	unset SEEKWISE_RAW_TP
done
