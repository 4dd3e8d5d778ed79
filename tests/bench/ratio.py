#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""ratio.py NAME FILE PEER FILE: medians, spread, and the median of the rounds' ratios."""
import statistics
import sys

name, file, peer, peer_file = sys.argv[1:5]
a = [float(x) for x in open(file)]
b = [float(x) for x in open(peer_file)]
for who, values in ((name, a), (peer, b)):
    print(f"{who}: median {statistics.median(values):.0f} ns per request "
          f"({min(values):.0f} to {max(values):.0f}, {len(values)} rounds)")
ratios = [x / y for x, y in zip(a, b)]
print(f"ratio {name} / {peer}: median {statistics.median(ratios):.3f} "
      f"({min(ratios):.3f} to {max(ratios):.3f})")
