# SPDX-License-Identifier: GPL-2.0-or-later
# Dispatch passes against a kprobe on the kernel's dispatch function: count and sum
# exactly where they are measured, the mean within 10 % where they are estimated.
# shellcheck shell=sh disable=SC2154 # lib.sh
trace=/sys/kernel/tracing
[ -e $trace/kprobe_events ] || trace=/sys/kernel/debug/tracing
[ -e $trace/kprobe_events ] || { skip "passes: this kernel has no kprobe events"; exit 0; }

oracle_on() {
	echo 16384 >$trace/buffer_size_kb
	echo 'p:seekwise/pass blk_mq_dispatch_rq_list third=%dx:u32' >$trace/kprobe_events
	echo >$trace/trace
	echo 1 >$trace/events/seekwise/pass/enable
}
# Prints the passes and their requests, 0 where the kernel's function is not told them.
oracle_off() {
	echo 0 >$trace/events/seekwise/pass/enable
	grep -o 'third=[0-9]*' $trace/trace | cut -d = -f 2 >/tmp/thirds
	echo >$trace/trace
	echo >$trace/kprobe_events
	# Newer kernels: a bool, which is 0 for what comes from the scheduler.
	if $is_bool; then
		awk '$1 % 256 == 0 { n++ } END { print n + 0, 0 }' /tmp/thirds
	else
		awk '$1 > 0 { n++; sum += $1 } END { print n + 0, sum + 0 }' /tmp/thirds
	fi
}
# Only a bool is never above 1; deep loads have passes above 1 on every kernel.
is_bool=false
[ "$(uname -r | cut -d . -f 1)" -ge 7 ] && is_bool=true

# passes NAME DISK FIO-OPTION...
passes() {
	name=$1 disk=$2
	shift
	oracle_on
	# shellcheck disable=SC2046 # words
	seekwise report --json "$disk" -- $(load "$@") >/tmp/report.json 2>/tmp/err ||
		fail "$name: $(head -c 300 /tmp/err)"
	oracle=$(oracle_off)
	mean=$(part /tmp/report.json passes mean)
	estimated=$(number /tmp/report.json passes_estimated)
}

# bunches NAME DISK DEPTH: a load that comes and goes in bunches, so that passes are long.
bunches() {
	passes "$1" "$2" --rw=randrw --iodepth="$3" --iodepth_batch_submit="$3" \
		--iodepth_batch_complete_min=$(($3 / 2 + 1)) --number_ios=1500
	count=$(part /tmp/report.json passes count)
	ios=$(($(number /tmp/report.json ios 1) + $(number /tmp/report.json ios 2)))
}

measured() { # NAME DISK DEPTH
	bunches "$@"
	sum=$(echo "$count $mean" | awk '{ printf "%d", $1 * $2 + 0.5 }')
	same "$1-are-measured" "$estimated" false
	same "$1" "$count" "${oracle% *}"
	same "$1-requests" "$sum" "$ios"
	$is_bool || same "$1-sum" "$sum" "${oracle#* }"
	say "INFO $1 mean=$mean batches=$(part /tmp/report.json batches mean)"
}

estimated() { # NAME DISK DEPTH
	export SEEKWISE_RAW_TP=1
	bunches "$@"
	unset SEEKWISE_RAW_TP
	if [ "$estimated" = null ]; then
		say "INFO $1: no estimate, mq-deadline here does not count what it hands out"
		return
	fi
	same "$1-are-estimated" "$estimated" true
	want=$(echo "$ios ${oracle% *}" | awk '{ print $1 / $2 }')
	if echo "$mean $want" | awk '{ exit !($1 > $2 * 0.9 && $1 < $2 * 1.1) }'; then
		pass "$1"
	else
		fail "$1: mean $mean, by the kprobe $want"
	fi
}

for disk in nullb0 $(debug_disk); do
	[ -e "/sys/block/$disk" ] || continue
	scheduler mq-deadline "$disk"
	measured "$disk-passes-32" "$disk" 32
	estimated "$disk-passes-32-estimate" "$disk" 32
done
measured nullb0-passes-1 nullb0 1
measured nullb0-passes-128 nullb0 128
