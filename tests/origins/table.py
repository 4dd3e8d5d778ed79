#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Print figures of several reports as a table.

Usage: table.py FOLDER "VARIANT..." [VARIANT=HEADING...] <ROWS

FOLDER holds VARIANT.ROUND.json. A row is "label | format | expression" on the names
of names_of(); a line without bars is printed as it is. Of several rounds the median is
shown, and with a format that begins with "~" the lowest and the highest as well; "-" is a
figure that was not measured.
"""
import glob
import json
import statistics
import sys


def names_of(report):
    device = report["devices"][0]
    both = (device["read"], device["write"])
    return {
        "devices": report["devices"],
        "d": device,
        "read": device["read"],
        "write": device["write"],
        "seconds": device["seconds"],
        "both": lambda key: sum(side[key] for side in both),
        "total": lambda kinds: sum(v or 0 for v in kinds.values()),
        "losses": lambda one: sum(v for k, v in one["losses"].items() if k != "requeues"),
    }


def value(report, expression):
    try:
        return eval(expression, names_of(report))
    except (TypeError, ZeroDivisionError, AttributeError):
        # a null figure, or nothing to divide by
        return None


def cell(reports, form, expression):
    values = [v for v in (value(r, expression) for r in reports) if v is not None]
    if not values:
        return "-"
    if isinstance(values[0], str):
        return ", ".join(sorted(set(values)))
    spread, form = form.startswith("~"), form.lstrip("~")
    texts = [format(v, form) for v in (statistics.median(values), min(values), max(values))]
    if not spread or texts[1] == texts[2]:
        return texts[0]
    return f"{texts[0]} [{texts[1]}..{texts[2]}]"


def main():
    folder, variants = sys.argv[1], sys.argv[2].split()
    titles = dict(text.split("=", 1) for text in sys.argv[3:])
    columns = []
    for variant in variants:
        files = sorted(glob.glob(f"{glob.escape(folder)}/{variant}.*.json"))
        columns.append([json.load(open(name, encoding="utf-8")) for name in files])
    rows = [[""] + [titles.get(v, v) for v in variants]]
    for line in sys.stdin:
        parts = [part.strip() for part in line.split("|", 2)]
        if len(parts) < 3:
            rows.append([line.rstrip()])
            continue
        label, form, expression = parts
        label = line[: len(line) - len(line.lstrip())] + label
        rows.append([label] + [cell(reports, form, expression) for reports in columns])
    full = [row for row in rows if len(row) > 1]
    widths = [max(len(row[i]) for row in full) for i in range(len(rows[0]))]
    for row in rows:
        cells = [row[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(row[1:], widths[1:])]
        print(("  " + "  ".join(cells)).rstrip())


main()
