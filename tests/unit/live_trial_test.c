// SPDX-License-Identifier: GPL-2.0-or-later
/* A trial's writes on a made-up disk: it alternates, and what was found comes back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faketree.h"
#include "seekwise/base.h"
#include "seekwise/live_trial.h"
#include "seekwise/output.h"

#define SECOND 1000000000ULL

static struct faketree tree;
static struct sw_disk disk;
static struct sw_live_options options;
static struct sw_live_trial *trial;
static uint64_t now;
static int lines;
static char why[256];

static void count_line(const char *line)
{
	assert_non_null(strstr(line, "sda: round "));
	lines++;
}

static int make(void **state)
{
	char note[64];

	(void)state;
	faketree_make(&tree);
	faketree_disk(&tree, "sda", 8, 0);
	/* A trial is asked for by name. */
	faketree_set(&tree, "sda", "rotational", 0);
	assert_int_equal(sw_disk_resolve("sda", &disk, 1, note, sizeof(note)), 1);
	memset(&options, 0, sizeof(options));
	assert_int_equal(sw_set_parse("fifo_batch=1", &options.set[0], why, sizeof(why)), 0);
	assert_int_equal(
		sw_set_parse("fifo_batch=64,writes_starved=4", &options.set[1], why, sizeof(why)),
		0);
	options.sets = 2;
	options.pairs = 2;
	options.window_ns = SECOND;
	options.say = count_line;
	now = lines = 0;
	return 0;
}

static int drop(void **state)
{
	(void)state;
	sw_live_free(trial);
	trial = NULL;
	faketree_remove(&tree);
	return 0;
}

static void open_trial(void)
{
	assert_int_equal(sw_live_open(&trial, &disk, &options, why, sizeof(why)), SW_OK);
}

/* A second in which so many requests were done, 4 KiB each, and `held` are held at its end. */
static bool step(uint64_t ios, uint64_t held)
{
	struct sw_window w = { .start_ns = now, .end_ns = now + SECOND, .busy_ns = SECOND };

	now += SECOND;
	w.held_now = held;
	w.sum.completed.dir[SW_READ].ios = ios;
	w.sum.completed.dir[SW_READ].bytes = ios * 4096;
	return sw_live_step(trial, &w);
}

static void assert_knobs(int64_t fifo_batch, int64_t writes_starved)
{
	assert_int_equal(faketree_get(&tree, "sda", "iosched/fifo_batch"), fifo_batch);
	assert_int_equal(faketree_get(&tree, "sda", "iosched/writes_starved"), writes_starved);
}

static void test_alternates_and_restores(void **state)
{
	(void)state;
	open_trial();
	assert_knobs(16, 2);
	assert_true(step(10, 100)); /* of the time before */
	assert_knobs(1, 2);
	assert_true(step(40, 60)); /* not all of the hundred are done */
	assert_true(step(70, 60));
	assert_true(step(1000, 0));
	assert_knobs(64, 4);
	assert_true(step(0, 0)); /* nobody is to be waited for */
	assert_true(step(2000, 0));
	assert_int_equal(lines, 1);
	/* The second round begins with b, whose settings are in force. */
	assert_knobs(64, 4);
	assert_true(step(2000, 0));
	assert_knobs(1, 2);
	assert_true(step(0, 0));
	assert_false(step(1000, 0));
	assert_int_equal(lines, 2);
	assert_false(step(1000, 0));
	assert_knobs(1, 2);
	assert_int_equal(sw_live_release(trial), SW_OK);
	assert_knobs(16, 2);
	assert_string_equal(faketree_read(&tree, "run/sda.baseline"), "");
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
			step(100, 0);
		assert_int_equal(sw_live_release(trial), SW_OK);
		assert_knobs(16, 2);
		sw_live_free(trial);
		trial = NULL;
	}
}

static void test_somebody_elses_value_ends_it(void **state)
{
	(void)state;
	open_trial();
	step(10, 0);
	step(1000, 0);
	step(1000, 0);
	assert_knobs(64, 4);
	faketree_set(&tree, "sda", "iosched/fifo_batch", 77);
	assert_false(step(1000, 0));
	assert_non_null(
		strstr(sw_live_why(trial), "somebody else set fifo_batch to 77 (it was 64)"));
	assert_int_equal(sw_live_release(trial), SW_OK);
	assert_knobs(77, 2);
	assert_int_equal(sw_live_result(trial)->with[1].outcome, SW_NOT_JUDGED);
}

static void test_switch_and_removal_end_it(void **state)
{
	(void)state;
	open_trial();
	step(10, 0);
	faketree_write(&tree, "sys/block/sda/queue/scheduler", "mq-deadline [none]");
	assert_false(step(1000, 0));
	assert_non_null(strstr(sw_live_why(trial), "its scheduler is none"));
	assert_int_equal(sw_live_release(trial), SW_OK);
	sw_live_free(trial);
	trial = NULL;
	faketree_write(&tree, "sys/block/sda/queue/scheduler", "[mq-deadline] none");
	open_trial();
	step(10, 0);
	faketree_delete(&tree, "sys/block/sda");
	assert_false(step(1000, 0));
	assert_string_equal(sw_live_why(trial), "the disk is gone");
	sw_live_release(trial);
}

static void test_a_knob_that_is_not_there(void **state)
{
	(void)state;
	assert_int_equal(sw_set_parse("nr_sched_batch=4", &options.set[1], why, sizeof(why)), 0);
	assert_int_equal(sw_live_open(&trial, &disk, &options, why, sizeof(why)),
			 SW_NOTHING_TO_TUNE);
	assert_string_equal(why, "it has no nr_sched_batch");
	assert_null(trial);
}

static void test_json(void **state)
{
	static const char *const keys[] = { "schema",         "disk",   "metric", "unit",
					    "window_seconds", "rounds", "sets",   "comparisons",
					    "restored",       "ended" };
	struct sw_trial_report r = {
		.disk = "sda", .window_ns = SECOND, .restored = true, .why = ""
	};
	struct json_object *j, *found;
	char *text = NULL;
	size_t size, i;
	FILE *out;

	(void)state;
	open_trial();
	while (step(1000, 0))
		;
	assert_int_equal(sw_live_release(trial), SW_OK);
	r.comparison = sw_live_result(trial);
	r.sets = sw_live_set(trial, 0);
	out = open_memstream(&text, &size);
	assert_int_equal(sw_trial_json(out, &r), 0);
	fclose(out);
	j = json_tokener_parse(text);
	assert_non_null(j);
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_true(json_object_object_get_ex(j, keys[i], &found));
	assert_null(found);
	json_object_object_get_ex(j, "comparisons", &found);
	found = json_object_array_get_idx(found, 0);
	assert_int_equal(json_object_get_int(json_object_object_get(found, "pairs")), 2);
	assert_string_equal(json_object_get_string(json_object_object_get(found, "verdict")),
			    "same");
	assert_true(json_object_get_double(json_object_object_get(found, "ratio")) == 1);
	json_object_put(j);
	free(text);
	text = NULL;
	out = open_memstream(&text, &size);
	assert_int_equal(sw_trial_text(out, &r), 0);
	fclose(out);
	assert_non_null(strstr(text,
			       "sda: no difference of 3 % or more in work per busy second between "
			       "fifo_batch=64,writes_starved=4 and fifo_batch=1"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_alternates_and_restores, make, drop),
		cmocka_unit_test_setup_teardown(test_restores_from_anywhere, make, drop),
		cmocka_unit_test_setup_teardown(test_somebody_elses_value_ends_it, make, drop),
		cmocka_unit_test_setup_teardown(test_switch_and_removal_end_it, make, drop),
		cmocka_unit_test_setup_teardown(test_a_knob_that_is_not_there, make, drop),
		cmocka_unit_test_setup_teardown(test_json, make, drop),
	};

	return cmocka_run_group_tests(tests, 0, 0);
}
