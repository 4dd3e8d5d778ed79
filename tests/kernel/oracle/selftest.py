# SPDX-License-Identifier: GPL-2.0-or-later
"""The oracle itself, on logs made by hand: what is expected of them was counted on paper."""
import classes
import core
import depth
import eventlog
import kyber
import lives
import locality
import merges
import misses
import streams
from check import Check, percentile, weighted


class Log:
    """Lines of a log; each begins a microsecond after the one before, or when told."""

    def __init__(self):
        self.lines = []
        self.now = 0

    def add(self, text, cpu=0, tid=100, at=None):
        self.now = self.now + 1 if at is None else at
        self.lines.append(f"  fio x-{tid:<6} [{cpu:03}] ..... 1.{self.now:06}: {text}\n")
        return self

    def request(self, name, rwbs, sector, n, prio="be", error=0, **where):
        size = "" if name in ("complete", "requeue") else f"{n * 512} "
        last = error if name in ("complete", "requeue") else "fio x"
        return self.add(f"block_rq_{name}: 7,0 {rwbs} {size}() {sector} + {n} {prio},0,4 [{last}]", **where)

    def insert(self, *args, **kwargs):
        return self.request("insert", *args, **kwargs)

    def issue(self, *args, **kwargs):
        return self.request("issue", *args, **kwargs)

    def complete(self, *args, **kwargs):
        return self.request("complete", *args, **kwargs)

    def bio(self, side, rwbs, sector, n):
        return self.add(f"block_bio_{side}merge: 7,0 {rwbs} {sector} + {n} [fio x]")

    def steps(self):
        return lives.follow(eventlog.read(self.lines))


def letters():
    assert eventlog.kind_of("R") == ("read", True, False)
    assert eventlog.kind_of("W") == ("write", False, False)
    assert eventlog.kind_of("WS") == ("write", True, False)
    assert eventlog.kind_of("FWS") == ("write", True, False)
    assert eventlog.kind_of("WFS") == ("write", True, True)
    assert eventlog.kind_of("FF") == ("flush", True, False)
    assert eventlog.kind_of("DS")[0] == "discard"
    assert eventlog.kind_of("NS")[0] == eventlog.kind_of("WZS")[0] == "zeroes"
    try:
        eventlog.read(["not a line"])
    except eventlog.NotUnderstood:
        return
    raise AssertionError("a line that is none was read")


def percentiles():
    assert percentile(list(range(1, 101)), 50) == 50
    assert percentile([7], 99) == 7
    assert weighted({0: 49, 1: 2, 9: 49}, 50) == 1
    assert weighted({0: 60, 9: 40}, 95) == 9


def one_taken_away():
    """One request of a few may have another time in the report, and only that one."""
    few, many = [10] * 9 + [19], [10] * 99 + [19]
    for p50, values, is_fine in ((10, few, True), (40, few, False), (10, many, False)):
        check = Check()
        got = {"p50": p50, "p95": 40, "p99": 40, "max": 40, "mean": 14}
        check.times("wait", got, values)
        assert bool(check.doubts) != is_fine and not check.failures, check.doubts


def geometry():
    """Issues at 0, 8, 100, 50: sequential, 84 on, 58 back; the last ends a sweep."""
    log = Log()
    for sector in (0, 8, 100, 50):
        log.insert("R", sector, 8).issue("R", sector, 8).complete("R", sector, 8)
    read = core.Core(log.steps()).dirs["read"]
    assert (read.ios, read.issued, read.bytes) == (4, 4, 4 * 4096)
    assert read.seeks == [0, 84, 58]
    assert (read.sequential, read.backward, read.sweeps, read.wraps) == (1, 1, 2, 1)
    assert read.waits == [1] * 4 and read.services == [1] * 4 and read.totals == [2] * 4


def parts():
    """A part completes, the rest comes back, is issued again and fails."""
    log = Log().insert("R", 0, 16).issue("R", 0, 16).complete("R", 0, 8)
    log.request("requeue", "R", 8, 8).insert("R", 8, 8).issue("R", 8, 8).complete("R", 8, 8, error=-5)
    c = core.Core(log.steps())
    read = c.dirs["read"]
    assert (read.ios, read.issued, read.partial, read.errors, read.bytes) == (1, 1, 1, 1, 8192)
    assert read.kinds["io"] == 1 and c.requeues == 1 and (c.held, c.device) == (0, 0)
    assert read.services == [1]   # from the last issue


def flushes():
    """A write with a flush behind it: its last word, without bytes, is no request, also
    while another is at its place."""
    log = Log().insert("WS", 64, 8).issue("WS", 64, 8).complete("WS", 64, 8)
    log.issue("FF", 0, 0).complete("FF", 2 ** 64 - 1, 0)
    log.issue("WS", 64, 8).complete("WS", 64, 0).complete("WS", 64, 8)
    log.insert("WFS", 80, 8).issue("WFS", 80, 8).complete("WFS", 80, 8)
    c = core.Core(log.steps())
    assert c.dirs["write"].ios == 3 and c.dirs["write"].partial == 0 and c.others["flush"] == 1
    assert c.flush_times == [1] and c.fua_times == [1]


def deadlines():
    log = Log().insert("R", 0, 8, at=0).issue("R", 0, 8, at=70000).insert("R", 8, 8, at=70001)
    log.issue("R", 8, 8, at=70002)
    lateness = core.late(log.steps(), "read", 50)
    assert lateness == [20000, 1 - 50000]
    check = Check()
    late = {"p50": 20000, "p95": 20000, "p99": 20000, "max": 20000, "mean": 20000}
    core.compare_late(check, "read", late, 1, lateness, 4000)
    assert not check.doubts, check.doubts
    core.compare_late(check, "read", late | {"p95": 9000}, 2, lateness[:1], 4000)
    assert len(check.doubts) == 2 and not check.failures, check.doubts


def bios():
    """Behind and before what is held; under the plug; and two requests become one."""
    log = Log().insert("W", 8, 8).bio("back", "W", 16, 8).bio("front", "W", 0, 8).bio("back", "W", 200, 8)
    log.insert("W", 40, 8).bio("back", "W", 24, 16).request("merge", "W", 40, 8)
    log.issue("W", 0, 48).complete("W", 0, 48)
    steps = log.steps()
    m = merges.Merges(steps)
    assert m.bios["write"] == {"back": 2, "front": 1, "plug_back": 1, "plug_front": 0}
    assert m.inserted["write"] == [4096, 4096] and m.issued["write"] == [48 * 512]
    c = core.Core(steps)
    assert c.dirs["write"].merges == 1 and c.dirs["write"].ios == 1 and (c.held, c.device) == (0, 0)
    # Its deadline is the earlier one of the two.
    assert steps[-1].request.oldest.time == steps[0].event.time


def interleaved():
    """Two streams in turn, the reads at 0 and the writes at 1000; then three of one go on."""
    log = Log()
    for rwbs, sector in (("R", 0), ("W", 1000), ("R", 8), ("W", 1008), ("R", 16), ("R", 24), ("R", 32),
                         ("W", 5000)):
        log.insert(rwbs, sector, 8).issue(rwbs, sector, 8)
    s = streams.Streams(log.steps())
    assert s.resumed == [2, 2, 2]
    assert s.run_requests == {"read": [1, 1, 3], "write": [1, 1]}
    assert s.run_bytes["read"] == [4096, 4096, 3 * 4096]


def many_ends():
    """Of 33 runs the first is forgotten, the second is number 32."""
    log = Log()
    for i in range(33):
        log.issue("R", i * 1000, 8)
    s = streams.Streams(log.issue("R", 1008, 8).issue("R", 8, 8).steps())
    assert s.resumed == [32]


def levels():
    """10 us of one held; 20 of one in the device; 70 of nothing."""
    log = Log().insert("WS", 0, 8, at=100).issue("WS", 0, 8, at=110).complete("WS", 0, 8, at=130)
    d = depth.Depth(log.steps(), 100, 1)
    assert d.times["held_levels"] == {0: 90, 1: 10} == d.times["held_levels_sync_write"]
    assert d.times["device_levels"] == {0: 80, 1: 20}
    assert d.times["held_levels_async_write"] == {0: 100} == d.times["held_levels_read"]
    assert d.shares == {"pool_full": 0.3, "idle_with_work": 0.1, "device_idle": 0.8}


def starved():
    """Two reads wait from 0; issues at 30 and 35. A write waits from 10 to 90."""
    log = Log().insert("R", 0, 8, at=0).insert("R", 8, 8, at=5).insert("W", 16, 8, at=10)
    log.issue("R", 0, 8, at=30).issue("R", 8, 8, at=35).issue("W", 16, 8, at=90)
    assert depth.Starved(log.steps()).longest == {"read": 30, "write": 80}


def places():
    """Task 1 unplugs two; one of them completes elsewhere. Task 2 unplugs for another disk."""
    log = Log().add("block_unplug: [fio x] 2", cpu=1, tid=1).add("block_unplug: [fio x] 9", cpu=0, tid=2)
    log.insert("R", 0, 8, cpu=1, tid=1).insert("R", 8, 8, cpu=1, tid=1)
    log.issue("R", 0, 8, cpu=0, tid=3).issue("R", 8, 8, cpu=0, tid=1)
    log.complete("R", 0, 8, cpu=1).complete("R", 8, 8, cpu=2)
    where = locality.Locality(log.steps(), {0: 0, 1: 0, 2: 2})
    assert where.other_cpu["read"] == 1 and where.other_llc["read"] == 1
    assert where.unplugs == [2]
    late = Log().add("block_unplug: [fio x] 1", at=1).issue("R", 0, 8, at=2000)
    assert not locality.Locality(late.steps(), {}).unplugs
    assert where.by_cpu == {0: 2} and where.by_task == {1: 1, 3: 1}


def twins():
    """Two reads of one place: their classes tell them apart."""
    log = Log().insert("R", 0, 8, prio="rt", at=0).insert("R", 0, 8, prio="idle", at=1)
    log.issue("R", 0, 8, prio="idle", at=5).issue("R", 0, 8, prio="rt", at=9)
    log.complete("R", 0, 8, prio="rt", at=10).complete("R", 0, 8, prio="idle", at=11)
    steps = log.steps()
    assert core.Core(steps).dirs["read"].waits == [4, 9]
    assert not any(step.request.unsure for step in steps)


def priorities():
    log = Log().insert("W", 0, 8, prio="rt").issue("W", 0, 8, prio="rt").complete("W", 0, 8, prio="rt")
    log.insert("R", 8, 8, prio="none").issue("R", 8, 8, prio="none").complete("R", 8, 8, prio="none")
    c = classes.Classes(log.steps()).dirs
    assert [c["write"][name].ios for name in classes.CLASSES] == [0, 1, 1, 0, 0]
    assert [c["read"][name].bytes for name in classes.CLASSES] == [4096, 0, 0, 4096, 0]


def throttling():
    log = Log().add("kyber_throttled: 7,0 READ")
    log.add("kyber_adjust: 7,0 READ 128").add("kyber_adjust: 7,0 READ 64")
    log.add("kyber_latency: 7,0 WRITE I/O p90 5/4 samples=3352")
    k = kyber.Kyber(log.steps())
    assert k.throttled["read"] == 1 and k.adjusts["read"] == 2
    assert k.depth == {"read": 64} and k.latency == {"write_io": 1.25}


def differences():
    """A check that finds nothing would pass everything."""
    check = Check()
    check.number("a", 1, 2)
    check.number("b", None, 2)
    check.spread("c", {"count": 2, "p50": 5, "max": 5, "mean": 5.0}, [5, 6])
    check.null("d", {"p50": 1})
    check.empty("e", {"count": 0, "p50": 1.0})
    check.levels("f", {"p50": 3, "mean": 0.5}, {0: 50, 1: 50})
    check.number("g", 1, 2, ordered=True)
    assert [text[0] for text in check.failures] == list("abcde"), check.failures
    assert [text[0] for text in check.doubts] == list("cfg"), check.doubts


def few_of_another_order():
    """Two CPUs at one instant: one return may be seen, or none, but no more."""
    none = {"count": 0, "p50": None, "max": None, "mean": None}
    check = Check()
    check.spread("a", none, [2], order=1, ordered=True)
    check.spread("b", {"count": 1, "p50": 2, "max": 2, "mean": 2.0}, [], order=1, ordered=True)
    assert not check.failures and not check.doubts, check.failures
    check.spread("c", none, [2, 3], order=1, ordered=True)
    assert len(check.doubts) == 1 and not check.failures, check.failures
    check.spread("d", none, [2])
    check.spread("e", none | {"count": 1}, [2], order=1, ordered=True)
    assert {text[0] for text in check.failures} == {"d", "e"}, check.failures


def example():
    """Three reads of one place each, of which the report is right."""
    log = Log().add("tracing_mark_write: seekwise before").add("tracing_mark_write: seekwise runs 100")
    for sector in (0, 8, 16):
        log.insert("R", sector, 8).issue("R", sector, 8).complete("R", sector, 8)
    # Another disk's.
    log.add("block_rq_complete: 9,9 R () 0 + 8 be,0,4 [0]")
    return log


def missed(runs, ios, losses=None):
    """The check of a report of the example with that many reads, or None where it is refused."""
    log = example().add("tracing_mark_write: seekwise before")
    events = eventlog.read(log.add(f"tracing_mark_write: seekwise runs {runs}").lines)
    mine = [e for e in events if e.dev == "7,0"]
    counted = core.Core(lives.follow(mine))
    none = dict.fromkeys(core.KINDS, 0)
    disk = {"read": {"ios": ios, "partial": 0}, "write": {"ios": 0, "partial": 0}, "others": none}
    lacks = misses.lacking(disk, counted)
    if lacks and not 0 < lacks <= misses.bounds(events)[1]:
        return None
    check = Check(lacks)
    check.completed("ios", ios, counted.dirs["read"].ios)
    core.compare_losses(check, {"stale": lacks, "no_insert": 0} | (losses or {}))
    return check


def misses_explained():
    """Four completions in the log, the other disk's among them."""
    check = missed(104, 3)
    assert not check.missing and not check.failures
    check = missed(103, 2)
    assert check.missing == 1 and not check.failures, check.failures
    # The program ran for all, or for more than the report lacks; the report has too many.
    assert missed(104, 2) is None and missed(103, 1) is None and missed(103, 4) is None
    # Another loss, or more than was missed, is a fault all the same.
    assert missed(103, 2, {"no_insert": 1}).failures
    assert missed(103, 2, {"stale": 2}).failures


def misses_exact():
    """A completion between the mark before a reading and the reading may count or not."""
    log = Log().add("tracing_mark_write: seekwise before").complete("R", 0, 8)
    log.add("tracing_mark_write: seekwise runs 10").complete("R", 8, 8)
    log.add("tracing_mark_write: seekwise before").add("tracing_mark_write: seekwise runs 10")
    assert misses.bounds(eventlog.read(log.lines)) == (1, 2)
    assert misses.bounds(eventlog.read(Log().complete("R", 0, 8).lines)) == (0, 0)


CASES = (letters, percentiles, one_taken_away, geometry, parts, flushes, deadlines, bios, interleaved, many_ends, levels,
         starved, places, twins, priorities, throttling, differences, few_of_another_order,
         misses_explained, misses_exact)


def main():
    failed = 0
    for case in CASES:
        try:
            case()
        except AssertionError as why:
            failed = 1
            print(f"FAIL oracle-selftest {case.__name__}: {why or 'see the assertions there'}")
    if not failed:
        print(f"PASS oracle-selftest: {len(CASES)} logs made by hand")
    return failed
