// SPDX-License-Identifier: GPL-2.0-or-later
/* From names to disks, on a made-up tree. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faketree.h"
#include "seekwise/base.h"
#include "seekwise/disk.h"

#define MAX 8

static struct faketree tree;
static struct sw_disk disks[MAX];
static char note[256];

static int make(void **state)
{
	(void)state;
	faketree_make(&tree);
	faketree_disk(&tree, "sda", 8, 0);
	faketree_partition(&tree, "sda", "sda1", 8, 1);
	faketree_disk(&tree, "sdb", 8, 16);
	faketree_partition(&tree, "sdb", "sdb1", 8, 17);
	memset(disks, 0, sizeof(disks));
	return 0;
}

static int drop(void **state)
{
	(void)state;
	faketree_remove(&tree);
	return 0;
}

static int resolve(const char *what)
{
	return sw_disk_resolve(what, disks, MAX, note, sizeof(note));
}

static int resolve_below(const char *path)
{
	char whole[256];

	snprintf(whole, sizeof(whole), "%s/%s", tree.root, path);
	return resolve(whole);
}

/* A note about a path of the tree, as "TREE/home is ...". */
static void assert_note_of_path(const char *path, const char *rest)
{
	char expected[256];

	snprintf(expected, sizeof(expected), "%s/%s%s", tree.root, path, rest);
	assert_string_equal(note, expected);
}

static void a_name_is_a_disk(void **state)
{
	(void)state;
	assert_int_equal(resolve("sda"), 1);
	assert_string_equal(disks[0].name, "sda");
	assert_int_equal(disks[0].major, 8);
	assert_int_equal(disks[0].minor, 0);
	assert_int_equal(disks[0].diskseq, 7);
	assert_string_equal(disks[0].scheduler, "mq-deadline");
	assert_string_equal(disks[0].zoned, "none");
	assert_true(disks[0].rotational);
	assert_int_equal(disks[0].queues, 1);
	assert_int_equal(disks[0].queue_tags, 32);
	assert_int_equal(disks[0].nr_requests, 64);
	assert_int_equal(disks[0].sectors, 4194304);
	assert_string_equal(note, "");
}

static void a_partition_is_its_disk(void **state)
{
	(void)state;
	assert_int_equal(resolve("sda1"), 1);
	assert_string_equal(disks[0].name, "sda");
	assert_string_equal(note, "sda1 is a partition of sda");
	assert_int_equal(resolve_below("dev/sdb1"), 1);
	assert_string_equal(disks[0].name, "sdb");
	assert_string_equal(note, "sdb1 is a partition of sdb");
}

static void a_node_and_a_link_are_devices(void **state)
{
	(void)state;
	assert_int_equal(resolve_below("dev/sda"), 1);
	assert_string_equal(disks[0].name, "sda");
	assert_string_equal(note, "");
	faketree_link(&tree, "../../sdb", "dev/disk/by-id/wwn-0x5000");
	assert_int_equal(resolve_below("dev/disk/by-id/wwn-0x5000"), 1);
	assert_string_equal(disks[0].name, "sdb");
	assert_note_of_path("dev/disk/by-id/wwn-0x5000", " is sdb");
	faketree_link(&tree, "../../sdb1", "dev/disk/by-id/wwn-0x5000-part1");
	assert_int_equal(resolve_below("dev/disk/by-id/wwn-0x5000-part1"), 1);
	assert_note_of_path("dev/disk/by-id/wwn-0x5000-part1", " is sdb1, a partition of sdb");
}

/* Stand-ins are for trees of tests: on the real /dev a plain file is a plain file. */
static void plain_files_stand_for_devices_in_a_made_up_dev_only(void **state)
{
	char path[256];

	(void)state;
	snprintf(path, sizeof(path), "%s/sda", tree.dev);
	sw_roots.dev = "/dev";
	assert_int_equal(resolve(path), -ENOTBLK);
	sw_roots.dev = tree.dev;
	assert_int_equal(resolve(path), 1);
}

static void slashes_in_names_are_bangs_in_sysfs(void **state)
{
	(void)state;
	faketree_disk(&tree, "cciss!c0d0", 104, 0);
	assert_int_equal(resolve("cciss!c0d0"), 1);
	assert_string_equal(note, "");
	assert_int_equal(resolve("cciss/c0d0"), 1);
	assert_string_equal(disks[0].name, "cciss!c0d0");
	assert_int_equal(resolve_below("dev/cciss/c0d0"), 1);
	assert_string_equal(disks[0].name, "cciss!c0d0");
	assert_string_equal(note, "");
}

static void a_name_wins_over_a_relative_path(void **state)
{
	(void)state;
	faketree_write(&tree, "here/sda", "a file");
	faketree_write(&tree, "here/file", "a file");
	assert_int_equal(chdir(faketree_path(&tree, "here")), 0);
	assert_int_equal(resolve("sda"), 1);
	assert_int_equal(resolve("./sda"), -ENOTBLK);
	assert_int_equal(resolve("file"), -ENOTBLK);
	assert_int_equal(chdir("/"), 0);
}

static void a_mount_point_is_its_disk(void **state)
{
	char point[256];

	(void)state;
	faketree_folder(&tree, "home of all/sub");
	snprintf(point, sizeof(point), "%s/home\\040of\\040all", tree.root);
	faketree_mount(&tree, 8, 16, point, "ext4", "/dev/sdb");
	faketree_mount(&tree, 8, 1, point, "ext4", "/dev/sda1"); /* covers the one before */
	assert_int_equal(resolve_below("home of all"), 1);
	assert_string_equal(disks[0].name, "sda");
	assert_note_of_path("home of all", " is mounted from sda1, a partition of sda");
	assert_int_equal(resolve_below("home of all/../home of all/"), 1);
	assert_int_equal(resolve_below("home of all/sub"), -ENOTBLK);
}

static void large_numbers_are_found(void **state)
{
	(void)state;
	faketree_disk(&tree, "nvme9n1", 259, 300);
	faketree_partition(&tree, "nvme9n1", "nvme9n1p2", 259, 1048575);
	faketree_folder(&tree, "a");
	faketree_folder(&tree, "b");
	faketree_mount(&tree, 259, 300, faketree_path(&tree, "a"), "xfs", "/dev/nvme9n1");
	faketree_mount(&tree, 259, 1048575, faketree_path(&tree, "b"), "xfs", "/dev/nvme9n1p2");
	assert_int_equal(resolve_below("a"), 1);
	assert_string_equal(disks[0].name, "nvme9n1");
	assert_int_equal(disks[0].major, 259);
	assert_int_equal(disks[0].minor, 300);
	assert_note_of_path("a", " is mounted from nvme9n1");
	assert_int_equal(resolve_below("b"), 1);
	assert_note_of_path("b", " is mounted from nvme9n1p2, a partition of nvme9n1");
}

static void anonymous_mounts_go_by_their_source(void **state)
{
	char source[256];

	(void)state;
	faketree_folder(&tree, "b");
	faketree_folder(&tree, "o");
	faketree_folder(&tree, "z");
	snprintf(source, sizeof(source), "%s/sda1", tree.dev);
	faketree_mount(&tree, 0, 41, faketree_path(&tree, "b"), "btrfs", source);
	faketree_mount(&tree, 0, 42, faketree_path(&tree, "o"), "overlay", "overlay");
	faketree_mount(&tree, 0, 43, faketree_path(&tree, "z"), "zfs", "sda/data");
	assert_int_equal(resolve_below("b"), 1);
	assert_string_equal(disks[0].name, "sda");
	assert_note_of_path("b", " is mounted from sda1, a partition of sda");
	assert_int_equal(resolve_below("o"), -ENOTBLK);
	assert_int_equal(resolve_below("z"), -ENOTBLK);
	faketree_mount(&tree, 0, 44, faketree_path(&tree, "z"), "zfs", "sda1");
	assert_int_equal(chdir(tree.dev), 0);
	assert_int_equal(resolve_below("z"), -ENOTBLK); /* a pool's name is no path */
	assert_int_equal(chdir("/"), 0);
}

static void a_btrfs_of_several_devices_is_all_of_them(void **state)
{
	char source[256];

	(void)state;
	faketree_folder(&tree, "b");
	faketree_link(&tree, "../../../../devices/sda/sda1", "sys/fs/btrfs/uuid/devices/sda1");
	faketree_link(&tree, "../../../../devices/sdb", "sys/fs/btrfs/uuid/devices/sdb");
	faketree_write(&tree, "sys/fs/btrfs/features/raid1c34", "0");
	snprintf(source, sizeof(source), "%s/sda1", tree.dev);
	faketree_mount(&tree, 0, 41, faketree_path(&tree, "b"), "btrfs", source);
	assert_int_equal(resolve_below("b"), 2);
	assert_non_null(strstr(note, "/b is a btrfs on sd"));
	assert_non_null(strstr(note, " and sd"));
}

static bool among(int n, const char *name)
{
	int i;

	for (i = 0; i < n; i++)
		if (!strcmp(disks[i].name, name))
			return true;
	return false;
}

static void a_dm_device_is_its_members(void **state)
{
	(void)state;
	faketree_bio_device(&tree, "dm-0", 253, 0);
	faketree_member(&tree, "dm-0", "sda");
	faketree_member(&tree, "dm-0", "sdb");
	faketree_link(&tree, "../dm-0", "dev/mapper/vg-lv");
	assert_int_equal(resolve("dm-0"), 2);
	assert_true(among(2, "sda") && among(2, "sdb"));
	assert_true(!strcmp(note, "dm-0 stands for sda and sdb") ||
		    !strcmp(note, "dm-0 stands for sdb and sda"));
	assert_int_equal(resolve_below("dev/mapper/vg-lv"), 2);
	assert_non_null(strstr(note, "/vg-lv is dm-0, which stands for sd"));
}

static void an_md_over_partitions_is_their_disks_once(void **state)
{
	(void)state;
	faketree_partition(&tree, "sda", "sda2", 8, 2);
	faketree_bio_device(&tree, "md0", 9, 0);
	faketree_partition(&tree, "md0", "md0p1", 259, 0);
	faketree_member(&tree, "md0", "sda/sda1");
	faketree_member(&tree, "md0", "sda/sda2");
	faketree_member(&tree, "md0", "sdb/sdb1");
	assert_int_equal(resolve("md0"), 2);
	assert_true(among(2, "sda") && among(2, "sdb"));
	faketree_bio_device(&tree, "dm-3", 253, 3);
	faketree_member(&tree, "dm-3", "md0/md0p1");
	assert_int_equal(resolve("dm-3"), 2);
	assert_non_null(strstr(note, "dm-3 stands for sd"));
	assert_int_equal(resolve("md0p1"), 2);
	assert_non_null(strstr(note, "md0p1 is a partition of md0, which stands for sd"));
}

/* Requests of dm-multipath are scheduled at its own queue, so it is a disk and no stack. */
static void a_stack_that_makes_requests_is_a_disk(void **state)
{
	(void)state;
	faketree_disk(&tree, "dm-1", 253, 1);
	faketree_member(&tree, "dm-1", "sda");
	faketree_member(&tree, "dm-1", "sdb");
	assert_int_equal(resolve("dm-1"), 1);
	assert_string_equal(disks[0].name, "dm-1");
	assert_string_equal(note, "");
}

static void devices_without_requests_are_refused(void **state)
{
	char why[256];

	(void)state;
	faketree_bio_device(&tree, "zram0", 252, 0);
	faketree_disk(&tree, "loop5", 7, 5);
	faketree_write(&tree, "sys/block/loop5/size", "0");
	assert_int_equal(resolve("zram0"), -ENOTSUP);
	sw_disk_why("zram0", -ENOTSUP, why, sizeof(why));
	assert_non_null(strstr(why, "zram0 cannot be watched"));
	assert_non_null(strstr(why, "bios"));
	assert_int_equal(resolve("loop5"), -ENOTSUP);
	sw_disk_why("loop5", -ENOTSUP, why, sizeof(why));
	assert_non_null(strstr(why, "loop5 cannot be watched: its size is 0"));
	faketree_write(&tree, "sys/block/loop5/size", "8");
	assert_int_equal(resolve("loop5"), 1);
	assert_int_equal(disks[0].sectors, 8);
}

static void a_member_without_requests_does_not_hide_the_others(void **state)
{
	(void)state;
	faketree_bio_device(&tree, "zram0", 252, 0);
	faketree_bio_device(&tree, "md1", 9, 1);
	faketree_member(&tree, "md1", "zram0");
	assert_int_equal(resolve("md1"), -ENOTSUP);
	faketree_member(&tree, "md1", "sda");
	assert_int_equal(resolve("md1"), 1);
	assert_string_equal(note, "md1 stands for sda");
}

/* As kernels lay it out: the head makes no requests and has no slaves. */
static void add_multipath(unsigned int major)
{
	faketree_bio_device(&tree, "nvme0n1", 259, 1);
	faketree_partition(&tree, "nvme0n1", "nvme0n1p1", 259, 3);
	faketree_hidden_path(&tree, "nvme0c1n1", major, 2);
	faketree_hidden_path(&tree, "nvme0c0n1", major, 0);
	faketree_hidden_path(&tree, "nvme0c0n2", major, 7);
	faketree_hidden_path(&tree, "nvme1c0n1", major, 8);
	faketree_hidden_path(&tree, "nvme0c0n12", major, 9);
}

static void nvme_multipath_is_its_hidden_paths(void **state)
{
	char array[SW_DISK_NAME];

	(void)state;
	add_multipath(259);
	assert_int_equal(resolve("nvme0n1"), 2);
	assert_string_equal(note, "nvme0n1 stands for its paths nvme0c0n1 and nvme0c1n1");
	assert_string_equal(disks[0].name, "nvme0c0n1");
	assert_int_equal(disks[0].major, 259);
	assert_int_equal(disks[0].minor, 0);
	assert_string_equal(disks[1].name, "nvme0c1n1");
	assert_int_equal(disks[1].minor, 2);
	assert_int_equal(sw_disk_refresh(&disks[1]), 0);
	assert_int_equal(resolve("nvme0n1p1"), 2);
	assert_non_null(strstr(note, "is a partition of nvme0n1, which stands for its paths "));
	assert_int_equal(resolve("nvme0c1n1"), 1);
	assert_int_equal(disks[0].minor, 2);
	faketree_bio_device(&tree, "md0", 9, 0);
	faketree_member(&tree, "md0", "nvme0n1/nvme0n1p1");
	assert_int_equal(resolve("md0"), 2);
	assert_string_equal(note, "md0 stands for nvme0c0n1 and nvme0c1n1");
	faketree_write(&tree, "sys/block/md0/md/sync_action", "resync");
	assert_int_equal(sw_disk_resyncing(&disks[0], array, sizeof(array)), 1);
	assert_int_equal(sw_disk_list(disks, MAX), 7);
}

/* Kernels as old as 5.10: counted under a number that nothing tells. */
static void paths_without_a_number_are_refused(void **state)
{
	char why[256];

	(void)state;
	add_multipath(0);
	assert_int_equal(resolve("nvme0c0n1"), -ENOTSUP);
	sw_disk_why("nvme0c0n1", -ENOTSUP, why, sizeof(why));
	assert_non_null(strstr(why, "it is a hidden path"));
	assert_int_equal(resolve("nvme0n1"), -ENOTSUP);
	sw_disk_why("nvme0n1", -ENOTSUP, why, sizeof(why));
	assert_non_null(strstr(why, "it is an NVMe multipath device, and this kernel does not"));
	assert_int_equal(sw_disk_list(disks, MAX), 2);
	faketree_delete(&tree, "proc/diskstats");
	assert_int_equal(resolve("nvme0c0n1"), -ENOTSUP);
}

static void stacks_have_a_name(void **state)
{
	char name[256], path[256];

	(void)state;
	add_multipath(259);
	faketree_bio_device(&tree, "md0", 9, 0);
	faketree_partition(&tree, "md0", "md0p1", 259, 20);
	assert_false(sw_disk_stack("sda", 1, name, sizeof(name)));
	assert_false(sw_disk_stack("sda1", 1, name, sizeof(name)));
	assert_false(sw_disk_stack("nvme0c0n1", 1, name, sizeof(name)));
	assert_false(sw_disk_stack("nowhere", 1, name, sizeof(name)));
	assert_true(sw_disk_stack("md0p1", 2, name, sizeof(name)));
	assert_string_equal(name, "md0");
	assert_true(sw_disk_stack("nvme0n1", 2, name, sizeof(name)));
	assert_string_equal(name, "nvme0n1");
	faketree_folder(&tree, "b");
	snprintf(path, sizeof(path), "%s/sda1", tree.dev);
	faketree_mount(&tree, 0, 41, faketree_path(&tree, "b"), "btrfs", path);
	snprintf(path, sizeof(path), "%s/b", tree.root);
	assert_false(sw_disk_stack(path, 1, name, sizeof(name)));
	assert_true(sw_disk_stack(path, 2, name, sizeof(name)));
	assert_string_equal(name, path);
}

static void the_unknown_is_told(void **state)
{
	static const char *const unknown[] = {
		"",     "sdz", "/nowhere/sda",
		"..",   ".",   "a/b",
		"sda/", "!",   "a-name-that-is-far-longer-than-any-disk-has",
	};
	char why[256];
	size_t i;

	(void)state;
	assert_int_equal(chdir(tree.dev), 0);
	for (i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		assert_true(resolve(unknown[i]) == -ENODEV || resolve(unknown[i]) == -ENOTBLK);
	assert_int_equal(resolve("sdz"), -ENODEV);
	assert_int_equal(resolve("/nowhere/sda"), -ENODEV);
	assert_int_equal(resolve(""), -ENODEV);
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(resolve("/dev/null"), -ENOTBLK);
	assert_int_equal(resolve(tree.proc), -ENOTBLK);
	sw_disk_why("sdz", -ENODEV, why, sizeof(why));
	assert_non_null(strstr(why, "\"sdz\""));
	sw_disk_why("/etc", -ENOTBLK, why, sizeof(why));
	assert_non_null(strstr(why, "/etc is neither"));
	sw_disk_why("x", -EACCES, why, sizeof(why));
	assert_non_null(strstr(why, "EACCES"));
}

static void too_many_are_told(void **state)
{
	char why[256];

	(void)state;
	faketree_bio_device(&tree, "dm-0", 253, 0);
	faketree_member(&tree, "dm-0", "sda");
	faketree_member(&tree, "dm-0", "sdb");
	assert_int_equal(sw_disk_resolve("dm-0", disks, 1, note, sizeof(note)), -E2BIG);
	assert_int_equal(sw_disk_resolve("dm-0", disks, 2, note, 8), 2);
	assert_string_equal(note, "dm-0 st");
	assert_int_equal(sw_disk_resolve("dm-0", disks, 2, NULL, 0), 2);
	assert_int_equal(sw_disk_list(disks, 1), -E2BIG);
	sw_disk_why("dm-0", -E2BIG, why, sizeof(why));
	assert_non_null(strstr(why, "more disks"));
}

static void a_loop_in_the_tree_ends(void **state)
{
	(void)state;
	faketree_bio_device(&tree, "dm-0", 253, 0);
	faketree_bio_device(&tree, "dm-1", 253, 1);
	faketree_member(&tree, "dm-0", "dm-1");
	faketree_member(&tree, "dm-1", "dm-0");
	assert_int_equal(resolve("dm-0"), -ELOOP);
}

static void scheduler_formats_are_read(void **state)
{
	static const struct {
		const char *text, *scheduler;
	} formats[] = {
		{ "none [mq-deadline] kyber bfq ", "mq-deadline" },
		{ "[mq-deadline] none", "mq-deadline" },
		{ "[none] mq-deadline", "none" },
		{ "mq-deadline kyber [none]", "none" },
		{ "  [ bfq ]  none", "bfq" },
		{ "none", "none" },
		{ "none \n", "none" },
		{ "none mq-deadline", "" },
		{ "", "" },
		{ "[a-name-longer-than-any-scheduler-has]", "" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		faketree_write(&tree, "sys/block/sda/queue/scheduler", "%s", formats[i].text);
		assert_int_equal(resolve("sda"), 1);
		assert_string_equal(disks[0].scheduler, formats[i].scheduler);
	}
}

static void hardware_queues_are_counted(void **state)
{
	(void)state;
	faketree_write(&tree, "sys/block/sda/mq/1/nr_tags", "1023");
	faketree_write(&tree, "sys/block/sda/mq/10/nr_tags", "64");
	faketree_write(&tree, "sys/block/sda/mq/note", "no queue");
	assert_int_equal(resolve("sda"), 1);
	assert_int_equal(disks[0].queues, 3);
	assert_int_equal(disks[0].queue_tags, 1023);
}

static void the_list_has_disks_with_requests_in_order(void **state)
{
	(void)state;
	faketree_disk(&tree, "loop10", 7, 10);
	faketree_disk(&tree, "loop9", 7, 9);
	faketree_disk(&tree, "loop1", 7, 1);
	faketree_write(&tree, "sys/block/loop1/size", "0");
	faketree_bio_device(&tree, "zram0", 252, 0);
	assert_int_equal(sw_disk_list(disks, MAX), 4);
	assert_string_equal(disks[0].name, "loop9");
	assert_string_equal(disks[1].name, "loop10");
	assert_string_equal(disks[2].name, "sda");
	assert_string_equal(disks[3].name, "sdb");
	faketree_delete(&tree, "sys/block");
	assert_int_equal(sw_disk_list(disks, MAX), -ENOENT);
}

static void refresh_sees_changes_and_other_disks(void **state)
{
	struct sw_disk disk, old;

	(void)state;
	assert_int_equal(resolve("sda"), 1);
	disk = disks[0];
	faketree_write(&tree, "sys/block/sda/queue/scheduler", "[none] mq-deadline");
	faketree_set(&tree, "sda", "nr_requests", 256);
	assert_int_equal(sw_disk_refresh(&disk), 0);
	assert_string_equal(disk.scheduler, "none");
	assert_int_equal(disk.nr_requests, 256);
	old = disk;
	faketree_write(&tree, "sys/block/sda/diskseq", "8");
	assert_int_equal(sw_disk_refresh(&disk), -ENODEV);
	assert_memory_equal(&disk, &old, sizeof(disk));
	faketree_delete(&tree, "sys/devices/sda/diskseq"); /* an older kernel */
	assert_int_equal(sw_disk_refresh(&disk), 0);
	assert_int_equal(disk.diskseq, 0);
	faketree_write(&tree, "sys/block/sda/dev", "8:32");
	assert_int_equal(sw_disk_refresh(&disk), -ENODEV);
	faketree_delete(&tree, "sys/devices/sda");
	assert_int_equal(sw_disk_refresh(&disk), -ENODEV);
}

static void a_resync_is_seen_from_below(void **state)
{
	struct sw_disk sda, sdb;
	char array[SW_DISK_NAME];

	(void)state;
	assert_int_equal(resolve("sda"), 1);
	sda = disks[0];
	assert_int_equal(resolve("sdb"), 1);
	sdb = disks[0];
	faketree_bio_device(&tree, "dm-0", 253, 0);
	faketree_bio_device(&tree, "md0", 9, 0);
	faketree_bio_device(&tree, "md1", 9, 1);
	faketree_member(&tree, "dm-0", "sda/sda1"); /* md0 over dm-0 over sda1 */
	faketree_member(&tree, "md0", "dm-0");
	faketree_member(&tree, "md1", "sdb");
	faketree_write(&tree, "sys/block/md0/md/sync_action", "idle");
	assert_int_equal(sw_disk_resyncing(&sda, array, sizeof(array)), 0);
	assert_string_equal(array, "");
	faketree_write(&tree, "sys/block/md0/md/sync_action", "frozen");
	assert_int_equal(sw_disk_resyncing(&sda, array, sizeof(array)), 0);
	faketree_write(&tree, "sys/block/md0/md/sync_action", "check");
	assert_int_equal(sw_disk_resyncing(&sda, array, sizeof(array)), 1);
	assert_string_equal(array, "md0");
	assert_int_equal(sw_disk_resyncing(&sdb, array, sizeof(array)), 0);
	faketree_write(&tree, "sys/block/md1/md/sync_action", "resync");
	assert_int_equal(sw_disk_resyncing(&sdb, array, sizeof(array)), 1);
	assert_string_equal(array, "md1");
}

static void what_bears_on_a_disk_is_read(void **state)
{
	struct sw_around around;
	struct sw_disk sda;

	(void)state;
	assert_int_equal(resolve("sda"), 1);
	sda = disks[0];
	sw_around_read(&sda, &around);
	assert_int_equal(around.queue_depth, 0);
	assert_string_equal(around.array, "");
	assert_int_equal(around.read_ahead_kb, 0);
	assert_int_equal(around.max_sectors_kb, 0);
	assert_int_equal(around.max_hw_sectors_kb, 0);
	assert_false(around.unthrottled);
	faketree_set(&tree, "sda", "read_ahead_kb", 128);
	faketree_set(&tree, "sda", "max_sectors_kb", 1280);
	faketree_set(&tree, "sda", "max_hw_sectors_kb", 32767);
	faketree_set(&tree, "sda", "wbt_lat_usec", 75000);
	sw_around_read(&sda, &around);
	assert_int_equal(around.read_ahead_kb, 128);
	assert_int_equal(around.max_sectors_kb, 1280);
	assert_int_equal(around.max_hw_sectors_kb, 32767);
	assert_false(around.unthrottled);
	faketree_set(&tree, "sda", "wbt_lat_usec", 0);
	faketree_write(&tree, "sys/block/sda/device/queue_depth", "32");
	faketree_bio_device(&tree, "md0", 9, 0);
	faketree_member(&tree, "md0", "sda");
	faketree_write(&tree, "sys/block/md0/md/sync_action", "resync");
	faketree_write(&tree, "sys/block/md0/md/sync_speed", "none");
	sw_around_read(&sda, &around);
	assert_int_equal(around.queue_depth, 32);
	assert_true(around.unthrottled);
	assert_string_equal(around.array, "md0");
	assert_int_equal(around.sync_speed, 0);
	faketree_write(&tree, "sys/block/md0/md/sync_speed", "90000");
	sw_around_read(&sda, &around);
	assert_int_equal(around.sync_speed, 90000);
	assert_false(around.switched);
}

#define TREE_TEST(f) cmocka_unit_test_setup_teardown(f, make, drop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(a_name_is_a_disk),
		TREE_TEST(a_partition_is_its_disk),
		TREE_TEST(a_node_and_a_link_are_devices),
		TREE_TEST(plain_files_stand_for_devices_in_a_made_up_dev_only),
		TREE_TEST(slashes_in_names_are_bangs_in_sysfs),
		TREE_TEST(a_name_wins_over_a_relative_path),
		TREE_TEST(a_mount_point_is_its_disk),
		TREE_TEST(large_numbers_are_found),
		TREE_TEST(anonymous_mounts_go_by_their_source),
		TREE_TEST(a_btrfs_of_several_devices_is_all_of_them),
		TREE_TEST(a_dm_device_is_its_members),
		TREE_TEST(an_md_over_partitions_is_their_disks_once),
		TREE_TEST(a_stack_that_makes_requests_is_a_disk),
		TREE_TEST(devices_without_requests_are_refused),
		TREE_TEST(a_member_without_requests_does_not_hide_the_others),
		TREE_TEST(nvme_multipath_is_its_hidden_paths),
		TREE_TEST(paths_without_a_number_are_refused),
		TREE_TEST(stacks_have_a_name),
		TREE_TEST(the_unknown_is_told),
		TREE_TEST(too_many_are_told),
		TREE_TEST(a_loop_in_the_tree_ends),
		TREE_TEST(scheduler_formats_are_read),
		TREE_TEST(hardware_queues_are_counted),
		TREE_TEST(the_list_has_disks_with_requests_in_order),
		TREE_TEST(refresh_sees_changes_and_other_disks),
		TREE_TEST(a_resync_is_seen_from_below),
		TREE_TEST(what_bears_on_a_disk_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
