# SPDX-License-Identifier: GPL-2.0-or-later
# queue/nr_sched_batch, on a kernel that has it: found, and the passes follow it; tuned,
# and put back so that it follows nr_requests again when it did before.
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
before=0
for value in 1 4 32; do
	echo $value >$queue/nr_sched_batch
	deep "passes-at-$value"
	same "passes-at-$value-reported" "$(number /tmp/report.json nr_sched_batch)" $value
	same "passes-at-$value-are-measured" "$(number /tmp/report.json passes_estimated)" false
	at_most "passes-at-$value-mean" "$mean" $value
	at_most "passes-at-$value-max" "$max" $value
	if echo "$before $mean" | awk '{ exit !($1 < $2) }'; then
		pass "passes-at-$value-follow"
	else
		fail "passes-at-$value-follow: $mean after $before"
	fi
	say "INFO passes-at-$value mean=$mean max=$max"
	before=$mean
done
scheduler none nullb0
scheduler mq-deadline nullb0
is a-switch-sets-it-anew nr_sched_batch "$(cat $queue/nr_requests)"

# What a tuner that was killed left, restored: it followed, and follows the new nr_requests.
tuned_and_killed() { # waits until the tuner has changed it, then kills it
	load=$(load nullb0 --rw=randrw --iodepth=256 --iodepth_batch_submit=128 \
		--iodepth_batch_complete_min=128 --time_based --runtime=300)
	$load >/dev/null 2>&1 &
	fio=$!
	seekwise tune --any-rotation --window 200ms nullb0 >/tmp/tune 2>&1 &
	tuner=$!
	tries=0
	until [ "$(cat $queue/nr_sched_batch)" != "$(cat $queue/nr_requests)" ]; do
		tries=$((tries + 1))
		[ $tries -lt 900 ] && kill -0 $tuner 2>/dev/null || break
		sleep 0.1
	done
	kill -9 $tuner
	wait $tuner 2>/dev/null
	kill $fio
	wait $fio 2>/dev/null
}

start=$(cat $queue/nr_requests)
tuned_and_killed
grep nr_sched_batch /tmp/tune | head -2 | while read -r line; do say "INFO $line"; done
if grep -q 'trying nr_sched_batch' /tmp/tune; then pass tunes-it; else fail "tunes-it: $(tail -c 300 /tmp/tune)"; fi
[ "$(cat $queue/nr_sched_batch)" != "$start" ] && pass killed-while-changed || fail "killed-while-changed: it was $start"
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
