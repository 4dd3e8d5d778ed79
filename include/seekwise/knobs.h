/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Knobs: the sysfs files that may be written, one row of a table each. */
#ifndef SEEKWISE_KNOBS_H
#define SEEKWISE_KNOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "seekwise/disk.h"

enum sw_knob_id {
	SW_NR_REQUESTS,     /* the order of this enum is the order of restoring */
	SW_ASYNC_DEPTH,     /* queue/async_depth */
	SW_ASYNC_DEPTH_OLD, /* iosched/async_depth */
	SW_NR_SCHED_BATCH,
	SW_FIFO_BATCH,
	SW_READ_EXPIRE,
	SW_WRITE_EXPIRE,
	SW_WRITES_STARVED,
	SW_FRONT_MERGES,
	SW_PRIO_AGING_EXPIRE,
	SW_KNOBS
};

struct sw_knob {
	const char *name;  /* as users write it: fifo_batch */
	const char *file;  /* below /sys/block/DISK/queue */
	const char *unit;  /* requests, ms, reads, flag */
	int64_t min, max;  /* our bounds: the kernel clamps in silence */
	bool freezes;      /* writing it freezes the queue */
	const char *about; /* one line */
};

extern const struct sw_knob sw_knobs[SW_KNOBS];

/* Values of one disk; present[i] is false where this kernel has no such file. */
struct sw_settings {
	int64_t value[SW_KNOBS];
	bool present[SW_KNOBS];
};

/* Reads all knobs that are there. 0 or -errno (-ENODEV: the disk is gone). */
int sw_knobs_read(const struct sw_disk *disk, struct sw_settings *settings);

enum sw_write_result {
	SW_WRITTEN,
	SW_UNCHANGED, /* had that value: nothing was written */
	SW_FOREIGN,   /* holds neither the expected nor the new value: somebody else's */
	SW_REFUSED,   /* lasting error: EINVAL, EACCES, EROFS, ENOENT, read back differs */
	SW_PASSING,   /* EBUSY, EAGAIN, EINTR, ENOMEM: try again later */
	SW_GONE,      /* ENODEV */
};

/*
 * Writes one knob: skip if equal, refuse if the value in force is not
 * `expected` (INT64_MIN: do not care), write, check write and close, read back,
 * check that the neighbours in `known` did not move. `why` gets one clause with
 * the symbolic error. The time it took is added to *took_ns if that is given.
 */
enum sw_write_result sw_knob_write(const struct sw_disk *disk, enum sw_knob_id id, int64_t expected,
				   int64_t value, const struct sw_settings *known, char *why,
				   size_t why_size, uint64_t *took_ns);

/* Number of the knob of that name, -1 if there is none. */
int sw_knob_find(const char *name);
/* Is it there under mq-deadline alone? */
bool sw_knob_is_schedulers(enum sw_knob_id id);

/*
 * Puts another scheduler in force: all knobs are as the kernel sets them then. Skipped if it
 * is in force; SW_FOREIGN if the one in force is not `expected`; read back. As
 * sw_knob_write else. (scheduler.c)
 */
enum sw_write_result sw_scheduler_write(const struct sw_disk *disk, const char *expected,
					const char *scheduler, char *why, size_t why_size);
/* Does the disk offer it? `offered` gets all that it does, with commas. */
bool sw_scheduler_offered(const struct sw_disk *disk, const char *scheduler, char *offered,
			  size_t size);

/*
 * The baseline file of a disk, <run>/DISK.baseline, and the lock that
 * makes one tuner per disk, <run>/DISK.lock.
 *
 * sw_baseline_save: write a temporary file, fsync, rename, fsync of the
 * folder, with the disk's identity (name, MAJ:MIN, diskseq), the boot id, the
 * scheduler and the settings; -EEXIST if there is one already (a crashed
 * tuner's: restore first). 0 or -errno.
 * sw_baseline_load: -ENOENT none; -ESTALE of another boot, another disk or
 * another scheduler (values of that time mean nothing now); -EBADMSG damaged.
 * sw_baseline_restore: puts back every knob that differs, in order,
 * nr_requests first, and removes the file when all are back. Knobs that hold
 * neither the baseline nor the last value that was written (`last`, may be 0
 * when it is not known: then all are put back) belong to somebody else and
 * stay. Messages by sw_log, one line each knob. Returns the number put back,
 * or -errno of the last failure (the file stays then).
 * sw_baseline_note_switch: records, before a switch, the scheduler that is about to be put in
 * force, and sw_baseline_switched, after it, what the kernel made of the knobs: restore then
 * switches back. sw_baseline_note: records in the file, before a write, the values that we are
 * about to write, so that restore after kill -9 knows ours from foreign.
 */
struct sw_baseline {
	char disk[SW_DISK_NAME];
	char scheduler[32];
	struct sw_settings original;
	struct sw_settings written; /* last values that we wrote or were about to */
};
int sw_baseline_save(const struct sw_disk *disk, const struct sw_settings *settings);
int sw_baseline_note(const struct sw_disk *disk, enum sw_knob_id id, int64_t value);
int sw_baseline_note_switch(const struct sw_disk *disk, const char *scheduler);
int sw_baseline_switched(const struct sw_disk *disk, const struct sw_settings *now);
int sw_baseline_load(const struct sw_disk *disk, struct sw_baseline *baseline);
int sw_baseline_restore(const struct sw_disk *disk);
int sw_baseline_drop(const struct sw_disk *disk);
/* Names of disks that have a baseline file (of this boot or not); number or -errno. */
int sw_baseline_list(char names[][SW_DISK_NAME], int max);

/* Takes the disk's lock. Returns a descriptor to close, or -EBUSY (holder's pid in *holder) or
 * -errno. */
int sw_disk_lock(const struct sw_disk *disk, long *holder);

#endif
