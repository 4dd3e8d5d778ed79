# SPDX-License-Identifier: GPL-2.0-or-later
# queue/nr_sched_batch, on a kernel that has it, is tuned under a load that fills the scheduler.
# shellcheck shell=sh disable=SC2154 # lib.sh
queue=/sys/block/nullb0/queue
[ -e $queue/nr_sched_batch ] || { say "INFO tune-batch: this kernel has no nr_sched_batch"; exit 0; }
scheduler mq-deadline nullb0
before=$(cat $queue/nr_sched_batch)
load=$(load nullb0 --rw=randrw --iodepth=256 --iodepth_batch_submit=128 \
	--iodepth_batch_complete_min=128 --time_based --runtime=300)
$load >/dev/null 2>&1 &
fio=$!
seekwise tune --any-rotation --window 200ms nullb0 >/tmp/tune 2>&1 &
tuner=$!
tries=0
until grep -q 'trying nr_sched_batch' /tmp/tune; do
	tries=$((tries + 1))
	[ $tries -lt 900 ] && kill -0 $tuner 2>/dev/null || break
	sleep 0.1
done
kill -TERM $tuner
wait $tuner
same tune-batch-code $? 0
kill $fio
wait $fio 2>/dev/null
grep nr_sched_batch /tmp/tune | head -2 | while read -r line; do say "INFO $line"; done
# Whether the load fills the scheduler depends on how fast this machine is emulated.
if grep -q 'trying nr_sched_batch' /tmp/tune; then
	pass tunes-it
else
	skip "tunes-it: under this load it had no reason to: $(tail -n 1 /tmp/tune)"
fi
same tune-batch-restored "$(cat $queue/nr_sched_batch)" "$before"
