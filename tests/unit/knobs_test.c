// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading and writing knobs, with a kernel that refuses, clamps and moves things. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../src/tune/knobs_internal.h"
#include "faketree.h"
#include "seekwise/base.h"
#include "seekwise/knobs.h"

static struct faketree tree;
static struct sw_disk disk;
static struct sw_settings known;
static char why[256];
static int writes;         /* calls of the hook */
static int hook_errno;     /* what a failing hook fails with */
static char last_text[32]; /* that was written last */

static ssize_t count_write(int fd, const void *text, size_t n)
{
	writes++;
	snprintf(last_text, sizeof(last_text), "%.*s", (int)n, (const char *)text);
	return write(fd, text, n);
}

static ssize_t fail_write(int fd, const void *text, size_t n)
{
	(void)fd, (void)text, (void)n;
	writes++;
	errno = hook_errno;
	return -1;
}

static ssize_t short_write(int fd, const void *text, size_t n)
{
	return write(fd, text, writes++ ? n : n - 1);
}

/* As iosched files do with what is too large for them. */
static ssize_t clamp_write(int fd, const void *text, size_t n)
{
	writes++;
	if (strncmp(text, "300", n))
		return write(fd, text, n);
	return write(fd, "99", 2) == 2 ? (ssize_t)n : -1;
}

static ssize_t ignore_write(int fd, const void *text, size_t n)
{
	(void)fd, (void)text;
	writes++;
	return (ssize_t)n;
}

/* A kernel of 5.14 to 5.16: async_depth changes front_merges. */
static ssize_t move_neighbour(int fd, const void *text, size_t n)
{
	char path[64], target[PATH_MAX];
	ssize_t length;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	length = readlink(path, target, sizeof(target) - 1);
	target[length < 0 ? 0 : length] = '\0';
	if (strstr(target, "async_depth"))
		faketree_set(&tree, "sda", "iosched/front_merges", 0);
	return write(fd, text, n);
}

/* nr_requests takes the depths along, as kernels do. */
static ssize_t move_followers(int fd, const void *text, size_t n)
{
	faketree_set(&tree, "sda", "iosched/async_depth", 256);
	faketree_set(&tree, "sda", "nr_sched_batch", 256);
	return write(fd, text, n);
}

/* HZ=250: times are kept in steps of 4 ms. */
static ssize_t round_write(int fd, const void *text, size_t n)
{
	char rounded[24];
	int length =
		snprintf(rounded, sizeof(rounded), "%ld", (strtol(text, NULL, 10) + 3) / 4 * 4);

	return write(fd, rounded, (size_t)length) < 0 ? -1 : (ssize_t)n;
}

static int make(void **state)
{
	char note[64];

	(void)state;
	faketree_make(&tree);
	faketree_disk(&tree, "sda", 8, 0);
	assert_int_equal(sw_disk_resolve("sda", &disk, 1, note, sizeof(note)), 1);
	assert_int_equal(sw_knobs_read(&disk, &known), 0);
	writes = 0;
	sw_sysfs_write = count_write;
	return 0;
}

static int drop(void **state)
{
	(void)state;
	sw_sysfs_write = write;
	faketree_remove(&tree);
	return 0;
}

static enum sw_write_result put(enum sw_knob_id id, int64_t expected, int64_t value)
{
	return sw_knob_write(&disk, id, expected, value, &known, why, sizeof(why), NULL);
}

static void assert_why(const char *part)
{
	if (!strstr(why, part))
		fail_msg("\"%s\" is not in \"%s\"", part, why);
}

static void the_table_is_whole(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < SW_KNOBS; i++) {
		assert_non_null(sw_knobs[i].name);
		assert_non_null(sw_knobs[i].about);
		assert_true(sw_knobs[i].min < sw_knobs[i].max);
		assert_int_equal(sw_knob_find(sw_knobs[i].file), i);
	}
	assert_true(sw_knobs[SW_WRITES_STARVED].min >= 1);
	assert_true(sw_knobs[SW_NR_REQUESTS].freezes && sw_knobs[SW_ASYNC_DEPTH].freezes);
	assert_false(sw_knobs[SW_FIFO_BATCH].freezes);
	assert_int_equal(sw_knob_find("fifo_batch"), SW_FIFO_BATCH);
	assert_int_equal(sw_knob_find("async_depth"), SW_ASYNC_DEPTH);
	assert_int_equal(sw_knob_find("scheduler"), -1);
	assert_int_equal(sw_knob_find(""), -1);
}

static void knobs_that_are_there_are_read(void **state)
{
	struct sw_settings now;

	(void)state;
	assert_true(known.present[SW_FIFO_BATCH] && known.value[SW_FIFO_BATCH] == 16);
	assert_true(known.present[SW_ASYNC_DEPTH_OLD]);
	assert_false(known.present[SW_ASYNC_DEPTH]);
	assert_false(known.present[SW_NR_SCHED_BATCH]);
	faketree_set(&tree, "sda", "nr_sched_batch", 64);
	faketree_set(&tree, "sda", "iosched/writes_starved", -3);
	faketree_write(&tree, "sys/block/sda/queue/iosched/fifo_batch", "junk");
	assert_int_equal(sw_knobs_read(&disk, &now), 0);
	assert_true(now.present[SW_NR_SCHED_BATCH] && now.value[SW_NR_SCHED_BATCH] == 64);
	assert_true(now.present[SW_WRITES_STARVED] && now.value[SW_WRITES_STARVED] == -3);
	assert_false(now.present[SW_FIFO_BATCH]);
	faketree_delete(&tree, "sys/block/sda");
	assert_int_equal(sw_knobs_read(&disk, &now), -ENODEV);
}

static void a_value_is_written_in_plain_decimals(void **state)
{
	uint64_t took = 5;

	(void)state;
	assert_int_equal(
		sw_knob_write(&disk, SW_FIFO_BATCH, 16, 8, &known, why, sizeof(why), &took),
		SW_WRITTEN);
	assert_int_equal(faketree_get(&tree, "sda", "iosched/fifo_batch"), 8);
	assert_string_equal(last_text, "8");
	assert_string_equal(why, "");
	assert_true(took > 5);
	assert_int_equal(put(SW_FIFO_BATCH, INT64_MIN, 128), SW_WRITTEN);
	assert_string_equal(faketree_read(&tree, "sys/block/sda/queue/iosched/fifo_batch"), "128");
	assert_int_equal(put(SW_FRONT_MERGES, 1, 0), SW_WRITTEN);
	assert_int_equal(writes, 3);
}

static void an_equal_value_is_not_written(void **state)
{
	(void)state;
	assert_int_equal(put(SW_FIFO_BATCH, 16, 16), SW_UNCHANGED);
	assert_int_equal(put(SW_FIFO_BATCH, 64, 16), SW_UNCHANGED); /* what we wanted is there */
	assert_int_equal(writes, 0);
}

static void a_foreign_value_stays(void **state)
{
	(void)state;
	faketree_set(&tree, "sda", "iosched/fifo_batch", 20);
	assert_int_equal(put(SW_FIFO_BATCH, 16, 64), SW_FOREIGN);
	assert_why("fifo_batch holds 20 where 16 was expected");
	assert_int_equal(faketree_get(&tree, "sda", "iosched/fifo_batch"), 20);
	assert_int_equal(writes, 0);
}

static void bounds_are_refused_before_writing(void **state)
{
	static const struct {
		enum sw_knob_id id;
		int64_t value;
	} outside[] = {
		{ SW_WRITES_STARVED, 0 },     { SW_WRITES_STARVED, -1 },
		{ SW_FIFO_BATCH, 0 },         { SW_FIFO_BATCH, 4097 },
		{ SW_NR_REQUESTS, 3 },        { SW_NR_REQUESTS, 2049 },
		{ SW_FRONT_MERGES, 2 },       { SW_READ_EXPIRE, 0 },
		{ SW_ASYNC_DEPTH_OLD, 0 },    { SW_NR_SCHED_BATCH, 0 },
		{ SW_FIFO_BATCH, INT64_MIN }, { SW_FIFO_BATCH, INT64_MAX },
	};
	size_t i;

	(void)state;
	faketree_set(&tree, "sda", "nr_sched_batch", 64);
	for (i = 0; i < sizeof(outside) / sizeof(outside[0]); i++) {
		assert_int_equal(put(outside[i].id, INT64_MIN, outside[i].value), SW_REFUSED);
		assert_why("is outside");
	}
	assert_int_equal(put(SW_WRITES_STARVED, 2, 0), SW_REFUSED);
	assert_string_equal(why, "writes_starved 0 is outside 1...1000");
	assert_int_equal(writes, 0);
}

static void a_batch_stays_within_the_pool_in_force(void **state)
{
	(void)state;
	faketree_set(&tree, "sda", "nr_sched_batch", 64);
	assert_int_equal(put(SW_NR_SCHED_BATCH, 64, 65), SW_REFUSED);
	assert_string_equal(why, "nr_sched_batch 65 is outside 1...64 (nr_requests in force)");
	faketree_set(&tree, "sda", "nr_requests", 128);
	assert_int_equal(put(SW_NR_SCHED_BATCH, 64, 65), SW_WRITTEN);
	faketree_set(&tree, "sda", "async_depth", 64);
	assert_int_equal(put(SW_ASYNC_DEPTH, 64, 129), SW_REFUSED);
	assert_int_equal(put(SW_ASYNC_DEPTH, 64, 128), SW_WRITTEN);
}

static void errors_are_sorted(void **state)
{
	static const struct {
		int err;
		enum sw_write_result result;
		const char *name;
	} errors[] = {
		{ EBUSY, SW_PASSING, "EBUSY" },   { EAGAIN, SW_PASSING, "EAGAIN" },
		{ EINTR, SW_PASSING, "EINTR" },   { ENOMEM, SW_PASSING, "ENOMEM" },
		{ EINVAL, SW_REFUSED, "EINVAL" }, { EACCES, SW_REFUSED, "EACCES" },
		{ EROFS, SW_REFUSED, "EROFS" },   { EIO, SW_REFUSED, "EIO" },
		{ ENODEV, SW_GONE, "ENODEV" },
	};
	size_t i;

	(void)state;
	sw_sysfs_write = fail_write;
	for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		hook_errno = errors[i].err;
		assert_int_equal(put(SW_FIFO_BATCH, 16, 64), errors[i].result);
		assert_why("writing fifo_batch: ");
		assert_why(errors[i].name);
		assert_int_equal(faketree_get(&tree, "sda", "iosched/fifo_batch"), 16);
	}
}

static void a_short_write_is_seen_and_taken_back(void **state)
{
	(void)state;
	sw_sysfs_write = short_write;
	assert_int_equal(put(SW_FIFO_BATCH, 16, 64), SW_REFUSED);
	assert_why("fifo_batch reads 6 after 64 was written");
	assert_int_equal(faketree_get(&tree, "sda", "iosched/fifo_batch"), 16);
}

static void absent_and_read_only_files_are_refused(void **state)
{
	(void)state;
	assert_int_equal(put(SW_NR_SCHED_BATCH, INT64_MIN, 8), SW_REFUSED);
	assert_why("ENOENT");
	if (!geteuid())
		skip(); /* root writes whatever the mode is */
	assert_int_equal(
		chmod(faketree_path(&tree, "sys/block/sda/queue/iosched/fifo_batch"), 0444), 0);
	assert_int_equal(put(SW_FIFO_BATCH, 16, 64), SW_REFUSED);
	assert_why("EACCES");
}

static void a_clamped_value_is_seen_and_taken_back(void **state)
{
	(void)state;
	sw_sysfs_write = clamp_write;
	assert_int_equal(put(SW_FIFO_BATCH, 16, 300), SW_REFUSED);
	assert_string_equal(why, "fifo_batch reads 99 after 300 was written");
	assert_int_equal(faketree_get(&tree, "sda", "iosched/fifo_batch"), 16);
	assert_int_equal(writes, 2);
	sw_sysfs_write = ignore_write;
	writes = 0;
	assert_int_equal(put(SW_FIFO_BATCH, 16, 64), SW_REFUSED);
	assert_why("fifo_batch reads 16 after 64 was written");
	assert_int_equal(writes, 1); /* nothing to take back */
}

static void a_neighbour_that_moves_is_seen_and_put_back(void **state)
{
	(void)state;
	sw_sysfs_write = move_neighbour;
	assert_int_equal(put(SW_ASYNC_DEPTH_OLD, 64, 48), SW_REFUSED);
	assert_string_equal(why, "front_merges moved from 1 to 0 when async_depth was written");
	assert_int_equal(faketree_get(&tree, "sda", "iosched/async_depth"), 64);
	assert_int_equal(faketree_get(&tree, "sda", "iosched/front_merges"), 1);
	known.present[SW_FRONT_MERGES] = false; /* not known: not looked at */
	assert_int_equal(put(SW_ASYNC_DEPTH_OLD, 64, 48), SW_WRITTEN);
	assert_int_equal(faketree_get(&tree, "sda", "iosched/front_merges"), 0);
}

static void what_somebody_else_moved_before_is_no_fault_of_the_write(void **state)
{
	(void)state;
	faketree_set(&tree, "sda", "iosched/front_merges", 0);
	assert_int_equal(put(SW_FIFO_BATCH, 16, 64), SW_WRITTEN);
	assert_int_equal(faketree_get(&tree, "sda", "iosched/front_merges"), 0);
}

static void followers_of_nr_requests_may_move(void **state)
{
	(void)state;
	faketree_set(&tree, "sda", "nr_sched_batch", 64);
	assert_int_equal(sw_knobs_read(&disk, &known), 0);
	sw_sysfs_write = move_followers;
	assert_int_equal(put(SW_NR_REQUESTS, 64, 256), SW_WRITTEN);
	assert_int_equal(faketree_get(&tree, "sda", "nr_sched_batch"), 256);
}

static void times_may_come_back_rounded_to_jiffies(void **state)
{
	(void)state;
	sw_sysfs_write = round_write;
	assert_int_equal(put(SW_READ_EXPIRE, 500, 150), SW_WRITTEN);
	assert_int_equal(faketree_get(&tree, "sda", "iosched/read_expire"), 152);
	assert_int_equal(put(SW_READ_EXPIRE, 150, 250), SW_WRITTEN); /* 152 is our 150 */
	assert_true(sw_knob_same(SW_READ_EXPIRE, 151, 160));         /* HZ=100 */
	assert_true(sw_knob_same(SW_READ_EXPIRE, 14, 16));           /* HZ=300, HZ=250 */
	assert_false(sw_knob_same(SW_READ_EXPIRE, 150, 149));
	assert_false(sw_knob_same(SW_READ_EXPIRE, 150, 155));
	assert_false(sw_knob_same(SW_READ_EXPIRE, 500, 5000));
	assert_false(sw_knob_same(SW_FIFO_BATCH, 150, 152));
}

static void another_disk_of_the_name_is_not_written(void **state)
{
	(void)state;
	faketree_write(&tree, "sys/block/sda/diskseq", "8");
	assert_int_equal(put(SW_FIFO_BATCH, 16, 64), SW_GONE);
	assert_int_equal(writes, 0);
	faketree_delete(&tree, "sys/block/sda");
	assert_int_equal(put(SW_FIFO_BATCH, 16, 64), SW_GONE);
	assert_why("ENODEV");
}

#define TREE_TEST(f) cmocka_unit_test_setup_teardown(f, make, drop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(the_table_is_whole),
		TREE_TEST(knobs_that_are_there_are_read),
		TREE_TEST(a_value_is_written_in_plain_decimals),
		TREE_TEST(an_equal_value_is_not_written),
		TREE_TEST(a_foreign_value_stays),
		TREE_TEST(bounds_are_refused_before_writing),
		TREE_TEST(a_batch_stays_within_the_pool_in_force),
		TREE_TEST(errors_are_sorted),
		TREE_TEST(a_short_write_is_seen_and_taken_back),
		TREE_TEST(absent_and_read_only_files_are_refused),
		TREE_TEST(a_clamped_value_is_seen_and_taken_back),
		TREE_TEST(a_neighbour_that_moves_is_seen_and_put_back),
		TREE_TEST(what_somebody_else_moved_before_is_no_fault_of_the_write),
		TREE_TEST(followers_of_nr_requests_may_move),
		TREE_TEST(times_may_come_back_rounded_to_jiffies),
		TREE_TEST(another_disk_of_the_name_is_not_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
