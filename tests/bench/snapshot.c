// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * snapshot DISK...: how long one look at all the disks takes that an interval of
 * top ends with: what sysfs tells of them, and their windows, of the core figures
 * and, as in report, of all groups. One line for each, "NAME MEDIAN P95" in us.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "seekwise/base.h"
#include "seekwise/disk.h"
#include "seekwise/observe.h"

#define LOOKS 100
#define MAX_DISKS 256
/* Between two looks caches go cold, as they do between intervals. */
#define PAUSE_NS 20000000

static struct sw_disk disks[MAX_DISKS];
static int count;

static int by_size(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return left < right ? -1 : left > right;
}

static void print(const char *name, const uint64_t *ns)
{
	uint64_t sorted[LOOKS];

	memcpy(sorted, ns, sizeof(sorted));
	qsort(sorted, LOOKS, sizeof(*sorted), by_size);
	printf("%s %.0f %.0f\n", name, (double)sorted[LOOKS / 2] / 1e3,
	       (double)sorted[LOOKS * 95 / 100] / 1e3);
}

static void take_windows(struct sw_observer *observer)
{
	static struct sw_window window;
	int i;

	for (i = 0; i < count; i++)
		sw_observer_window(observer, i, &window);
}

static void read_sysfs(void)
{
	int i;

	for (i = 0; i < count; i++)
		sw_disk_refresh(&disks[i]);
}

/* 0, or 1 after saying why not. */
static int measure(uint32_t groups, uint64_t windows[LOOKS], uint64_t sysfs[LOOKS])
{
	static const struct timespec pause = { .tv_nsec = PAUSE_NS };
	struct sw_observer *observer;
	char why[512];
	uint64_t t0, t1;
	int i;

	if (sw_observer_open(&observer, disks, count, groups, why, sizeof(why))) {
		fprintf(stderr, "snapshot: %s\n", why);
		return 1;
	}
	for (i = 0; i < LOOKS; i++) {
		nanosleep(&pause, NULL);
		t0 = sw_now_ns();
		take_windows(observer);
		t1 = sw_now_ns();
		read_sysfs();
		windows[i] = t1 - t0;
		sysfs[i] = sw_now_ns() - t1;
	}
	sw_observer_close(observer);
	return 0;
}

int main(int argc, char **argv)
{
	uint64_t windows[LOOKS], sysfs[LOOKS];
	char why[512];
	int i;

	for (i = 1; i < argc; i++) {
		if (sw_disk_resolve(argv[i], disks + count, MAX_DISKS - count, why, sizeof(why)) !=
		    1) {
			fprintf(stderr, "snapshot: %s is not one disk\n", argv[i]);
			return 1;
		}
		count++;
	}
	if (measure(0, windows, sysfs))
		return 1;
	print("windows", windows);
	print("sysfs", sysfs);
	if (measure(SW_GROUPS_ALL, windows, sysfs))
		return 1;
	print("windows-all", windows);
	return 0;
}
