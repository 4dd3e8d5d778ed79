# SPDX-License-Identifier: GPL-2.0-or-later
"""Group merges: bios merged, sizes at insert and issue."""
from lives import DIRECTIONS

FIGURES = ("bio_merges", "insert_bytes", "issue_bytes")


class Merges:
    def __init__(self, steps):
        self.bios = {d: dict.fromkeys(("back", "front", "plug_back", "plug_front"), 0) for d in DIRECTIONS}
        self.inserted = {d: [] for d in DIRECTIONS}
        self.issued = {d: [] for d in DIRECTIONS}
        for step in steps:
            event = step.event
            if event.kind not in DIRECTIONS:
                continue
            if event.name in ("back", "front"):
                self.bios[event.kind][event.name if step.held_merge else "plug_" + event.name] += 1
            elif event.name == "insert" and step.first and event.bytes:
                self.inserted[event.kind].append(event.bytes)
            elif event.name == "issue" and step.first and event.bytes:
                self.issued[event.kind].append(event.bytes)


def compare(check, disk, steps):
    merges = Merges(steps)
    for d in DIRECTIONS:
        check.counts(f"{d} bio_merges", disk[d]["bio_merges"], merges.bios[d])
        check.spread(f"{d} insert_bytes", disk[d]["insert_bytes"], merges.inserted[d])
        check.spread(f"{d} issue_bytes", disk[d]["issue_bytes"], merges.issued[d])
