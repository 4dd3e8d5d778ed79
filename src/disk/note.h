/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saying in words what a name was taken for. */
#ifndef SEEKWISE_DISK_NOTE_H
#define SEEKWISE_DISK_NOTE_H

#include <stdbool.h>

#include "sysfs.h"

/* The device that was named, before partitions and stacks are looked through. */
struct sw_start {
	char name[SW_DISK_NAME];
	bool mounted; /* it was named by a mount point */
	bool btrfs;   /* of a file system that may lie on several devices */
	int devices;  /* how many those are, 0 when they are not known */
};

/* 0, -ENODEV unknown, -ENOTBLK no block device, -errno. */
int sw_start_find(const char *what, struct sw_start *start);

/* One sentence when the members are not simply what was named, else "". */
void sw_note_write(const char *what, const struct sw_start *start, const struct sw_members *members,
		   char *note, size_t size);

#endif
