// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of figures, and what it takes out of windows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "seekwise/figures.h"
#include "seekwise/output.h"
#include "parts.h"

static void test_rows_are_complete(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < sw_figure_count; i++) {
		const struct sw_figure *f = &sw_figures[i];

		if (f->scope != SW_OF_APART)
			assert_ptr_equal(sw_figure_find(f->name), f);
		assert_true(strlen(f->about) > 10);
		assert_non_null(f->unit);
		assert_true(*f->label);
		assert_true(f->group <= SW_GROUPS_ALL && !(f->group & (f->group - 1)));
	}
	assert_null(sw_figure_find("nonsense"));
}

static void test_counts_by_direction(void **state)
{
	struct sw_window w = { 0 };

	(void)state;
	w.sum.completed.dir[SW_READ].ios = 3;
	w.sum.completed.dir[SW_WRITE].ios = 40;
	w.sum.issued.dir[SW_WRITE].ios = 41;
	w.sum.issued.dir[SW_READ].backward = 2;
	w.sum.merged.merges[SW_READ] = 5;
	w.sum.merged.merges[SW_WRITE] = 6;
	assert_count("ios", &w, SW_READ, "", 3);
	assert_count("ios", &w, SW_WRITE, "", 40);
	assert_count("ios", &w, SW_DIRS, "", 43);
	assert_count("issued", &w, SW_READ, "", 0);
	assert_count("issued", &w, SW_WRITE, "", 41);
	assert_count("backward", &w, SW_READ, "", 2);
	assert_count("merges", &w, SW_READ, "", 5);
	assert_count("merges", &w, SW_WRITE, "", 6);
}

static void test_large_counts_keep_all_digits(void **state)
{
	struct sw_window w = { 0 };

	(void)state;
	w.sum.completed.dir[SW_READ].bytes = (1ULL << 53) + 1;
	w.sum.issued.dir[SW_WRITE].located = 1;
	w.sum.issued.dir[SW_WRITE].seek_max = UINT64_MAX;
	assert_count("bytes", &w, SW_READ, "", 9007199254740993);
	assert_count("seek_sectors", &w, SW_WRITE, "max", UINT64_MAX);
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void add_wait(struct sw_window *w, unsigned int dir, uint64_t ns)
{
	struct sw_issued_dir *d = &w->sum.issued.dir[dir];

	d->waits++;
	d->wait_sum += ns;
	if (d->wait_max < ns)
		d->wait_max = ns;
	w->sum.issued_hist.wait[dir][bucket_of(ns >> SW_HIST_TIME_SHIFT)]++;
}

static void assert_near(const struct sw_window *w, unsigned int dir, const char *which,
			double exact_us)
{
	struct sw_value v = part("wait_us", w, dir, which);

	assert_true(v.known);
	assert_true(fabs(v.number - exact_us) <= exact_us * 0.0625);
	assert_true(v.number <= part("wait_us", w, dir, "max").number);
}

/* Random waits from 1 us to some seconds, shared out to both directions. */
static void test_times_of_random_data(void **state)
{
	static uint64_t ns[3000];
	int i, round, n;

	(void)state;
	srandom(3);
	for (round = 0; round < 100; round++) {
		struct sw_window w = { 0 };
		double sum = 0;

		n = 1 + (int)(random() % 3000);
		for (i = 0; i < n; i++) {
			ns[i] = (uint64_t)(1000 * exp((double)random() / RAND_MAX * 15));
			sum += (double)ns[i];
			add_wait(&w, (unsigned int)i & 1, ns[i]);
		}
		qsort(ns, (size_t)n, sizeof(ns[0]), by_value);
		assert_near(&w, SW_DIRS, "p50", (double)ns[(n + 1) / 2 - 1] / 1000);
		assert_near(&w, SW_DIRS, "p95", (double)ns[(n * 95 + 99) / 100 - 1] / 1000);
		assert_near(&w, SW_DIRS, "p99", (double)ns[(n * 99 + 99) / 100 - 1] / 1000);
		assert_number("wait_us", &w, SW_DIRS, "max", (double)ns[n - 1] / 1000);
		assert_true(fabs(part("wait_us", &w, SW_DIRS, "mean").number - sum / n / 1000) <
			    1e-3);
	}
}

/* No spread takes its count, sum, maximum or buckets from another. */
static void test_spreads_keep_apart(void **state)
{
	static const char *const names[] = { "seek_sectors", "wait_us", "service_us", "total_us" };
	struct sw_window w = { 0 };
	struct sw_issued_dir *is = &w.sum.issued.dir[SW_WRITE];
	struct sw_completed_dir *co = &w.sum.completed.dir[SW_WRITE];
	struct {
		__u64 *count, *sum, *max;
		__u32 *hist;
	} parts[] = {
		{ &is->located, &is->seek_sum, &is->seek_max, w.sum.issued_hist.seek[SW_WRITE] },
		{ &is->waits, &is->wait_sum, &is->wait_max, w.sum.issued_hist.wait[SW_WRITE] },
		{ &co->served, &co->service_sum, &co->service_max,
		  w.sum.completed_hist.service[SW_WRITE] },
		{ &co->totals, &co->total_sum, &co->total_max,
		  w.sum.completed_hist.total[SW_WRITE] },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < 4; i++) {
		*parts[i].count = i + 1;
		*parts[i].sum = (i + 1) * (i + 1) * 1000ULL;
		*parts[i].max = (i + 1) * 100000ULL;
		parts[i].hist[40 + i * 10] = i + 1;
	}
	for (i = 0; i < 4; i++) {
		double scale = i ? 1e-3 : 1, middle = sw_hist_middle(40 + i * 10);

		assert_number(names[i], &w, SW_WRITE, "mean", (i + 1) * 1000 * scale);
		assert_true(sw_figure_number(sw_figure_find(names[i]), &w, SW_WRITE, "max") ==
			    (i + 1) * 100000ULL * scale);
		assert_number(names[i], &w, SW_WRITE, "p50",
			      i ? (middle + 0.5) * 64 / 1000 : middle);
		assert_unknown(names[i], &w, SW_READ, "p50");
	}
}

static void test_percentile_is_not_above_the_maximum(void **state)
{
	struct sw_window w = { 0 };
	struct sw_passed_dir *d = &w.sum.passed.dir[SW_READ];

	(void)state;
	w.deadline = true;
	d->batches = 4;
	d->batch_sum = 64;
	d->batch_max = 16;
	w.sum.passed_hist.batch[SW_READ][bucket_of(16)] = 4;
	assert_count("batches", &w, SW_READ, "count", 4);
	assert_number("batches", &w, SW_READ, "p95", 16);
	assert_count("batches", &w, SW_READ, "max", 16);
	assert_number("batches", &w, SW_READ, "mean", 16);
	add_wait(&w, SW_READ, 64 * 1024);
	assert_number("wait_us", &w, SW_READ, "p50", 65.536);
}

static void test_nothing_is_invented(void **state)
{
	static const char *const parts[] = { "p50", "p95", "p99", "max", "mean" };
	struct sw_window w = { .deadline = true };
	size_t i;

	(void)state;
	for (i = 0; i < 5; i++)
		assert_unknown("service_us", &w, SW_DIRS, parts[i]);
	assert_count("batches", &w, SW_READ, "count", 0);
	assert_unknown("batches", &w, SW_READ, "mean");
	assert_unknown("sequential_share", &w, SW_READ, "");
	assert_unknown("busy", &w, SW_DIRS, "");
	assert_unknown("held", &w, SW_DIRS, "mean");
	assert_count("expired", &w, SW_READ, "", 0);
	w.deadline = false;
	assert_unknown("expired", &w, SW_READ, "");
	assert_unknown("batches", &w, SW_READ, "count");
	assert_unknown("head_inserts", &w, SW_READ, "");
	assert_false(sw_figure_measured(sw_figure_find("batches"), &w));
	assert_true(sw_figure_measured(sw_figure_find("wraps"), &w));
}

static void test_passes_are_null_where_they_are_not_known(void **state)
{
	struct sw_window w = { .passes = SW_PASSES_MEASURED };

	(void)state;
	w.sum.passed.passes = 3;
	w.sum.passed.pass_sum = 96;
	w.sum.passed.pass_max = 64;
	w.sum.passed_hist.pass[bucket_of(16)] = 2;
	w.sum.passed_hist.pass[bucket_of(64)] = 1;
	assert_count("passes", &w, SW_DIRS, "count", 3);
	assert_number("passes", &w, SW_DIRS, "mean", 32);
	assert_count("passes", &w, SW_DIRS, "max", 64);
	w.passes = SW_PASSES_ESTIMATED;
	assert_count("passes", &w, SW_DIRS, "count", 3);
	w.passes = SW_PASSES_UNKNOWN;
	assert_unknown("passes", &w, SW_DIRS, "count");
	assert_false(sw_figure_measured(sw_figure_find("passes"), &w));
}

/* A group that was not asked for needs no reason; one that this kernel cannot give has one. */
static void test_reasons_of_groups(void **state)
{
	const struct sw_figure *depth = sw_figure_find("pool_full");
	const struct sw_figure *merges = sw_figure_find("bio_merges");
	struct sw_detail detail = {};
	struct sw_window w = { .detail = &detail, .groups = SW_GROUP_MERGES };

	(void)state;
	assert_false(sw_figure_measured(depth, &w));
	assert_null(sw_figure_why_not(depth, &w));
	assert_true(sw_figure_measured(merges, &w));
	assert_null(sw_figure_why_not(merges, &w));
	w.refused = SW_GROUP_DEPTH;
	assert_non_null(sw_figure_why_not(depth, &w));
	assert_null(sw_figure_why_not(merges, &w));
}

static void test_wraps(void **state)
{
	struct sw_window w = { .deadline = true };

	(void)state;
	w.sum.issued.dir[SW_WRITE].wraps[SW_TO_HEAD] = 1;
	w.sum.issued.dir[SW_WRITE].wraps[SW_TO_OLDEST] = 2;
	w.sum.issued.dir[SW_WRITE].wraps[SW_EXPIRED] = 4;
	w.sum.issued.dir[SW_WRITE].wraps[SW_UNKNOWN] = 8;
	assert_count("wraps", &w, SW_WRITE, "to_head", 1);
	assert_count("wraps", &w, SW_WRITE, "to_oldest", 2);
	assert_count("wraps", &w, SW_WRITE, "expired", 4);
	assert_count("wraps", &w, SW_WRITE, "unknown", 8);
	assert_count("wraps", &w, SW_READ, "unknown", 0);
	w.deadline = false;
	assert_unknown("wraps", &w, SW_WRITE, "to_head");
	assert_unknown("wraps", &w, SW_WRITE, "expired");
	assert_count("wraps", &w, SW_DIRS, "unknown", 15);
	assert_true(sw_figure_number(sw_figure_find("wraps"), &w, SW_DIRS, "") == 15);
}

static void test_of_the_disk(void **state)
{
	struct sw_window w = { .start_ns = 1000000000,
			       .end_ns = 3000000000,
			       .busy_ns = 500000000,
			       .held_mean = 1.5,
			       .held_now = 7,
			       .device_mean = -1e-12 };

	(void)state;
	w.sum.inserted.held_max = 30;
	w.sum.issued.device_max = 4;
	w.sum.completed.kinds[SW_DISCARD] = 1;
	w.sum.completed.kinds[SW_PASSTHROUGH] = 5;
	w.sum.issued.before = 2;
	w.sum.completed.before = 3;
	assert_number("busy", &w, SW_DIRS, "", 0.25);
	assert_number("held", &w, SW_DIRS, "mean", 1.5);
	assert_count("held", &w, SW_DIRS, "max", 30);
	assert_count("held", &w, SW_DIRS, "now", 7);
	assert_number("in_device", &w, SW_DIRS, "mean", 0);
	assert_count("in_device", &w, SW_DIRS, "max", 4);
	assert_count("others", &w, SW_DIRS, "discard", 1);
	assert_count("others", &w, SW_DIRS, "flush", 0);
	assert_count("others", &w, SW_DIRS, "passthrough", 5);
	assert_count("before", &w, SW_DIRS, "", 5);
	w.device_mean = NAN;
	assert_unknown("in_device", &w, SW_DIRS, "mean");
}

/* Of several members: levels add, the largest at one time is not known, busy is the mean. */
static void test_of_a_sum(void **state)
{
	struct sw_window w = { .end_ns = 2000000000, .held_mean = 1.5, .busy_ns = 1000000000 };
	struct sw_window sum = { 0 };

	(void)state;
	w.sum.inserted.held_max = 3;
	w.sum.completed.dir[SW_READ].ios = 5;
	sw_window_join(&sum, &w);
	assert_count("held", &sum, SW_DIRS, "max", 3);
	assert_number("busy", &sum, SW_DIRS, "", 0.5);
	w.busy_ns = 0;
	sw_window_join(&sum, &w);
	assert_number("held", &sum, SW_DIRS, "mean", 3);
	assert_unknown("held", &sum, SW_DIRS, "max");
	assert_unknown("in_device", &sum, SW_DIRS, "max");
	assert_number("busy", &sum, SW_DIRS, "", 0.25);
	assert_count("ios", &sum, SW_READ, "", 10);
	assert_true(sw_figure_rate(sw_figure_find("ios"), &sum, SW_READ, "") == 5);
}

/* The rows of losses together are what sw_window_losses counts. */
static void test_losses(void **state)
{
	struct sw_window w = { .missed = 5, .torn = 7 };
	uint64_t sum = 0;
	unsigned int i;

	(void)state;
	w.sum.issued.no_insert = 11;
	w.sum.completed.unmatched = 13;
	w.sum.issued.negative = 17;
	w.sum.completed.negative = 19;
	w.sum.inserted.table_miss = 23;
	w.sum.issued.table_miss = 29;
	w.sum.inserted.stale = 31;
	w.sum.issued.stale = 37;
	w.sum.requeued.requeues = 1000;
	assert_count("negative", &w, SW_DIRS, "", 36);
	assert_count("requeues", &w, SW_DIRS, "", 1000);
	for (i = 0; i < sw_figure_count; i++)
		if (sw_figures[i].scope == SW_OF_LOSSES && !sw_figures[i].information)
			sum += part(sw_figures[i].name, &w, SW_DIRS, "").count;
	assert_int_equal(sum, sw_window_losses(&w));
}

static void test_rate(void **state)
{
	const struct sw_figure *ios = sw_figure_find("ios");
	struct sw_window w = { .start_ns = 1, .end_ns = 1 };

	(void)state;
	w.sum.completed.dir[SW_READ].ios = 100;
	assert_true(sw_figure_rate(ios, &w, SW_READ, "") == -1);
	w.end_ns += 500000000;
	assert_true(sw_figure_rate(ios, &w, SW_READ, "") == 200);
	assert_true(sw_figure_rate(sw_figure_find("expired"), &w, SW_READ, "") == -1);
}

static void test_explain(void **state)
{
	char *text = 0, *line, *rest;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	unsigned int i;

	(void)state;
	assert_int_equal(sw_figures_explain(out), 0);
	fclose(out);
	for (i = 0; i < sw_figure_count; i++) {
		char start[64];

		snprintf(start, sizeof(start), "\n  %s ", sw_figures[i].name);
		assert_non_null(strstr(text, start));
	}
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(0, "\n", &rest))
		assert_true(strlen(line) < 100);
	free(text);
	out = fopen("/dev/full", "w");
	assert_non_null(out);
	assert_int_equal(sw_figures_explain(out), -ENOSPC);
	fclose(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_are_complete),
		cmocka_unit_test(test_counts_by_direction),
		cmocka_unit_test(test_large_counts_keep_all_digits),
		cmocka_unit_test(test_times_of_random_data),
		cmocka_unit_test(test_spreads_keep_apart),
		cmocka_unit_test(test_percentile_is_not_above_the_maximum),
		cmocka_unit_test(test_nothing_is_invented),
		cmocka_unit_test(test_passes_are_null_where_they_are_not_known),
		cmocka_unit_test(test_reasons_of_groups),
		cmocka_unit_test(test_wraps),
		cmocka_unit_test(test_of_the_disk),
		cmocka_unit_test(test_of_a_sum),
		cmocka_unit_test(test_losses),
		cmocka_unit_test(test_rate),
		cmocka_unit_test(test_explain),
	};

	return cmocka_run_group_tests(tests, 0, 0);
}
