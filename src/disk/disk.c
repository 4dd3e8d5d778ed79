// SPDX-License-Identifier: GPL-2.0-or-later
/* What sysfs tells of one disk, and the list of all. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seekwise/base.h"
#include "sysfs.h"

bool sw_disk_hidden(const char *name)
{
	return sw_sys_number(0, "block/%s/hidden", name) != 0;
}

bool sw_path_head(const char *path, char head[SW_DISK_NAME])
{
	unsigned int subsystem, controller, space;
	int used = 0;

	if (sscanf(path, "nvme%uc%un%u%n", &subsystem, &controller, &space, &used) != 3 ||
	    path[used])
		return false;
	snprintf(head, SW_DISK_NAME, "nvme%un%u", subsystem, space);
	return true;
}

struct queue_walk {
	const char *disk;
	unsigned int queues, tags;
};

static int visit_queue(const char *entry, void *arg)
{
	struct queue_walk *walk = arg;
	uint64_t number, tags;

	if (sw_parse_u64(entry, 0, UINT32_MAX, &number))
		return 0;
	walk->queues++;
	tags = sw_sys_number(0, "block/%s/mq/%s/nr_tags", walk->disk, entry);
	if (tags > walk->tags && tags <= UINT32_MAX)
		walk->tags = (unsigned int)tags;
	return 0;
}

unsigned int sw_disk_queues(const char *name)
{
	struct queue_walk walk = { .disk = name };

	sw_sys_each(visit_queue, &walk, "block/%s/mq", name);
	return walk.queues;
}

void sw_disk_pick_scheduler(const char *words, char *scheduler, size_t size)
{
	static const char blanks[] = " \t\n", ends[] = " \t\n[]";
	const char *word = strchr(words, '[');
	size_t n;

	scheduler[0] = '\0';
	if (word)
		word++;
	else
		word = words;
	word += strspn(word, blanks);
	n = strcspn(word, ends);
	if (!strchr(words, '[') && word[n + strspn(word + n, blanks)])
		return;
	if (n < size)
		snprintf(scheduler, size, "%.*s", (int)n, word);
}

/*
 * A hidden disk has no device node, so sysfs has no number for it; the kernel
 * counts its requests under one all the same. The statistics tell it, but for
 * kernels as old as 5.10, which have 0:0 there.
 */
static int read_hidden_number(struct sw_disk *disk)
{
	char path[PATH_MAX], name[SW_DISK_NAME], *line = NULL;
	unsigned int major = 0, minor = 0;
	size_t size = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/diskstats", sw_roots.proc);
	f = fopen(path, "re");
	if (!f)
		return -ENOTSUP;
	while (getline(&line, &size, f) >= 0) {
		if (sscanf(line, "%u %u %31s", &major, &minor, name) == 3 &&
		    !strcmp(name, disk->name))
			break;
		major = minor = 0;
	}
	free(line);
	fclose(f);
	disk->major = major;
	disk->minor = minor;
	return major ? 0 : -ENOTSUP;
}

static int read_number(struct sw_disk *disk)
{
	char text[32];
	int n = sw_sys_text(text, sizeof(text), "block/%s/dev", disk->name), used = 0;

	if (n == -ENOENT && sw_disk_hidden(disk->name))
		return read_hidden_number(disk);
	if (n < 0)
		return n == -ENOENT ? -ENODEV : n;
	if (sscanf(text, "%u:%u%n", &disk->major, &disk->minor, &used) != 2 || text[used])
		return -ENODEV;
	return 0;
}

static int read_numbers(struct sw_disk *disk)
{
	int err = read_number(disk);

	if (err)
		return err;
	disk->diskseq = sw_sys_number(0, "block/%s/diskseq", disk->name);
	disk->sectors = sw_sys_number(0, "block/%s/size", disk->name);
	return 0;
}

/* A scheduler that cannot be read must not pass for another one. */
static int read_scheduler(struct sw_disk *disk)
{
	char words[256];
	int n = sw_sys_text(words, sizeof(words), "block/%s/queue/scheduler", disk->name);

	if (n < 0 && n != -ENOENT)
		return n;
	sw_disk_pick_scheduler(words, disk->scheduler, sizeof(disk->scheduler));
	return 0;
}

static int read_queue(struct sw_disk *disk)
{
	struct queue_walk walk = { .disk = disk->name };
	int err = sw_sys_each(visit_queue, &walk, "block/%s/mq", disk->name);

	if (err && err != -ENOENT)
		return err;
	disk->queues = walk.queues;
	disk->queue_tags = walk.tags;
	err = disk->queues ? read_scheduler(disk) : 0;
	if (err)
		return err;
	if (sw_sys_text(disk->zoned, sizeof(disk->zoned), "block/%s/queue/zoned", disk->name) <= 0)
		snprintf(disk->zoned, sizeof(disk->zoned), "none");
	disk->rotational = sw_sys_number(0, "block/%s/queue/rotational", disk->name) != 0;
	disk->nr_requests = sw_sys_number(0, "block/%s/queue/nr_requests", disk->name);
	return 0;
}

int sw_disk_read(const char *name, struct sw_disk *disk)
{
	struct sw_disk fresh = { 0 };
	int err;

	if (!sw_sys_name_ok(name))
		return -ENODEV;
	snprintf(fresh.name, sizeof(fresh.name), "%s", name);
	err = read_numbers(&fresh);
	if (!err)
		err = read_queue(&fresh);
	if (!err)
		*disk = fresh;
	return err;
}

/* A zero is "not known", in a disk of which only the name is known as on old kernels. */
static bool same_disk(const struct sw_disk *a, const struct sw_disk *b)
{
	if ((a->major || a->minor) && (a->major != b->major || a->minor != b->minor))
		return false;
	return !a->diskseq || !b->diskseq || a->diskseq == b->diskseq;
}

int sw_disk_refresh(struct sw_disk *disk)
{
	struct sw_disk now;
	int err = sw_disk_read(disk->name, &now);

	if (err)
		return err;
	if (!same_disk(disk, &now))
		return -ENODEV;
	*disk = now;
	return 0;
}

uint64_t sw_disk_pool(const struct sw_disk *disk)
{
	uint64_t one = sw_sys_number(0, "block/%s/queue/nr_requests", disk->name);

	return one * (disk->queues ? disk->queues : 1);
}

static int visit_disk(const char *entry, void *arg)
{
	struct sw_members *list = arg;
	struct sw_disk disk;

	/* A disk may go away between the two looks: then it is none of the list. */
	if (sw_disk_read(entry, &disk) || !disk.queues || !disk.sectors)
		return 0;
	if (list->count == list->max)
		return -E2BIG;
	list->disks[list->count++] = disk;
	return 0;
}

static int by_name(const void *a, const void *b)
{
	const struct sw_disk *left = a, *right = b;

	return strverscmp(left->name, right->name);
}

void sw_disk_sort(struct sw_disk *disks, int count)
{
	qsort(disks, (size_t)count, sizeof(*disks), by_name);
}

int sw_disk_list(struct sw_disk *disks, int max)
{
	struct sw_members list = { .disks = disks, .max = max };
	int err = sw_sys_each(visit_disk, &list, "block");

	if (err)
		return err;
	sw_disk_sort(disks, list.count);
	return list.count;
}
