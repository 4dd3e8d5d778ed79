// SPDX-License-Identifier: GPL-2.0-or-later
/* A trial that switches schedulers, on a made-up disk: what was found comes back, with its knobs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../src/tune/knobs_internal.h"
#include "faketree.h"
#include "seekwise/base.h"
#include "seekwise/live_trial.h"

#define SECOND 1000000000ULL
#define QUEUE "sys/block/sda/queue/"

static struct faketree tree;
static struct sw_disk disk;
static struct sw_live_options options;
static struct sw_live_trial *trial;
static uint64_t now;
static char why[256];
static int switches; /* done by the made-up kernel */
static int refusals; /* so many switches fail first */
/* The process is killed at that switch, before or after it; 0: at none. */
static int killed_before, killed_after;

/* A switch sets all knobs anew, and another scheduler has others. */
static void kernel_switch(const char *name)
{
	bool deadline = !strcmp(name, "mq-deadline");

	switches++;
	if (switches == killed_before)
		_exit(0);
	faketree_write(&tree, QUEUE "scheduler", "%s %s kyber", deadline ? "none" : "[none]",
		       deadline ? "[mq-deadline]" : "mq-deadline");
	if (!access(faketree_path(&tree, QUEUE "iosched"), F_OK))
		faketree_delete(&tree, QUEUE "iosched");
	faketree_set(&tree, "sda", "nr_requests", deadline ? 64 : 32);
	if (deadline) {
		faketree_set(&tree, "sda", "iosched/async_depth", 48);
		faketree_set(&tree, "sda", "iosched/fifo_batch", 16);
		faketree_set(&tree, "sda", "iosched/read_expire", 500);
	}
	if (switches == killed_after)
		_exit(0);
}

static ssize_t kernel_write(int fd, const void *text, size_t n)
{
	char link[64], path[PATH_MAX];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	path[length < 0 ? 0 : length] = '\0';
	if (!strcmp(strrchr(path, '/'), "/nr_requests") &&
	    !access(faketree_path(&tree, QUEUE "iosched"), F_OK))
		faketree_set(&tree, "sda", "iosched/async_depth", strtol(text, NULL, 10) * 3 / 4);
	if (strcmp(strrchr(path, '/'), "/scheduler"))
		return write(fd, text, n);
	if (refusals && refusals--) {
		errno = EBUSY;
		return -1;
	}
	kernel_switch(text);
	return (ssize_t)n;
}

static void say_nothing(const char *line)
{
	(void)line;
}

static void set(int i, const char *text)
{
	assert_int_equal(sw_set_parse(text, &options.set[i], why, sizeof(why)), 0);
}

static int make(void **state)
{
	char note[64];

	(void)state;
	faketree_make(&tree);
	faketree_disk(&tree, "sda", 8, 0);
	kernel_switch("mq-deadline");
	/* What the machine's owner set. */
	faketree_set(&tree, "sda", "nr_requests", 128);
	faketree_set(&tree, "sda", "iosched/async_depth", 77);
	faketree_set(&tree, "sda", "iosched/fifo_batch", 5);
	assert_int_equal(sw_disk_resolve("sda", &disk, 1, note, sizeof(note)), 1);
	memset(&options, 0, sizeof(options));
	set(0, "scheduler=mq-deadline");
	set(1, "scheduler=none");
	options.sets = 2;
	options.pairs = 2;
	options.window_ns = SECOND;
	options.say = say_nothing;
	now = 0;
	switches = refusals = killed_before = killed_after = 0;
	sw_sysfs_write = kernel_write;
	return 0;
}

static int drop(void **state)
{
	(void)state;
	sw_sysfs_write = write;
	sw_live_free(trial);
	trial = NULL;
	faketree_remove(&tree);
	return 0;
}

static void open_trial(void)
{
	assert_int_equal(sw_live_open(&trial, &disk, &options, why, sizeof(why)), SW_OK);
}

/* A second in which so many requests were done, 4 KiB each. */
static bool step(uint64_t ios)
{
	struct sw_window w = { .start_ns = now, .end_ns = now + SECOND, .busy_ns = SECOND };

	now += SECOND;
	w.sum.completed.dir[SW_READ].ios = ios;
	w.sum.completed.dir[SW_READ].bytes = ios * 4096;
	return sw_live_step(trial, &w);
}

static void assert_found(void)
{
	assert_non_null(strstr(faketree_read(&tree, QUEUE "scheduler"), "[mq-deadline]"));
	assert_int_equal(faketree_get(&tree, "sda", "nr_requests"), 128);
	assert_int_equal(faketree_get(&tree, "sda", "iosched/async_depth"), 77);
	assert_int_equal(faketree_get(&tree, "sda", "iosched/fifo_batch"), 5);
	assert_int_equal(faketree_get(&tree, "sda", "iosched/read_expire"), 500);
}

static void assert_none(int64_t nr_requests)
{
	assert_non_null(strstr(faketree_read(&tree, QUEUE "scheduler"), "[none]"));
	assert_int_equal(faketree_get(&tree, "sda", "nr_requests"), nr_requests);
}

static void assert_restored(void)
{
	assert_found();
	assert_string_equal(faketree_read(&tree, "run/sda.baseline"), "");
}

static void test_alternates_and_restores(void **state)
{
	(void)state;
	open_trial();
	assert_true(step(10)); /* of the time before: a is in force */
	assert_true(step(1000));
	assert_none(32);
	assert_true(step(10));
	assert_true(step(2000));
	assert_none(32);
	assert_true(step(2000)); /* the second round begins with b */
	/* Under the scheduler that was found it has the knobs that were found. */
	assert_found();
	assert_true(step(10));
	assert_false(step(1000));
	assert_int_equal(switches, 2);
	assert_int_equal(sw_live_release(trial), SW_OK);
	assert_restored();
	assert_string_equal(sw_live_why(trial), "");
	assert_int_equal(sw_live_result(trial)->with[1].outcome, SW_BETTER);
}

static void test_restores_from_anywhere(void **state)
{
	int i, k;

	(void)state;
	for (i = 0; i < 9; i++) {
		open_trial();
		for (k = 0; k < i; k++)
			step(100);
		assert_int_equal(sw_live_release(trial), SW_OK);
		assert_restored();
		sw_live_free(trial);
		trial = NULL;
	}
}

/* In a process of its own, which ends without a word after `steps`, or at a switch. */
static void killed_trial(int steps)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		if (sw_live_open(&trial, &disk, &options, why, sizeof(why)))
			_exit(1);
		while (steps--)
			step(100);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void test_killed_at_any_moment(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < 9; i++) {
		killed_trial(i);
		assert_true(sw_baseline_restore(&disk) >= 0);
		assert_restored();
	}
	for (i = 1; i <= 2; i++) {
		killed_before = i;
		killed_trial(9);
		killed_before = 0;
		assert_true(sw_baseline_restore(&disk) >= 0);
		assert_restored();
		killed_after = i;
		killed_trial(9);
		killed_after = 0;
		assert_true(sw_baseline_restore(&disk) >= 0);
		assert_restored();
	}
}

/* A third scheduler after it was killed is somebody's choice. */
static void test_killed_then_switched_by_somebody(void **state)
{
	(void)state;
	killed_trial(3);
	faketree_write(&tree, QUEUE "scheduler", "none mq-deadline [kyber]");
	assert_int_equal(sw_baseline_restore(&disk), 0);
	assert_non_null(strstr(faketree_read(&tree, QUEUE "scheduler"), "[kyber]"));
	assert_string_equal(faketree_read(&tree, "run/sda.baseline"), "");
}

/* Nor is one that the trial compares ours when it is another than we left. */
static void test_killed_then_switched_within_the_sets(void **state)
{
	int left_none = 0, left_deadline = 0, i;

	(void)state;
	for (i = 0; i < 9; i++) {
		killed_trial(i);
		if (!strstr(faketree_read(&tree, "run/sda.baseline"), "\nswitched "))
			continue;
		if (strstr(faketree_read(&tree, QUEUE "scheduler"), "[none]")) {
			left_none++;
			kernel_switch("mq-deadline");
			faketree_set(&tree, "sda", "iosched/fifo_batch", 33);
			assert_int_equal(sw_baseline_restore(&disk), 0);
			assert_int_equal(faketree_get(&tree, "sda", "iosched/fifo_batch"), 33);
		} else {
			left_deadline++;
			kernel_switch("none");
			assert_int_equal(sw_baseline_restore(&disk), 0);
			assert_non_null(strstr(faketree_read(&tree, QUEUE "scheduler"), "[none]"));
			kernel_switch("mq-deadline");
		}
		assert_string_equal(faketree_read(&tree, "run/sda.baseline"), "");
	}
	assert_true(left_none && left_deadline);
}

/* The kernel's writing of our switch back, half of it, is ours too. */
static void test_killed_twice(void **state)
{
	pid_t pid;
	int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		killed_trial(3);
		*(i ? &killed_after : &killed_before) = switches + 1;
		pid = fork();
		if (!pid) {
			sw_baseline_restore(&disk);
			_exit(0);
		}
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		killed_before = killed_after = 0;
		assert_true(sw_baseline_restore(&disk) >= 0);
		assert_restored();
	}
}

static void test_somebody_elses_switch_ends_it(void **state)
{
	(void)state;
	open_trial();
	step(10);
	step(1000);
	assert_none(32);
	kernel_switch("mq-deadline");
	assert_false(step(1000));
	assert_string_equal(sw_live_why(trial), "somebody else switched the scheduler to "
						"mq-deadline (it was none): hands off");
	assert_int_equal(sw_live_release(trial), SW_OK);
	assert_int_equal(faketree_get(&tree, "sda", "iosched/fifo_batch"), 16);
	assert_string_equal(faketree_read(&tree, "run/sda.baseline"), "");
}

/* Also in a knob that no set names: the next switch would take it away. */
static void test_somebody_elses_value_ends_it(void **state)
{
	(void)state;
	open_trial();
	step(10);
	faketree_set(&tree, "sda", "iosched/read_expire", 123);
	assert_false(step(1000));
	assert_non_null(
		strstr(sw_live_why(trial), "somebody else set read_expire to 123 (it was 500)"));
	assert_int_equal(sw_live_release(trial), SW_OK);
	assert_int_equal(faketree_get(&tree, "sda", "iosched/read_expire"), 123);
	assert_int_equal(faketree_get(&tree, "sda", "iosched/fifo_batch"), 5);
}

static void test_a_switch_that_is_busy_is_tried_again(void **state)
{
	(void)state;
	open_trial();
	step(10);
	refusals = 2;
	assert_true(step(1000));
	assert_found();
	assert_true(step(1000));
	assert_found();
	assert_true(step(1000));
	assert_none(32);
	refusals = 2;
	assert_int_equal(sw_live_release(trial), SW_OK);
	assert_restored();
}

/* What cannot be put back stays known. */
static void test_a_switch_back_that_fails_can_be_done_later(void **state)
{
	(void)state;
	open_trial();
	step(10);
	assert_true(step(1000));
	refusals = 1000;
	assert_int_equal(sw_live_release(trial), SW_FAILED);
	assert_none(32);
	refusals = 0;
	assert_true(sw_baseline_restore(&disk) > 0);
	assert_restored();
}

static void test_what_is_not_there(void **state)
{
	(void)state;
	set(1, "scheduler=bfq");
	assert_int_equal(sw_live_open(&trial, &disk, &options, why, sizeof(why)),
			 SW_NOTHING_TO_TUNE);
	assert_string_equal(why, "it has no scheduler bfq; it has none, mq-deadline, kyber "
				 "(a module must be loaded first)");
	set(1, "scheduler=mq-deadline,nr_sched_batch=4");
	assert_int_equal(sw_live_open(&trial, &disk, &options, why, sizeof(why)),
			 SW_NOTHING_TO_TUNE);
	assert_string_equal(why, "it has no nr_sched_batch");
	/* The driver would keep it, with nothing in sysfs to show it. */
	set(1, "scheduler=none,nr_requests=8");
	assert_int_equal(sw_live_open(&trial, &disk, &options, why, sizeof(why)),
			 SW_NOTHING_TO_TUNE);
	assert_non_null(strstr(why, "nr_requests under none stays with the driver"));
	assert_int_equal(switches, 0);
	assert_found();
	/* What another one has shows when it is in force. */
	set(1, "scheduler=none,nr_sched_batch=4");
	open_trial();
	step(10);
	assert_false(step(1000));
	assert_string_equal(sw_live_why(trial), "there is no nr_sched_batch under none");
	assert_int_equal(sw_live_release(trial), SW_OK);
	assert_restored();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_alternates_and_restores, make, drop),
		cmocka_unit_test_setup_teardown(test_restores_from_anywhere, make, drop),
		cmocka_unit_test_setup_teardown(test_killed_at_any_moment, make, drop),
		cmocka_unit_test_setup_teardown(test_killed_then_switched_by_somebody, make, drop),
		cmocka_unit_test_setup_teardown(test_killed_then_switched_within_the_sets, make,
						drop),
		cmocka_unit_test_setup_teardown(test_killed_twice, make, drop),
		cmocka_unit_test_setup_teardown(test_somebody_elses_switch_ends_it, make, drop),
		cmocka_unit_test_setup_teardown(test_somebody_elses_value_ends_it, make, drop),
		cmocka_unit_test_setup_teardown(test_a_switch_that_is_busy_is_tried_again, make,
						drop),
		cmocka_unit_test_setup_teardown(test_a_switch_back_that_fails_can_be_done_later,
						make, drop),
		cmocka_unit_test_setup_teardown(test_what_is_not_there, make, drop),
	};

	return cmocka_run_group_tests(tests, 0, 0);
}
