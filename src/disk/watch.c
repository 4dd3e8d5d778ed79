// SPDX-License-Identifier: GPL-2.0-or-later
/* A disk that is looked at every second: its files in sysfs stay open. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "seekwise/base.h"
#include "sysfs.h"

static int open_file(const char *disk, const char *file)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/block/%s/%s", sw_roots.sys, disk, file);
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static void open_files(struct sw_watch *watch, const char *disk)
{
	watch->size = open_file(disk, "size");
	watch->sequence = open_file(disk, "diskseq");
	watch->scheduler = open_file(disk, "queue/scheduler");
	watch->open = true;
}

/* The file of a disk that was removed gives ENODEV, whatever has taken its name since. */
static int text_of(int fd, char *text, size_t size)
{
	ssize_t n;

	do
		n = pread(fd, text, size - 1, 0);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return 0;
}

static int number_of(int fd, uint64_t *value)
{
	char text[32];
	int err = text_of(fd, text, sizeof(text));

	return err ? err : sw_parse_u64(text, 0, UINT64_MAX, value);
}

bool sw_watch_look(struct sw_watch *watch, struct sw_disk *disk)
{
	char words[256];
	uint64_t sequence;

	if (!watch->open)
		open_files(watch, disk->name);
	/* Short of descriptors it costs more, and works. */
	if (watch->size < 0)
		return !sw_disk_refresh(disk) && disk->sectors;
	if (number_of(watch->size, &disk->sectors) || !disk->sectors)
		return false;
	if (watch->sequence >= 0 && disk->diskseq &&
	    (number_of(watch->sequence, &sequence) || sequence != disk->diskseq))
		return false;
	if (watch->scheduler < 0)
		return true;
	/* Where the read fails, the one known stays: it must not pass for another. */
	if (!text_of(watch->scheduler, words, sizeof(words)))
		sw_disk_pick_scheduler(words, disk->scheduler, sizeof(disk->scheduler));
	return true;
}

void sw_watch_close(struct sw_watch *watch)
{
	if (!watch->open)
		return;
	/* What could not be opened is -1, which close refuses. */
	close(watch->size);
	close(watch->sequence);
	close(watch->scheduler);
	watch->open = false;
}
