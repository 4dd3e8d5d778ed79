/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of src/disk share: reading below <sys>. */
#ifndef SEEKWISE_DISK_SYSFS_H
#define SEEKWISE_DISK_SYSFS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "seekwise/disk.h"

#define SW_SYS_FORMAT(at) __attribute__((format(printf, at, (at) + 1)))

/* Could be an entry of <sys>/block: short enough, no '/', not hidden, nothing unprintable. */
bool sw_sys_name_ok(const char *name);

/* Is there something at that path below <sys>? */
bool sw_sys_exists(const char *format, ...) SW_SYS_FORMAT(1);
/* The text of that file below <sys>: its length or -errno, with "" in buf. */
int sw_sys_text(char *buf, size_t size, const char *format, ...) SW_SYS_FORMAT(3);
/* The number in that file below <sys>, `missing` where it cannot be read. */
uint64_t sw_sys_number(uint64_t missing, const char *format, ...) SW_SYS_FORMAT(2);
/* Where that path below <sys> leads, links followed: 0 or -errno. */
int sw_sys_real(char real[PATH_MAX], const char *format, ...) SW_SYS_FORMAT(2);
/* Calls visit for each entry of a folder until one returns other than 0: that, 0 or -errno. */
int sw_sys_each(int (*visit)(const char *entry, void *arg), void *arg, const char *format, ...)
	SW_SYS_FORMAT(3);

/* The word in brackets, or the only word; "" for anything else. */
void sw_disk_pick_scheduler(const char *words, char *scheduler, size_t size);
/* Reads all of a disk by its name: 0, -ENODEV there is none, -errno. */
int sw_disk_read(const char *name, struct sw_disk *disk);
void sw_disk_sort(struct sw_disk *disks, int count); /* by name */
bool sw_disk_hidden(const char *name);
/* nvme0c1n1 is a path of the NVMe multipath device nvme0n1: is it of that form? */
bool sw_path_head(const char *path, char head[SW_DISK_NAME]);
/* Number of hardware queues; 0 for a bio-based device. */
unsigned int sw_disk_queues(const char *name);

/* The disk of a disk's or partition's name: 1 it was a partition, 0 a disk, -ENODEV neither. */
int sw_disk_whole(const char *name, char whole[SW_DISK_NAME]);

struct sw_members {
	struct sw_disk *disks;
	int count, max;
};
/* Is it an NVMe multipath device: are there hidden paths of its name? */
bool sw_has_paths(const char *head);
/* Adds the request-based disks below `name` (a disk or partition): 0, -ENOTSUP none, -errno. */
int sw_members_add(struct sw_members *members, const char *name);

/* What is mounted at a folder. */
struct sw_mount {
	unsigned int major, minor; /* major 0: anonymous, then only `source` tells */
	bool btrfs;
	char source[PATH_MAX];
};
/* 0, -ENOTBLK when `path` is no mount point, -errno. */
int sw_mount_find(const char *path, struct sw_mount *mount);

#endif
