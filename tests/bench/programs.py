#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""ns of BPF run time for each request: all programs that came after BEFORE.json.

    programs.py BEFORE.json NOW.json    (both of bpftool prog show -j)

The number of requests is the largest run count. Exit code 1 while there is none.
"""
import json
import sys

before = {p["id"] for p in json.load(open(sys.argv[1]))}
new = [p for p in json.load(open(sys.argv[2])) if p["id"] not in before]
new = [p for p in new if p.get("type") in ("tracing", "raw_tracepoint", "kprobe", "tracepoint")]
if not new:
    sys.exit(1)
requests = max(p.get("run_cnt", 0) for p in new)
if requests < 1000:
    print("too few requests")
    sys.exit(0)
total = sum(p.get("run_time_ns", 0) for p in new) / requests
parts = ", ".join(f'{p["name"]} {p["run_time_ns"] / p["run_cnt"]:.0f}'
                  for p in new if p.get("run_cnt", 0) > requests / 10)
print(f"{total:.0f}\tns per request ({parts}; {requests} requests)")
