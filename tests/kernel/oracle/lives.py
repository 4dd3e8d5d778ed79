# SPDX-License-Identifier: GPL-2.0-or-later
"""From events to requests: which request an event is about, and what it changes.

The log does not name requests. One is known by its operation and the sector where it
starts, and followed where merges and parts completed move these.
"""

DIRECTIONS = ("read", "write")
AT_ONCE = 1000  # us


class Request:
    __slots__ = ("rwbs", "kind", "sync", "prio", "sector", "end", "inserted", "issued", "last_issue",
                 "state", "oldest", "unsure")

    def __init__(self, event):
        self.rwbs = event.rwbs
        self.kind = event.kind
        self.sync = event.sync
        self.prio = event.prio
        self.sector = event.sector
        self.end = event.sector + event.bytes // 512
        self.inserted = self.issued = self.last_issue = None
        self.state = None
        # The insert that its deadline counts from: a merged request leaves its own.
        self.oldest = None
        # Which of two requests alike it is could not be told.
        self.unsure = False

    @property
    def direction(self):
        return self.kind if self.kind in DIRECTIONS else None


class Step:
    """An event, its request, and what the request left and entered: "held" or "device"."""

    __slots__ = ("event", "request", "left", "entered", "first", "done", "held_merge")

    def __init__(self, event, request=None, left=None, entered=None):
        self.event = event
        self.request = request
        self.left = left
        self.entered = entered
        self.first = False       # insert or issue: the request's first
        self.done = False        # complete: of the last part
        self.held_merge = None   # a bio's merge: the request was held, not in a plug


class Waiting:
    """Requests that are in one place, by rwbs and start."""

    def __init__(self):
        self.at = {}

    def put(self, request):
        self.at.setdefault((request.rwbs, request.sector), []).append(request)

    def drop(self, request):
        key = (request.rwbs, request.sector)
        self.at[key].remove(request)
        if not self.at[key]:
            del self.at[key]

    def take(self, event, n):
        """The event's: of those alike the one of the length n and the event's priority class,
        the oldest of several."""
        alike = self.at.get((event.rwbs, event.sector))
        if not alike:
            return None
        found = max(alike, key=lambda r: (r.end - r.sector == n) + (r.prio == event.prio))
        twins = [r for r in alike if r.end - r.sector == found.end - found.sector and r.prio == found.prio]
        for request in twins if len(twins) > 1 else ():
            request.unsure = True
        self.drop(found)
        return found


class Follower:
    def __init__(self):
        self.steps = []
        self.held, self.device = Waiting(), Waiting()
        # By (kind, sector): held requests that end there, start there.
        self.ends, self.starts = {}, {}
        self.unplugs = {}

    def step(self, event, *where):
        step = Step(event, *where)
        self.steps.append(step)
        return step

    # Held requests are looked for by both ends.
    def hold(self, request):
        request.state = "held"
        self.held.put(request)
        self.ends.setdefault((request.kind, request.end), []).append(request)
        self.starts.setdefault((request.kind, request.sector), []).append(request)

    def unindex(self, request):
        for index, key in ((self.ends, request.end), (self.starts, request.sector)):
            alike = index[(request.kind, key)]
            alike.remove(request)
            if not alike:
                del index[(request.kind, key)]

    def take_held(self, event):
        request = self.held.take(event, event.bytes // 512)
        if request:
            self.unindex(request)
        return request

    def resize(self, request, sector, end):
        """A held request grows at either end."""
        self.held.drop(request)
        self.unindex(request)
        request.sector, request.end = sector, end
        self.hold(request)

    # An unplug does not name its disk. It is ours if what its task does next is ours, and at once:
    # a worker of the kernel unplugs for one disk and much later serves another.
    def unplug(self, event):
        self.unplugs[event.tid] = event

    def plug_was_ours(self, event):
        if event.kind in DIRECTIONS or event.kind in ("discard", "zeroes"):
            flushed = self.unplugs.pop(event.tid, None)
            if flushed and flushed.cpu == event.cpu and event.time - flushed.time <= AT_ONCE:
                self.step(flushed)

    def insert(self, event):
        self.plug_was_ours(event)
        again = self.held.at.get((event.rwbs, event.sector), ())
        if any(r.issued for r in again):
            # Given back by the driver: it never stopped being held.
            self.step(event, next(r for r in again if r.issued))
            return
        request = Request(event)
        request.inserted = request.oldest = event
        self.hold(request)
        self.step(event, request, None, "held").first = True

    def issue(self, event):
        request = self.take_held(event)
        left = "held" if request else None
        if not request:
            self.plug_was_ours(event)
            request = Request(event)
        first = request.issued is None
        if first:
            request.issued = event
        request.last_issue = event
        request.sector, request.end = event.sector, event.sector + event.bytes // 512
        request.state = "device"
        self.device.put(request)
        self.step(event, request, left, "device").first = first

    def complete(self, event):
        # The last word of a request that carried a flush has no sectors and is no request
        # that was issued, even if one starts at the same place.
        last_word = event.kind in DIRECTIONS and not event.n
        request = None if last_word else self.device.take(event, event.n)
        if not request:
            self.step(event)
            return
        if request.direction and event.sector + event.n < request.end:
            request.sector += event.n
            self.device.put(request)
            self.step(event, request)
            return
        request.state = None
        self.step(event, request, "device", None).done = True

    def requeue(self, event):
        request = self.device.take(event, event.n)
        if request:
            self.hold(request)
            self.step(event, request, "device", "held")
        else:
            self.step(event)

    def merge(self, event):
        """The event's request goes to the end of another."""
        self.plug_was_ours(event)
        request = self.take_held(event)
        into = self.ends.get((event.kind, event.sector), [None])[-1]
        if into:
            self.resize(into, into.sector, event.sector + event.bytes // 512)
            if request and into.oldest and request.oldest and request.oldest.time < into.oldest.time:
                into.oldest = request.oldest
        self.step(event, request, "held" if request else None, None)

    def back(self, event):
        into = self.ends.get((event.kind, event.sector), [None])[-1]
        if into:
            self.resize(into, into.sector, into.end + event.n)
        self.step(event, into).held_merge = bool(into)

    def front(self, event):
        into = self.starts.get((event.kind, event.sector + event.n), [None])[-1]
        if into:
            self.resize(into, event.sector, into.end)
        self.step(event, into).held_merge = bool(into)


def follow(events):
    """The steps of a log. Those of foreign disks' plugs are left out."""
    f = Follower()
    for event in events:
        getattr(f, event.name, f.step)(event)
    return f.steps
