#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares a JSON report with what the kernel's own event log says.

    oracle REPORT.json TRACE --disk NAME [--groups LIST] [--waits] [--last]
    oracle --selftest

TRACE is the file "trace" of tracefs, of the time in which the report observed a command;
NAME the disk, whose sysfs is read; LIST as that of the report: figures of other groups are
null. --waits: times are compared strictly. Prints one line that begins with PASS, or one
with FAIL for each figure that is not as the log says; the exit code is 1 then.

Exit code 3, with lines that begin with INFO: there are doubts (check.py), or completions that the
kernel ran no program for (misses.py), and the load is to be run once more. --last: it will not be.
"""
import argparse
import json
import os
import sys

sys.dont_write_bytecode = True

import classes  # noqa: E402
import core  # noqa: E402
import depth  # noqa: E402
import eventlog  # noqa: E402
import facts  # noqa: E402
import kyber  # noqa: E402
import lives  # noqa: E402
import locality  # noqa: E402
import merges  # noqa: E402
import misses  # noqa: E402
import streams  # noqa: E402
from check import Check  # noqa: E402

# Group, figures of a direction, figures of the disk.
GROUPS = (("merges", merges.FIGURES, ()),
          ("streams", streams.OF_DIRECTION, streams.OF_DISK),
          ("depth", depth.OF_DIRECTION, depth.OF_DISK),
          ("locality", locality.OF_DIRECTION, locality.OF_DISK),
          ("classes", classes.FIGURES, ()))


def groups_of(text):
    every = {name for name, _, _ in GROUPS}
    return every if text == "all" else set(text.split(",")) & every


def expect_off(check, disk, on):
    for group, of_direction, of_disk in GROUPS:
        if group in on:
            continue
        for d in lives.DIRECTIONS:
            for name in of_direction:
                check.null(f"{d} {name} ({group} is off)", disk[d][name])
        for name in of_disk:
            check.null(f"{name} ({group} is off)", disk[name])


def compare_not_measured(check, disk):
    """What is said not to be measured is null, and a reason is given."""
    for entry in disk["not_measured"]:
        if not entry["why"] or not entry["figures"]:
            check.fail(f"not_measured: {entry}")
        for name in entry["figures"]:
            for place in (disk, disk["read"], disk["write"]):
                if name in place:
                    check.null(f"{name} (in not_measured)", place[name])


def compare(check, disk, steps, known, waits):
    counted = core.Core(steps)
    order = core.order_slack(steps)
    detail = {"merges": (merges.compare, (disk, steps)),
              "streams": (streams.compare, (disk, steps, known, order)),
              "depth": (depth.compare, (disk, steps, known)),
              "locality": (locality.compare, (disk, steps, known)),
              "classes": (classes.compare, (disk, steps, waits))}
    parts = [("core", core.compare, (disk, counted, steps, known, order, waits)),
             ("kyber", kyber.compare, (disk, steps, known)),
             ("levels", depth.compare_core, (disk, steps, known)),
             ("not_measured", compare_not_measured, (disk,)),
             ("groups that are off", expect_off, (disk, known.groups))]
    parts += [(name, *detail[name]) for name in sorted(known.groups)]
    for name, function, given in parts:
        try:
            function(check, *given)
        except KeyError as missing:
            check.fail(f"{name}: the report has no {missing}")
        except (AttributeError, TypeError) as why:
            check.fail(f"{name}: the report is not of the form expected: {why}")
    return counted


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("report")
    parser.add_argument("trace")
    parser.add_argument("--disk", required=True)
    parser.add_argument("--groups", default="core")
    parser.add_argument("--waits", action="store_true")
    parser.add_argument("--last", action="store_true")
    return parser.parse_args()


def read_report(path):
    with open(path, errors="replace") as file:
        text = file.read()
    try:
        return json.loads(text)["devices"][0]
    except (ValueError, KeyError, IndexError, TypeError) as why:
        raise eventlog.NotUnderstood(f"no report ({type(why).__name__}): {text[:300]!r}") from why


def own(events, disk):
    """Without other disks' completions, and without marks."""
    dev = facts.word(f"/sys/block/{disk}/dev").replace(":", ",")
    return [e for e in events if e.dev in (dev, None) and e.name != "mark"]


def count_missing(disk, counted, events):
    """Those that the kernel ran no program for; what it did not is a fault of ours."""
    missing, (least, most) = misses.lacking(disk, counted), misses.bounds(events)
    if missing and not 0 < missing <= most:
        raise eventlog.NotUnderstood(f"the report lacks {missing} completions of the log; the kernel ran "
                                     f"no program for {least} to {most} of all disks")
    return missing


def judge(check, name, last):
    """Prints what is wrong. The exit code, 0 if nothing is."""
    failures = check.failures + (check.doubts if last else [])
    for text in failures:
        print("FAIL", name, text)
    if failures:
        return 1
    for text in check.doubts[:5]:
        print("INFO", name, "once more:", text)
    if check.missing and not last:
        print(f"INFO {name} once more: the kernel ran no program for {check.missing} completions")
    return 3 if check.doubts or (check.missing and not last) else 0


def main():
    if sys.argv[1:] == ["--selftest"]:
        import selftest
        return selftest.main()
    args = arguments()
    name = os.path.basename(args.report).removesuffix(".json")
    try:
        disk = read_report(args.report)
        with open(args.trace) as file:
            events = eventlog.read(file)
        steps = lives.follow(own(events, args.disk))
        check = Check(count_missing(disk, core.Core(steps), events))
        known = facts.of_disk(args.disk, disk["seconds"], groups_of(args.groups))
        counted = compare(check, disk, steps, known, args.waits)
    except (eventlog.NotUnderstood, OSError, KeyError, TypeError) as why:
        print("FAIL", name, f"{type(why).__name__}: {why}")
        return 1
    total = sum(d.ios for d in counted.dirs.values())
    if not total and not sum(counted.others.values()):
        check.fail("no requests in the log")
    code = judge(check, name, args.last)
    if not code:
        lacks = f", {check.missing} of them without a program" if check.missing else ""
        print(f"PASS {name}: {total} requests{lacks}, {len(counted.issued_on)} CPUs issued, "
              f"{check.figures} figures")
    return code


if __name__ == "__main__":
    sys.exit(main())
