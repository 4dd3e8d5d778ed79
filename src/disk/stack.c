// SPDX-License-Identifier: GPL-2.0-or-later
/* What lies below and above a disk: partitions, members of dm and md, arrays. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "seekwise/base.h"
#include "sysfs.h"

/* Real stacks are three or four high; more is a loop in a broken tree. */
#define MAX_HEIGHT 16

/* sysfs keeps a partition's folder inside its disk's. */
static int disk_of_partition(const char *partition, char whole[SW_DISK_NAME])
{
	char real[PATH_MAX], *slash, *name;

	if (sw_sys_real(real, "class/block/%s", partition))
		return -ENODEV;
	slash = strrchr(real, '/');
	*slash = '\0';
	name = strrchr(real, '/');
	if (!name || !sw_sys_name_ok(name + 1))
		return -ENODEV;
	snprintf(whole, SW_DISK_NAME, "%.*s", SW_DISK_NAME - 1, name + 1);
	return 1;
}

int sw_disk_whole(const char *name, char whole[SW_DISK_NAME])
{
	if (!sw_sys_name_ok(name))
		return -ENODEV;
	if (sw_sys_exists("class/block/%s/partition", name))
		return disk_of_partition(name, whole);
	if (!sw_sys_exists("block/%s", name))
		return -ENODEV;
	snprintf(whole, SW_DISK_NAME, "%s", name);
	return 0;
}

struct descent {
	struct sw_members *members;
	int height;
	bool any;
};

static int descend(struct descent *from, const char *name);

static int add_disk(struct sw_members *members, const char *name)
{
	struct sw_disk disk;
	int i, err = sw_disk_read(name, &disk);

	if (err)
		return err;
	if (!disk.sectors)
		return -ENOTSUP;
	for (i = 0; i < members->count; i++)
		if (!strcmp(members->disks[i].name, name))
			return 0;
	if (members->count >= members->max)
		return -E2BIG;
	members->disks[members->count++] = disk;
	return 0;
}

/* One member without requests (zram below a mirror) does not hide the others. */
static int visit_slave(const char *entry, void *arg)
{
	struct descent *from = arg;
	int err = descend(from, entry);

	return err == -ENOTSUP ? 0 : err;
}

struct path_walk {
	struct descent *from;
	const char *head;
};

static int visit_path(const char *entry, void *arg)
{
	struct path_walk *walk = arg;
	char head[SW_DISK_NAME];

	if (!sw_path_head(entry, head) || strcmp(head, walk->head) || !sw_disk_hidden(entry))
		return 0;
	return visit_slave(entry, walk->from);
}

static int visit_any_path(const char *entry, void *arg)
{
	char head[SW_DISK_NAME];

	return sw_path_head(entry, head) && !strcmp(head, arg) && sw_disk_hidden(entry);
}

bool sw_has_paths(const char *name)
{
	char head[SW_DISK_NAME];

	snprintf(head, sizeof(head), "%s", name);
	return sw_sys_each(visit_any_path, head, "block") == 1;
}

/* The hidden paths of an NVMe multipath device are no slaves: their names tell. */
static int visit_paths(struct descent *from, const char *head)
{
	struct path_walk walk = { from, head };

	return sw_sys_each(visit_path, &walk, "block");
}

static int descend(struct descent *from, const char *name)
{
	struct descent below = { .members = from->members, .height = from->height + 1 };
	char whole[SW_DISK_NAME];
	int err = sw_disk_whole(name, whole);

	if (err < 0)
		return err;
	if (below.height > MAX_HEIGHT)
		return -ELOOP;
	if (sw_disk_queues(whole)) {
		err = add_disk(from->members, whole);
		from->any |= !err;
		return err;
	}
	err = sw_sys_each(visit_slave, &below, "block/%s/slaves", whole);
	if (!err || err == -ENOENT)
		err = visit_paths(&below, whole);
	from->any |= below.any;
	if (err && err != -ENOENT)
		return err;
	return below.any ? 0 : -ENOTSUP;
}

int sw_members_add(struct sw_members *members, const char *name)
{
	struct descent top = { .members = members };

	return descend(&top, name);
}

struct ascent {
	const char *folder; /* of the disk or partition, below <sys> */
	int height;
	char *array;
	size_t size;
};

static int look_above(struct ascent *at);

/* "frozen" holds a resync back, so the members are quiet. */
static bool resyncs(const char *name)
{
	char action[32];

	return sw_sys_text(action, sizeof(action), "block/%s/md/sync_action", name) > 0 &&
	       strcmp(action, "idle") && strcmp(action, "frozen");
}

static int visit_holder(const char *entry, void *arg)
{
	struct ascent *from = arg, above = *from;
	char folder[PATH_MAX];

	if (resyncs(entry)) {
		snprintf(from->array, from->size, "%s", entry);
		return 1;
	}
	snprintf(folder, sizeof(folder), "block/%s", entry);
	above.folder = folder;
	above.height++;
	return above.height > MAX_HEIGHT ? 0 : look_above(&above);
}

static int visit_partition(const char *entry, void *arg)
{
	struct ascent *disk = arg;

	if (!sw_sys_exists("%s/%s/partition", disk->folder, entry))
		return 0;
	return sw_sys_each(visit_holder, disk, "%s/%s/holders", disk->folder, entry) == 1;
}

static int look_above(struct ascent *at)
{
	if (sw_sys_each(visit_holder, at, "%s/holders", at->folder) == 1)
		return 1;
	return sw_sys_each(visit_partition, at, "%s", at->folder) == 1;
}

int sw_disk_resyncing(const struct sw_disk *disk, char *array, size_t size)
{
	char folder[SW_DISK_NAME + 8], head[SW_DISK_NAME];
	struct ascent at = { .folder = folder, .array = array, .size = size };
	bool path = sw_path_head(disk->name, head);

	if (size)
		array[0] = '\0';
	if (!sw_sys_name_ok(disk->name))
		return 0;
	/* Arrays are made of the multipath device, not of its paths. */
	snprintf(folder, sizeof(folder), "block/%s", path ? head : disk->name);
	return look_above(&at);
}
