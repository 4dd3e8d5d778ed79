# SPDX-License-Identifier: GPL-2.0-or-later
"""Group core: counts, bytes, seeks, sweeps, expiry, errors, times, levels."""
from check import HISTOGRAM, percentile
from lives import DIRECTIONS

KINDS = ("discard", "flush", "zeroes", "zone", "passthrough")

# By the errno that the event has (block/blk-core.c, blk_errors); what is not here is other.
ERRORS = {5: "io", 61: "medium", 110: "timeout", 67: "transport", 121: "target", 28: "nospace",
          84: "protection", 95: "unsupported", 12: "resource"}
ERROR_KINDS = tuple(ERRORS.values()) + ("other",)


class Direction:
    def __init__(self):
        self.ios = self.bytes = self.issued = self.errors = self.partial = self.merges = 0
        self.largest = 0
        self.sequential = self.backward = self.sweeps = self.wraps = 0
        self.kinds = dict.fromkeys(ERROR_KINDS, 0)
        self.seeks, self.waits, self.services, self.totals, self.late = [], [], [], [], []


class Sweeps:
    """A request of another CPU that lies between the last two is no step back: two CPUs that
    dispatch at once can swap neighbours."""

    def __init__(self):
        self.last = {}

    def wraps(self, key, cpu, sector):
        """None: a first sweep begins. Else whether this issue ends one."""
        last = self.last.get(key)
        if last is None:
            self.last[key] = (sector, -1, cpu)
            return None
        at, before, on = last
        if sector >= at:
            self.last[key] = (sector, at, cpu)
            return False
        if cpu != on and sector >= before:
            return False
        self.last[key] = (sector, sector, cpu)
        return True


class Core:
    def __init__(self, steps):
        self.dirs = {d: Direction() for d in DIRECTIONS}
        self.others = dict.fromkeys(KINDS, 0)
        self.switches = self.requeues = 0
        self.flush_times, self.fua_times = [], []
        self.held_max = self.device_max = 0
        self.issued_on, self.seen_on = set(), set()
        self.position = self.last_direction = None
        self.sweeps = Sweeps()
        self.held = self.device = 0
        for step in steps:
            if step.event.kind:
                self.seen_on.add(step.event.cpu)
            self.move(step)
            getattr(self, step.event.name, lambda step: None)(step)

    def move(self, step):
        self.held += (step.entered == "held") - (step.left == "held")
        self.device += (step.entered == "device") - (step.left == "device")
        self.held_max = max(self.held_max, self.held)
        self.device_max = max(self.device_max, self.device)

    def requeue(self, step):
        self.requeues += 1

    def merge(self, step):
        if step.event.kind in DIRECTIONS:
            self.dirs[step.event.kind].merges += 1

    def issue(self, step):
        event, request = step.event, step.request
        self.issued_on.add(event.cpu)
        if not step.first or not request.direction:
            return
        d = self.dirs[request.direction]
        d.issued += 1
        if request.inserted:
            d.waits.append(event.time - request.inserted.time)
        if event.bytes:
            self.geometry(d, event)

    def geometry(self, d, event):
        if self.position is not None:
            d.seeks.append(abs(event.sector - self.position))
            d.sequential += event.sector == self.position
            d.backward += event.sector < self.position
        self.position = event.sector + event.bytes // 512
        self.switches += self.last_direction not in (None, event.kind)
        self.last_direction = event.kind
        wraps = self.sweeps.wraps((event.kind, event.prio), event.cpu, event.sector)
        d.wraps += bool(wraps)
        d.sweeps += wraps is not False

    def complete(self, step):
        event, request = step.event, step.request
        kind = request.kind if request else event.kind
        if kind in DIRECTIONS:
            self.direction_complete(self.dirs[kind], step)
        elif step.done:
            self.others[kind] += 1
            if kind == "flush":
                self.flush_times.append(event.time - request.last_issue.time)

    def direction_complete(self, d, step):
        event, request = step.event, step.request
        # The last word of a request that carried a flush has no bytes.
        d.bytes += event.n * 512
        d.largest = max(d.largest, event.n * 512)
        if not request:
            return
        if not step.done:
            d.partial += 1
            return
        d.ios += 1
        if event.error:
            d.errors += 1
            d.kinds[ERRORS.get(event.error, "other")] += 1
        d.services.append(event.time - request.last_issue.time)
        if request.inserted:
            d.totals.append(event.time - request.inserted.time)
        if event.kind == "write" and event.fua:
            self.fua_times.append(d.services[-1])


def late(steps, direction, expire_ms):
    """How long after its deadline each request was issued, below 0 if before; in us."""
    return [step.event.time - step.request.oldest.time - expire_ms * 1000 for step in steps
            if step.event.name == "issue" and step.first and step.request.oldest
            and step.request.direction == direction and step.event.bytes]


def compare_late(check, name, got, expired, lateness, tick):
    """Deadlines are counted in ticks: the log knows them to one before or after. What was late
    for sure is more late than what may have been."""
    sure = sorted(v for v in lateness if v >= tick)
    maybe = sorted(v for v in lateness if v > -tick)
    check.within(f"{name} expired", expired, len(sure), len(maybe))
    if not expired:
        check.empty(f"{name} late_us", got)
        return
    sure = sure or maybe
    for p in (50, 95, 99):
        low, high = percentile(maybe, p), percentile(sure, p)
        check.within(f"{name} late_us.p{p}", got[f"p{p}"], low - HISTOGRAM * abs(low) - tick,
                     high + HISTOGRAM * abs(high) + tick)
    check.within(f"{name} late_us.mean", got["mean"], sum(maybe) / len(maybe) - tick,
                 sum(sure) / len(sure) + tick)
    check.number(f"{name} late_us.max", got["max"], max(maybe[-1], 0), tick + 5000)


def compare_direction(check, name, got, d, order, waits):
    for figure in ("issued", "merges"):
        check.number(f"{name} {figure}", got[figure], getattr(d, figure))
    for figure in ("ios", "errors", "partial"):
        check.completed(f"{name} {figure}", got[figure], getattr(d, figure))
    check.completed(f"{name} bytes", got["bytes"], d.bytes, d.largest)
    check.number(f"{name} located", got["located"], len(d.seeks), 1 if order else 0, ordered=True)
    for figure in ("sequential", "backward", "sweeps"):
        check.number(f"{name} {figure}", got[figure], getattr(d, figure), order, ordered=True)
    check.number(f"{name} wraps", sum(v or 0 for v in got["wraps"].values()), d.wraps, order, ordered=True)
    check.counts(f"{name} error_kinds", got["error_kinds"], d.kinds, check.completed)
    travel = sum(d.seeks)
    if d.seeks:
        check.spread(f"{name} seek_sectors", got["seek_sectors"], d.seeks, order, ordered=True)
    else:
        check.empty(f"{name} seek_sectors", got["seek_sectors"])
    # Two issues swapped move the head by no more than thrice the way between them.
    check.number(f"{name} travel_sectors", got["travel_sectors"], travel,
                 order * max(d.seeks, default=0) if order else 0, ordered=True)
    check.times(f"{name} wait_us", got["wait_us"], d.waits, waits)
    check.completed_times(f"{name} service_us", got["service_us"], d.services, waits)
    check.completed_times(f"{name} total_us", got["total_us"], d.totals, waits)


# How long before the other, in us, an event may be written by one and not by the other side.
SURELY_APART = 50
MAYBE_SWAPPED = 3


def order_slack(steps):
    """Issues of two CPUs at about the same instant have no order that both sides must see:
    how many order-dependent figures may be others. None where all are far apart."""
    issues = [step.event for step in steps if step.event.name == "issue" and step.first]
    gaps = [b.time - a.time for a, b in zip(issues, issues[1:]) if a.cpu != b.cpu]
    if all(gap > SURELY_APART for gap in gaps):
        return 0
    swapped = sum(gap <= MAYBE_SWAPPED for gap in gaps) / 2
    return max(2, 0.005 * len(issues), swapped)


def compare_losses(check, losses):
    """A request whose completion was missed is found out; one of a part alone need not be."""
    for loss, n in losses.items():
        if loss == "stale" and check.missing:
            check.within("loss stale", n or 0, 0, check.missing, doubtful=False)
        elif loss == "torn":
            check.number("loss torn", n or 0, 0, ordered=True)
        elif loss != "requeues":
            check.number(f"loss {loss}", n or 0, 0)


def compare(check, disk, core, steps, facts, order, waits):
    check.number("requests that never end in the log", core.held + core.device, 0)
    for name in DIRECTIONS:
        got = disk[name]
        compare_direction(check, name, got, core.dirs[name], order, waits)
        if facts.deadline:
            compare_late(check, name, got["late_us"], got["expired"],
                         late(steps, name, facts.expire[name]), facts.tick)
        else:
            check.null(f"{name} expired", got["expired"])
            check.null(f"{name} late_us", got["late_us"])
    check.number("switches", disk["switches"], core.switches, order, ordered=True)
    check.counts("others", disk["others"], core.others, check.completed)
    check.completed_times("flush_us", disk["flush_us"], core.flush_times, waits)
    check.completed_times("fua_us", disk["fua_us"], core.fua_times, waits)
    level = 0 if len(core.seen_on) < 2 else max(4, 0.06 * core.held_max)
    check.number("held.max", disk["held"]["max"] or 0, core.held_max, level, ordered=True)
    check.number("in_device.max", disk["in_device"]["max"] or 0, core.device_max, level + check.missing,
                 ordered=True)
    check.number("requeues", disk["losses"]["requeues"], core.requeues)
    compare_losses(check, disk["losses"])
