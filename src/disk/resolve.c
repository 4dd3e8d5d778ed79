// SPDX-License-Identifier: GPL-2.0-or-later
/* From what a user names to the whole disks that it stands for. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "seekwise/base.h"
#include "note.h"
#include "sysfs.h"

/* The last part of a path, as a name of sysfs. */
static int take_name(const char *path, char name[SW_DISK_NAME])
{
	const char *slash = strrchr(path, '/'), *last = slash ? slash + 1 : path;

	if (!sw_sys_name_ok(last))
		return -ENODEV;
	snprintf(name, SW_DISK_NAME, "%.*s", SW_DISK_NAME - 1, last);
	return 0;
}

/* sysfs writes '!' where the name of the device has '/' (cciss/c0d0). */
static int take_slashed_name(const char *text, char name[SW_DISK_NAME])
{
	char *slash;

	if (strlen(text) >= SW_DISK_NAME)
		return -ENODEV;
	snprintf(name, SW_DISK_NAME, "%s", text);
	while ((slash = strchr(name, '/')))
		*slash = '!';
	if (!sw_sys_name_ok(name) || !sw_sys_exists("class/block/%s", name))
		return -ENODEV;
	return 0;
}

static int by_number(unsigned int major, unsigned int minor, char name[SW_DISK_NAME])
{
	char real[PATH_MAX];

	if (sw_sys_real(real, "dev/block/%u:%u", major, minor))
		return -ENODEV;
	return take_name(real, name);
}

/*
 * Tests make trees without root and so without device nodes: where SEEKWISE_DEV
 * leads away from /dev, a plain file below it stands for the device of its name.
 */
static int by_stand_in(const char *path, char name[SW_DISK_NAME])
{
	char root[PATH_MAX], real[PATH_MAX];
	size_t n;

	if (!realpath(sw_roots.dev, root) || !strcmp(root, "/dev") || !realpath(path, real))
		return -ENOTBLK;
	n = strlen(root);
	if (strncmp(real, root, n) || real[n] != '/')
		return -ENOTBLK;
	return take_slashed_name(real + n + 1, name);
}

static int by_node(const char *path, const struct stat *st, char name[SW_DISK_NAME])
{
	if (S_ISBLK(st->st_mode))
		return by_number(gnu_dev_major(st->st_rdev), gnu_dev_minor(st->st_rdev), name);
	return S_ISREG(st->st_mode) ? by_stand_in(path, name) : -ENOTBLK;
}

/* btrfs and others have an anonymous number; then the source is all that tells. */
static int by_mount(const char *path, struct sw_start *start)
{
	struct sw_mount mount;
	struct stat st;
	int err = sw_mount_find(path, &mount);

	if (err)
		return err;
	start->mounted = true;
	if (mount.major)
		return by_number(mount.major, mount.minor, start->name);
	if (mount.source[0] != '/' || stat(mount.source, &st))
		return -ENOTBLK;
	start->btrfs = mount.btrfs;
	return by_node(mount.source, &st, start->name);
}

/* A name wins over a relative path of the same spelling. */
int sw_start_find(const char *what, struct sw_start *start)
{
	struct stat st;

	memset(start, 0, sizeof(*start));
	if (*what != '/' && !take_slashed_name(what, start->name))
		return 0;
	if (!*what || stat(what, &st)) {
		if (!*what || errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG)
			return -ENODEV;
		return -errno;
	}
	if (S_ISDIR(st.st_mode))
		return by_mount(what, start);
	return by_node(what, &st, start->name);
}

struct btrfs_walk {
	struct sw_members *members;
	const char *device;
	int devices;
};

static int visit_btrfs_device(const char *entry, void *arg)
{
	struct btrfs_walk *walk = arg;
	int err = sw_members_add(walk->members, entry);

	walk->devices++;
	return err == -ENOTSUP ? 0 : err;
}

static int visit_btrfs(const char *entry, void *arg)
{
	struct btrfs_walk *walk = arg;

	if (!sw_sys_exists("fs/btrfs/%s/devices/%s", entry, walk->device))
		return 0;
	return sw_sys_each(visit_btrfs_device, walk, "fs/btrfs/%s/devices", entry);
}

/* mountinfo names one device of a btrfs that may lie on several. */
static int add_btrfs(struct sw_members *members, struct sw_start *start)
{
	struct btrfs_walk walk = { .members = members, .device = start->name };
	int err = sw_sys_each(visit_btrfs, &walk, "fs/btrfs");

	if (err && err != -ENOENT)
		return err;
	start->devices = walk.devices;
	if (!walk.devices)
		return sw_members_add(members, start->name);
	return members->count ? 0 : -ENOTSUP;
}

int sw_disk_resolve(const char *what, struct sw_disk *disks, int max, char *note, size_t note_size)
{
	struct sw_members members = { .disks = disks, .max = max };
	struct sw_start start;
	int err;

	if (note_size)
		note[0] = '\0';
	err = sw_start_find(what, &start);
	if (!err && start.btrfs)
		err = add_btrfs(&members, &start);
	else if (!err)
		err = sw_members_add(&members, start.name);
	if (err)
		return err;
	sw_disk_sort(disks, members.count);
	sw_note_write(what, &start, &members, note, note_size);
	return members.count;
}

bool sw_disk_stack(const char *what, int members, char *name, size_t size)
{
	struct sw_start start;
	char whole[SW_DISK_NAME];

	if (sw_start_find(what, &start) || sw_disk_whole(start.name, whole) < 0)
		return false;
	if (start.btrfs && members > 1)
		snprintf(name, size, "%s", what);
	else if (!sw_disk_queues(whole))
		snprintf(name, size, "%s", whole);
	else
		return false;
	return true;
}
