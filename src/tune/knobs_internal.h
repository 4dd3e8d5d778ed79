/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files about knobs, baseline and lock share; and the hook of their tests. */
#ifndef SEEKWISE_TUNE_KNOBS_INTERNAL_H
#define SEEKWISE_TUNE_KNOBS_INTERNAL_H

#include <limits.h>
#include <sys/types.h>

#include "seekwise/knobs.h"

/* write(2) of a knob; tests put another in its place to fail or to move values. */
extern ssize_t (*sw_sysfs_write)(int fd, const void *text, size_t n);

/* Writes text to a file of sysfs: 0 or -errno. */
int sw_sysfs_put(const char *path, const char *text);
/* SW_PASSING, SW_GONE or SW_REFUSED. */
enum sw_write_result sw_write_result_of(int err);

/* Reads one knob: 0, -ENOENT not there, -EINVAL no number, -ENODEV the disk is gone, -errno. */
int sw_knob_read(const struct sw_disk *disk, enum sw_knob_id id, int64_t *value);

/*
 * Is `found` what a kernel shows after `wanted` was written? Times are kept in
 * jiffies, so they may come back rounded up.
 */
bool sw_knob_same(enum sw_knob_id id, int64_t wanted, int64_t found);

/* Moves with nr_requests in some kernels, without anybody writing it. */
bool sw_knob_follows(enum sw_knob_id id);

/*
 * sw_knob_write without our bounds: what was there before us goes back
 * whatever it was. errno tells what was in the way, except after SW_WRITTEN
 * and SW_UNCHANGED.
 */
enum sw_write_result sw_knob_put(const struct sw_disk *disk, enum sw_knob_id id, int64_t expected,
				 int64_t value, const struct sw_settings *known, char *why,
				 size_t why_size, uint64_t *took_ns);

/* Makes <run>, mode 0755, if it is missing: 0 or -errno. */
int sw_run_make(void);
/* <run>/DISK.suffix: 0, -EINVAL for a name that would lead elsewhere, -ENAMETOOLONG. */
int sw_run_path(const char *disk, const char *suffix, char path[PATH_MAX]);
/*
 * Puts text into <run>/DISK.suffix so that either the old or the new content
 * survives a crash: temporary file, fsync, rename, fsync of the folder.
 */
int sw_run_save(const char *disk, const char *suffix, const char *text, size_t n);
/* Removes <run>/DISK.suffix; one that is not there is no error. */
int sw_run_remove(const char *disk, const char *suffix);

/* The baseline file's content. */
struct sw_stored {
	struct sw_baseline baseline;
	/* Values that may still be in force because the write of `written` did not happen yet. */
	struct sw_settings previous;
	unsigned int major, minor;
	char switched[32];  /* the scheduler that we put in force last; "" we did not switch */
	char switching[32]; /* the one of a switch that may have happened or not; "" no such */
	uint64_t instance;  /* of the scheduler: inode number of queue/iosched, 0 unknown */
	char boot_id[64];
};
#define SW_STORED_SIZE 4096
/* Length of the text, or -E2BIG. */
int sw_stored_format(const struct sw_stored *stored, char text[SW_STORED_SIZE]);
/* 0 or -EBADMSG: torn, changed by hand, or of another version. Changes `text`. */
int sw_stored_parse(char *text, struct sw_stored *stored);

#endif
