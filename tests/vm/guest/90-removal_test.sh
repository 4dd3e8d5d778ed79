# SPDX-License-Identifier: GPL-2.0-or-later
# The disk goes away under a report.
# shellcheck shell=sh disable=SC2154 # lib.sh
[ -d /sys/module/null_blk ] && [ -e /sys/module/null_blk/initstate ] || {
	skip "removal: null_blk is built in"
	exit 0
}
seekwise report -d 60s nullb0 >/tmp/out 2>/tmp/err &
pid=$!
sleep 2
rmmod null_blk
wait $pid
same removal-code $? 1
if grep -q 'the disk is gone' /tmp/err; then
	pass removal-is-said
else
	fail "removal: $(head -c 200 /tmp/err)"
fi
