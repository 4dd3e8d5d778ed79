# SPDX-License-Identifier: GPL-2.0-or-later
"""Group locality: CPUs of insert and completion, plugs, who issued most."""
from collections import Counter

from lives import DIRECTIONS

TASKS = 16  # that a CPU's record has room for
OF_DISK = ("unplugs", "unplugs_explicit", "busiest_cpu", "busiest_task", "busiest_task_name")
OF_DIRECTION = ("other_cpu", "other_llc", "other_cpu_share", "other_llc_share")


class Locality:
    def __init__(self, steps, llc):
        self.other_cpu = dict.fromkeys(DIRECTIONS, 0)
        self.other_llc = dict.fromkeys(DIRECTIONS, 0)
        self.completed = dict.fromkeys(DIRECTIONS, 0)
        self.unsure = dict.fromkeys(DIRECTIONS, 0)
        self.unplugs = []
        self.by_cpu, self.by_task, self.names = Counter(), Counter(), {}
        self.on_cpu = {}
        for step in steps:
            event, request = step.event, step.request
            if event.name == "unplug":
                self.unplugs.append(event.n)
            elif event.name == "issue" and step.first and request.direction:
                self.by_cpu[event.cpu] += 1
                self.by_task[event.tid] += 1
                self.names.setdefault(event.tid, set()).add(event.comm)
                self.on_cpu.setdefault(event.cpu, set()).add(event.tid)
            elif step.done and request.direction:
                self.complete(event, request, llc)

    def complete(self, event, request, llc):
        d, came = request.direction, (request.inserted or request.issued).cpu
        self.completed[d] += 1
        self.unsure[d] += request.unsure
        self.other_cpu[d] += event.cpu != came
        self.other_llc[d] += llc.get(event.cpu) != llc.get(came)


def compare_most(check, name, got, key, counts):
    """One with the most; of several with as many it may be any."""
    if not counts:
        check.null(name, got)
        return
    most = max(counts.values())
    check.number(f"{name}.issued", got["issued"], most)
    check.number(f"{name}.{key} {got[key]}", counts.get(got[key]), most)
    check.number(f"{name}.share", got["share"], most / sum(counts.values()), 1e-5)


def compare(check, disk, steps, facts):
    locality = Locality(steps, facts.llc)
    for d in DIRECTIONS:
        got, total = disk[d], locality.completed[d]
        for figure in ("other_cpu", "other_llc"):
            want = getattr(locality, figure)[d]
            if figure == "other_llc" and not facts.llc:
                continue
            if check.missing:
                check.within(f"{d} {figure}", got[figure], want - check.missing - locality.unsure[d],
                             want + locality.unsure[d])
                continue
            check.number(f"{d} {figure}", got[figure], want, locality.unsure[d])
            if total:
                check.number(f"{d} {figure}_share", got[figure + "_share"], want / total,
                             1e-5 + locality.unsure[d] / total)
            else:
                check.null(f"{d} {figure}_share", got[figure + "_share"])
    # Whose they are the log tells by what came next alone (lives.py).
    check.spread("unplugs", disk["unplugs"], locality.unplugs, ordered=True)
    # The log does not tell explicit from implicit.
    check.within("unplugs_explicit", disk["unplugs_explicit"], 0, len(locality.unplugs))
    compare_most(check, "busiest_cpu", disk["busiest_cpu"], "cpu", locality.by_cpu)
    # With more tasks than a record holds, the busiest may be among those without room.
    if disk["busiest_task"] or all(len(tids) <= TASKS for tids in locality.on_cpu.values()):
        compare_most(check, "busiest_task", disk["busiest_task"], "tid", locality.by_task)
    names = locality.names.get((disk["busiest_task"] or {}).get("tid"))
    if names and disk["busiest_task_name"] not in names:
        check.fail(f"busiest_task_name: report {disk['busiest_task_name']}, log {sorted(names)}")
