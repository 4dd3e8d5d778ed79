// SPDX-License-Identifier: GPL-2.0-or-later
/* Paths below <sys>. */
#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "seekwise/base.h"
#include "sysfs.h"

bool sw_sys_name_ok(const char *name)
{
	size_t n = strlen(name);

	if (!n || n >= SW_DISK_NAME || name[0] == '.')
		return false;
	for (; *name; name++)
		if (*name == '/' || (unsigned char)*name <= ' ' || *name == 0x7f)
			return false;
	return true;
}

static int path_below_sys(char path[PATH_MAX], const char *format, va_list args)
{
	int root = snprintf(path, PATH_MAX, "%s/", sw_roots.sys), n;

	if (root < 0 || root >= PATH_MAX)
		return -ENAMETOOLONG;
	n = vsnprintf(path + root, (size_t)(PATH_MAX - root), format, args);
	return n < 0 || n >= PATH_MAX - root ? -ENAMETOOLONG : 0;
}

#define PATH_BELOW_SYS(path, format)                                                               \
	({                                                                                         \
		va_list args_;                                                                     \
		int err_;                                                                          \
		va_start(args_, format);                                                           \
		err_ = path_below_sys(path, format, args_);                                        \
		va_end(args_);                                                                     \
		err_;                                                                              \
	})

bool sw_sys_exists(const char *format, ...)
{
	char path[PATH_MAX];

	return !PATH_BELOW_SYS(path, format) && !access(path, F_OK);
}

int sw_sys_text(char *buf, size_t size, const char *format, ...)
{
	char path[PATH_MAX];
	int n = PATH_BELOW_SYS(path, format);

	if (!n)
		n = sw_read_file(path, buf, size);
	if (n < 0)
		buf[0] = '\0';
	return n;
}

uint64_t sw_sys_number(uint64_t missing, const char *format, ...)
{
	char path[PATH_MAX];
	uint64_t value;

	if (PATH_BELOW_SYS(path, format) || sw_read_u64(path, &value))
		return missing;
	return value;
}

int sw_sys_real(char real[PATH_MAX], const char *format, ...)
{
	char path[PATH_MAX];
	int err = PATH_BELOW_SYS(path, format);

	if (err)
		return err;
	return realpath(path, real) ? 0 : -errno;
}

int sw_sys_each(int (*visit)(const char *entry, void *arg), void *arg, const char *format, ...)
{
	char path[PATH_MAX];
	struct dirent *entry;
	int err = PATH_BELOW_SYS(path, format);
	DIR *folder;

	if (err)
		return err;
	folder = opendir(path);
	if (!folder)
		return -errno;
	while (!err && (entry = readdir(folder)))
		if (entry->d_name[0] != '.')
			err = visit(entry->d_name, arg);
	closedir(folder);
	return err;
}
