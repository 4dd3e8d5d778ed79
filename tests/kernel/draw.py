#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""draw.py SEED N: draws N loads for fio.

Prints a line for each: name, scheduler, groups of figures, and fio's options, which have
no spaces in them. The same seed draws the same loads. Kinds and schedulers are dealt like
cards, so that 13 loads have one of each kind. A load has a few thousand requests and at most
some 64 MiB, on a disk of 256 MiB with sectors of 512 bytes.
"""
import random
import sys

KIB = 1024
DISK = 256 * KIB * KIB
MOST_REQUESTS = 4000
MOST_BYTES = 64 * KIB * KIB
SIZES = [512 << i for i in range(12)]      # 512 bytes to 1 MiB
DEPTHS = [1 << i for i in range(11)]       # 1 to 1024
DIRECT = ["--direct=1", "--ioengine=libaio"]
BUFFERED = ["--ioengine=psync"]
RANDOM = ["randread", "randwrite", "randrw"]
SEQUENTIAL = ["read", "write", "rw"]


def requests(size, share=1, jobs=1):
    """How many of this size each of the jobs may make."""
    return max(16, int(min(MOST_REQUESTS, MOST_BYTES / size) * share / jobs))


class Drawn:
    def __init__(self, rng):
        self.rng = rng

    def size(self, lowest=512, highest=1 << 20):
        return self.rng.choice([s for s in SIZES if lowest <= s <= highest])

    def mix(self, kinds):
        rw = self.rng.choice(kinds)
        return [f"--rw={rw}"] + ([f"--rwmixread={self.rng.randrange(5, 96, 5)}"] if rw.endswith("rw") else [])

    def depth(self, highest=1024):
        return self.rng.choice([d for d in DEPTHS if d <= highest])

    # The kinds of load. Each returns fio's options.
    def small_random(self):
        size = self.size(highest=4096)
        return DIRECT + self.mix(RANDOM) + [f"--bs={size}", f"--iodepth={self.depth()}",
                                            f"--number_ios={requests(size)}"]

    def any_random(self):
        size = self.size()
        return DIRECT + self.mix(RANDOM) + [f"--bs={size}", f"--iodepth={self.depth(128)}",
                                            f"--number_ios={requests(size)}"]

    def range_of_sizes(self):
        low, high = sorted(self.rng.sample(SIZES, 2))
        mean = (low + high) // 2
        return DIRECT + self.mix(RANDOM) + [f"--bsrange={low}-{high}", f"--iodepth={self.depth(64)}",
                                            f"--number_ios={requests(mean)}"]

    def streams(self):
        """Sequential ones, each in its own part of the disk."""
        jobs, size = self.rng.choice([1, 4, 16]), self.size(4096, 256 * KIB)
        return DIRECT + self.mix(SEQUENTIAL) + [
            f"--bs={size}", f"--numjobs={jobs}", f"--offset_increment={DISK // jobs}",
            f"--size={DISK // jobs}", f"--iodepth={self.depth(16)}", f"--number_ios={requests(size, 1, jobs)}"]

    def deep(self):
        """More than the scheduler has room for, and in a small part of the disk neighbours meet."""
        size = self.size(highest=8192)
        part = self.rng.choice([DISK, 2048 * size])
        return DIRECT + self.mix(RANDOM) + [f"--bs={size}", f"--iodepth={self.rng.choice([256, 512, 1024])}",
                                            f"--size={part}", f"--io_size={requests(size) * size}"]

    def plugged(self):
        """Several requests or bios under one plug; neighbours in it become one."""
        size, batch = self.size(highest=16 * KIB), self.rng.choice([2, 4, 8, 16, 40])
        return DIRECT + self.mix(SEQUENTIAL + RANDOM) + [
            f"--bs={size}", f"--iodepth={self.rng.choice([64, 128])}", f"--iodepth_batch_submit={batch}",
            f"--iodepth_batch_complete_min={batch}", f"--number_ios={requests(size)}"]

    def backwards(self):
        size = self.size(highest=16 * KIB)
        return DIRECT + [f"--rw={self.rng.choice(['read', 'write'])}:-{2 * size}", f"--bs={size}",
                         f"--iodepth={self.depth(512)}", f"--iodepth_batch_submit={self.rng.choice([1, 4])}",
                         f"--number_ios={requests(size)}"]

    def classes(self):
        """Two or three jobs, each with its own class of priority."""
        size, options = self.size(highest=64 * KIB), []
        numbers = self.rng.sample([1, 2, 3], self.rng.choice([2, 3]))
        for number in numbers:
            options += [f"--name=class{number}", f"--prioclass={number}", f"--prio={self.rng.randrange(8)}"]
            options += self.mix(RANDOM) + [f"--iodepth={self.depth(64)}"]
        return DIRECT + [f"--bs={size}", f"--number_ios={requests(size, 1, len(numbers))}"] + options

    def sync_and_async(self):
        """Readers that wait for each request, beside what the kernel writes back."""
        size = self.size(4096, 64 * KIB)
        return [f"--bs={size}", f"--number_ios={requests(size, 0.5)}",
                "--name=readers", "--direct=1", "--ioengine=psync",
                f"--rw={self.rng.choice(['read', 'randread'])}",
                f"--numjobs={self.rng.choice([1, 2, 4])}", f"--number_ios={requests(size, 0.3)}",
                "--name=writer", *BUFFERED, f"--rw={self.rng.choice(['write', 'randwrite'])}", "--end_fsync=1"]

    def fsyncs(self):
        size = self.size(highest=32 * KIB)
        return BUFFERED + [f"--rw={self.rng.choice(['write', 'randwrite', 'randrw'])}", f"--bs={size}",
                           f"--fsync={self.rng.choice([1, 4, 16])}", f"--numjobs={self.rng.choice([1, 3])}",
                           f"--number_ios={requests(size, 0.1)}"]

    def synchronous_writes(self):
        size = self.size(highest=64 * KIB)
        return ["--ioengine=psync", f"--direct={self.rng.choice([0, 1])}",
                f"--sync={self.rng.choice(['sync', 'dsync'])}",
                f"--rw={self.rng.choice(['write', 'randwrite'])}", f"--bs={size}",
                f"--number_ios={requests(size, 0.1)}"]

    def write_back(self):
        size = self.size(4096, 256 * KIB)
        end = self.rng.choice(["--end_fsync=1", "--fsync_on_close=1"])
        return BUFFERED + [f"--rw={self.rng.choice(['write', 'randwrite', 'randrw'])}", f"--bs={size}", end,
                           f"--number_ios={requests(size)}"]

    def discards(self):
        size = self.size(4096, 256 * KIB)
        return DIRECT + [f"--rw={self.rng.choice(['randtrim', 'trim', 'randtrimwrite', 'trimwrite'])}",
                         f"--bs={size}", f"--iodepth={self.depth(32)}", f"--number_ios={requests(size, 0.25)}"]


KINDS = ("small_random", "any_random", "range_of_sizes", "streams", "deep", "plugged", "backwards",
         "classes", "sync_and_async", "fsyncs", "synchronous_writes", "write_back", "discards")
SCHEDULERS = ("mq-deadline", "mq-deadline", "none", "kyber", "bfq")
GROUPS = ("all", "all", "all", "all", "core", "merges,depth", "streams,classes", "locality")


def dealt(rng, cards):
    """Cards without end, none again before all were dealt."""
    while True:
        deck = list(cards)
        rng.shuffle(deck)
        yield from deck


def draw(seed, count):
    rng = random.Random(seed)
    drawn = Drawn(rng)
    kinds, schedulers, groups = (dealt(rng, cards) for cards in (KINDS, SCHEDULERS, GROUPS))
    for number in range(1, count + 1):
        kind = next(kinds)
        name = f"{number:02}-{kind.replace('_', '-')}"
        yield name, next(schedulers), next(groups), getattr(drawn, kind)()


def main():
    for name, scheduler, groups, options in draw(int(sys.argv[1]), int(sys.argv[2])):
        print(name, scheduler, groups, *options)


if __name__ == "__main__":
    main()
