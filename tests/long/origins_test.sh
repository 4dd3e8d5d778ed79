#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# tests/origins, shortened: what each dispute was about is measured, and where its sign
# does not depend on the machine's mood, it has the right one.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/../kernel/lib.sh"
need_kernel

# origin NAME VARIANT...: runs these of the script, shows its tables; 1 if it cannot run here.
origin() {
	local start=$SECONDS
	dir=$work/$1
	if ! ORIGINS_OUT=$dir ONLY="${*:2}" ROUNDS=1 SECONDS_EACH=0.5 SETTLE=0.4 "$top/tests/origins/$1.sh" >"$work/$1.out" 2>&1; then
		fail "$1: $(tail -n 3 "$work/$1.out")"
		return 1
	fi
	sed 's/^/INFO /' "$work/$1.out"
	if grep '^SKIP ' "$work/$1.out"; then return 1; fi
	info "$1: $((SECONDS - start)) s"
}

# holds NAME VARIANT EXPRESSION: on the report of that variant; other("VARIANT") is another one.
holds() {
	local said
	said=$(python3 - "$dir" "$2" "$3" 2>&1 <<'END'
import json, sys
folder, variant, expression = sys.argv[1:]
other = lambda name: json.load(open(f"{folder}/{name}.1.json"))["devices"][0]
devices = json.load(open(f"{folder}/{variant}.1.json"))["devices"]
d = devices[0]
read, write = d["read"], d["write"]
both = lambda key: sum(side[key] for side in (read, write))
merged = lambda *kinds: sum(side["bio_merges"][kind] for side in (read, write) for kind in kinds)
print(eval(expression))
END
	) || true
	if [ "$said" = True ]; then pass "$1"; else fail "$1: $3: ${said##*$'\n'}"; fi
}

if origin 1-sweep-start few more deep; then
	holds sweep-start-nothing-to-choose few 'd["held"]["mean"] < 1 and read["wraps"]["to_oldest"] < read["wraps"]["to_head"]'
	holds sweep-start-chosen-otherwise more 'd["held"]["mean"] > 1 and sum(s["wraps"]["to_oldest"] + s["wraps"]["expired"] for s in (read, write)) > 0'
	holds sweep-start-kinds-are-known deep 'both("sweeps") > 0 and read["wraps"]["unknown"] + write["wraps"]["unknown"] == 0'
	holds sweep-start-passes-and-batches deep 'd["passes"]["count"] > 0 and read["batches"]["count"] > 0'
	holds sweep-start-expiry deep 'read["expired"] is not None and "p99" in read["late_us"]'
fi

if origin 2-kyber-merging deadline kyber unmerged plugged slow_kyber; then
	holds merging-kyber-merges kyber 'merged("back", "front") > 0 and read["issue_bytes"]["mean"] > 4096'
	holds merging-without-merges unmerged 'merged("back", "front", "plug_back", "plug_front") == 0 and read["issue_bytes"]["max"] == 4096'
	holds merging-in-the-plug plugged 'merged("plug_back") > 0'
	holds merging-kyber-figures slow_kyber 'd["kyber_throttled"]["write"] > 0 and d["kyber_adjusts"] is not None'
	holds merging-deadline-has-none-of-them deadline 'd["kyber_throttled"] is None'
fi

if origin 3-interleaved-writers both_own small; then
	holds writers-interleave small 'd["streams"]["count"] > 0 and d["streams"]["p50"] == 2'
	holds writers-sorted-less small 'd["streams"]["count"] / both("issued") > other("both_own")["streams"]["count"] / other("both_own")["write"]["issued"]'
	holds writers-runs small 'write["run_bytes"]["mean"] > 0 and write["run_requests"]["mean"] >= 1'
	holds writers-seek-cost small 'd["seek_cost"]["share"] is not None and d["seek_cost"]["each_us"] > 0'
	holds writers-pool both_own 'd["pool_full"] is not None and d["held"]["mean"] > 1'
fi

if origin 4-async-depth alone four depth1; then
	holds async-none-alone alone 'd["device_levels_async_write"]["p50"] == 0 and d["device_levels_read"]["p99"] >= 1'
	holds async-deep four 'd["device_levels_async_write"]["p50"] > 8'
	[ ! -e "$dir/depth1.1.json" ] ||
		holds async-bounded depth1 'd["device_levels_async_write"]["p99"] < other("four")["device_levels_async_write"]["p50"]'
	holds async-latency-of-sync four 'read["classes"]["sync"]["ios"] > 0 and read["classes"]["sync"]["total_us"]["max"] > 0'
	holds async-idle-with-work four 'd["idle_with_work"] is not None and read["starved_us"] is not None'
fi

if origin 5-one-dispatcher four one through lopsided; then
	# Where more tasks issue than a CPU's record has room for, none is known to be the busiest.
	holds dispatcher-many four 'd["busiest_task"] is None or d["busiest_task"]["share"] < 0.6'
	holds dispatcher-one one 'd["busiest_task"]["share"] > 0.9'
	holds dispatcher-stacked through '(d["busiest_task_name"] or "kworker").startswith("kworker")'
	holds dispatcher-plugs four 'd["unplugs"]["mean"] > 1'
	holds dispatcher-other-cpu through 'write["other_cpu_share"] is not None'
	[ ! -d /sys/devices/system/cpu/cpu0/cache ] ||
		holds dispatcher-other-cache through 'write["other_llc_share"] is not None'
	holds dispatcher-members lopsided 'len(devices) == 2 and devices[0]["read"]["ios"] > 0 and devices[1]["read"]["ios"] == 0 and devices[1]["write"]["ios"] > 0'
fi
