// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of knobs, and reading them. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "knobs_internal.h"
#include "seekwise/base.h"

const struct sw_knob sw_knobs[SW_KNOBS] = {
	[SW_NR_REQUESTS] = { "nr_requests", "nr_requests", "requests", 4, 2048, true,
			     "requests that the scheduler may hold before submitters block" },
	[SW_ASYNC_DEPTH] = { "async_depth", "async_depth", "requests", 1, 2048, true,
			     "requests that all but reads may have of nr_requests" },
	[SW_ASYNC_DEPTH_OLD] = { "async_depth", "iosched/async_depth", "requests", 1, 2048, false,
				 "requests that all but reads may have of nr_requests" },
	[SW_NR_SCHED_BATCH] = { "nr_sched_batch", "nr_sched_batch", "requests", 1, 2048, false,
				"most requests of one dispatch pass (patched kernels)" },
	[SW_FIFO_BATCH] = { "fifo_batch", "iosched/fifo_batch", "requests", 1, 4096, false,
			    "most requests of one direction batch" },
	[SW_READ_EXPIRE] = { "read_expire", "iosched/read_expire", "ms", 1, 600000, false,
			     "time after which a waiting read is looked at first" },
	[SW_WRITE_EXPIRE] = { "write_expire", "iosched/write_expire", "ms", 1, 600000, false,
			      "time after which a waiting write is looked at first" },
	[SW_WRITES_STARVED] = { "writes_starved", "iosched/writes_starved", "reads", 1, 1000, false,
				"read batches that may pass a waiting write" },
	[SW_FRONT_MERGES] = { "front_merges", "iosched/front_merges", "flag", 0, 1, false,
			      "whether a request may grow at its front" },
	[SW_PRIO_AGING_EXPIRE] = { "prio_aging_expire", "iosched/prio_aging_expire", "ms", 1,
				   600000, false,
				   "time after which a request of a lower priority class is served all the same" },
};

/* By name, or by file: async_depth has two places, of which a kernel has one. */
int sw_knob_find(const char *name)
{
	int i;

	for (i = 0; i < SW_KNOBS; i++)
		if (!strcmp(sw_knobs[i].name, name) || !strcmp(sw_knobs[i].file, name))
			return i;
	return -1;
}

bool sw_knob_is_schedulers(enum sw_knob_id id)
{
	return !strncmp(sw_knobs[id].file, "iosched/", 8);
}

bool sw_knob_follows(enum sw_knob_id id)
{
	return id == SW_ASYNC_DEPTH || id == SW_ASYNC_DEPTH_OLD || id == SW_NR_SCHED_BATCH;
}

/* As the kernel does it: to jiffies, rounded up, and back. */
static int64_t through_jiffies(int64_t ms, int64_t hz)
{
	return (ms * hz + 999) / 1000 * 1000 / hz;
}

bool sw_knob_same(enum sw_knob_id id, int64_t wanted, int64_t found)
{
	static const int64_t rates[] = { 100, 250, 300, 1000 };
	size_t i;

	if (wanted == found)
		return true;
	if (strcmp(sw_knobs[id].unit, "ms") || wanted < 0 || wanted > INT32_MAX)
		return false;
	for (i = 0; i < sizeof(rates) / sizeof(rates[0]); i++)
		if (through_jiffies(wanted, rates[i]) == found)
			return true;
	return false;
}

static bool disk_is_gone(const struct sw_disk *disk)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/block/%s", sw_roots.sys, disk->name);
	return access(path, F_OK) && errno == ENOENT;
}

/* Signed: writes_starved shows what an int holds. */
static int parse_signed(const char *text, int64_t *value)
{
	bool negative = *text == '-';
	uint64_t number;
	int err = sw_parse_u64(text + negative, 0, INT64_MAX, &number);

	if (err)
		return -EINVAL;
	*value = negative ? -(int64_t)number : (int64_t)number;
	return 0;
}

int sw_knob_read(const struct sw_disk *disk, enum sw_knob_id id, int64_t *value)
{
	char path[PATH_MAX], text[32];
	int n;

	n = snprintf(path, sizeof(path), "%s/block/%s/queue/%s", sw_roots.sys, disk->name,
		     sw_knobs[id].file);
	if (n >= (int)sizeof(path))
		return -ENAMETOOLONG;
	n = sw_read_file(path, text, sizeof(text));
	if (n == -ENOENT && disk_is_gone(disk))
		return -ENODEV;
	return n < 0 ? n : parse_signed(text, value);
}

int sw_knobs_read(const struct sw_disk *disk, struct sw_settings *settings)
{
	int i, err;

	memset(settings, 0, sizeof(*settings));
	for (i = 0; i < SW_KNOBS; i++) {
		err = sw_knob_read(disk, i, &settings->value[i]);
		/* EINVAL: the file is there, but has no meaning for this queue. */
		if (err && err != -ENOENT && err != -EINVAL)
			return err;
		settings->present[i] = !err;
	}
	return 0;
}
