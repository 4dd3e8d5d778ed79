# SPDX-License-Identifier: GPL-2.0-or-later
# Bios that adjoin each other and are submitted together are merged in the
# submitter's plug, whatever a plug looks like on this kernel: none of them is lost,
# and each joins a request at the end that it adjoins. What leaves the plug is seen.
# shellcheck shell=sh disable=SC2154 # lib.sh

# joined KIND: of the writes of the last report.
joined() {
	grep -oE '"bio_merges":\{[^}]*\}' /tmp/report.json | sed -n 2p |
		grep -oE "\"$1\":[0-9]+" | sed 's/.*://'
}

# merges NAME KIND RW: 2048 bios of 4 KiB, sixteen at a time.
merges() {
	# shellcheck disable=SC2046 # words
	seekwise report --json --groups merges,locality nullb0 -- $(load nullb0 --rw="$3" --size=8M \
		--offset=8M --iodepth=64 --iodepth_batch=16 --iodepth_batch_complete_max=16) \
		>/tmp/report.json 2>/tmp/err || { fail "$1: $(head -c 300 /tmp/err)"; return; }
	all=$(($(joined back) + $(joined front) + $(joined plug_back) + $(joined plug_front)))
	same "$1-bios" $((all + $(number /tmp/report.json issued 2))) 2048
	[ "$(joined "$2")" -gt 1024 ] && pass "$1-kind" ||
		fail "$1-kind: $(grep -oE '"bio_merges":\{[^}]*\}' /tmp/report.json | sed -n 2p)"
	count=$(part /tmp/report.json unplugs count)
	[ "${count:-0}" -gt 0 ] && pass "$1-unplugs" || fail "$1-unplugs: $count"
	no_losses "$1" /tmp/report.json
}

scheduler mq-deadline nullb0
merges merges-up plug_back write
merges merges-down plug_front write:-8k
export SEEKWISE_RAW_TP=1
merges merges-raw plug_back write
unset SEEKWISE_RAW_TP
