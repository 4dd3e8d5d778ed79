#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What seekwise costs beside libbpf-tools' biolatency -D: ns of BPF run time for
# each request, from one run, alternating. ROUNDS (5) and SECONDS_EACH (4) may
# be set.
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=tests/disk/lib.sh
. tests/disk/lib.sh
seekwise=$PWD/.output/seekwise
rounds=${ROUNDS:-5} each=${SECONDS_EACH:-4}
work=$(mktemp -d)
watcher=
stats_before=$(cat /proc/sys/kernel/bpf_stats_enabled)
PATH=$PATH:/usr/sbin:/sbin

end_watcher() {
	[ -n "$watcher" ] || return 0
	kill -INT "$watcher" 2>/dev/null || true
	wait "$watcher" 2>/dev/null || true
	watcher=
}
cleanup() {
	trap - EXIT INT TERM HUP
	end_watcher
	echo "$stats_before" >/proc/sys/kernel/bpf_stats_enabled
	disks_down
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

why=$(disk_why_not plain)
[ -z "$why" ] || { echo "bench: cannot run here: $why" >&2; exit 1; }

command -v biolatency >/dev/null || {
	echo "bench: biolatency of libbpf-tools is the peer, and not installed here" >&2
	exit 1
}

# measure NAME COMMAND...: runs it beside fio; adds ns per request to NAME.txt.
measure() {
	local name=$1 _
	shift
	bpftool prog show -j >"$work/before.json"
	"$@" >/dev/null 2>"$work/$name.err" &
	watcher=$!
	# Its programs run once it has attached: wait for the first of them.
	for _ in $(seq 100); do
		bpftool prog show -j >"$work/now.json"
		python3 tests/bench/programs.py "$work/before.json" "$work/now.json" >/dev/null && break
		kill -0 "$watcher" 2>/dev/null || { cat "$work/$name.err" >&2; exit 1; }
		sleep 0.05
	done
	sleep 1
	fio --name=load --filename="$DEV" --rw=randread --bs=4k --direct=1 --ioengine=libaio \
		--iodepth=32 --time_based --runtime="$each" --output=/dev/null
	bpftool prog show -j >"$work/now.json"
	python3 tests/bench/programs.py "$work/before.json" "$work/now.json" >"$work/one"
	end_watcher
	cut -f 1 "$work/one" >>"$work/$name.txt"
	printf '%-11s round %d: %s\n' "$name" "$round" "$(cat "$work/one")"
}

plainloop_up bench 256M
echo 1 >/proc/sys/kernel/bpf_stats_enabled
for round in $(seq "$rounds"); do
	measure seekwise "$seekwise" top --plain -i 1 "$DISK"
	measure biolatency biolatency -D
done
python3 tests/bench/ratio.py seekwise "$work/seekwise.txt" biolatency "$work/biolatency.txt"
