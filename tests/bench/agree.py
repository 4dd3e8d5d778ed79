#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""How well the simulated disk agrees with the modelled one.

    agree.py FILE

Lines of FILE: CASE;RATE WAIT;RATE WAIT, of the real kernel and of the simulator. Waits
are in us; where nothing waits for as long as a request is served, they are not compared.
"""
import statistics
import sys

cases = {}
for line in open(sys.argv[1]):
    case, real, simulated = line.strip().split(";")
    rounds = cases.setdefault(case, [])
    rounds.append([float(word) for word in (real + " " + simulated).split()])

good = 0
print(f"  {'':46}{'requests per second':>27}{'mean wait, ms':>27}")
print(f"  {'':46}{'real':>9}{'sim':>9}{'ratio':>9}{'real':>9}{'sim':>9}{'ratio':>9}")
for case, rounds in cases.items():
    rate, wait, sim_rate, sim_wait = (statistics.median(column) for column in zip(*rounds))
    served = 1e6 / rate
    ratio = sim_rate / rate
    waits = sim_wait / wait if wait > served else None
    agrees = abs(ratio - 1) <= 0.1 and (waits is None or abs(waits - 1) <= 0.1)
    good += agrees
    print(f"  {case:46}{rate:9.1f}{sim_rate:9.1f}{ratio:9.3f}{wait / 1e3:9.1f}{sim_wait / 1e3:9.1f}"
          + (f"{waits:9.3f}" if waits else f"{'-':>9}") + ("" if agrees else "  !"))
print(f"within 10 %: {good} of {len(cases)}")
