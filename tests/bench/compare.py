#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Medians, spread and ratios of what was noted.

    compare.py FOLDER UNIT WHAT...

WHAT: a name, whose values are the lines of FOLDER/NAME.values, one of each round;
or A/B, the rounds' ratios. Either with a goal behind it: NAME<=16, A/B>=0.98. A
goal is told, not asserted. What has no values is left out.
"""
import os
import re
import statistics
import sys

folder, unit, whats = sys.argv[1], sys.argv[2], sys.argv[3:]


def values(name):
    path = os.path.join(folder, name + ".values")
    return [float(line) for line in open(path)] if os.path.exists(path) else []


def spread(numbers):
    def show(x):
        return f"{x:.0f}" if max(numbers) > 9999 else f"{x:.4g}"

    text = f"median {show(statistics.median(numbers))}, from {show(min(numbers))} to {show(max(numbers))}"
    if len(numbers) >= 4:
        low, _, high = statistics.quantiles(numbers, n=4, method="inclusive")
        text += f" (half of them from {show(low)} to {show(high)})"
    return text


for what in whats:
    name, peer, sign, goal = re.fullmatch(r"([^/<>]+)(?:/([^<>]+))?(?:([<>])=(.+))?", what).groups()
    numbers = values(name)
    if peer:
        numbers = [a / b for a, b in zip(numbers, values(peer)) if b]
    if not numbers:
        continue
    text = f"{name} / {peer}" if peer else f"{name}, {unit}"
    text += f": {spread(numbers)}, {len(numbers)} rounds"
    if sign:
        text += f"; the goal is at {'most' if sign == '<' else 'least'} {goal}"
    print(text)
