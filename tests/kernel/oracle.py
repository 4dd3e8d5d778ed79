#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares a JSON report with what the kernel's own event log says.

    oracle.py REPORT.json TRACE [--waits]

Prints a line that begins with PASS or FAIL for each group of figures.
"""
import json
import re
import sys

LINE = re.compile(
    r"^\s*\S.*\[(?P<cpu>\d+)\]\s+\S+\s+(?P<time>\d+\.\d+): block_rq_(?P<event>\w+): "
    r"\d+,\d+ (?P<rwbs>\w+) (?:(?P<bytes>\d+) )?\((?P<cmd>[^)]*)\) (?P<sector>\d+) \+ (?P<n>\d+)"
    r"(?: (?P<class>\w+),\d+,\d+)?")


def direction(rwbs):
    if "D" in rwbs:
        return None
    if "R" in rwbs:
        return "read"
    return "write" if "W" in rwbs else None


def parse(path):
    events = []
    for text in open(path):
        if text.startswith("#"):
            if "CPU:" in text and "LOST" in text:
                sys.exit("FAIL the event log lost events")
            continue
        m = LINE.match(text)
        if not m:
            if text.strip():
                sys.exit("FAIL line of the event log not understood: " + text)
            continue
        events.append((m["event"], int(m["cpu"]), float(m["time"]) * 1e6, direction(m["rwbs"]),
                       int(m["sector"]), int(m["n"]), int(m["bytes"] or 0), m["rwbs"],
                       m["class"] or "none"))
    return events


class Expected:
    """What the definitions of design section 1 make of the log."""

    def __init__(self, events):
        self.dirs = {d: dict(ios=0, bytes=0, issued=0, sequential=0, backward=0, seeks=[],
                             sweeps=0, wraps=0, merges=0, waits=[], services=[])
                     for d in ("read", "write")}
        self.switches = self.requeues = self.discards = self.flushes = 0
        self.held_max = self.device_max = 0
        self.cpus, self.seen_on = set(), set()
        position = last_dir = None
        sweeps = {}
        inserted, issued = {}, {}
        held = device = 0
        for event, cpu, time, d, sector, n, size, rwbs, prio in events:
            self.seen_on.add(cpu)
            if not d and "F" in rwbs:
                sector = 0  # a flush has none, and the events disagree on how to say so
            if event == "insert":
                held += 1
                self.held_max = max(self.held_max, held)
                inserted[(rwbs, sector)] = time
            elif event == "requeue":
                self.requeues += 1
            elif event == "merge" and d:
                self.dirs[d]["merges"] += 1
                if inserted.pop((rwbs, sector), None) is not None:
                    held -= 1
            elif event == "issue":
                start = inserted.pop((rwbs, sector), None)
                if start is not None:
                    held -= 1
                    if d:
                        self.dirs[d]["waits"].append(time - start)
                device += 1
                self.device_max = max(self.device_max, device)
                issued[(rwbs, sector)] = time
                self.cpus.add(cpu)
                self.discards += "D" in rwbs
                self.flushes += rwbs.startswith("F") and not d
                if not d:
                    continue
                x = self.dirs[d]
                x["issued"] += 1
                if not size:
                    continue
                if position is not None:
                    x["seeks"].append(abs(sector - position))
                    x["sequential"] += sector == position
                    x["backward"] += sector < position
                position = sector + size // 512
                self.switches += last_dir is not None and last_dir != d
                last_dir = d
                self.sweep(x, sweeps, (d, prio if prio in ("rt", "idle") else "be"), cpu, sector)
            elif event == "complete":
                start = issued.pop((rwbs, sector), None)
                if start is not None:
                    device -= 1
                if not d or not n:
                    continue
                self.dirs[d]["ios"] += 1
                self.dirs[d]["bytes"] += n * 512
                if start is not None:
                    self.dirs[d]["services"].append(time - start)

    @staticmethod
    def sweep(x, sweeps, key, cpu, sector):
        last = sweeps.get(key)
        if last is None:
            x["sweeps"] += 1
            sweeps[key] = (sector, -1, cpu)
        elif sector >= last[0]:
            sweeps[key] = (sector, last[0], cpu)
        elif not (cpu != last[2] and sector >= last[1]):
            x["sweeps"] += 1
            x["wraps"] += 1
            sweeps[key] = (sector, sector, cpu)


FAILED = []


def compare(name, got, want, slack=0):
    if abs(got - want) > slack:
        FAILED.append(f"{name}: report {got}, log {want}")


def percentile(values, p):
    values = sorted(values)
    rank = max(1, -(-p * len(values) // 100))
    return values[int(rank) - 1]


def times(name, got, values):
    """Percentiles within the stated error of the histogram; the log has whole us."""
    if not values:
        return
    # The two clocks are read at different places: of one request in 200 the CPU may have been
    # taken away between them.
    for p in (50, 95, 99):
        low, high = percentile(values, p - 0.5), percentile(values, p + 0.5)
        want = min(max(got[f"p{p}"], low), high)
        compare(f"{name} p{p}", got[f"p{p}"], want, 0.0625 * want + 3)
    mean = sum(values) / len(values)
    compare(f"{name} mean", got["mean"], mean, 0.01 * mean + 2)
    compare(f"{name} max", got["max"], max(values), 0.01 * max(values) + 5000)


def main():
    report = json.load(open(sys.argv[1]))
    disk = report["devices"][0]
    events = parse(sys.argv[2])
    want = Expected(events)
    # Issues of two CPUs at the same instant have no order that both sides must see.
    order = 0 if len(want.cpus) < 2 else max(2, 0.001 * len(events))
    total = 0
    for d in ("read", "write"):
        got, x = disk[d], want.dirs[d]
        total += x["ios"]
        compare(f"{d} ios", got["ios"], x["ios"])
        compare(f"{d} issued", got["issued"], x["issued"])
        compare(f"{d} bytes", got["bytes"], x["bytes"])
        compare(f"{d} merges", got["merges"], x["merges"])
        compare(f"{d} sequential", got["sequential"], x["sequential"], order)
        compare(f"{d} backward", got["backward"], x["backward"], order)
        compare(f"{d} sweeps", got["sweeps"], x["sweeps"], order)
        compare(f"{d} wraps", sum(v or 0 for v in got["wraps"].values()), x["wraps"], order)
        if x["seeks"]:
            seeks = got["seek_sectors"]
            for p in (50, 95):
                w = percentile(x["seeks"], p)
                compare(f"{d} seek p{p}", seeks[f"p{p}"], w, 0.0625 * w + (1 if not order else 0.02 * w + 8))
            mean = sum(x["seeks"]) / len(x["seeks"])
            compare(f"{d} seek mean", seeks["mean"], mean, 0.001 * mean + (0.02 * mean if order else 0))
        if "--waits" in sys.argv:
            times(f"{d} wait", got["wait_us"], x["waits"])
            times(f"{d} service", got["service_us"], x["services"])
    compare("switches", disk["switches"], want.switches, order)
    compare("discards", disk["others"]["discard"], want.discards)
    compare("flushes", disk["others"]["flush"], want.flushes)
    level = 0 if len(want.seen_on) < 2 else max(4, 0.06 * want.held_max)
    compare("held max", disk["held"]["max"] or 0, want.held_max, level)
    compare("in device max", disk["in_device"]["max"] or 0, want.device_max, level)
    for loss, n in disk["losses"].items():
        if loss != "requeues":
            compare(f"loss {loss}", n or 0, 0)
    if not total:
        FAILED.append("no requests in the log")
    name = sys.argv[1].rsplit("/", 1)[-1].removesuffix(".json")
    for text in FAILED:
        print("FAIL", name, text)
    if not FAILED:
        print(f"PASS {name}: {total} requests, {len(want.cpus)} CPUs issued")
    return bool(FAILED)


sys.exit(main())
