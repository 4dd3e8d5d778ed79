// SPDX-License-Identifier: GPL-2.0-or-later
/* From a mount point to the device that is mounted there. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "seekwise/base.h"
#include "sysfs.h"

/* mountinfo writes blanks and backslashes as three octal digits. */
static void unescape(char *text)
{
	char *out = text;
	unsigned int byte;

	while (*text) {
		if (*text == '\\' && sscanf(text + 1, "%3o", &byte) == 1 && strlen(text) >= 4) {
			*out++ = (char)byte;
			text += 4;
		} else {
			*out++ = *text++;
		}
	}
	*out = '\0';
}

/*
 * "36 35 8:1 /root /mount/point rw shared:1 - ext4 /dev/sda1 rw": fills mount
 * if the line is about `point`.
 */
static bool take_line(char *line, const char *point, struct sw_mount *mount)
{
	char where[PATH_MAX], type[64], source[PATH_MAX], *rest;
	unsigned int major, minor;

	rest = strstr(line, " - ");
	if (!rest || sscanf(line, "%*s %*s %u:%u %*s %4095s", &major, &minor, where) != 3)
		return false;
	if (sscanf(rest, " - %63s %4095s", type, source) != 2)
		return false;
	unescape(where);
	if (strcmp(where, point))
		return false;
	unescape(source);
	mount->major = major;
	mount->minor = minor;
	mount->btrfs = !strcmp(type, "btrfs");
	snprintf(mount->source, sizeof(mount->source), "%s", source);
	return true;
}

/* The last line wins: a later mount covers an earlier one. */
static int search_mountinfo(const char *point, struct sw_mount *mount)
{
	char path[PATH_MAX], *line = NULL;
	size_t size = 0;
	int err = -ENOTBLK;
	FILE *f;

	snprintf(path, sizeof(path), "%s/self/mountinfo", sw_roots.proc);
	f = fopen(path, "re");
	if (!f)
		return -ENOTBLK;
	while (getline(&line, &size, f) >= 0)
		if (take_line(line, point, mount))
			err = 0;
	free(line);
	fclose(f);
	return err;
}

/* For a mount that mountinfo does not name, as seen from within a chroot. */
static int compare_with_parent(const char *point, struct sw_mount *mount)
{
	char parent[PATH_MAX + 4];
	struct stat here, above;

	snprintf(parent, sizeof(parent), "%s/..", point);
	if (stat(point, &here) || stat(parent, &above))
		return -errno;
	if (here.st_dev == above.st_dev || !gnu_dev_major(here.st_dev))
		return -ENOTBLK;
	mount->major = gnu_dev_major(here.st_dev);
	mount->minor = gnu_dev_minor(here.st_dev);
	mount->btrfs = false;
	mount->source[0] = '\0';
	return 0;
}

int sw_mount_find(const char *path, struct sw_mount *mount)
{
	char point[PATH_MAX];

	if (!realpath(path, point))
		return -errno;
	if (!search_mountinfo(point, mount))
		return 0;
	return compare_with_parent(point, mount);
}
