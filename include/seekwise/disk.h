/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Disks: from what a user names to the whole disk, and what sysfs tells of it. */
#ifndef SEEKWISE_DISK_H
#define SEEKWISE_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SW_DISK_NAME 32

struct sw_disk {
	char name[SW_DISK_NAME]; /* as in /sys/block; '!' for '/' */
	unsigned int major, minor;
	uint64_t diskseq;   /* 0: not told by this kernel */
	char scheduler[32]; /* in force; "none"; "" for bio-based devices */
	char zoned[16];     /* none, host-aware, host-managed */
	bool rotational;
	unsigned int queues;     /* hardware queues; 0: bio-based, no requests to see */
	unsigned int queue_tags; /* largest number of driver tags of one queue */
	uint64_t nr_requests;
	uint64_t sectors;
};

/*
 * Finds the whole disks that `what` stands for: a name (sda, dm-0), a path
 * (device node, partition, symbolic link) or a mount point. A partition stands
 * for its disk, a dm or md device for its members (down to request-based
 * disks), an NVMe multipath device for its hidden paths. Fills at most `max`
 * disks, by name, without repeating one; `note` gets one
 * sentence when that was not what was named ("sda1 is a partition of sda"),
 * else "". Returns the number, or -errno: -ENODEV unknown, -ENOTBLK not a
 * block device (a plain file or folder that is no mount point), -ENOTSUP a
 * device without requests and members (zram, an unbound loop), -E2BIG more
 * than max.
 */
int sw_disk_resolve(const char *what, struct sw_disk *disks, int max, char *note, size_t note_size);

/*
 * Does `what`, resolved to that many members, name a device without requests of
 * its own? Its name then: of the device (md0, dm-3, nvme0n1), or `what` itself
 * for a btrfs on several.
 */
bool sw_disk_stack(const char *what, int members, char *name, size_t size);

/* All request-based disks with a size above 0, sorted by name; number or -errno. */
int sw_disk_list(struct sw_disk *disks, int max);

/* Reads sysfs anew (scheduler, nr_requests...). 0, -ENODEV when the disk is gone or replaced. */
int sw_disk_refresh(struct sw_disk *disk);

/*
 * A disk that is looked at again and again, at a fraction of the cost of sw_disk_refresh: its
 * files of what may change at any time stay open (watch.c). All 0: not opened yet.
 */
struct sw_watch {
	bool open;
	int size, sequence, scheduler; /* -1: this kernel has no such file */
};
/*
 * Is the disk still there and the same, with a medium? Sets its size and its scheduler. The
 * first look opens the files.
 */
bool sw_watch_look(struct sw_watch *watch, struct sw_disk *disk);
void sw_watch_close(struct sw_watch *watch);
/* Requests that its pools have together at this moment; 0: not told. */
uint64_t sw_disk_pool(const struct sw_disk *disk);

/* One sentence for the errors of sw_disk_resolve, naming `what`. */
void sw_disk_why(const char *what, int err, char *text, size_t size);

/* 1 if an array that the disk is a member of resyncs, checks or rebuilds (its name in `array`),
 * else 0. */
int sw_disk_resyncing(const struct sw_disk *disk, char *array, size_t size);

/* What bears on a disk besides its knobs. Numbers are 0 where they are not told. */
struct sw_around {
	uint64_t queue_depth;       /* requests that the device may be given at a time */
	uint64_t read_ahead_kb;     /* KiB; 0: there is none */
	uint64_t max_sectors_kb;    /* the largest request, KiB */
	uint64_t max_hw_sectors_kb; /* that the device could take */
	bool unthrottled;           /* write-back throttling is there, and off */
	char array[SW_DISK_NAME];   /* that resyncs, of which it is a member; "" none */
	uint64_t sync_speed;        /* of that, KiB/s */
	bool switched; /* the scheduler was, while the disk was observed (the caller knows) */
};

void sw_around_read(const struct sw_disk *disk, struct sw_around *around);

#endif
