#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""ns of BPF run time for each request: all programs that a process holds.

    programs.py PID OURS

The number of requests is the largest run count of a program on an event of
requests; OURS is how many of them our own disks served, since the programs run
for those of all disks. Prints the ns, how many percent of the requests were
others' and a line to read, with tabs between. Exit code 1 when there were too few.
"""
import glob
import json
import subprocess
import sys


def held(pid):
    """The programs, by id: (run time in ns, run count)."""
    found = {}
    for path in glob.glob(f"/proc/{pid}/fdinfo/*"):
        try:
            fields = dict(line.split(":", 1) for line in open(path) if ":" in line)
        except OSError:
            continue
        if "run_cnt" in fields:
            found[int(fields["prog_id"])] = (int(fields["run_time_ns"]), int(fields["run_cnt"]))
    return found


def names():
    shown = json.loads(subprocess.run(["bpftool", "prog", "show", "-j"], check=True,
                                      capture_output=True).stdout)
    return {p["id"]: p.get("name", "?") for p in shown}


def is_of_requests(name):
    return any(event in name for event in ("insert", "issue", "compl"))


programs = held(sys.argv[1])
name = names()
requests = max((count for i, (_, count) in programs.items() if is_of_requests(name.get(i, ""))),
               default=0)
if requests < 1000:
    print(f"bench: too few requests: {requests}")
    sys.exit(1)
total = sum(ns for ns, _ in programs.values()) / requests
parts = ", ".join(f"{name.get(i, '?')} {ns / count:.0f}" + (
    f" x {count / requests:.2f}" if count < 0.95 * requests or count > 1.05 * requests else "")
                  for i, (ns, count) in sorted(programs.items()) if count > requests / 100)
others = round(100 * max(0, 1 - int(sys.argv[2]) / requests))
print(f"{total:.1f}\t{others}\t{total:.0f} ns per request ({parts}; {requests} requests"
      + (f", {others} % of them of other disks)" if others else ")"))
