// SPDX-License-Identifier: GPL-2.0-or-later
/* The one place that writes knobs: checked before, read back after, undone if it went wrong. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "knobs_internal.h"
#include "seekwise/base.h"

ssize_t (*sw_sysfs_write)(int fd, const void *text, size_t n) = write;

struct reason {
	char *text;
	size_t size;
};

enum sw_write_result sw_write_result_of(int err)
{
	switch (-err) {
	case EBUSY:
	case EAGAIN:
	case EINTR:
	case ENOMEM:
		return SW_PASSING;
	case ENODEV:
	case ENXIO:
		return SW_GONE;
	default:
		return SW_REFUSED;
	}
}

/*
 * In a plain file of a test tree nothing may stay behind the value; sysfs does
 * not mind. Not O_TRUNC: a write that fails must leave the old value there, too.
 */
static void cut_behind(int fd)
{
	off_t end = lseek(fd, 0, SEEK_CUR);

	if (end > 0 && ftruncate(fd, end))
		sw_log(SW_DEBUG, "cutting a knob's file: %s", sw_strerror(errno));
}

/* What a short write left shows when it is read back. */
int sw_sysfs_put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), err = 0;
	ssize_t written;

	if (fd < 0)
		return -errno;
	written = sw_sysfs_write(fd, text, strlen(text));
	if (written <= 0)
		err = written ? -errno : -EIO;
	else
		cut_behind(fd);
	if (close(fd) && !err)
		err = -errno;
	return err;
}

/* Plain decimals: the kernel takes 010 for 8 in some files and for 10 in others. */
static int write_value(const struct sw_disk *disk, enum sw_knob_id id, int64_t value)
{
	char path[PATH_MAX], text[24];

	snprintf(text, sizeof(text), "%" PRId64, value);
	snprintf(path, sizeof(path), "%s/block/%s/queue/%s", sw_roots.sys, disk->name,
		 sw_knobs[id].file);
	return sw_sysfs_put(path, text);
}

/* The disk of that name may be another one by now. */
static int check_identity(const struct sw_disk *disk)
{
	struct sw_disk now = *disk;

	return sw_disk_refresh(&now);
}

static enum sw_write_result failed(const struct sw_disk *disk, enum sw_knob_id id, const char *what,
				   int err, struct reason why)
{
	snprintf(why.text, why.size, "%s %s: %s", what, sw_knobs[id].name, sw_strerror(err));
	/* A file that vanished together with its disk says ENOENT. */
	if (err == -ENOENT && check_identity(disk) == -ENODEV)
		err = -ENODEV;
	errno = -err;
	return sw_write_result_of(err);
}

/* Knobs beside `id` that the caller knows of, as they are right before the write. */
static void read_neighbours(const struct sw_disk *disk, enum sw_knob_id id,
			    const struct sw_settings *known, struct sw_settings *before)
{
	int i;

	memset(before, 0, sizeof(*before));
	for (i = 0; known && i < SW_KNOBS; i++)
		if (known->present[i] && i != (int)id &&
		    !(id == SW_NR_REQUESTS && sw_knob_follows(i)))
			before->present[i] = !sw_knob_read(disk, i, &before->value[i]);
}

/* A neighbour that is not as it was before the write; SW_KNOBS when all are. */
static int find_moved(const struct sw_disk *disk, const struct sw_settings *before, int64_t *now)
{
	int i;

	for (i = 0; i < SW_KNOBS; i++)
		if (before->present[i] && !sw_knob_read(disk, i, now) && *now != before->value[i])
			return i;
	return SW_KNOBS;
}

/*
 * What the kernel made of the value is in nobody's interest, and would look
 * like somebody else's later. The knob goes first, since writing it may be what
 * moves the neighbours.
 */
static bool put_all_back(const struct sw_disk *disk, enum sw_knob_id id, int64_t old,
			 const struct sw_settings *before)
{
	bool back = true;
	int64_t now;
	int i;

	if (sw_knob_read(disk, id, &now) || now != old)
		back = !write_value(disk, id, old);
	back &= !sw_knob_read(disk, id, &now) && sw_knob_same(id, old, now);
	for (i = 0; i < SW_KNOBS; i++) {
		if (!before->present[i])
			continue;
		if (sw_knob_read(disk, i, &now) || now != before->value[i])
			write_value(disk, i, before->value[i]);
		back &= !sw_knob_read(disk, i, &now) && sw_knob_same(i, before->value[i], now);
	}
	return back;
}

/* After a write that reported success. */
static enum sw_write_result verify(const struct sw_disk *disk, enum sw_knob_id id, int64_t old,
				   int64_t value, const struct sw_settings *before,
				   struct reason why)
{
	int64_t found, moved_to;
	int err = sw_knob_read(disk, id, &found), moved, n;

	if (err)
		return failed(disk, id, "reading back", err, why);
	moved = find_moved(disk, before, &moved_to);
	if (sw_knob_same(id, value, found) && moved == SW_KNOBS)
		return SW_WRITTEN;
	if (!sw_knob_same(id, value, found))
		n = snprintf(why.text, why.size,
			     "%s reads %" PRId64 " after %" PRId64 " was written",
			     sw_knobs[id].name, found, value);
	else
		n = snprintf(why.text, why.size,
			     "%s moved from %" PRId64 " to %" PRId64 " when %s was written",
			     sw_knobs[moved].name, before->value[moved], moved_to,
			     sw_knobs[id].name);
	if (!put_all_back(disk, id, old, before) && n >= 0 && (size_t)n < why.size)
		snprintf(why.text + n, why.size - (size_t)n, ", and could not be put back");
	errno = EIO;
	return SW_REFUSED;
}

enum sw_write_result sw_knob_put(const struct sw_disk *disk, enum sw_knob_id id, int64_t expected,
				 int64_t value, const struct sw_settings *known, char *why_text,
				 size_t why_size, uint64_t *took_ns)
{
	struct reason why = { why_text, why_size };
	struct sw_settings before;
	uint64_t start;
	int64_t old;
	int err = check_identity(disk);

	if (!err)
		err = sw_knob_read(disk, id, &old);
	if (err)
		return failed(disk, id, "reading", err, why);
	if (old == value)
		return SW_UNCHANGED;
	if (expected != INT64_MIN && !sw_knob_same(id, expected, old)) {
		snprintf(why.text, why.size, "%s holds %" PRId64 " where %" PRId64 " was expected",
			 sw_knobs[id].name, old, expected);
		errno = EBUSY;
		return SW_FOREIGN;
	}
	read_neighbours(disk, id, known, &before);
	start = sw_now_ns();
	err = write_value(disk, id, value);
	if (took_ns)
		*took_ns += sw_now_ns() - start;
	if (err)
		return failed(disk, id, "writing", err, why);
	return verify(disk, id, old, value, &before, why);
}

/* Refused here, since the kernel would change most of these in silence. */
static bool in_bounds(const struct sw_disk *disk, enum sw_knob_id id, int64_t value,
		      struct reason why)
{
	int64_t max = sw_knobs[id].max, pool;
	const char *limit = "";

	if ((id == SW_NR_SCHED_BATCH || id == SW_ASYNC_DEPTH) &&
	    !sw_knob_read(disk, SW_NR_REQUESTS, &pool) && pool < max) {
		max = pool;
		limit = " (nr_requests in force)";
	}
	if (value >= sw_knobs[id].min && value <= max)
		return true;
	snprintf(why.text, why.size, "%s %" PRId64 " is outside %" PRId64 "...%" PRId64 "%s",
		 sw_knobs[id].name, value, sw_knobs[id].min, max, limit);
	return false;
}

enum sw_write_result sw_knob_write(const struct sw_disk *disk, enum sw_knob_id id, int64_t expected,
				   int64_t value, const struct sw_settings *known, char *why,
				   size_t why_size, uint64_t *took_ns)
{
	struct reason reason = { why, why_size };

	if (why_size)
		why[0] = '\0';
	if (!in_bounds(disk, id, value, reason))
		return SW_REFUSED;
	return sw_knob_put(disk, id, expected, value, known, why, why_size, took_ns);
}
