// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading the small files of sysfs and proc. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "seekwise/base.h"

/* Reads until the end or until `size` bytes are there. */
static ssize_t read_all(int fd, char *buf, size_t size)
{
	size_t total = 0;
	ssize_t n;

	while (total < size) {
		n = read(fd, buf + total, size - total);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			break;
		total += (size_t)n;
	}
	return (ssize_t)total;
}

/* A full buffer is still enough when its last byte is the newline that goes away. */
static ssize_t read_text(int fd, char *buf, size_t size)
{
	ssize_t n = read_all(fd, buf, size);
	char more;

	if (n < 0)
		return n;
	if ((size_t)n == size && (!n || buf[n - 1] != '\n' || read_all(fd, &more, 1)))
		return -E2BIG;
	if (n && buf[n - 1] == '\n')
		n--;
	buf[n] = '\0';
	return n;
}

int sw_read_file(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	ssize_t n;

	if (fd < 0)
		return -errno;
	/* A pipe in a file's place would be waited for. */
	if (fstat(fd, &st) || S_ISFIFO(st.st_mode))
		n = -EINVAL;
	else
		n = read_text(fd, buf, size);
	close(fd);
	return (int)n;
}

int sw_read_u64(const char *path, uint64_t *value)
{
	char text[32];
	int n = sw_read_file(path, text, sizeof(text));

	if (n == -E2BIG)
		return -EINVAL;
	return n < 0 ? n : sw_parse_u64(text, 0, UINT64_MAX, value);
}
