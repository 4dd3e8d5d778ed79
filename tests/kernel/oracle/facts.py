# SPDX-License-Identifier: GPL-2.0-or-later
"""What sysfs knows beside the event log."""
import glob
import gzip
import os
import re


def word(path):
    try:
        with open(path) as file:
            return file.read().strip()
    except OSError:
        return None


def cpus_of(text):
    """ "0-2,8" as numbers."""
    cpus = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        cpus += range(int(first), int(last or first) + 1)
    return cpus


def last_level_caches(root="/sys/devices/system/cpu"):
    """CPU to the first CPU that has the same last-level cache; empty where sysfs has none."""
    llc = {}
    for cpu in glob.glob(root + "/cpu[0-9]*"):
        levels = [(int(word(i + "/level") or 0), word(i + "/shared_cpu_list"))
                  for i in glob.glob(cpu + "/cache/index[0-9]*")]
        levels = [level for level in levels if level[1]]
        if levels:
            llc[int(os.path.basename(cpu)[3:])] = cpus_of(max(levels)[1])[0]
    return llc


def tick_us(config="/proc/config.gz"):
    """The kernel's tick; the longest there is where it cannot be known."""
    try:
        with gzip.open(config, "rt") as file:
            return 1000000 / int(re.search(r"^CONFIG_HZ=(\d+)$", file.read(), re.M)[1])
    except (OSError, TypeError):
        return 10000


class Facts:
    def __init__(self, scheduler, seconds, nr_requests=None, expire=None, llc=None, groups=()):
        self.tick = tick_us()
        self.scheduler = scheduler
        self.seconds = seconds
        self.nr_requests = nr_requests
        self.expire = expire or {}   # direction to ms
        self.llc = llc or {}
        self.groups = groups

    @property
    def deadline(self):
        return self.scheduler == "mq-deadline"


def of_disk(disk, seconds, groups):
    queue = f"/sys/block/{disk}/queue"
    names = word(queue + "/scheduler") or "none"
    scheduler = names.partition("[")[2].partition("]")[0] or "none"
    expire = {d: int(word(f"{queue}/iosched/{d}_expire") or 0) for d in ("read", "write")}
    return Facts(scheduler, seconds, int(word(queue + "/nr_requests")), expire, last_level_caches(), groups)
