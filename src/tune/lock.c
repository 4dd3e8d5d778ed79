// SPDX-License-Identifier: GPL-2.0-or-later
/* One tuner per disk. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "knobs_internal.h"
#include "seekwise/base.h"

static long read_holder(int fd)
{
	char text[24];
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);
	uint64_t pid;

	if (n <= 0)
		return 0;
	text[n] = '\0';
	if (text[n - 1] == '\n')
		text[n - 1] = '\0';
	return sw_parse_u64(text, 1, INT_MAX, &pid) ? 0 : (long)pid;
}

static int write_holder(int fd)
{
	char text[24];
	int n = snprintf(text, sizeof(text), "%ld\n", (long)getpid());

	if (ftruncate(fd, 0))
		return -errno;
	if (pwrite(fd, text, (size_t)n, 0) != n)
		return -EIO;
	return 0;
}

static int try_lock(int fd, long *holder)
{
	if (!flock(fd, LOCK_EX | LOCK_NB))
		return write_holder(fd);
	if (errno != EWOULDBLOCK)
		return -errno;
	*holder = read_holder(fd);
	return -EBUSY;
}

/* The kernel lets go of the lock with the process, so the file may stay: it is never stale. */
int sw_disk_lock(const struct sw_disk *disk, long *holder)
{
	char path[PATH_MAX];
	int err = sw_run_path(disk->name, "lock", path), fd;

	*holder = 0;
	if (!err)
		err = sw_run_make();
	if (err)
		return err;
	fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return -errno;
	err = try_lock(fd, holder);
	if (err) {
		close(fd);
		return err;
	}
	return fd;
}
