# SPDX-License-Identifier: GPL-2.0-or-later
"""Group core: what kyber says of itself."""

DOMAINS = ("read", "write", "discard", "other")
LATENCIES = {("READ", "total"): "read_total", ("READ", "I/O"): "read_io",
             ("WRITE", "total"): "write_total", ("WRITE", "I/O"): "write_io"}
FIGURES = ("kyber_throttled", "kyber_adjusts", "kyber_depth", "kyber_latency")


class Kyber:
    def __init__(self, steps):
        self.throttled = dict.fromkeys(DOMAINS, 0)
        self.adjusts = dict.fromkeys(DOMAINS, 0)
        self.depth = {}
        self.latency = {}
        for step in steps:
            event = step.event
            domain = event.domain.lower() if event.name.startswith("kyber_") else None
            if event.name == "kyber_throttled":
                self.throttled[domain] += 1
            elif event.name == "kyber_adjust":
                self.adjusts[domain] += 1
                self.depth[domain] = event.depth
            elif event.name == "kyber_latency" and (event.domain, event.type) in LATENCIES:
                self.latency[LATENCIES[event.domain, event.type]] = event.times


def compare_last(check, name, got, want, keys):
    """What was not set is null."""
    for key in keys:
        if key in want:
            check.number(f"{name}.{key}", got.get(key), want[key], 1e-5)
        else:
            check.null(f"{name}.{key}", got.get(key))


def compare(check, disk, steps, facts):
    if facts.scheduler != "kyber":
        for name in FIGURES:
            check.null(name, disk[name])
        return
    kyber = Kyber(steps)
    check.counts("kyber_throttled", disk["kyber_throttled"], kyber.throttled)
    check.counts("kyber_adjusts", disk["kyber_adjusts"], kyber.adjusts)
    compare_last(check, "kyber_depth", disk["kyber_depth"], kyber.depth, DOMAINS)
    compare_last(check, "kyber_latency", disk["kyber_latency"], kyber.latency, LATENCIES.values())
