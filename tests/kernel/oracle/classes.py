# SPDX-License-Identifier: GPL-2.0-or-later
"""Group classes: synchronous or not, and by I/O priority class."""
from lives import DIRECTIONS

CLASSES = ("sync", "async", "rt", "be", "idle")
FIGURES = ("classes",)


class Class:
    def __init__(self):
        self.ios = self.bytes = self.largest = 0
        self.waits, self.totals = [], []


class Classes:
    def __init__(self, steps):
        self.dirs = {d: {c: Class() for c in CLASSES} for d in DIRECTIONS}
        for step in steps:
            event, request = step.event, step.request
            if not request or not request.direction:
                continue
            for name in ("sync" if request.sync else "async", request.prio):
                c = self.dirs[request.direction][name]
                if event.name == "complete":
                    c.bytes += event.n * 512
                    c.largest = max(c.largest, event.n * 512)
                    c.ios += step.done
                    if step.done and request.inserted:
                        c.totals.append(event.time - request.inserted.time)
                elif event.name == "issue" and step.first and request.inserted:
                    c.waits.append(event.time - request.inserted.time)


def compare(check, disk, steps, waits):
    classes = Classes(steps)
    for d in DIRECTIONS:
        for name in CLASSES:
            got, want = disk[d]["classes"][name], classes.dirs[d][name]
            check.completed(f"{d} classes.{name}.ios", got["ios"], want.ios)
            check.completed(f"{d} classes.{name}.bytes", got["bytes"], want.bytes, want.largest)
            check.times(f"{d} classes.{name}.wait_us", got["wait_us"], want.waits, waits)
            check.completed_times(f"{d} classes.{name}.total_us", got["total_us"], want.totals, waits)
