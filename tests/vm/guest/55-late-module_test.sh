# SPDX-License-Identifier: GPL-2.0-or-later
# mq-deadline is loaded as a module after seekwise began to observe: the counts stay
# exact over the change, and its state is read from then on.
# shellcheck shell=sh disable=SC2154 # lib.sh
[ -e /sys/module/mq_deadline/initstate ] || { say "INFO late-module: mq-deadline is built in"; exit 0; }
for disk in /sys/block/*; do
	scheduler none "${disk##*/}" 2>/dev/null
done
rmmod mq-deadline || { fail "late-module: mq-deadline cannot be unloaded"; exit 0; }

cat >/tmp/late <<'EOF'
. /tests/lib.sh
late() {
	load=$(load nullb0 --rw=randrw --iodepth=32 --time_based --runtime=8)
	$load >/dev/null 2>&1 &
	sleep 2
	modprobe mq-deadline
	sleep 2
	scheduler mq-deadline nullb0
	wait
}
late
EOF
before=$(stat_of nullb0)
seekwise report --json nullb0 -- sh /tmp/late >/tmp/report.json 2>/tmp/err || fail "late-module: $(head -c 300 /tmp/err)"
same_as_stat late-module-counts nullb0 "$before"
no_losses late-module /tmp/report.json
if grep -q 'mq-deadline was loaded' /tmp/err; then
	pass late-module-is-noticed
else
	fail "late-module: not noticed: $(head -c 300 /tmp/err)"
fi

# A view that began before the module came shows batches in the end.
scheduler none nullb0
rmmod mq-deadline
seekwise top --plain -n 60 nullb0 >/tmp/top 2>/tmp/err &
top=$!
tries=0
until grep -q nullb0 /tmp/top || [ $tries = 300 ]; do
	tries=$((tries + 1))
	sleep 0.1
done
sh /tmp/late
kill $top
wait $top
# time disk scheduler, two rates, MB/s, four times, seq, wrap, and the batches' mean
if awk '$13 > 0 { good++ } END { exit !good }' /tmp/top; then
	pass late-module-batches-in-the-end
else
	fail "late-module: no batches in the end: $(tail -1 /tmp/top)"
fi

# Unloaded and loaded again under a report, which must not hold on to it.
cat >/tmp/around <<'EOF'
. /tests/lib.sh
load=$(load nullb0 --rw=randrw --iodepth=32 --time_based --runtime=6)
$load >/dev/null 2>&1 &
sleep 3
scheduler none nullb0
rmmod mq-deadline || fail "reload: mq-deadline cannot be unloaded under a report"
sleep 1
modprobe mq-deadline
scheduler mq-deadline nullb0
wait
EOF
scheduler mq-deadline nullb0
before=$(stat_of nullb0)
seekwise report --json nullb0 -- sh /tmp/around >/tmp/report.json 2>/tmp/err || fail "reload: $(head -c 300 /tmp/err)"
same_as_stat reload-counts nullb0 "$before"
counts reload-after nullb0 --rw=randrw --iodepth=32 --number_ios=500
if grep -q '"batches":{' /tmp/report.json; then pass reload-figures-resume; else fail "reload: no batches after it"; fi
scheduler none nullb0
rmmod mq-deadline
same reload-leaves-no-reference $? 0
modprobe mq-deadline
