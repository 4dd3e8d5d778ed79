// SPDX-License-Identifier: GPL-2.0-or-later
/* The knobs under tuning, when they change under the tuner's hands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../../src/tune/tuned.h"

static struct sw_tuned_set set;
static struct sw_settings now;

static void give(enum sw_knob_id id, int64_t value)
{
	now.value[id] = value;
	now.present[id] = true;
}

/* Passes of four on average, all known. */
static struct sw_window long_passes(void)
{
	struct sw_window w = { .passes = SW_PASSES_MEASURED };

	w.sum.passed.passes = 100;
	w.sum.passed.pass_sum = 400;
	return w;
}

static int begin(void **state)
{
	struct sw_limits limits;

	(void)state;
	memset(&set, 0, sizeof(set));
	memset(&now, 0, sizeof(now));
	give(SW_FIFO_BATCH, 16);
	give(SW_NR_REQUESTS, 256);
	give(SW_NR_SCHED_BATCH, 256);
	sw_limits_default(&limits);
	return sw_tuned_start(&set, &now, &limits);
}

static int end(void **state)
{
	(void)state;
	sw_tuned_free(&set);
	return 0;
}

static struct sw_tuned *batch_has_turn(void)
{
	struct sw_window w = long_passes();

	assert_true(sw_tuned_next(&set, &w));
	assert_int_equal(set.turn->id, SW_NR_SCHED_BATCH);
	return set.turn;
}

static void the_batch_needs_evidence(void **state)
{
	struct sw_window w = long_passes();

	(void)state;
	w.sum.passed.pass_sum = 100;
	assert_false(sw_tuned_next(&set, &w));
	assert_int_equal(set.turn->id, SW_FIFO_BATCH);
	w = long_passes();
	w.passes = SW_PASSES_UNKNOWN;
	assert_false(sw_tuned_next(&set, &w));
	w.passes = SW_PASSES_ESTIMATED;
	assert_true(sw_tuned_next(&set, &w));
	/* Its search is over: the first has its turn again, which is no new search. */
	assert_false(sw_tuned_next(&set, &w));
	assert_int_equal(set.turn->id, SW_FIFO_BATCH);
}

static void a_disk_without_the_batch_has_one_knob(void **state)
{
	struct sw_window w = long_passes();

	set.original.present[SW_NR_SCHED_BATCH] = false;
	(void)state;
	assert_false(sw_tuned_next(&set, &w));
	assert_int_equal(set.turn->id, SW_FIFO_BATCH);
}

static void following_is_nobodys_writing(void **state)
{
	struct sw_tuned *k;

	(void)state;
	give(SW_NR_REQUESTS, 100);
	give(SW_NR_SCHED_BATCH, 100);
	assert_int_equal(sw_tuned_look(&set, &now, &k), SW_TUNED_SAME);
	assert_int_equal(sw_tuned_found(&set, &set.knob[1]), 100);
	assert_int_equal(sw_tuned_look(&set, &now, &k), SW_TUNED_SAME);
}

static void a_pool_that_moves_begins_the_search_anew(void **state)
{
	struct sw_tuned *k = batch_has_turn(), *which = NULL;

	(void)state;
	give(SW_NR_REQUESTS, 100);
	give(SW_NR_SCHED_BATCH, 100);
	assert_int_equal(sw_tuned_look(&set, &now, &which), SW_TUNED_ANEW);
	assert_ptr_equal(which, k);
	assert_ptr_equal(set.turn, k);
	assert_non_null(k->controller);
	assert_int_equal(sw_tuned_decided(k), 100);
	assert_int_equal(sw_tuned_look(&set, &now, &which), SW_TUNED_SAME);
}

/* Below nr_requests it does not follow; but what may be tried has another bound. */
static void the_bound_of_a_batch_that_stays_moves(void **state)
{
	struct sw_limits limits;
	struct sw_tuned *k, *which = NULL;

	(void)state;
	give(SW_NR_SCHED_BATCH, 64);
	sw_limits_default(&limits);
	assert_int_equal(sw_tuned_start(&set, &now, &limits), 0);
	k = batch_has_turn();
	give(SW_NR_REQUESTS, 128);
	assert_int_equal(sw_tuned_look(&set, &now, &which), SW_TUNED_ANEW);
	assert_int_equal(k->value, 64);
	assert_int_equal(sw_tuned_found(&set, k), 64);
}

static void a_foreign_batch_is_left_and_the_first_goes_on(void **state)
{
	struct sw_tuned *k = NULL;
	struct sw_window w = long_passes();

	(void)state;
	give(SW_NR_SCHED_BATCH, 32);
	assert_int_equal(sw_tuned_look(&set, &now, &k), SW_TUNED_FOREIGN);
	assert_int_equal(k->id, SW_NR_SCHED_BATCH);
	assert_true(sw_tuned_leave(&set, k, 32));
	assert_int_equal(sw_tuned_look(&set, &now, &k), SW_TUNED_SAME);
	give(SW_NR_SCHED_BATCH, 8);
	assert_int_equal(sw_tuned_look(&set, &now, &k), SW_TUNED_SAME);
	assert_false(sw_tuned_next(&set, &w));
	assert_int_equal(set.turn->id, SW_FIFO_BATCH);
}

static void a_foreign_first_knob_ends_it(void **state)
{
	struct sw_tuned *k = NULL;

	(void)state;
	give(SW_FIFO_BATCH, 3);
	assert_int_equal(sw_tuned_look(&set, &now, &k), SW_TUNED_FOREIGN);
	assert_false(sw_tuned_leave(&set, k, 3));
}

static void the_text_has_what_the_disk_has(void **state)
{
	char text[128], few[8];

	(void)state;
	sw_tuned_text(&set, text, sizeof(text));
	assert_string_equal(text, "fifo_batch 16 (found 16), nr_sched_batch 256 (found 256)");
	sw_tuned_text(&set, few, sizeof(few));
	assert_string_equal(few, "fifo_ba");
	set.original.present[SW_NR_SCHED_BATCH] = false;
	sw_tuned_text(&set, text, sizeof(text));
	assert_string_equal(text, "fifo_batch 16 (found 16)");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_batch_needs_evidence),
		TEST(a_disk_without_the_batch_has_one_knob),
		TEST(following_is_nobodys_writing),
		TEST(a_pool_that_moves_begins_the_search_anew),
		TEST(the_bound_of_a_batch_that_stays_moves),
		TEST(a_foreign_batch_is_left_and_the_first_goes_on),
		TEST(a_foreign_first_knob_ends_it),
		TEST(the_text_has_what_the_disk_has),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
