# SPDX-License-Identifier: GPL-2.0-or-later
# The question of the discussion about queue/nr_sched_batch, on a kernel that has it and a disk
# that turns: is one request at a time better than passes as long as the kernel has them? 32
# synchronous jobs of 512 bytes, as they were measured there. What the answer is, is the disk's.
# shellcheck shell=sh disable=SC2154 # lib.sh, and boot.sh's words

[ -z "${vm_no_disk:-}" ] || { skip "trial-batch: $vm_no_disk"; exit 0; }
disk=$(disk_of_model HARDDISK)
[ -n "$disk" ] || { fail "trial-batch: no disk of the model QEMU HARDDISK"; exit 0; }
queue=/sys/block/$disk/queue
[ -e "$queue/nr_sched_batch" ] || { say "INFO trial-batch: this kernel has no nr_sched_batch"; exit 0; }
scheduler mq-deadline "$disk"
# One disk without a controller takes 32 requests.
echo 32 >"/sys/block/$disk/device/queue_depth"
before=$(cat "$queue/nr_sched_batch")

for rw in randread randwrite randrw; do
	jobs="$(load "$disk" --rw=$rw --bs=512 --iodepth=1 --thread --numjobs=32 --norandommap)"
	# shellcheck disable=SC2086 # words
	seekwise report --json "$disk" -- $jobs --number_ios=20 >/tmp/report.json 2>/tmp/err ||
		fail "trial-batch-$rw: $(head -c 300 /tmp/err) $(head -c 300 /tmp/fio.out)"
	say "INFO trial-batch $rw wraps: $(grep -oE '"wraps":\{[^}]*\}' /tmp/report.json | tr '\n' ' ')"
	$jobs --time_based --runtime=600 >/dev/null 2>&1 &
	fio=$!
	sleep 2
	seekwise trial "$disk" -a nr_sched_batch="$before" -b nr_sched_batch=1 --window 1s \
		--pairs 16 >/tmp/trial 2>&1
	same trial-batch-$rw-code $? 0
	kill -INT $fio
	wait $fio
	while read -r line; do say "INFO $rw: $line"; done </tmp/trial
	# An interval around the ratio, whatever it is.
	grep -qE '\(between .* and .* %, [0-9]+ pairs\)' /tmp/trial && pass trial-batch-$rw-answers ||
		fail "trial-batch-$rw-answers: $(tail -n 1 /tmp/trial)"
	same trial-batch-$rw-restored "$(cat "$queue/nr_sched_batch")" "$before"
done
