#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Judges what the observers of stress_test.sh saw.

    stress.py FOLDER

Prints lines that begin with PASS, FAIL or INFO; ends with 1 if one failed.
"""
import glob
import json
import os
import re
import sys

# Two losses have a known cause. Some kernels run no program for some completions (README):
# their tags are found in use later (stale). And no kernel lets a program interrupt itself,
# which is counted for all disks of the machine together (missed). One request in a thousand
# may be lost so, or all that are in flight at once, since they are lost in bursts; no other
# loss is allowed.
KNOWN = {"stale", "missed"}
ONE_IN, BURST = 1000, 512
# The resident memory of the one that stays may grow by the larger of these.
GROWTH_SHARE, GROWTH_KIB = 0.05, 256
SUFFIX = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9}

folder = sys.argv[1]
failed = False


def path(name):
    return os.path.join(folder, name)


def text(name):
    try:
        with open(path(name)) as file:
            return file.read()
    except OSError:
        return ""


def check(name, bad):
    """bad: what is wrong, in words; none if nothing is."""
    global failed
    failed = failed or bool(bad)
    print(f"FAIL {name}: {bad}" if bad else f"PASS {name}")


def statistics(name):
    """Reads, their bytes and those written of each disk, by the kernel."""
    rows = (line.split() for line in text(name).splitlines())
    return {row[0]: [int(row[1]), int(row[2]) * 512, int(row[3]) * 512] for row in rows}


def allowed(requests):
    return max(requests // ONE_IN, BURST)


def losses_of(device):
    return {k: v for k, v in device["losses"].items() if k != "requeues" and v}


def judge_losses(name, losses, requests):
    """losses: a list of (where, counts)."""
    total = {}
    for _, counts in losses:
        for kind, n in counts.items():
            total[kind] = total.get(kind, 0) + n
    known = {kind: total.pop(kind) for kind in KNOWN & set(total)}
    for kind, n in known.items():
        print(f"INFO {name}: {n:g} {kind} of {requests} requests, of a known cause")
    where = [f"{place} {counts}" for place, counts in losses if set(counts) - KNOWN]
    check(name, f"{total} ({'; '.join(where[:5])})" if total else
          f"{known} of {requests} requests" if sum(known.values()) > allowed(requests) else "")


def judge_whole():
    """The one report over all of it: its losses, and its counts against the kernel's own."""
    before, after = statistics("stat.before"), statistics("stat.after")
    report = json.loads(text("whole.json"))
    losses, wrong, requests, unseen = [], [], 0, 0
    for d in report["devices"]:
        want = [b - a for a, b in zip(before[d["name"]], after[d["name"]])]
        got = [d["read"]["ios"], d["read"]["bytes"], d["write"]["bytes"]]
        seen = d["read"]["ios"] + d["write"]["ios"]
        requests += seen
        losses.append((d["name"], losses_of(d)))
        print(f"INFO {d['name']}: {seen} requests, losses {losses_of(d) or 'none'}")
        if got == want:
            continue
        # What was lost is missing here; so is what was lost and not noticed yet.
        missing = [w - g for g, w in zip(got, want)]
        unseen += sum(missing)
        print(f"INFO {d['name']}: short of /sys/block/{d['name']}/stat by {missing}")
        most = allowed(seen)
        limits = most, most << 17, most << 17
        if any(m < 0 or m > limit for m, limit in zip(missing, limits)):
            wrong.append(f"{d['name']}: {got}, /sys/block has {want}")
    judge_losses("whole-losses", losses, requests)
    check("whole-counts", "; ".join(wrong))
    return requests, unseen


def judge_reports():
    losses, wrong, requests, ended = [], [], 0, {}
    for how_file in sorted(glob.glob(path("reports/*.how"))):
        name = os.path.basename(how_file)[:-4]
        how, code, churned = text(f"reports/{name}.how").split()
        said, output = text(f"reports/{name}.err"), text(f"reports/{name}.json")
        ended[how] = ended.get(how, 0) + 1
        if "Sanitizer" in said or "runtime error" in said:
            wrong.append(f"{name}: {said[:1500]}")
        # A signal may come before anything is set up, after all is over, or in between.
        allowed = {"end": "0", "TERM": "0 143", "INT": "0 130", "KILL": "0 137"}[how].split()
        if churned != "-":
            allowed += ["1", "2"]
        if code not in allowed:
            wrong.append(f"{name} ({how}): exit code {code}: {said[:300]}")
        if not output:
            if code == "0":
                wrong.append(f"{name} ({how}): exit code 0 and no output")
            continue
        try:
            report = json.loads(output)
        except ValueError as e:
            if how != "KILL":
                wrong.append(f"{name} ({how}): {e}")
            continue
        for d in report["devices"]:
            requests += (d["read"]["ios"] or 0) + (d["write"]["ios"] or 0)
            losses.append((f"{name}/{d['name']}", losses_of(d)))
    print("INFO reports:", ", ".join(f"{n} {how}" for how, n in sorted(ended.items())))
    check("reports", "; ".join(wrong[:5]))
    check("reports-judged", "" if losses else "none")
    judge_losses("report-losses", losses, requests)


def judge_top(requests, unseen):
    """Lines of losses follow the row that they are of."""
    losses, last, rows = [], {}, 0
    for line in text("top.out").splitlines():
        if re.match(r"\s+losses ", line):
            found = re.findall(r"(\w+) ([\d.]+)([kMG]?)", line.split(":", 1)[1])
            losses.append((row[0], {kind: float(n) * SUFFIX[s] for kind, n, s in found}))
        elif re.match(r"\d\d:\d\d:\d\d ", line):
            row = line.rstrip("!").split()
            rows += 1
            last[row[1]] = row
    check("top-rows", "" if rows else "none: " + text("top.err")[:500])
    judge_losses("top-losses", losses, requests)
    # At rest nothing is held or in the device, but for what was lost and not noticed yet.
    busy = [" ".join(row) for row in last.values() if row[-3:-1] != ["0", "0"]]
    if busy and unseen:
        print("INFO top-at-rest:", "; ".join(busy))
    else:
        check("top-at-rest", "; ".join(busy))


def judge_memory():
    samples = [int(n) for n in text("rss").split()]
    samples = samples[len(samples) // 10 + 3:]
    third = len(samples) // 3
    if not third:
        check("memory-flat", "no samples")
        return
    early, late = sum(samples[:third]) / third, sum(samples[-third:]) / third
    bound = max(early * GROWTH_SHARE, GROWTH_KIB)
    print(f"INFO memory of top: {early:.0f} KiB, later {late:.0f} KiB, largest {max(samples)} KiB")
    check("memory-flat", f"it grew by {late - early:.0f} KiB" if late - early > bound else "")


all_requests, all_unseen = judge_whole()
judge_reports()
judge_top(all_requests, all_unseen)
judge_memory()
sys.exit(failed)
