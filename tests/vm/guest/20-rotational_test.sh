# SPDX-License-Identifier: GPL-2.0-or-later
# A rotational SCSI disk that is a modelled one outside (boot.sh): counts, and a
# tuner that finds the larger fifo_batch and puts the old one back.
# shellcheck shell=sh disable=SC2154 # lib.sh, and boot.sh's words

[ -z "${vm_no_disk:-}" ] || { skip "rotational: $vm_no_disk"; exit 0; }
disk=$(disk_of_model HARDDISK)
[ -n "$disk" ] || { fail "rotational: no disk of the model QEMU HARDDISK"; exit 0; }
queue=/sys/block/$disk/queue
knob() { cat "$queue/iosched/$1"; }

scheduler mq-deadline "$disk"
echo 32 >"/sys/block/$disk/device/queue_depth"
same rotational-is-told "$(cat "$queue/rotational")" 1
same rotational-queue-depth "$(cat "/sys/block/$disk/device/queue_depth")" 32
seekwise check "$disk" >/tmp/check 2>&1
same rotational-check-code $? 0
grep -q "^$disk .*mq-deadline, rotational, ready to be tuned" /tmp/check &&
	pass rotational-ready || fail "rotational: $(grep "^$disk" /tmp/check)"
counts rotational-random-read-32 "$disk" --rw=randread --iodepth=32 --number_ios=600
counts rotational-mixed-128 "$disk" --rw=randrw --iodepth=128 --number_ios=600

# With as many in the device as held, as on a loop device, the order that pays does
# not cost the last ones much.
echo 128 >"/sys/block/$disk/device/queue_depth"
# A disk that is so many times faster is given deadlines so many times shorter, or
# the scheduler would meet another load than on a real one.
for key in read_expire write_expire; do
	old=$(knob $key)
	echo $((old / vm_disk_speed)) >"$queue/iosched/$key"
done
echo 1 >"$queue/iosched/fifo_batch"
settings() { (cd "$queue" && grep . iosched/* nr_requests async_depth nr_sched_batch 2>/dev/null); }
settings >/tmp/baseline

reads=$(load "$disk" --rw=randread --iodepth=256 --time_based --runtime=600)
$reads &
fio=$!
sleep 2
start=$(cut -d . -f 1 /proc/uptime)
seekwise tune --once --window 1s -d 240s "$disk" >/tmp/tune 2>&1 &
tuner=$!
# It has shown what it can with the first value kept.
while kill -0 $tuner 2>/dev/null && ! grep -q ': kept: .* more work' /tmp/tune; do
	sleep 0.5
done
took=$(($(cut -d . -f 1 /proc/uptime) - start))
found=$(knob fifo_batch)
kill -TERM $tuner 2>/dev/null
wait $tuner
same rotational-tune-code $? 0
kill -INT $fio
wait $fio
while read -r line; do say "INFO tune $line"; done </tmp/tune
say "INFO rotational: fifo_batch 1 -> $found in $took s: $(grep -oE 'kept: .*more work[^,]*' /tmp/tune | head -1)"
grep -q ': kept: .* more work' /tmp/tune && [ "$found" -gt 1 ] &&
	pass rotational-tune-gains || fail "rotational: tune kept nothing: $(tail -n 1 /tmp/tune)"
settings >/tmp/after
same rotational-baseline-is-back "$(cat /tmp/after)" "$(cat /tmp/baseline)"
scheduler none "$disk"
scheduler mq-deadline "$disk"
