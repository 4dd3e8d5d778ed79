# SPDX-License-Identifier: GPL-2.0-or-later
# queue/nr_sched_batch, on a kernel that has it: found, and it bounds the passes; put back
# so that it follows nr_requests again when it did before.
# shellcheck shell=sh disable=SC2154 # lib.sh
queue=/sys/block/nullb0/queue
[ -e $queue/nr_sched_batch ] || { say "INFO sched-batch: this kernel has no nr_sched_batch"; exit 0; }

deep() { # NAME: a report of a deep load in bunches, into /tmp/report.json
	# shellcheck disable=SC2046 # words
	seekwise report --json nullb0 -- $(load nullb0 --rw=randrw --iodepth=256 \
		--iodepth_batch_submit=128 --iodepth_batch_complete_min=128 --number_ios=3000) \
		>/tmp/report.json 2>/tmp/err || fail "$1: $(head -c 300 /tmp/err)"
	mean=$(part /tmp/report.json passes mean)
	max=$(part /tmp/report.json passes max)
}
at_most() { # NAME VALUE LIMIT
	if echo "$2 $3" | awk '{ exit !($1 > 0 && $1 <= $2) }'; then
		pass "$1"
	else
		fail "$1: $2, at most $3 expected"
	fi
}
is() { # NAME FILE VALUE
	same "$1" "$(cat "$queue/$2")" "$3"
}

scheduler mq-deadline nullb0
is follows-from-the-start nr_sched_batch "$(cat $queue/nr_requests)"
for value in 1 4 32; do
	echo $value >$queue/nr_sched_batch
	deep "passes-at-$value"
	same "passes-at-$value-reported" "$(number /tmp/report.json nr_sched_batch)" $value
	same "passes-at-$value-are-measured" "$(number /tmp/report.json passes_estimated)" false
	at_most "passes-at-$value-mean" "$mean" $value
	at_most "passes-at-$value-max" "$max" $value
	say "INFO passes-at-$value mean=$mean max=$max"
done
scheduler none nullb0
scheduler mq-deadline nullb0
is a-switch-sets-it-anew nr_sched_batch "$(cat $queue/nr_requests)"

# What a trial that was killed left, restored: it followed, and follows the new nr_requests.
start=$(cat $queue/nr_requests)
seekwise trial nullb0 -a nr_sched_batch=8 -b nr_sched_batch=16 --window 200ms --pairs 256 >/tmp/trial 2>&1 &
trial=$!
tries=0
until [ "$(cat $queue/nr_sched_batch)" != "$start" ]; do
	tries=$((tries + 1))
	[ $tries -lt 900 ] && kill -0 $trial 2>/dev/null || break
	sleep 0.1
done
kill -9 $trial
wait $trial 2>/dev/null
[ "$(cat $queue/nr_sched_batch)" != "$start" ] && pass killed-while-changed ||
	fail "killed-while-changed: it was $start: $(head -c 300 /tmp/trial)"
echo $((start / 2)) >$queue/nr_requests
seekwise restore nullb0 >/tmp/restore 2>&1
same restore-code $? 0
is restored-to-follow nr_sched_batch $((start / 2))
# A patch may also tell a written value from an untouched one: then nothing that is written follows.
echo $((start / 2)) >$queue/nr_sched_batch
echo $((start / 4)) >$queue/nr_requests
echo $((start / 4)) >$queue/nr_sched_batch
echo $((start / 2)) >$queue/nr_requests
if [ "$(cat $queue/nr_sched_batch)" = $((start / 4)) ]; then
	skip "follows-again: with this image's patch a written value never follows"
else
	echo $((start / 2)) >$queue/nr_sched_batch
	echo "$start" >$queue/nr_requests
	is follows-again nr_sched_batch "$start"
fi
echo "$start" >$queue/nr_requests
