// SPDX-License-Identifier: GPL-2.0-or-later
/* Sets as they are named, and comparisons of made-up windows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "seekwise/comparison.h"
#include "seekwise/sets.h"

static char why[256];

static void assert_refused(const char *text, const char *says)
{
	struct sw_set set;

	assert_int_equal(sw_set_parse(text, &set, why, sizeof(why)), -EINVAL);
	if (!strstr(why, says))
		fail_msg("%s: \"%s\" lacks \"%s\"", text, why, says);
}

static void test_sets(void **state)
{
	struct sw_settings found = {
		.present = { [SW_FIFO_BATCH] = true, [SW_ASYNC_DEPTH_OLD] = true },
		.value = { [SW_FIFO_BATCH] = 16, [SW_ASYNC_DEPTH_OLD] = 48 }
	};
	struct sw_set set, other;
	char text[64];

	(void)state;
	assert_int_equal(
		sw_set_parse("iosched/fifo_batch=4,async_depth=12", &set, why, sizeof(why)), 0);
	sw_set_text(&set, text, sizeof(text));
	assert_string_equal(text, "async_depth=12,fifo_batch=4");
	assert_int_equal(sw_set_fit(&set, &found, "mq-deadline", why, sizeof(why)), 0);
	assert_true(set.named[SW_ASYNC_DEPTH_OLD] && !set.named[SW_ASYNC_DEPTH]);
	assert_int_equal(set.value[SW_ASYNC_DEPTH_OLD], 12);
	assert_int_equal(sw_set_parse("fifo_batch=4", &other, why, sizeof(why)), 0);
	assert_false(sw_set_equal(&set, &other));
	assert_int_equal(sw_set_fit(&other, &found, "mq-deadline", why, sizeof(why)), 0);
	assert_int_equal(other.value[SW_ASYNC_DEPTH_OLD], 48);
	assert_int_equal(sw_set_parse("nr_sched_batch=4", &other, why, sizeof(why)), 0);
	assert_int_equal(sw_set_fit(&other, &found, "mq-deadline", why, sizeof(why)), -ENOENT);
	assert_string_equal(why, "it has no nr_sched_batch");
}

static void test_sets_with_a_scheduler(void **state)
{
	struct sw_settings found = { .present = { [SW_FIFO_BATCH] = true },
				     .value = { [SW_FIFO_BATCH] = 16 } };
	struct sw_set none, deadline, plain;
	char text[64];

	(void)state;
	assert_int_equal(sw_set_parse("nr_requests=64,scheduler=none", &none, why, sizeof(why)), 0);
	sw_set_text(&none, text, sizeof(text));
	assert_string_equal(text, "scheduler=none,nr_requests=64");
	/* What it has shows when it is in force. */
	assert_int_equal(sw_set_fit(&none, &found, "mq-deadline", why, sizeof(why)), 0);
	assert_string_equal(none.scheduler, "none");
	assert_int_equal(
		sw_set_parse("scheduler=mq-deadline,fifo_batch=4", &deadline, why, sizeof(why)), 0);
	assert_int_equal(sw_set_parse("fifo_batch=4", &plain, why, sizeof(why)), 0);
	assert_false(sw_set_equal(&deadline, &plain));
	assert_false(sw_set_equal(&deadline, &none));
	assert_int_equal(sw_set_fit(&plain, &found, "mq-deadline", why, sizeof(why)), 0);
	assert_string_equal(plain.scheduler, "mq-deadline");
	sw_set_text(&plain, text, sizeof(text));
	assert_string_equal(text, "fifo_batch=4");
	/* Of the scheduler that is in force it is known what it has. */
	memset(&found, 0, sizeof(found));
	assert_int_equal(sw_set_fit(&deadline, &found, "none", why, sizeof(why)), 0);
	assert_int_equal(sw_set_fit(&deadline, &found, "mq-deadline", why, sizeof(why)), -ENOENT);
}

static void test_sets_that_are_none(void **state)
{
	(void)state;
	assert_refused("", "'' is not of the form knob=value");
	assert_refused("fifo_batch=4,", "'' is not of the form knob=value");
	assert_refused("fifo_batch", "'fifo_batch' is not of the form");
	assert_refused("fifo=4",
		       "'fifo' is no knob; there are scheduler, nr_requests, async_depth, ");
	assert_refused("scheduler", "'scheduler' is not of the form");
	assert_refused("scheduler=", "scheduler '': not a scheduler's name");
	assert_refused("scheduler=../none", "not a scheduler's name");
	assert_refused("scheduler=none none", "not a scheduler's name");
	assert_refused("scheduler=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "not a scheduler's name");
	assert_refused("scheduler=none,scheduler=none", "scheduler is named twice");
	assert_refused("scheduler=kyber,fifo_batch=4",
		       "fifo_batch is of mq-deadline, not of kyber");
	assert_refused("fifo_batch=4,scheduler=none", "fifo_batch is of mq-deadline, not of none");
	assert_refused("=4", "'' is no knob");
	assert_refused("fifo_batch=", "fifo_batch '': not a whole number from 1 to 4096");
	assert_refused("fifo_batch=4x", "fifo_batch '4x'");
	assert_refused("fifo_batch=-1", "fifo_batch '-1'");
	assert_refused("fifo_batch=5000", "from 1 to 4096");
	assert_refused("fifo_batch=4,fifo_batch=4", "fifo_batch is named twice");
}

/* A window of that many bytes in a busy second. */
static struct sw_sample window_of(uint64_t bytes)
{
	return (struct sw_sample){ .seconds = 1,
				   .busy_seconds = 1,
				   .ios = 1000,
				   .bytes = bytes,
				   .sync_ios = 1000,
				   .sync_p99_us = 1e9 / (double)bytes,
				   .wait_mean_us = -1 };
}

static const double noise[] = { 0, 0.01, -0.01, 0.005, 0, -0.005, 0.01 };

/* Gives windows until it is over: `gain` more bytes under the sets after the first. */
static void run(struct sw_comparison *c, double gain, double loud)
{
	int turn, n = 0;

	while ((turn = sw_comparison_turn(c)) >= 0) {
		double factor = (turn ? 1 + gain : 1) * (1 + loud * noise[n % 7]);
		struct sw_sample sample = window_of((uint64_t)(1e6 * factor));

		sw_comparison_give(c, &sample);
		assert_true(++n < 1000);
	}
	sw_comparison_end(c);
}

static void test_backwards_in_each_second_round(void **state)
{
	static const int order[] = { 0, 1, 2, 2, 1, 0, 0, 1, 2 };
	struct sw_sample sample = window_of(1000000);
	struct sw_comparison c;
	size_t i;

	(void)state;
	sw_comparison_begin(&c, 3, SW_THROUGHPUT, 3);
	for (i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		assert_int_equal(sw_comparison_turn(&c), order[i]);
		sw_comparison_give(&c, &sample);
	}
	assert_int_equal(sw_comparison_turn(&c), -1);
	sw_comparison_give(&c, &sample);
	assert_int_equal(c.rounds, 3);
}

static void test_as_many_pairs_as_are_asked_for(void **state)
{
	struct sw_comparison c;

	(void)state;
	sw_comparison_begin(&c, 2, SW_THROUGHPUT, 30);
	run(&c, 0.5, 1);
	assert_int_equal(c.rounds, 30);
	assert_int_equal(c.with[1].outcome, SW_BETTER);
	assert_true(fabs(expm1(c.with[1].gain.mean) - 0.5) < 0.02);
	assert_true(c.with[1].gain.low > log(1.45) && c.with[1].gain.high < log(1.55));
	sw_comparison_begin(&c, 2, SW_THROUGHPUT, 1);
	run(&c, 0.5, 1);
	assert_int_equal(c.with[1].outcome, SW_NOT_DECIDED);
	assert_false(isfinite(c.with[1].gain.low));
}

static void test_ends_when_it_is_decided(void **state)
{
	struct sw_comparison c;

	(void)state;
	sw_comparison_begin(&c, 2, SW_THROUGHPUT, 0);
	run(&c, 0.5, 1);
	assert_int_equal(c.with[1].outcome, SW_BETTER);
	assert_true(c.rounds < 10);
	sw_comparison_begin(&c, 2, SW_THROUGHPUT, 0);
	run(&c, -0.2, 1);
	assert_int_equal(c.with[1].outcome, SW_POORER);
	sw_comparison_begin(&c, 3, SW_THROUGHPUT, 0);
	run(&c, 0, 1);
	assert_int_equal(c.with[1].outcome, SW_ALIKE);
	assert_int_equal(c.with[2].outcome, SW_ALIKE);
	sw_comparison_begin(&c, 2, SW_THROUGHPUT, 0);
	run(&c, 0.01, 40);
	assert_int_equal(c.with[1].outcome, SW_NOT_DECIDED);
	assert_int_equal(c.rounds, 40);
}

static void test_less_may_be_better(void **state)
{
	struct sw_comparison c;

	(void)state;
	sw_comparison_begin(&c, 2, SW_SYNC_P99, 10);
	run(&c, 0.5, 1);
	assert_int_equal(c.with[1].outcome, SW_BETTER);
	assert_true(sw_series_median(&c.with[1].b) < sw_series_median(&c.with[1].a));
	/* What is not measured is not judged. */
	sw_comparison_begin(&c, 2, SW_WAIT_MEAN, 10);
	run(&c, 0.5, 1);
	assert_int_equal(c.with[1].outcome, SW_NOT_JUDGED);
	assert_int_equal(c.with[1].why, SW_UNUSED_UNMEASURED);
}

static void test_pairs_that_cannot_be_used(void **state)
{
	struct sw_sample idle = { .seconds = 1, .sync_p99_us = -1, .wait_mean_us = -1 };
	struct sw_sample lossy = window_of(1000), tainted = lossy;
	struct sw_comparison c;

	(void)state;
	lossy.lossy = true;
	tainted.tainted = true;
	sw_comparison_begin(&c, 2, SW_THROUGHPUT, 3);
	sw_comparison_give(&c, &lossy);
	sw_comparison_give(&c, &idle);
	assert_int_equal(c.with[1].why, SW_UNUSED_LOSSY);
	sw_comparison_give(&c, &tainted);
	sw_comparison_give(&c, &lossy);
	assert_int_equal(c.with[1].why, SW_UNUSED_LOSSY);
	sw_comparison_give(&c, &idle);
	sw_comparison_give(&c, &idle);
	assert_int_equal(c.with[1].why, SW_UNUSED_FEW);
	assert_int_equal(sw_comparison_turn(&c), -1);
	sw_comparison_end(&c);
	assert_int_equal(c.with[1].unused, 3);
	assert_int_equal(c.with[1].outcome, SW_NOT_JUDGED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sets),
		cmocka_unit_test(test_sets_with_a_scheduler),
		cmocka_unit_test(test_sets_that_are_none),
		cmocka_unit_test(test_backwards_in_each_second_round),
		cmocka_unit_test(test_as_many_pairs_as_are_asked_for),
		cmocka_unit_test(test_ends_when_it_is_decided),
		cmocka_unit_test(test_less_may_be_better),
		cmocka_unit_test(test_pairs_that_cannot_be_used),
	};

	return cmocka_run_group_tests(tests, 0, 0);
}
