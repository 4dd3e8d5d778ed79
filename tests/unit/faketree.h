/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A made-up sysfs, dev, proc and run tree in a folder of its own, laid out and
 * linked as the kernel does it, for tests that must not touch the real ones.
 * Failing to make it ends the test program. Paths are relative to the root:
 * "sys/block/sda/size".
 */
#ifndef SEEKWISE_TESTS_FAKETREE_H
#define SEEKWISE_TESTS_FAKETREE_H

#include <stdint.h>

#include "seekwise/disk.h"

#define FAKE_BOOT_ID "6f0c9f1e-3b0a-4c39-8a4f-2d2f5c1b7a10"

struct faketree {
	char root[64];
	char sys[80], dev[80], proc[80], run[80];
};

/* Makes the tree and points sw_roots to it; remove points it back. run is not made. */
void faketree_make(struct faketree *tree);
void faketree_remove(struct faketree *tree);

/* Writes a file, with the folders above it; a newline is added. */
void faketree_write(const struct faketree *tree, const char *path, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Text of a file without its newline, "" if there is none; a static buffer. */
const char *faketree_read(const struct faketree *tree, const char *path);
void faketree_folder(const struct faketree *tree, const char *path);
void faketree_link(const struct faketree *tree, const char *target, const char *path);
/* Removes a file, a link, or a folder with all that is in it. */
void faketree_delete(const struct faketree *tree, const char *path);
/* A whole path, in a static buffer. */
const char *faketree_path(const struct faketree *tree, const char *path);

/*
 * A rotational disk under mq-deadline with the knobs of a 6.x kernel at their
 * defaults, one hardware queue of 32 tags, 2 GB, diskseq 7. It has a stand-in
 * in dev.
 */
void faketree_disk(const struct faketree *tree, const char *name, unsigned int major,
		   unsigned int minor);
void faketree_partition(const struct faketree *tree, const char *disk, const char *name,
			unsigned int major, unsigned int minor);
/* A device without requests: dm, md, zram. */
void faketree_bio_device(const struct faketree *tree, const char *name, unsigned int major,
			 unsigned int minor);
/*
 * A hidden path of an NVMe multipath device: without number and stand-in. Its number is
 * in the statistics.
 */
void faketree_hidden_path(const struct faketree *tree, const char *name, unsigned int major,
			  unsigned int minor);
/* Puts a device (disk, or "disk/partition") below a stacked one: slaves and holders. */
void faketree_member(const struct faketree *tree, const char *stack, const char *member);
/* Adds a line to mountinfo. */
void faketree_mount(const struct faketree *tree, unsigned int major, unsigned int minor,
		    const char *point, const char *type, const char *source);
/* A knob or other file of a disk's queue. */
void faketree_set(const struct faketree *tree, const char *disk, const char *file, int64_t value);
int64_t faketree_get(const struct faketree *tree, const char *disk, const char *file);

#endif
