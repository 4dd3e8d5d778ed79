// SPDX-License-Identifier: GPL-2.0-or-later
/* See faketree.h. */
#include "faketree.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "seekwise/base.h"

static void must(bool done, const char *what, const char *path)
{
	if (done)
		return;
	fprintf(stderr, "faketree: cannot %s %s: %s\n", what, path, strerror(errno));
	exit(99);
}

static void form(char text[PATH_MAX], const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void form(char text[PATH_MAX], const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text, PATH_MAX, format, args);
	va_end(args);
	errno = ENAMETOOLONG;
	must(n >= 0 && n < PATH_MAX, "use", format);
}

const char *faketree_path(const struct faketree *tree, const char *path)
{
	static char whole[PATH_MAX];

	form(whole, "%s/%s", tree->root, path);
	return whole;
}

static void make_folder(char *path)
{
	must(!mkdir(path, 0755) || errno == EEXIST, "make", path);
}

/* All folders of `path`, its last part only if `last` is set. */
static void make_folders(const char *path, bool last)
{
	char part[PATH_MAX], *slash;

	form(part, "%s", path);
	for (slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		make_folder(part);
		*slash = '/';
	}
	if (last)
		make_folder(part);
}

void faketree_folder(const struct faketree *tree, const char *path)
{
	make_folders(faketree_path(tree, path), true);
}

static void put_text(const char *path, const char *mode, const char *text)
{
	FILE *f;

	make_folders(path, false);
	f = fopen(path, mode);
	must(f && fprintf(f, "%s\n", text) >= 0, "write", path);
	must(!fclose(f), "close", path);
}

void faketree_write(const struct faketree *tree, const char *path, const char *format, ...)
{
	char text[4096];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	put_text(faketree_path(tree, path), "w", text);
}

const char *faketree_read(const struct faketree *tree, const char *path)
{
	static char text[4096];

	if (sw_read_file(faketree_path(tree, path), text, sizeof(text)) < 0)
		text[0] = '\0';
	return text;
}

void faketree_link(const struct faketree *tree, const char *target, const char *path)
{
	const char *whole = faketree_path(tree, path);

	make_folders(whole, false);
	must(!symlink(target, whole), "link", whole);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static void remove_all(const char *path)
{
	must(!nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS), "remove", path);
}

void faketree_delete(const struct faketree *tree, const char *path)
{
	remove_all(faketree_path(tree, path));
}

void faketree_make(struct faketree *tree)
{
	snprintf(tree->root, sizeof(tree->root), "/tmp/seekwise-tree.XXXXXX");
	must(mkdtemp(tree->root), "make", tree->root);
	snprintf(tree->sys, sizeof(tree->sys), "%s/sys", tree->root);
	snprintf(tree->dev, sizeof(tree->dev), "%s/dev", tree->root);
	snprintf(tree->proc, sizeof(tree->proc), "%s/proc", tree->root);
	snprintf(tree->run, sizeof(tree->run), "%s/run", tree->root);
	sw_roots = (struct sw_roots){ tree->sys, tree->dev, tree->proc, tree->run };
	faketree_folder(tree, "sys/block");
	faketree_folder(tree, "sys/class/block");
	faketree_folder(tree, "sys/dev/block");
	faketree_folder(tree, "dev");
	faketree_write(tree, "proc/sys/kernel/random/boot_id", FAKE_BOOT_ID);
	faketree_write(tree, "proc/self/mountinfo", "20 1 0:3 / / rw - tmpfs tmpfs rw");
}

void faketree_remove(struct faketree *tree)
{
	remove_all(tree->root);
	sw_roots = (struct sw_roots){ "/sys", "/dev", "/proc", "/run/seekwise" };
}

static void write_of(const struct faketree *tree, const char *folder, const char *file,
		     const char *text)
{
	char path[PATH_MAX];

	form(path, "sys/devices/%s/%s", folder, file);
	faketree_write(tree, path, "%s", text);
}

/* The device's folder, and the links by which it is found. */
static void add_device(const struct faketree *tree, const char *folder, unsigned int major,
		       unsigned int minor)
{
	const char *slash = strrchr(folder, '/'), *name = slash ? slash + 1 : folder;
	char target[PATH_MAX], path[PATH_MAX], *bang;

	form(target, "%u:%u", major, minor);
	write_of(tree, folder, "dev", target);
	form(target, "sys/devices/%s/holders", folder);
	faketree_folder(tree, target);
	form(target, "../../devices/%s", folder);
	form(path, "sys/class/block/%s", name);
	faketree_link(tree, target, path);
	form(path, "sys/dev/block/%u:%u", major, minor);
	faketree_link(tree, target, path);
	form(path, "dev/%s", name);
	while ((bang = strchr(path, '!')))
		*bang = '/';
	faketree_write(tree, path, "stands for a device");
}

static void add_whole(const struct faketree *tree, const char *name, unsigned int major,
		      unsigned int minor)
{
	char target[PATH_MAX], path[PATH_MAX];

	add_device(tree, name, major, minor);
	form(target, "../devices/%s", name);
	form(path, "sys/block/%s", name);
	faketree_link(tree, target, path);
	form(path, "sys/devices/%s/slaves", name);
	faketree_folder(tree, path);
	write_of(tree, name, "size", "4194304");
	write_of(tree, name, "diskseq", "7");
}

void faketree_disk(const struct faketree *tree, const char *name, unsigned int major,
		   unsigned int minor)
{
	static const struct {
		const char *file, *text;
	} files[] = {
		{ "mq/0/nr_tags", "32" },
		{ "queue/scheduler", "none [mq-deadline] kyber bfq " },
		{ "queue/zoned", "none" },
		{ "queue/rotational", "1" },
		{ "queue/nr_requests", "64" },
		{ "queue/iosched/async_depth", "64" },
		{ "queue/iosched/fifo_batch", "16" },
		{ "queue/iosched/front_merges", "1" },
		{ "queue/iosched/prio_aging_expire", "10000" },
		{ "queue/iosched/read_expire", "500" },
		{ "queue/iosched/write_expire", "5000" },
		{ "queue/iosched/writes_starved", "2" },
	};
	size_t i;

	add_whole(tree, name, major, minor);
	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		write_of(tree, name, files[i].file, files[i].text);
}

void faketree_partition(const struct faketree *tree, const char *disk, const char *name,
			unsigned int major, unsigned int minor)
{
	char folder[PATH_MAX];

	form(folder, "%s/%s", disk, name);
	add_device(tree, folder, major, minor);
	write_of(tree, folder, "partition", "1");
	write_of(tree, folder, "size", "2048");
}

void faketree_bio_device(const struct faketree *tree, const char *name, unsigned int major,
			 unsigned int minor)
{
	add_whole(tree, name, major, minor);
	write_of(tree, name, "queue/rotational", "0");
}

void faketree_hidden_path(const struct faketree *tree, const char *name, unsigned int major,
			  unsigned int minor)
{
	char line[PATH_MAX], path[PATH_MAX];

	faketree_disk(tree, name, major, minor);
	write_of(tree, name, "hidden", "1");
	write_of(tree, name, "queue/scheduler", "[none] mq-deadline");
	form(path, "sys/devices/%s/dev", name);
	faketree_delete(tree, path);
	form(path, "sys/dev/block/%u:%u", major, minor);
	faketree_delete(tree, path);
	form(path, "dev/%s", name);
	faketree_delete(tree, path);
	form(line, " %3u %7u %s 501 0 4008 2205 0 0 0 0 0 2256 2205", major, minor, name);
	put_text(faketree_path(tree, "proc/diskstats"), "a", line);
}

void faketree_member(const struct faketree *tree, const char *stack, const char *member)
{
	const char *slash = strrchr(member, '/'), *name = slash ? slash + 1 : member;
	char target[PATH_MAX], path[PATH_MAX];

	form(target, "../../%s", member);
	form(path, "sys/devices/%s/slaves/%s", stack, name);
	faketree_link(tree, target, path);
	form(target, "%s../../%s", slash ? "../" : "", stack);
	form(path, "sys/devices/%s/holders/%s", member, stack);
	faketree_link(tree, target, path);
}

void faketree_mount(const struct faketree *tree, unsigned int major, unsigned int minor,
		    const char *point, const char *type, const char *source)
{
	char line[PATH_MAX];

	form(line, "36 20 %u:%u / %s rw,noatime shared:1 - %s %s rw", major, minor, point, type,
	     source);
	put_text(faketree_path(tree, "proc/self/mountinfo"), "a", line);
}

void faketree_set(const struct faketree *tree, const char *disk, const char *file, int64_t value)
{
	char path[PATH_MAX];

	form(path, "sys/block/%s/queue/%s", disk, file);
	faketree_write(tree, path, "%" PRId64, value);
}

int64_t faketree_get(const struct faketree *tree, const char *disk, const char *file)
{
	char path[PATH_MAX];

	form(path, "sys/block/%s/queue/%s", disk, file);
	return strtoll(faketree_read(tree, path), NULL, 10);
}
