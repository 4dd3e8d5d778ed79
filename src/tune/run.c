// SPDX-License-Identifier: GPL-2.0-or-later
/* Files below <run>: their names, and replacing them so that a crash cannot tear them. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "knobs_internal.h"
#include "seekwise/base.h"

int sw_run_make(void)
{
	if (mkdir(sw_roots.run, 0755) && errno != EEXIST)
		return -errno;
	return 0;
}

int sw_run_path(const char *disk, const char *suffix, char path[PATH_MAX])
{
	const char *c;
	int n;

	if (!*disk || *disk == '.' || strnlen(disk, SW_DISK_NAME) == SW_DISK_NAME)
		return -EINVAL;
	for (c = disk; *c; c++)
		if (*c == '/' || (unsigned char)*c <= ' ' || *c == 0x7f)
			return -EINVAL;
	n = snprintf(path, PATH_MAX, "%s/%s.%s", sw_roots.run, disk, suffix);
	return n < 0 || n >= PATH_MAX ? -ENAMETOOLONG : 0;
}

static int write_all(int fd, const char *text, size_t n)
{
	ssize_t written;

	while (n) {
		written = write(fd, text, n);
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return written ? -errno : -EIO;
		text += written;
		n -= (size_t)written;
	}
	return 0;
}

/* A left-over of a crash is in the way of O_EXCL, which keeps us off anything else. */
static int write_new(const char *path, const char *text, size_t n)
{
	int fd, err;

	if (unlink(path) && errno != ENOENT)
		return -errno;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return -errno;
	err = write_all(fd, text, n);
	if (!err && fsync(fd))
		err = -errno;
	if (close(fd) && !err)
		err = -errno;
	return err;
}

static int sync_folder(void)
{
	int fd = open(sw_roots.run, O_RDONLY | O_DIRECTORY | O_CLOEXEC), err = 0;

	if (fd < 0)
		return -errno;
	/* EINVAL: a file system where folders need no fsync. */
	if (fsync(fd) && errno != EINVAL)
		err = -errno;
	close(fd);
	return err;
}

int sw_run_save(const char *disk, const char *suffix, const char *text, size_t n)
{
	char path[PATH_MAX], fresh[PATH_MAX];
	int err = sw_run_path(disk, suffix, path);

	if (!err)
		err = sw_run_path(disk, "new", fresh);
	if (!err)
		err = sw_run_make();
	if (err)
		return err;
	err = write_new(fresh, text, n);
	if (!err && rename(fresh, path))
		err = -errno;
	if (err) {
		unlink(fresh);
		return err;
	}
	return sync_folder();
}

int sw_run_remove(const char *disk, const char *suffix)
{
	char path[PATH_MAX];
	int err = sw_run_path(disk, suffix, path);

	if (err)
		return err;
	if (unlink(path))
		return errno == ENOENT ? 0 : -errno;
	return sync_folder();
}
