// SPDX-License-Identifier: GPL-2.0-or-later
/* Which schedulers a disk offers, and putting one in force. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "knobs_internal.h"
#include "seekwise/base.h"

static int scheduler_path(const struct sw_disk *disk, char path[PATH_MAX])
{
	int n = snprintf(path, PATH_MAX, "%s/block/%s/queue/scheduler", sw_roots.sys, disk->name);

	return n < PATH_MAX ? 0 : -ENAMETOOLONG;
}

/* "none [mq-deadline] kyber": a module that is not loaded is not among them. */
bool sw_scheduler_offered(const struct sw_disk *disk, const char *scheduler, char *offered,
			  size_t size)
{
	char path[PATH_MAX], words[256], *word, *rest = NULL;
	bool found = false;
	size_t used = 0;

	offered[0] = '\0';
	if (scheduler_path(disk, path) || sw_read_file(path, words, sizeof(words)) < 0)
		return false;
	for (word = strtok_r(words, " []\n", &rest); word; word = strtok_r(NULL, " []\n", &rest)) {
		found |= !strcmp(word, scheduler);
		if (used < size)
			used += (size_t)snprintf(offered + used, size - used, "%s%s",
						 used ? ", " : "", word);
	}
	return found;
}

static enum sw_write_result failed(const char *what, int err, char *why, size_t why_size)
{
	snprintf(why, why_size, "%s the scheduler: %s", what, sw_strerror(err));
	errno = -err;
	return sw_write_result_of(err);
}

enum sw_write_result sw_scheduler_write(const struct sw_disk *disk, const char *expected,
					const char *scheduler, char *why, size_t why_size)
{
	struct sw_disk now = *disk;
	char path[PATH_MAX];
	int err = sw_disk_refresh(&now);

	if (err)
		return failed("reading", err, why, why_size);
	if (!strcmp(now.scheduler, scheduler))
		return SW_UNCHANGED;
	if (strcmp(now.scheduler, expected)) {
		snprintf(why, why_size, "the scheduler is %s where %s was expected", now.scheduler,
			 expected);
		errno = EBUSY;
		return SW_FOREIGN;
	}
	err = scheduler_path(disk, path);
	if (!err)
		err = sw_sysfs_put(path, scheduler);
	if (err)
		return failed("writing", err, why, why_size);
	err = sw_disk_refresh(&now);
	if (err)
		return failed("reading back", err, why, why_size);
	if (!strcmp(now.scheduler, scheduler))
		return SW_WRITTEN;
	snprintf(why, why_size, "the scheduler is %s after %s was written", now.scheduler,
		 scheduler);
	errno = EIO;
	return SW_REFUSED;
}
