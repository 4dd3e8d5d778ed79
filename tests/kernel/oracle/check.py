# SPDX-License-Identifier: GPL-2.0-or-later
"""Comparing what a report says with what is expected, and what may differ.

Counts are exact. Slack is for three things alone: percentiles, whose histogram is
right to 6.25 % of the value; instants that the program and the event log do not read
at the same moment; and the order of events of two CPUs, where no order is the right one.

A CPU may be taken away between the two clocks, or between the two views of one event, for as long as
a hypervisor likes: no slack is large enough for that. So what hangs on moments or on order is a
doubt when it differs, and the load is run once more; what differs each time is a fault.
"""

HISTOGRAM = 0.0625
# us that a CPU may be taken away for between the two clocks.
LONGEST = 5000
NUMBERS = ("p50", "p95", "p99", "max", "mean")


def percentile(ordered, p):
    """Of values in order: the smallest with p % of all at or below it."""
    rank = max(1, -(-p * len(ordered) // 100))
    return ordered[min(int(rank), len(ordered)) - 1]


def weighted(times, p):
    """The same of values by how long each was: a map of value to time."""
    need = sum(times.values()) * min(max(p, 0), 100) / 100
    seen = 0
    for value in sorted(times):
        seen += times[value]
        if seen >= need:
            return value
    return max(times)


def is_null(value):
    return value is None or (isinstance(value, dict) and all(is_null(v) for v in value.values()))


class Check:
    """missing: so many completions the kernel ran no program for (misses.py). Which ones is not
    known: what is counted of them may lack as many, and what their moments decide is left out."""

    def __init__(self, missing=0):
        self.failures = []
        self.doubts = []
        self.figures = 0
        self.missing = missing

    def fail(self, text):
        self.failures.append(text)

    def differ(self, text, doubtful):
        (self.doubts if doubtful else self.failures).append(text)

    def number(self, name, got, want, slack=0, ordered=False):
        """ordered: it hangs on the order of events, or on when they were seen."""
        self.figures += 1
        if isinstance(got, bool) or not isinstance(got, (int, float)):
            self.fail(f"{name}: report {got}, log {want}")
        elif abs(got - want) > slack + 1e-9:
            self.differ(f"{name}: report {got}, log {want}" + (f", slack {slack:.4g}" if slack else ""),
                        slack or ordered)

    def within(self, name, got, low, high, doubtful=True):
        self.figures += 1
        if not isinstance(got, (int, float)):
            self.fail(f"{name}: report {got}, log {low} to {high}")
        elif not low - 1e-9 <= got <= high + 1e-9:
            self.differ(f"{name}: report {got}, log {low} to {high}", doubtful)

    def completed(self, name, got, want, each=1):
        """A count of completions, of which each adds up to `each`."""
        if self.missing:
            self.within(name, got, want - self.missing * each, want, doubtful=False)
        else:
            self.number(name, got, want)

    def null(self, name, got):
        self.figures += 1
        if not is_null(got):
            self.fail(f"{name}: report {got}, expected null")

    def counts(self, name, got, want, compare=None):
        """A map of counts."""
        if not isinstance(got, dict):
            self.fail(f"{name}: report {got}, log {want}")
            return
        for key, n in want.items():
            (compare or self.number)(f"{name}.{key}", got.get(key), n)

    def empty(self, name, got):
        """Of nothing there is no percentile."""
        if isinstance(got, dict) and "count" in got:
            self.number(f"{name}.count", got["count"], 0)
        for part in NUMBERS:
            if isinstance(got, dict) and got.get(part) is not None:
                self.fail(f"{name}.{part}: report {got[part]}, the log has none")

    def nothing(self, name, got, values):
        """Whether there is nothing to compare; says so itself if there should be."""
        if not isinstance(got, dict):
            self.fail(f"{name}: report {got}, log has {len(values)}")
            return True
        if not values:
            self.empty(name, got)
        return not values

    @staticmethod
    def one_sided(got, values):
        """One side counted nothing: of nothing there is no percentile to compare."""
        return isinstance(got, dict) and "count" in got and (got["count"] == 0) != (not values)

    def percentiles(self, name, got, at, ranks=0, fixed=0, longest=0):
        """at(p) is the value expected; that of up to `ranks` % of all may have been another,
        by up to `longest`: where it is among the last of all, none of the values bounds it."""
        for p in (50, 95, 99):
            value = got.get(f"p{p}")
            if f"p{p}" not in got:
                continue
            want = at(p)
            if ranks and value is not None:
                most = at(min(p + ranks, 100)) + (longest if p + ranks >= 100 else 0)
                want = min(max(value, at(max(p - ranks, 0))), most)
            self.number(f"{name}.p{p}", value, want, HISTOGRAM * want + fixed)

    def spread(self, name, got, values, order=0, ordered=False):
        """Whole numbers, whose sum and largest are exact. order: how many may be others."""
        if order and ordered and self.one_sided(got, values):
            self.number(f"{name}.count", got["count"], len(values), order, ordered)
            return
        if self.nothing(name, got, values):
            return
        values = sorted(values)
        count, mean = len(values), sum(values) / len(values)
        ranks = 2 + 100 * order / count if order else 0
        if "count" in got:
            self.number(f"{name}.count", got["count"], count, order, ordered)
        self.percentiles(name, got, lambda p: percentile(values, p), ranks, 8 if order else 0)
        if not order:
            self.number(f"{name}.max", got.get("max"), values[-1], 0, ordered)
        share = min(order / count, 1)
        self.number(f"{name}.mean", got.get("mean"), mean, 1e-5 * mean + share * max(mean, values[-1] - mean))

    def times(self, name, got, values, strict=False):
        """Times in us; the log has whole us. The CPU may be taken away between the two clocks:
        in a strict comparison of one request in 200, in another of one in 30; of one at least."""
        if self.nothing(name, got, values):
            return
        values = sorted(values)
        mean = sum(values) / len(values)
        ranks, fixed, share = (0.5, 3, 0.01) if strict else (3, 20, 0.05)
        if "count" in got:
            self.number(f"{name}.count", got["count"], len(values))
        self.percentiles(name, got, lambda p: percentile(values, p), max(ranks, 100 / len(values)), fixed,
                         longest=LONGEST)
        self.number(f"{name}.mean", got.get("mean"), mean, share * mean + fixed + LONGEST / len(values))
        self.number(f"{name}.max", got.get("max"), values[-1], 0.01 * values[-1] + LONGEST)

    def completed_times(self, name, got, values, strict=False):
        """Those that end with the completion."""
        if not self.missing:
            self.times(name, got, values, strict)

    def levels(self, name, got, times):
        """A level by how long it was each; two instants a step apart may be read 1 % of the time.
        The mean of all is exact, that of a class is made of the histogram's buckets."""
        if not isinstance(got, dict):
            self.fail(f"{name}: report {got}")
            return
        self.percentiles(name, got, lambda p: weighted(times, p), 1)
        mean = sum(value * time for value, time in times.items()) / sum(times.values())
        self.number(f"{name}.mean", got.get("mean"), mean,
                    (0.02 if name.endswith("_levels") else 0.0725) * mean + 0.01)
