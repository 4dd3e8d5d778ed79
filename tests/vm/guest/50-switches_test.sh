# SPDX-License-Identifier: GPL-2.0-or-later
# Scheduler switches, and the unloading of mq-deadline where it is a module, while
# it is observed: counts go on, and the kernel has nothing to complain of (init
# looks into its log at the end).
# shellcheck shell=sh disable=SC2154 # lib.sh

switch_around() { # DISK
	for name in none kyber mq-deadline bfq none mq-deadline; do
		sleep 0.5
		scheduler $name "$1" 2>/dev/null
	done
}

for disk in nullb0 $(debug_disk); do
	[ -e "/sys/block/$disk" ] || continue
	scheduler mq-deadline "$disk"
	switch_around "$disk" &
	counts "$disk-switches" "$disk" --rw=randrw --iodepth=16 --time_based --runtime=5
	wait
	scheduler mq-deadline "$disk"
	counts "$disk-after-switches" "$disk" --rw=randread --iodepth=32 --number_ios=500
	if grep -q '"batches":{' /tmp/report.json; then
		pass "$disk-figures-resume"
	else
		fail "$disk: no batches after the switches"
	fi
done
