# SPDX-License-Identifier: GPL-2.0-or-later
# Requests and bytes of a report equal what blktrace saw of the same load.
# shellcheck shell=sh disable=SC2154 # lib.sh
command -v blktrace >/dev/null && command -v blkparse >/dev/null || {
	skip "blktrace: it is not in the image"
	exit 0
}

# Of blkparse's lines "action rwbs sectors": for reads, then for writes, the requests
# inserted, issued (but for requeues), completed, and the bytes completed.
blktrace_figures() {
	awk '{ d = $2 ~ /R/ ? "R" : $2 ~ /W/ ? "W" : "-" }
		$1 == "I" { i[d]++ }
		$1 == "D" { s[d]++ }
		$1 == "R" { s[d]-- }
		$1 == "C" { c[d]++; b[d] += $3 * 512 }
		END { printf "%d %d %d %.0f %d %d %d %.0f\n",
			i["R"], s["R"], c["R"], b["R"], i["W"], s["W"], c["W"], b["W"] }' /tmp/events
}

# The same of a report. With a scheduler every request that is issued was inserted.
seekwise_figures() {
	for n in 1 2; do
		issued=$(number /tmp/report.json issued $n)
		echo "$issued $issued $(number /tmp/report.json ios $n) $(number /tmp/report.json bytes $n)"
	done | tr '\n' ' '
}

# Both watch one load. 2: blktrace lost events.
watch() { # DISK FIO-OPTION...
	rm -rf /tmp/trace
	mkdir /tmp/trace
	blktrace -d "/dev/$1" -D /tmp/trace -b 1024 -n 8 >/tmp/blktrace.out 2>&1 &
	tracer=$!
	sleep 1
	# shellcheck disable=SC2046 # words
	seekwise report --json "$1" -- $(load "$@") >/tmp/report.json 2>/tmp/err
	code=$?
	kill -INT $tracer
	wait $tracer
	[ $code = 0 ] || return 1
	blkparse -q -D /tmp/trace -i "$1" -f '%a %d %n\n' >/tmp/events 2>/tmp/blkparse.out
	rm -rf /tmp/trace
	! grep -qiE 'dropped [1-9]|lost|[1-9][0-9]* dropped' /tmp/blktrace.out || return 2
}

compare() { # NAME DISK FIO-OPTION...
	name=blktrace-$1
	shift
	for try in 1 2 3; do
		watch "$@"
		case $? in
		0) break ;;
		1) fail "$name: $(head -c 200 /tmp/err)"; return ;;
		esac
		say "INFO $name: blktrace lost events: $(grep -i drop /tmp/blktrace.out | head -n 1)"
		[ $try != 3 ] || { fail "$name: blktrace lost events three times"; return; }
	done
	same "$name" "$(seekwise_figures)" "$(blktrace_figures) "
	no_losses "$name" /tmp/report.json
	say "INFO $name: $(blktrace_figures), bio merges $(grep -c '^[MF] ' /tmp/events), $(awk '{ print $1 }' /tmp/events | sort | uniq -c | tr -s '\n ' ' ')"
}

for disk in nullb0 $(debug_disk); do
	[ -e "/sys/block/$disk" ] || continue
	scheduler mq-deadline "$disk"
	compare "$disk-mixed-32" "$disk" --rw=randrw --iodepth=32 --number_ios=1000
	# eight at a time: neighbours are merged before they reach the scheduler
	compare "$disk-sequential-32" "$disk" --rw=write --iodepth=32 --iodepth_batch=8 --number_ios=1000
done
