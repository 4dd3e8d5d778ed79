// SPDX-License-Identifier: GPL-2.0-or-later
/* seekwise restore: puts the baseline back that a tuner which died left behind. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "seekwise/knobs.h"

/* A detached loop device is no disk to observe, yet its knobs may wait to be put back. */
static bool has_baseline(const char *what, struct sw_disk *disk)
{
	static char names[SW_MAX_DISKS][SW_DISK_NAME];
	int i, n = sw_baseline_list(names, SW_MAX_DISKS);
	const char *name = strncmp(what, "/dev/", 5) ? what : what + 5;

	for (i = 0; i < n; i++)
		if (!strcmp(names[i], name)) {
			memset(disk, 0, sizeof(*disk));
			memcpy(disk->name, names[i], sizeof(disk->name));
			return true;
		}
	return false;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct sw_disks *disks = state->input;

	if (key == ARGP_KEY_ARG && disks->count < SW_MAX_DISKS &&
	    has_baseline(arg, &disks->disk[disks->count])) {
		disks->count++;
		return 0;
	}
	return sw_parse_disk(key, arg, disks);
}

static const struct argp argp = { NULL,
				  parse,
				  "[DISK...]",
				  "Puts the knobs back that a tuner changed and did not put back "
				  "itself. Without DISK, on all disks.\v"
				  "A knob that somebody else changed since is left alone.",
				  NULL,
				  NULL,
				  NULL };

/* One disk: an exit code. */
static int restore(const struct sw_disk *disk)
{
	long holder = 0;
	int lock = sw_disk_lock(disk, &holder), n;

	if (lock == -EBUSY) {
		sw_log(SW_ERROR, "%s: a tuner holds it (process %ld); end that, and it restores",
		       disk->name, holder);
		return SW_BUSY;
	}
	if (lock < 0) {
		sw_log(SW_ERROR, "%s/%s.lock: %s", sw_roots.run, disk->name, sw_strerror(-lock));
		return lock == -EACCES || lock == -EPERM ? SW_NOT_PERMITTED : SW_FAILED;
	}
	n = sw_baseline_restore(disk);
	close(lock);
	if (n > 0)
		printf("%s: %d %s put back\n", disk->name, n, n == 1 ? "knob" : "knobs");
	else if (!n)
		printf("%s: nothing to put back\n", disk->name);
	else
		sw_log(SW_ERROR, "%s: not all is back: %s", disk->name, sw_strerror(-n));
	if (n >= 0)
		return SW_OK;
	return n == -EACCES || n == -EPERM ? SW_NOT_PERMITTED : SW_FAILED;
}

/* All disks that have a baseline file. */
static int restore_all(void)
{
	static char names[SW_MAX_DISKS][SW_DISK_NAME];
	int i, n = sw_baseline_list(names, SW_MAX_DISKS), code = SW_OK, one;
	struct sw_disk disk;

	if (n < 0) {
		sw_log(SW_ERROR, "%s cannot be read: %s", sw_roots.run, sw_strerror(-n));
		return SW_FAILED;
	}
	if (!n)
		printf("nothing to put back\n");
	for (i = 0; i < n; i++) {
		/* The name alone: a loop device without a file still has its knobs. */
		memset(&disk, 0, sizeof(disk));
		memcpy(disk.name, names[i], sizeof(disk.name));
		one = restore(&disk);
		code = one ? one : code;
	}
	return code;
}

int sw_cmd_restore(int argc, char **argv)
{
	static struct sw_disks disks;
	int i, code = SW_OK, one;

	argp_parse(&argp, argc, argv, 0, NULL, &disks);
	if (geteuid()) {
		sw_log(SW_ERROR, "restoring writes to /sys: it takes root");
		return SW_NOT_PERMITTED;
	}
	if (!disks.count)
		return restore_all();
	for (i = 0; i < disks.count; i++) {
		one = restore(&disks.disk[i]);
		code = one ? one : code;
	}
	return code;
}
