# SPDX-License-Identifier: GPL-2.0-or-later
"""Group streams: interleaved sequential runs, run lengths, the cost of seeks."""
from lives import DIRECTIONS

OF_DISK = ("streams", "seek_cost")
OF_DIRECTION = ("run_requests", "run_bytes")
ENDS = 32


class Streams:
    def __init__(self, steps):
        self.resumed = []
        self.run_requests = {d: [] for d in DIRECTIONS}
        self.run_bytes = {d: [] for d in DIRECTIONS}
        self.ends = []     # where runs ended, the last one first
        self.run = None    # of the run under way: direction, requests, bytes
        for step in steps:
            event = step.event
            if event.name == "issue" and step.first and event.kind in DIRECTIONS and event.bytes:
                self.issue(event)

    def issue(self, event):
        at = self.ends.index(event.sector) if event.sector in self.ends else None
        if at is not None:
            del self.ends[at]
        elif len(self.ends) == ENDS:
            self.ends.pop()
        self.ends.insert(0, event.sector + event.bytes // 512)
        if at == 0:
            direction, requests, size = self.run
            self.run = direction, requests + 1, size + event.bytes
            return
        if at:
            self.resumed.append(at + 1)
        self.end_run()
        self.run = event.kind, 1, event.bytes

    def end_run(self):
        if self.run:
            direction, requests, size = self.run
            self.run_requests[direction].append(requests)
            self.run_bytes[direction].append(size)


def compare_seek_cost(check, cost, busy_us):
    """It is an estimate: no more than that it may be true. Of no seek there is no cost of each."""
    for part, highest in (("each_us", busy_us), ("total_us", busy_us), ("share", 1)):
        if cost and cost[part] is not None:
            check.within(f"seek_cost.{part}", cost[part], 0, highest * 1.001)
    if busy_us and cost and cost["total_us"] is not None:
        check.number("seek_cost.share", cost["share"], min(cost["total_us"] / busy_us, 1), 0.02)


def compare(check, disk, steps, facts, order):
    streams = Streams(steps)
    check.spread("streams", disk["streams"], streams.resumed, order, ordered=True)
    for d in DIRECTIONS:
        check.spread(f"{d} run_requests", disk[d]["run_requests"], streams.run_requests[d], order, ordered=True)
        check.spread(f"{d} run_bytes", disk[d]["run_bytes"], streams.run_bytes[d], order, ordered=True)
    compare_seek_cost(check, disk["seek_cost"], (disk["busy"] or 0) * facts.seconds * 1e6)
