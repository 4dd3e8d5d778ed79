#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel that runs no program for some completions: a build that throws them away
# (bpf/drop.bpf.h). They are counted, leave the numbers in the device, and are borne up to 1 in
# 1000; unit/losses_test has what is decided then. This kernel may miss some of its own.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
SEEKWISE=$top/.output/drop/seekwise
need_kernel plain

plainloop_up drops 64M
ios=20000
reads=(fio --name=w "--filename=$DEV" --rw=randread --bs=4k --direct=1 --ioengine=libaio --iodepth=16
	--norandommap --io_size=$((ios * 4))k --output=/dev/null)
# Older than those that are left alone for their youth, at the end.
printf 'set -e\n%s\nsleep 0.5\n' "${reads[*]}" >"$work/load.sh"

# dropping NAME ONE-IN [OPTION...]: a report of the load, in $work/NAME.
dropping() {
	local name=$1 one_in=$2
	shift 2
	SEEKWISE_DROP=$one_in "$SEEKWISE" report --json "$@" "$DISK" -- bash "$work/load.sh" >"$work/$name"
	info "$name: $(json "$work/$name" 'd["losses"]')"
	check "$name-all-are-found-out" "$(json "$work/$name" 'd["read"]["ios"] + d["losses"]["stale"]')" = $ios
	check "$name-are-dropped" "$(json "$work/$name" 'd["losses"]["stale"]')" -ge $((ios / one_in))
	check "$name-none-stays-in-the-device" "$(json "$work/$name" 'd["in_device"]["now"]')" = 0
}
# Whatever is lost, it is said to be too much from 1 in 1000 on.
judged() { # NAME
	check "$1-lossy-by-its-limit" "$(json "$work/$1" \
		'd["lossy"] == (d["losses"]["stale"] > d["read"]["ios"] // 1000)')" = True
	check "$1-verdict-unless-lossy" "$(json "$work/$1" 'd["lossy"] == (d["verdict"] is None)')" = True
}

dropping few 10000
judged few
dropping few-of-groups 10000 --groups all
judged few-of-groups
SEEKWISE_RAW_TP=1 dropping few-by-raw-tracepoints 10000
judged few-by-raw-tracepoints
dropping many 100
judged many
check many-lossy "$(json "$work/many" 'd["lossy"]')" = True
check many-no-advice "$(json "$work/many" 'd["advice"]')" = "[]"
SEEKWISE_DROP=100 "$SEEKWISE" report "$DISK" -- bash "$work/load.sh" >"$work/text"
grep -q 'verdict *none: more than 1 of 1000 requests were lost' "$work/text" && pass many-said ||
	fail "many-said: $(grep verdict "$work/text")"

# The last of eleven is thrown away, and nothing comes after it: it does not keep the disk busy.
SEEKWISE_DROP=20 "$SEEKWISE" report --json --groups depth "$DISK" -- sh -c "fio --name=w --filename=$DEV \
	--rw=randread --bs=4k --direct=1 --ioengine=psync --number_ios=11 --output=/dev/null; sleep 6" >"$work/last"
info "last: $(json "$work/last" 'd["losses"]["stale"], d["busy"] * d["seconds"], d["in_device"]')"
check last-is-found-out "$(json "$work/last" 'd["losses"]["stale"] >= 1 and d["in_device"]["now"] == 0')" = True
# Looked for every second; given three, as the reader may be kept from its CPU.
check last-leaves-before-the-end "$(json "$work/last" 'd["busy"] * d["seconds"] < 4')" = True
check last-leaves-the-levels "$(json "$work/last" \
	'abs(d["device_levels"]["mean"] - d["in_device"]["mean"]) < 0.05')" = True
