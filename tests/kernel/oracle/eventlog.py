# SPDX-License-Identifier: GPL-2.0-or-later
"""The kernel's event log (tracefs, file "trace") as a list of events."""
import re

HEAD = re.compile(r"^\s*(?P<task>.*)-(?P<tid>\d+)\s+\[(?P<cpu>\d+)\]\s+\S+\s+"
                  r"(?P<sec>\d+)\.(?P<usec>\d{6}): (?P<name>\w+): (?P<rest>.*)$")
REQUEST = re.compile(r"^\d+,\d+ (?P<rwbs>\w+) (?:(?P<bytes>\d+) )?\([^)]*\) (?P<sector>\d+) \+ (?P<n>\d+)"
                     r"(?: (?P<prio>\w+),\d+,\d+)? \[(?P<last>.*)\]$")
BIO = re.compile(r"^\d+,\d+ (?P<rwbs>\w+) (?P<sector>\d+) \+ (?P<n>\d+) \[(?P<last>.*)\]$")
UNPLUG = re.compile(r"^\[.*\] (?P<n>\d+)$")
MARK = re.compile(r"^seekwise (?P<word>\w+)(?: (?P<n>\d+))?$")
KYBER = re.compile(r"^\d+,\d+ (?P<domain>\w+)(?: (?P<type>\S+) p\d+ (?P<num>\d+)/(?P<den>\d+) samples=\d+"
                   r"| (?P<depth>\d+))?$")

NO_SECTOR = 2 ** 64 - 1


class NotUnderstood(Exception):
    """A line that this file should know and does not, or a log with a gap."""


class Event:
    """One line. Names are those of the kernel, without their beginning "block_" or "block_rq_"."""

    __slots__ = ("name", "dev", "tid", "cpu", "time", "rwbs", "kind", "sync", "fua", "sector", "n", "bytes",
                 "prio", "comm", "error", "domain", "type", "depth", "times")

    def __init__(self, name, head):
        self.name = name
        self.tid = int(head["tid"])
        self.cpu = int(head["cpu"])
        self.time = int(head["sec"]) * 1000000 + int(head["usec"])
        self.kind = None
        # "7,0"; none of an event that does not name its disk.
        found = re.match(r"\d+,\d+", head["rest"])
        self.dev = found[0] if found else None


def kind_of(rwbs, n=1):
    """(kind, sync, fua) of the letters: blk_fill_rwbs() in kernel/trace/blktrace.c.

    An F before the operation is REQ_PREFLUSH, one behind it REQ_FUA; a flush by
    itself is F as well, hence FF. N is any operation without a letter: of those only
    write zeroes have sectors.
    """
    preflush = len(rwbs) > 1 and rwbs[0] == "F" and rwbs[1] in "WRDFN"
    op = rwbs[1:] if preflush else rwbs
    flags = op[1:]
    if op[0] == "W":
        kind = "zeroes" if "Z" in flags else "write"
    elif op[0] == "N":
        kind = "zeroes" if n else "passthrough"
    else:
        kind = {"R": "read", "D": "discard", "F": "flush", "Z": "zone"}[op[0]]
    fua = "F" in flags
    return kind, kind == "read" or preflush or fua or "S" in flags, fua


def has_sectors(event, m):
    event.rwbs = m["rwbs"]
    event.sector = int(m["sector"])
    event.n = int(m["n"])
    event.kind, event.sync, event.fua = kind_of(event.rwbs, event.n)


def request_event(event, rest):
    m = REQUEST.match(rest)
    if not m:
        return None
    has_sectors(event, m)
    event.bytes = int(m["bytes"]) if m["bytes"] else event.n * 512
    # A flush has no sector, and the events disagree on how to say so.
    if event.kind == "flush" or event.sector == NO_SECTOR:
        event.sector = 0
    event.prio = m["prio"] if m["prio"] in ("rt", "idle") else "be"
    event.comm = event.error = None
    if event.name in ("complete", "requeue"):
        event.error = -int(m["last"])
    else:
        event.comm = m["last"]
    return event


def bio_event(event, rest):
    m = BIO.match(rest)
    if not m:
        return None
    has_sectors(event, m)
    return event


def unplug_event(event, rest):
    m = UNPLUG.match(rest)
    if not m:
        return None
    event.n = int(m["n"])
    return event


def kyber_event(event, rest):
    m = KYBER.match(rest)
    if not m:
        return None
    event.domain = m["domain"]
    event.type = m["type"]
    event.depth = int(m["depth"]) if m["depth"] else None
    event.times = int(m["num"]) / int(m["den"]) if m["num"] else None
    return event


def mark_event(event, rest):
    """What a test wrote into the log (trace.sh)."""
    m = MARK.match(rest)
    if not m:
        return None
    event.type = m["word"]
    event.n = int(m["n"]) if m["n"] else None
    return event


READERS = {f"block_rq_{name}": (name, request_event)
           for name in ("insert", "issue", "complete", "requeue", "merge")}
READERS |= {"block_bio_backmerge": ("back", bio_event), "block_bio_frontmerge": ("front", bio_event),
            "block_unplug": ("unplug", unplug_event), "tracing_mark_write": ("mark", mark_event)}
READERS |= {name: (name, kyber_event) for name in ("kyber_adjust", "kyber_latency", "kyber_throttled")}


def read_line(text):
    """The event of one line, None of a comment."""
    if text.startswith("#") or not text.strip():
        return None
    head = HEAD.match(text)
    if not head or head["name"] not in READERS:
        raise NotUnderstood("line of the event log: " + text)
    name, reader = READERS[head["name"]]
    event = reader(Event(name, head), head["rest"])
    if event is None:
        raise NotUnderstood("line of the event log: " + text)
    return event


def read(lines):
    """The events in the order of time."""
    events = []
    for text in lines:
        if "LOST" in text and "CPU:" in text:
            raise NotUnderstood("the event log lost events")
        event = read_line(text.rstrip("\n"))
        if event is not None:
            events.append(event)
    return events
