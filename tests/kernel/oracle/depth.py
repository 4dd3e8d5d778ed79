# SPDX-License-Identifier: GPL-2.0-or-later
"""Group depth: how long how many requests were held and in the device; and the means of core."""
from lives import DIRECTIONS

PLACES = ("held", "device")
CLASSES = ("read", "sync_write", "async_write")
LEVELS = tuple(f"{place}_levels{c and '_' + c}" for place in PLACES for c in ("",) + CLASSES)
SHARES = ("pool_full", "idle_with_work", "device_idle")
OF_DISK = LEVELS + SHARES
OF_DIRECTION = ("starved_us",)


def class_of(request):
    if request.kind == "write":
        return "sync_write" if request.sync else "async_write"
    return "read" if request.kind == "read" else None


class Depth:
    def __init__(self, steps, window_us, nr_requests):
        self.nr_requests = nr_requests
        self.now = dict.fromkeys(LEVELS, 0)
        self.times = {name: {} for name in LEVELS}
        self.shares = dict.fromkeys(SHARES, 0)
        self.last = None
        total = 0
        for step in steps:
            if step.left or step.entered:
                total += self.pass_time(step.event.time)
                self.move(step.request, step.left, -1)
                self.move(step.request, step.entered, 1)
        # Before the first and after the last there was nothing.
        rest = max(window_us - total, 0)
        for name in LEVELS:
            self.times[name][0] = self.times[name].get(0, 0) + rest
        self.shares["device_idle"] += rest
        for name in SHARES:
            self.shares[name] /= max(window_us, total, 1)

    def pass_time(self, now):
        passed = max(now - self.last, 0) if self.last is not None else 0
        self.last = now
        for name, level in self.now.items():
            self.times[name][level] = self.times[name].get(level, 0) + passed
        held, device = self.now["held_levels"], self.now["device_levels"]
        self.shares["device_idle"] += passed * (device == 0)
        self.shares["idle_with_work"] += passed * (device == 0 and held > 0)
        self.shares["pool_full"] += passed * (bool(self.nr_requests) and held + device >= self.nr_requests)
        return passed

    def move(self, request, place, change):
        if place:
            self.now[f"{place}_levels"] += change
            if class_of(request):
                self.now[f"{place}_levels_{class_of(request)}"] += change


class Starved:
    """Of each direction the longest time from when it was pending, or from its issue before,
    to an issue."""

    def __init__(self, steps):
        self.longest = {}
        self.held = dict.fromkeys(DIRECTIONS, 0)
        self.since = {}
        for step in steps:
            d = step.request.direction if step.request else None
            if not d:
                continue
            now = step.event.time
            if step.left == "held":
                if step.event.name == "issue":
                    self.longest[d] = max(self.longest.get(d, 0), now - self.since[d])
                    self.since[d] = now
                self.held[d] -= 1
            if step.entered == "held":
                if not self.held[d]:
                    self.since[d] = now
                self.held[d] += 1


def compare(check, disk, steps, facts):
    depth = Depth(steps, facts.seconds * 1e6, facts.nr_requests)
    for name in LEVELS:
        if name.startswith("held") or not check.missing:
            check.levels(name, disk[name], depth.times[name])
    for name in SHARES if not check.missing else ():
        check.number(name, disk[name], depth.shares[name], 0.01 + 0.02 * depth.shares[name])
    starved = Starved(steps)
    for d in DIRECTIONS:
        got, want = disk[d]["starved_us"], starved.longest.get(d)
        if want is None:
            check.number(f"{d} starved_us", got or 0, 0)
        else:
            # The clocks are read apart, and the CPU may be taken away between them.
            check.number(f"{d} starved_us", got, want, 0.01 * want + 5000)


def compare_core(check, disk, steps, facts):
    """What group core says of the same."""
    depth = Depth(steps, facts.seconds * 1e6, facts.nr_requests)
    places = [("held", "held_levels"), ("in_device", "device_levels")]
    for name, level in places[:1] if check.missing else places:
        times = depth.times[level]
        mean = sum(value * time for value, time in times.items()) / max(sum(times.values()), 1)
        check.number(f"{name}.mean", disk[name]["mean"], mean, 0.02 * mean + 0.01)
        check.number(f"{name}.now", disk[name]["now"], 0)
    if not check.missing:
        check.number("busy", disk["busy"], 1 - depth.shares["device_idle"], 0.02)
