// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A kernel that runs no program for some completions: with one of ten thousand missing,
 * verdict, advice and tuning are what they are without; with one of a hundred they are
 * refused in words.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../src/output/advice.h"
#include "advice_build.h"
#include "advice_windows.h"
#include "parts.h"
#include "seekwise/tuner.h"

static uint64_t part_of(uint64_t n, uint64_t one_in)
{
	return one_in ? n / one_in : 0;
}

static void lose_from(uint32_t hist[SW_HIST_BUCKETS], uint64_t n)
{
	int i;

	for (i = SW_HIST_BUCKETS - 1; i >= 0 && n; i--) {
		uint64_t here = hist[i] < n ? hist[i] : n;

		hist[i] -= here;
		n -= here;
	}
}

/* As if the completions of the slowest had not been seen; each looks as if it stayed a while. */
static void lose(struct sw_window *w, uint64_t one_in)
{
	struct sw_completed *co = &w->sum.completed;
	uint64_t lost, all = 0;
	int dir;

	for (dir = 0; dir < SW_DIRS; dir++) {
		lost = part_of(co->dir[dir].ios, one_in);
		all += lost;
		co->dir[dir].bytes -= part_of(co->dir[dir].bytes, one_in);
		co->dir[dir].total_sum -= part_of(co->dir[dir].total_sum, one_in);
		co->dir[dir].service_sum -= part_of(co->dir[dir].service_sum, one_in);
		co->dir[dir].ios -= lost;
		co->dir[dir].totals -= part_of(co->dir[dir].totals, one_in);
		co->dir[dir].served -= part_of(co->dir[dir].served, one_in);
		lose_from(w->sum.completed_hist.total[dir], part_of(co->dir[dir].totals, one_in));
		lose_from(w->sum.completed_hist.service[dir], part_of(co->dir[dir].served, one_in));
	}
	w->sum.inserted.stale += all;
	w->device_mean += 0.01 * (double)all / sw_window_seconds(w);
}

static void ids_of(const struct sw_report_disk *d, char ids[512])
{
	const struct sw_advice *rows[SW_ADVICE_MAX];
	struct sw_facts facts = sw_facts_of_report(d);
	unsigned int i, n = sw_advise(&facts, rows);

	*ids = '\0';
	for (i = 0; i < n; i++)
		strcat(strcat(ids, i ? " " : ""), rows[i]->id);
}

/* Each window that some advice is for. Those of few requests lose the one that may be lost. */
static void test_same_verdict_and_advice(void **unused)
{
	const struct advice_window *w;
	struct sw_report_disk d;
	struct sw_facts facts;
	char ids[512];
	size_t i;

	(void)unused;
	for (i = 0; (w = advice_window(i)); i++) {
		d = w->make();
		lose(&d.window, 10000);
		if (!d.window.sum.inserted.stale)
			d.window.sum.inserted.stale = 1;
		assert_null(sw_unjudged(&d));
		facts = sw_facts_of_report(&d);
		assert_string_equal(sw_verdict_name(facts.verdict), w->bound);
		ids_of(&d, ids);
		assert_string_equal(ids, w->ids);
	}
}

static void test_refused_in_words(void **unused)
{
	const struct advice_window *w;
	struct sw_report_disk d;
	size_t i;

	(void)unused;
	for (i = 0; (w = advice_window(i)); i++) {
		d = w->make();
		lose(&d.window, 100);
		/* One of less than two hundred is borne. */
		if (d.window.sum.inserted.stale < 2)
			continue;
		assert_non_null(sw_unjudged(&d));
		assert_non_null(strstr(sw_unjudged(&d), "lost to the observer"));
	}
}

static uint64_t state;

static double uniform(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (double)((state * UINT64_C(0x2545f4914f6cdd1d)) >> 11) * 0x1p-53;
}

/* Five seconds of random reads, which the knob makes faster up to 64; noise of 10 %. */
static struct sw_window window_under(int64_t value)
{
	struct sw_window w = { .start_ns = 1, .end_ns = 1 + 5 * SECOND };
	double rate = 20000 * (1 + 0.1 * fmin(log2((double)value), 6)) * (0.95 + 0.1 * uniform());
	struct sw_completed_dir *co = &w.sum.completed.dir[SW_READ];

	co->ios = (uint64_t)(rate * 5);
	co->bytes = co->ios * 4096;
	co->totals = co->served = co->ios;
	co->total_sum = co->ios * 10000000;
	co->service_sum = co->ios * 5000000;
	w.sum.completed_hist.total[SW_READ][bucket_of(10000000 >> SW_HIST_TIME_SHIFT)] = co->ios;
	w.sum.issued.dir[SW_READ].waits = co->ios;
	w.sum.issued.dir[SW_READ].wait_sum = co->ios * 5000000;
	w.sum.passed.dir[SW_READ].batches = co->ios / (uint64_t)value;
	w.sum.passed.dir[SW_READ].batch_sum = co->ios;
	w.sum.passed_hist.batch[SW_READ][bucket_of(value)] = co->ios / (uint64_t)value;
	w.busy_ns = 5 * SECOND;
	w.held_mean = 100;
	w.device_mean = 32;
	return w;
}

struct run {
	struct sw_controller *controller;
	struct sw_step step;
};

static void begin(struct run *run)
{
	struct sw_limits limits;

	sw_limits_default(&limits);
	run->controller = sw_controller_new(&limits, 1);
	assert_non_null(run->controller);
	run->step = (struct sw_step){ .kind = SW_STEP_WATCH, .value = 1 };
}

static void give(struct run *run, struct sw_window w, uint64_t one_in)
{
	struct sw_sample sample;

	lose(&w, one_in);
	sample = sw_sample_of(&w, SW_FIFO_BATCH, run->step.value);
	run->step = sw_controller_step(run->controller, &sample);
}

/* The same windows to both: the same steps, and the same decisions. */
static void test_same_tuning(void **unused)
{
	struct run with, without;
	int i, kept = 0, over = 0;

	(void)unused;
	state = 0x9e3779b97f4a7c15;
	begin(&with);
	begin(&without);
	for (i = 0; i < 3000 && !over; i++) {
		struct sw_window w = window_under(without.step.value);

		give(&without, w, 0);
		give(&with, w, 10000);
		assert_int_equal(with.step.kind, without.step.kind);
		assert_int_equal(with.step.value, without.step.value);
		assert_int_equal(with.step.decision.kind, without.step.decision.kind);
		assert_int_equal(with.step.decision.reason, without.step.decision.reason);
		kept += with.step.decision.kind == SW_KEPT;
		over = with.step.decision.kind == SW_SEARCH_OVER;
	}
	assert_true(kept > 0);
	assert_true(over);
	assert_true(sw_controller_incumbent(with.controller) >= 64);
	sw_controller_free(with.controller);
	sw_controller_free(without.controller);
}

static void test_no_tuning_on_much_lost(void **unused)
{
	struct run run;
	char text[256];
	int i, held = 0;

	(void)unused;
	state = 0x9e3779b97f4a7c15;
	begin(&run);
	for (i = 0; i < 100; i++) {
		give(&run, window_under(run.step.value), 100);
		assert_int_equal(run.step.kind, SW_STEP_WATCH);
		assert_int_equal(run.step.value, 1);
		if (run.step.decision.kind == SW_NO_DECISION)
			continue;
		assert_int_equal(run.step.decision.kind, SW_HOLDING);
		assert_int_equal(run.step.decision.reason, SW_WHY_LOSSES);
		sw_decision_text(&run.step.decision, "fifo_batch", text, sizeof(text));
		assert_non_null(strstr(text, "lost"));
		held++;
	}
	assert_int_equal(held, 1);
	sw_controller_free(run.controller);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_verdict_and_advice),
		cmocka_unit_test(test_refused_in_words),
		cmocka_unit_test(test_same_tuning),
		cmocka_unit_test(test_no_tuning_on_much_lost),
	};

	return cmocka_run_group_tests(tests, 0, 0);
}
