# SPDX-License-Identifier: GPL-2.0-or-later
"""Completions for which the kernel ran no program, though it has them in its event log.

Some kernels do that for a few (README). How many is told by the program's own count of runs, which the
kernel keeps, against the completions in the log. Both are of all disks, so the log has the
completions of all. trace.sh reads the count between two marks: a completion between them may be on
either side of the reading.
"""


def bounds(events):
    """(least, most) that were missed between the two readings; (0, 0) where there are none."""
    marks = [e for e in events if e.name == "mark"]
    if [m.type for m in marks] != ["before", "runs"] * 2 or None in (marks[1].n, marks[3].n):
        return 0, 0
    runs = marks[3].n - marks[1].n
    times = [e.time for e in events if e.name == "complete"]

    def logged(begin, end):
        return sum(begin.time <= t <= end.time for t in times)

    return max(logged(marks[1], marks[2]) - runs, 0), max(logged(marks[0], marks[3]) - runs, 0)


def lacking(disk, core):
    """How many completions of the log the report lacks, below 0 if it has more."""
    want = sum(d.ios + d.partial for d in core.dirs.values()) + sum(core.others.values())
    got = sum(disk[d]["ios"] + disk[d]["partial"] for d in core.dirs) + sum(disk["others"].values())
    return want - got
