// SPDX-License-Identifier: GPL-2.0-or-later
/* The baseline: kept before the first write, put back in order, never over a foreign value. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../src/tune/knobs_internal.h"
#include "faketree.h"
#include "seekwise/base.h"
#include "seekwise/knobs.h"

static struct faketree tree;
static struct sw_disk disk;
static struct sw_settings found; /* at the start */
static char order[256];          /* knobs in the order of their writes */
static int refusals;             /* how many writes fail first, with refusal */
static int refusal;

/* Which file a descriptor is of, without its folders. */
static void name_of(int fd, char *name, size_t size)
{
	char path[64], target[PATH_MAX];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = readlink(path, target, sizeof(target) - 1);
	target[n < 0 ? 0 : n] = '\0';
	snprintf(name, size, "%s", strrchr(target, '/') + 1);
}

/* A kernel with nr_sched_batch: refuses one above the pool; the pool takes depths along. */
static ssize_t kernel_write(int fd, const void *text, size_t n)
{
	char name[64];
	long value = strtol(text, NULL, 10);

	if (refusals > 0) {
		refusals--;
		errno = refusal;
		return -1;
	}
	name_of(fd, name, sizeof(name));
	snprintf(order + strlen(order), sizeof(order) - strlen(order), "%s ", name);
	if (!strcmp(name, "nr_sched_batch") && value > faketree_get(&tree, "sda", "nr_requests")) {
		errno = EINVAL;
		return -1;
	}
	if (!strcmp(name, "nr_requests")) {
		if (faketree_get(&tree, "sda", "nr_sched_batch") ==
			    faketree_get(&tree, "sda", "nr_requests") ||
		    faketree_get(&tree, "sda", "nr_sched_batch") > value)
			faketree_set(&tree, "sda", "nr_sched_batch", value);
		faketree_set(&tree, "sda", "iosched/async_depth", value);
	}
	return write(fd, text, n);
}

static int make(void **state)
{
	char note[64];

	(void)state;
	umask(022);
	faketree_make(&tree);
	faketree_disk(&tree, "sda", 8, 0);
	faketree_set(&tree, "sda", "nr_sched_batch", 48);
	assert_int_equal(sw_disk_resolve("sda", &disk, 1, note, sizeof(note)), 1);
	assert_int_equal(sw_knobs_read(&disk, &found), 0);
	order[0] = '\0';
	refusals = 0;
	sw_sysfs_write = kernel_write;
	sw_log_level(getenv("VERBOSE") ? SW_DEBUG : SW_ERROR);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	sw_sysfs_write = write;
	faketree_remove(&tree);
	return 0;
}

/* What a tuner does: baseline, note, write. */
static void tune(enum sw_knob_id id, int64_t value)
{
	char why[256];
	int err = sw_baseline_save(&disk, &found);

	assert_true(!err || err == -EEXIST);
	assert_int_equal(sw_baseline_note(&disk, id, value), 0);
	assert_int_equal(sw_knob_write(&disk, id, INT64_MIN, value, NULL, why, sizeof(why), NULL),
			 SW_WRITTEN);
}

static bool has_baseline(void)
{
	return !access(faketree_path(&tree, "run/sda.baseline"), F_OK);
}

static void the_file_says_all(void **state)
{
	struct sw_baseline baseline;
	const char *text;
	struct stat st;

	(void)state;
	assert_int_equal(sw_baseline_load(&disk, &baseline), -ENOENT);
	assert_int_equal(sw_baseline_save(&disk, &found), 0);
	assert_int_equal(sw_baseline_note(&disk, SW_FIFO_BATCH, 64), 0);
	assert_int_equal(sw_baseline_load(&disk, &baseline), 0);
	assert_string_equal(baseline.disk, "sda");
	assert_string_equal(baseline.scheduler, "mq-deadline");
	assert_memory_equal(&baseline.original, &found, sizeof(found));
	assert_true(baseline.written.present[SW_FIFO_BATCH]);
	assert_int_equal(baseline.written.value[SW_FIFO_BATCH], 64);
	assert_false(baseline.written.present[SW_NR_REQUESTS]);
	text = faketree_read(&tree, "run/sda.baseline");
	assert_non_null(strstr(text, "seekwise-baseline 1\ndisk sda\ndev 8:0\ninstance "));
	assert_non_null(strstr(text, "\nboot_id " FAKE_BOOT_ID "\n"));
	assert_non_null(strstr(text, "\noriginal.fifo_batch 16\n"));
	assert_non_null(strstr(text, "\noriginal.iosched/async_depth 64\n"));
	assert_non_null(strstr(text, "\nwritten.fifo_batch 64\n"));
	assert_int_equal(stat(tree.run, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0755);
	assert_int_equal(stat(faketree_path(&tree, "run/sda.baseline"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0644);
	assert_int_not_equal(access(faketree_path(&tree, "run/sda.new"), F_OK), 0);
}

static void a_baseline_is_not_overwritten(void **state)
{
	struct sw_baseline baseline;

	(void)state;
	assert_int_equal(sw_baseline_save(&disk, &found), 0);
	found.value[SW_FIFO_BATCH] = 99;
	assert_int_equal(sw_baseline_save(&disk, &found), -EEXIST);
	assert_int_equal(sw_baseline_load(&disk, &baseline), 0);
	assert_int_equal(baseline.original.value[SW_FIFO_BATCH], 16);
	assert_int_equal(sw_baseline_drop(&disk), 0);
	assert_int_equal(sw_baseline_drop(&disk), 0);
	assert_int_equal(sw_baseline_save(&disk, &found), 0);
}

static void saving_that_fails_leaves_nothing(void **state)
{
	struct rlimit old, none;

	(void)state;
	assert_int_equal(sw_baseline_note(&disk, SW_FIFO_BATCH, 64), -ENOENT);
	getrlimit(RLIMIT_FSIZE, &old);
	none = old;
	none.rlim_cur = 10; /* bytes: a full disk for the poor */
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &none);
	assert_int_equal(sw_baseline_save(&disk, &found), -EFBIG);
	setrlimit(RLIMIT_FSIZE, &old);
	assert_false(has_baseline());
	assert_int_not_equal(access(faketree_path(&tree, "run/sda.new"), F_OK), 0);
	faketree_delete(&tree, "run");
	faketree_write(&tree, "run", "a file where the folder belongs");
	assert_int_equal(sw_baseline_save(&disk, &found), -ENOTDIR);
	sw_roots.run = "/nowhere/at/all";
	assert_int_equal(sw_baseline_save(&disk, &found), -ENOENT);
	sw_roots.run = tree.run;
	faketree_delete(&tree, "run");
	faketree_delete(&tree, "proc/sys");
	assert_int_equal(sw_baseline_save(&disk, &found), -ENOENT);
	assert_false(has_baseline());
}

/* The old content must survive a note that fails. */
static void a_note_that_fails_keeps_the_old_file(void **state)
{
	struct rlimit old, none;
	struct sw_baseline baseline;

	(void)state;
	assert_int_equal(sw_baseline_save(&disk, &found), 0);
	getrlimit(RLIMIT_FSIZE, &old);
	none = old;
	none.rlim_cur = 10;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &none);
	assert_int_equal(sw_baseline_note(&disk, SW_FIFO_BATCH, 64), -EFBIG);
	setrlimit(RLIMIT_FSIZE, &old);
	assert_int_equal(sw_baseline_load(&disk, &baseline), 0);
	assert_false(baseline.written.present[SW_FIFO_BATCH]);
}

static void all_comes_back(void **state)
{
	(void)state;
	assert_int_equal(sw_baseline_restore(&disk), 0); /* no baseline, nothing to do */
	tune(SW_FIFO_BATCH, 64);
	tune(SW_WRITES_STARVED, 8);
	tune(SW_FIFO_BATCH, 128);
	assert_int_equal(sw_baseline_restore(&disk), 2);
	assert_int_equal(faketree_get(&tree, "sda", "iosched/fifo_batch"), 16);
	assert_int_equal(faketree_get(&tree, "sda", "iosched/writes_starved"), 2);
	assert_false(has_baseline());
}

static void values_outside_our_bounds_come_back_too(void **state)
{
	(void)state;
	faketree_set(&tree, "sda", "iosched/writes_starved", 0);
	assert_int_equal(sw_knobs_read(&disk, &found), 0);
	tune(SW_WRITES_STARVED, 4);
	assert_int_equal(sw_baseline_restore(&disk), 1);
	assert_int_equal(faketree_get(&tree, "sda", "iosched/writes_starved"), 0);
}

/* nr_requests went below the batch and drew it along: only after it is back does 48 fit again. */
static void the_order_is_pool_depths_batch_rest(void **state)
{
	(void)state;
	tune(SW_FIFO_BATCH, 64);
	tune(SW_NR_REQUESTS, 32);
	assert_int_equal(faketree_get(&tree, "sda", "nr_sched_batch"), 32);
	faketree_set(&tree, "sda", "iosched/async_depth", 24);
	order[0] = '\0';
	assert_int_equal(sw_baseline_restore(&disk), 3);
	assert_string_equal(order, "nr_requests nr_sched_batch fifo_batch ");
	assert_int_equal(faketree_get(&tree, "sda", "nr_requests"), 64);
	assert_int_equal(faketree_get(&tree, "sda", "iosched/async_depth"), 64);
	assert_int_equal(faketree_get(&tree, "sda", "nr_sched_batch"), 48);
}

/* An administrator put the pool back by hand; what it drew along is still our doing. */
static void followers_come_back_when_the_pool_is_back(void **state)
{
	(void)state;
	tune(SW_NR_REQUESTS, 32);
	faketree_set(&tree, "sda", "nr_requests", 64);
	assert_int_equal(sw_baseline_restore(&disk), 2);
	assert_int_equal(faketree_get(&tree, "sda", "nr_sched_batch"), 48);
	assert_int_equal(faketree_get(&tree, "sda", "iosched/async_depth"), 64);
}

/* It followed nr_requests, which somebody else has raised or lowered since: it follows again. */
static void a_batch_that_followed_follows_again(void **state)
{
	static const int64_t pools[] = { 32, 64, 128 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(pools) / sizeof(pools[0]); i++) {
		faketree_set(&tree, "sda", "nr_requests", 64);
		faketree_set(&tree, "sda", "nr_sched_batch", 64);
		assert_int_equal(sw_knobs_read(&disk, &found), 0);
		tune(SW_NR_SCHED_BATCH, 4);
		faketree_set(&tree, "sda", "nr_requests", pools[i]);
		assert_int_equal(sw_baseline_restore(&disk), 1);
		assert_int_equal(faketree_get(&tree, "sda", "nr_sched_batch"), pools[i]);
		assert_int_equal(faketree_get(&tree, "sda", "nr_requests"), pools[i]);
	}
}

static void depths_come_back_between_pool_and_batch(void **state)
{
	(void)state;
	faketree_set(&tree, "sda", "iosched/async_depth", 40);
	assert_int_equal(sw_knobs_read(&disk, &found), 0);
	tune(SW_NR_REQUESTS, 256);
	tune(SW_NR_SCHED_BATCH, 200);
	order[0] = '\0';
	assert_int_equal(sw_baseline_restore(&disk), 3);
	assert_string_equal(order, "nr_requests async_depth nr_sched_batch ");
	assert_int_equal(faketree_get(&tree, "sda", "iosched/async_depth"), 40);
	assert_int_equal(faketree_get(&tree, "sda", "nr_sched_batch"), 48);
}

static void foreign_values_stay(void **state)
{
	(void)state;
	tune(SW_FIFO_BATCH, 64);
	tune(SW_WRITES_STARVED, 8);
	faketree_set(&tree, "sda", "iosched/fifo_batch", 99);   /* over ours */
	faketree_set(&tree, "sda", "iosched/read_expire", 150); /* we never wrote it */
	faketree_set(&tree, "sda", "nr_sched_batch", 10);       /* nr_requests is not ours either */
	assert_int_equal(sw_baseline_restore(&disk), 1);
	assert_int_equal(faketree_get(&tree, "sda", "iosched/fifo_batch"), 99);
	assert_int_equal(faketree_get(&tree, "sda", "iosched/read_expire"), 150);
	assert_int_equal(faketree_get(&tree, "sda", "nr_sched_batch"), 10);
	assert_int_equal(faketree_get(&tree, "sda", "iosched/writes_starved"), 2);
	assert_false(has_baseline());
}

/* Killed between the note and the write: what is in force is the value before. */
static void a_note_without_its_write_hides_nothing(void **state)
{
	(void)state;
	tune(SW_FIFO_BATCH, 64);
	assert_int_equal(sw_baseline_note(&disk, SW_FIFO_BATCH, 128), 0);
	assert_int_equal(sw_baseline_note(&disk, SW_FIFO_BATCH, 256), 0);
	assert_int_equal(sw_baseline_restore(&disk), 1);
	assert_int_equal(faketree_get(&tree, "sda", "iosched/fifo_batch"), 16);
	assert_int_equal(sw_baseline_save(&disk, &found), 0);
	assert_int_equal(sw_baseline_note(&disk, SW_FIFO_BATCH, 64), 0);
	assert_int_equal(sw_baseline_restore(&disk), 0);
	assert_false(has_baseline());
}

/* A foreign value that was there when a write was noted (and then refused) is still foreign. */
static void a_note_does_not_adopt_a_foreign_value(void **state)
{
	(void)state;
	tune(SW_FIFO_BATCH, 64);
	faketree_set(&tree, "sda", "iosched/fifo_batch", 99);
	assert_int_equal(sw_baseline_note(&disk, SW_FIFO_BATCH, 128), 0);
	assert_int_equal(sw_baseline_restore(&disk), 0);
	assert_int_equal(faketree_get(&tree, "sda", "iosched/fifo_batch"), 99);
}

static void a_busy_queue_is_tried_again(void **state)
{
	(void)state;
	tune(SW_FIFO_BATCH, 64);
	refusals = 2;
	refusal = EBUSY;
	assert_int_equal(sw_baseline_restore(&disk), 1);
	assert_int_equal(faketree_get(&tree, "sda", "iosched/fifo_batch"), 16);
}

static void what_cannot_be_put_back_keeps_the_file(void **state)
{
	(void)state;
	sw_log_level(SW_ERROR);
	tune(SW_FIFO_BATCH, 64);
	tune(SW_WRITES_STARVED, 8);
	refusals = 1;
	refusal = EACCES;
	assert_int_equal(sw_baseline_restore(&disk), -EACCES);
	assert_true(has_baseline());
	assert_int_equal(faketree_get(&tree, "sda", "iosched/writes_starved"), 2); /* went on */
	refusals = 100;
	refusal = EBUSY;
	assert_int_equal(sw_baseline_restore(&disk), -EBUSY);
	refusals = 0;
	assert_int_equal(sw_baseline_restore(&disk), 1);
	assert_false(has_baseline());
}

static void another_boot_is_dropped(void **state)
{
	struct sw_baseline baseline;

	(void)state;
	tune(SW_FIFO_BATCH, 64);
	faketree_write(&tree, "proc/sys/kernel/random/boot_id", "another");
	assert_int_equal(sw_baseline_load(&disk, &baseline), -ESTALE);
	assert_int_equal(sw_baseline_restore(&disk), 0);
	assert_int_equal(faketree_get(&tree, "sda", "iosched/fifo_batch"), 64);
	assert_false(has_baseline());
}

/* Not knowing the boot is no reason to throw the baseline away. */
static void an_unknown_boot_keeps_the_file(void **state)
{
	struct sw_baseline baseline;

	(void)state;
	tune(SW_FIFO_BATCH, 64);
	faketree_delete(&tree, "proc/sys");
	assert_int_equal(sw_baseline_load(&disk, &baseline), -ENOENT);
	assert_int_equal(sw_baseline_restore(&disk), -ENOENT);
	assert_true(has_baseline());
}

/* The folder of a scheduler's knobs is a new one afterwards; here with the values of the old. */
static void switch_there_and_back(void)
{
	char old[PATH_MAX];

	snprintf(old, sizeof(old), "%s", faketree_path(&tree, "sys/block/sda/queue/iosched"));
	assert_int_equal(rename(old, faketree_path(&tree, "sys/block/sda/queue/before")), 0);
	faketree_folder(&tree, "sys/block/sda/queue/iosched");
	faketree_write(&tree, "sys/block/sda/queue/iosched/fifo_batch", "64");
}

/* A loop device that was detached, or bound to another file, keeps its knobs. */
static void a_new_medium_does_not_matter(void **state)
{
	(void)state;
	tune(SW_FIFO_BATCH, 64);
	faketree_write(&tree, "sys/block/sda/diskseq", "8");
	faketree_write(&tree, "sys/block/sda/size", "0");
	assert_int_equal(sw_baseline_restore(&disk), 1);
	assert_false(has_baseline());
	assert_int_equal(faketree_get(&tree, "sda", "iosched/fifo_batch"), 16);
}

static void another_disk_or_scheduler_is_dropped(void **state)
{
	struct sw_baseline baseline;
	char note[64];

	(void)state;
	tune(SW_FIFO_BATCH, 64);
	switch_there_and_back();
	assert_int_equal(sw_disk_resolve("sda", &disk, 1, note, sizeof(note)), 1);
	assert_int_equal(sw_baseline_load(&disk, &baseline), -ESTALE);
	assert_int_equal(sw_baseline_restore(&disk), 0);
	assert_false(has_baseline());
	assert_int_equal(faketree_get(&tree, "sda", "iosched/fifo_batch"), 64);
	assert_int_equal(sw_baseline_save(&disk, &found), 0);
	faketree_write(&tree, "sys/block/sda/queue/scheduler", "[bfq] mq-deadline");
	assert_int_equal(sw_baseline_load(&disk, &baseline), 0); /* as the caller last saw it */
	assert_int_equal(sw_baseline_restore(&disk), 0);
	assert_false(has_baseline());
}

static void a_disk_that_is_gone_needs_no_baseline(void **state)
{
	struct sw_disk only_name = { .name = "sda" };

	(void)state;
	tune(SW_FIFO_BATCH, 64);
	assert_int_equal(sw_baseline_restore(&only_name),
			 1); /* a name is enough while it is there */
	tune(SW_FIFO_BATCH, 64);
	faketree_delete(&tree, "sys/block/sda");
	assert_int_equal(sw_baseline_restore(&disk), 0);
	assert_false(has_baseline());
}

static void damage(const char *text)
{
	struct sw_baseline baseline;

	faketree_write(&tree, "run/sda.baseline", "%s", text);
	assert_int_equal(sw_baseline_load(&disk, &baseline), -EBADMSG);
	assert_int_equal(sw_baseline_note(&disk, SW_FIFO_BATCH, 32), -EBADMSG);
}

static void damaged_files_are_seen(void **state)
{
	char whole[4096], torn[4096], *digit;
	size_t n;

	(void)state;
	tune(SW_FIFO_BATCH, 64);
	snprintf(whole, sizeof(whole), "%s", faketree_read(&tree, "run/sda.baseline"));
	for (n = 0; n < strlen(whole); n++) { /* torn anywhere */
		snprintf(torn, sizeof(torn), "%.*s", (int)n, whole);
		damage(torn);
	}
	digit = strstr(whole, "fifo_batch 16") + strlen("fifo_batch 1");
	*digit = '7';
	damage(whole);
	damage("seekwise-baseline 2\ndisk sda\nend 0000000000000000");
	sw_log_level(SW_ERROR);
	assert_int_equal(sw_baseline_restore(&disk), -EBADMSG);
	assert_true(has_baseline());
	assert_int_equal(faketree_get(&tree, "sda", "iosched/fifo_batch"), 64);
}

/* A good file under another disk's name. */
static void a_misnamed_file_is_damaged(void **state)
{
	struct sw_disk other = disk;
	struct sw_baseline baseline;

	(void)state;
	tune(SW_FIFO_BATCH, 64);
	snprintf(other.name, sizeof(other.name), "sdb");
	faketree_write(&tree, "run/sdb.baseline", "%s", faketree_read(&tree, "run/sda.baseline"));
	assert_int_equal(sw_baseline_load(&other, &baseline), -EBADMSG);
}

static void odd_names_stay_in_the_folder(void **state)
{
	static const char *const odd[] = { "../sda", "a/b", "", ".", "..", ".sda", "a b", "a\nb" };
	struct sw_disk other = disk;
	long holder;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		snprintf(other.name, sizeof(other.name), "%s", odd[i]);
		assert_int_equal(sw_baseline_save(&other, &found), -EINVAL);
		assert_int_equal(sw_baseline_drop(&other), -EINVAL);
		assert_int_equal(sw_disk_lock(&other, &holder), -EINVAL);
	}
	snprintf(other.name, sizeof(other.name), "cciss!c0d0");
	assert_int_equal(sw_baseline_save(&other, &found), 0);
	assert_int_equal(access(faketree_path(&tree, "run/cciss!c0d0.baseline"), F_OK), 0);
}

static void baselines_are_listed(void **state)
{
	char names[4][SW_DISK_NAME];
	struct sw_disk other = disk;

	(void)state;
	assert_int_equal(sw_baseline_list(names, 4), 0); /* no folder yet */
	assert_int_equal(sw_baseline_save(&disk, &found), 0);
	snprintf(other.name, sizeof(other.name), "sdb");
	assert_int_equal(sw_baseline_save(&other, &found), 0);
	faketree_write(&tree, "run/sdc.lock", "1");
	faketree_write(&tree, "run/.baseline", "1");
	faketree_write(&tree, "run/baseline", "1");
	assert_int_equal(sw_baseline_list(names, 4), 2);
	assert_true(!strcmp(names[0], "sda") != !strcmp(names[1], "sda"));
	assert_true(!strcmp(names[0], "sdb") != !strcmp(names[1], "sdb"));
	assert_int_equal(sw_baseline_list(names, 1), -E2BIG);
}

static void a_link_in_the_way_of_the_new_file_is_replaced(void **state)
{
	(void)state;
	faketree_write(&tree, "victim", "untouched");
	faketree_link(&tree, "../victim", "run/sda.new");
	assert_int_equal(sw_baseline_save(&disk, &found), 0);
	assert_string_equal(faketree_read(&tree, "victim"), "untouched");
	assert_true(has_baseline());
}

static void one_tuner_per_disk(void **state)
{
	struct sw_disk other = disk;
	int first, second, sdb;
	long holder = -1;

	(void)state;
	faketree_write(&tree, "run/sda.lock", "1234567890 left by an earlier one");
	first = sw_disk_lock(&disk, &holder);
	assert_true(first >= 0);
	assert_int_equal(holder, 0);
	assert_int_equal(sw_disk_lock(&disk, &holder), -EBUSY);
	assert_int_equal(holder, getpid());
	snprintf(other.name, sizeof(other.name), "sdb");
	sdb = sw_disk_lock(&other, &holder);
	assert_true(sdb >= 0);
	assert_true(fcntl(first, F_GETFD) & FD_CLOEXEC);
	close(first);
	second = sw_disk_lock(&disk, &holder);
	assert_true(second >= 0);
	close(second);
	close(sdb);
}

/* Takes the lock in a process of its own, and lets it stay there until killed. */
static pid_t start_holder(void)
{
	int ready[2];
	char byte = 0;
	long holder;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (!pid) {
		byte = sw_disk_lock(&disk, &holder) >= 0 ? 'y' : 'n';
		if (write(ready[1], &byte, 1) == 1)
			pause();
		_exit(1);
	}
	assert_true(pid > 0);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_int_equal(byte, 'y');
	close(ready[0]);
	close(ready[1]);
	return pid;
}

static void the_lock_dies_with_its_process(void **state)
{
	pid_t pid = start_holder();
	long holder = 0;
	int fd;

	(void)state;
	assert_int_equal(sw_disk_lock(&disk, &holder), -EBUSY);
	assert_int_equal(holder, pid);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	fd = sw_disk_lock(&disk, &holder);
	assert_true(fd >= 0);
	assert_int_equal(strtol(faketree_read(&tree, "run/sda.lock"), NULL, 10), getpid());
	close(fd);
}

#define TREE_TEST(f) cmocka_unit_test_setup_teardown(f, make, drop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(the_file_says_all),
		TREE_TEST(a_baseline_is_not_overwritten),
		TREE_TEST(saving_that_fails_leaves_nothing),
		TREE_TEST(a_note_that_fails_keeps_the_old_file),
		TREE_TEST(all_comes_back),
		TREE_TEST(values_outside_our_bounds_come_back_too),
		TREE_TEST(the_order_is_pool_depths_batch_rest),
		TREE_TEST(followers_come_back_when_the_pool_is_back),
		TREE_TEST(a_batch_that_followed_follows_again),
		TREE_TEST(depths_come_back_between_pool_and_batch),
		TREE_TEST(foreign_values_stay),
		TREE_TEST(a_note_without_its_write_hides_nothing),
		TREE_TEST(a_note_does_not_adopt_a_foreign_value),
		TREE_TEST(a_busy_queue_is_tried_again),
		TREE_TEST(what_cannot_be_put_back_keeps_the_file),
		TREE_TEST(another_boot_is_dropped),
		TREE_TEST(an_unknown_boot_keeps_the_file),
		TREE_TEST(a_new_medium_does_not_matter),
		TREE_TEST(another_disk_or_scheduler_is_dropped),
		TREE_TEST(a_disk_that_is_gone_needs_no_baseline),
		TREE_TEST(damaged_files_are_seen),
		TREE_TEST(a_misnamed_file_is_damaged),
		TREE_TEST(odd_names_stay_in_the_folder),
		TREE_TEST(baselines_are_listed),
		TREE_TEST(a_link_in_the_way_of_the_new_file_is_replaced),
		TREE_TEST(one_tuner_per_disk),
		TREE_TEST(the_lock_dies_with_its_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
