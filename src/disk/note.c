// SPDX-License-Identifier: GPL-2.0-or-later
/* Sentences about what was named, and about why it cannot be watched. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "seekwise/base.h"
#include "note.h"

struct text {
	char *at;
	size_t size, used;
};

static void add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct text *text, const char *format, ...)
{
	va_list args;
	int n;

	if (text->used >= text->size)
		return;
	va_start(args, format);
	n = vsnprintf(text->at + text->used, text->size - text->used, format, args);
	va_end(args);
	text->used += n > 0 ? (size_t)n : 0;
}

/* "sda, sdb and sdc" */
static void add_members(struct text *text, const struct sw_members *members)
{
	int i, last = members->count - 1;

	for (i = 0; i <= last; i++)
		add(text, "%s%s", !i ? "" : i < last ? ", " : " and ", members->disks[i].name);
}

/* Are they the hidden paths of that NVMe multipath device? */
static bool are_paths(const char *whole, const struct sw_members *members)
{
	char head[SW_DISK_NAME];

	return members->count && sw_path_head(members->disks[0].name, head) && !strcmp(head, whole);
}

static void add_stack(struct text *text, const char *name, const char *whole,
		      const struct sw_members *members)
{
	if (text->used)
		add(text, ", which stands for ");
	else
		add(text, "%s stands for ", name);
	if (are_paths(whole, members))
		add(text, members->count > 1 ? "its paths " : "its path ");
	add_members(text, members);
}

static bool is_named(const char *what, const char *name)
{
	const char *slash = strrchr(what, '/');
	const char *bang = strrchr(name, '!');

	return !strcmp(what, name) || !strcmp(slash ? slash + 1 : what, bang ? bang + 1 : name);
}

void sw_note_write(const char *what, const struct sw_start *start, const struct sw_members *members,
		   char *note, size_t size)
{
	struct text text = { .at = note, .size = size };
	char whole[SW_DISK_NAME];
	int part;

	if (start->devices > 1) {
		add(&text, "%s is a btrfs on ", what);
		add_members(&text, members);
		return;
	}
	if (start->mounted)
		add(&text, "%s is mounted from %s", what, start->name);
	else if (!is_named(what, start->name))
		add(&text, "%s is %s", what, start->name);
	part = sw_disk_whole(start->name, whole);
	if (part == 1 && text.used)
		add(&text, ", a partition of %s", whole);
	else if (part == 1)
		add(&text, "%s is a partition of %s", start->name, whole);
	if (part >= 0 && !sw_disk_queues(whole))
		add_stack(&text, start->name, whole, members);
}

/* The two kinds of devices without requests that users run into, and what else there is. */
static void why_no_requests(const char *what, char *text, size_t size)
{
	struct sw_start start;
	char whole[SW_DISK_NAME];

	if (sw_start_find(what, &start) || sw_disk_whole(start.name, whole) < 0)
		snprintf(text, size, "%s cannot be watched: it has no requests", what);
	else if (sw_disk_hidden(whole))
		snprintf(text, size,
			 "%s cannot be watched: it is a hidden path of an NVMe multipath "
			 "device, and this kernel does not tell its device number",
			 what);
	else if (sw_disk_queues(whole))
		snprintf(text, size,
			 "%s cannot be watched: its size is 0 (a loop device "
			 "that is not bound, a drive without medium)",
			 what);
	else if (sw_has_paths(whole))
		snprintf(text, size,
			 "%s cannot be watched: it is an NVMe multipath device, and this "
			 "kernel does not tell the device numbers of its hidden paths",
			 what);
	else
		snprintf(text, size,
			 "%s cannot be watched: it handles bios without making "
			 "requests of them, and has no member disks that do",
			 what);
}

void sw_disk_why(const char *what, int err, char *text, size_t size)
{
	switch (err < 0 ? -err : err) {
	case ENODEV:
		snprintf(text, size,
			 "there is no disk, partition, device node or mount point "
			 "\"%s\"",
			 what);
		break;
	case ENOTBLK:
		snprintf(text, size,
			 "%s is neither a block device nor a mount point of one; "
			 "allowed are names (sda), device paths and mount points",
			 what);
		break;
	case ENOTSUP:
		why_no_requests(what, text, size);
		break;
	case E2BIG:
		snprintf(text, size, "%s stands for more disks than can be watched at once", what);
		break;
	default:
		snprintf(text, size, "%s cannot be looked up: %s", what, sw_strerror(err));
	}
}
