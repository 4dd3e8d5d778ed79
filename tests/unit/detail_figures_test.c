// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows of the detail groups and of the newer core: each takes its own, or is null with a reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "parts.h"

#define SECOND 1000000000ULL
#define BOTH SW_DIRS

static struct sw_detail detail;

static struct sw_window window(void)
{
	memset(&detail, 0, sizeof(detail));
	return (struct sw_window){
		.start_ns = 5 * SECOND,
		.end_ns = 15 * SECOND,
		.deadline = true,
		.passes = SW_PASSES_MEASURED,
		.kyber = true,
		.caches = true,
		.detail = &detail,
		.groups = SW_GROUPS_ALL,
	};
}

/* One spread of one direction, or of the disk: where its parts stand. */
struct spread {
	const char *name;
	unsigned int dir;
	__u64 *count, *sum, *max;
	__u32 *hist;
	double unit, hist_unit; /* of sum and max in the figure's; of the buckets */
};

/* No spread takes its count, sum, maximum or buckets from another. */
static void assert_spreads(const struct sw_window *w, const struct spread *spreads, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		*spreads[i].count = i + 1;
		*spreads[i].sum = (i + 1) * (i + 1) * 1000;
		*spreads[i].max = (i + 1) * 10000000;
		spreads[i].hist[40 + i * 3] = (__u32)i + 1;
	}
	for (i = 0; i < n; i++) {
		const struct spread *s = &spreads[i];
		double middle = sw_hist_middle((unsigned int)(40 + i * 3));
		const struct sw_figure *f = sw_figure_find(s->name);

		if (f->parts & SW_PART_COUNT)
			assert_count(s->name, w, s->dir, "count", i + 1);
		assert_number(s->name, w, s->dir, "mean", (double)(i + 1) * 1000 * s->unit);
		if (fabs(sw_figure_number(f, w, s->dir, "max") -
			 (double)(i + 1) * 10000000 * s->unit) > 1e-6)
			fail_msg("%s: another's maximum", s->name);
		assert_number(s->name, w, s->dir, "p50",
			      (f->time ? middle + 0.5 : middle) * s->hist_unit);
		assert_number(s->name, w, s->dir, "p95",
			      (f->time ? middle + 0.5 : middle) * s->hist_unit);
	}
}

#define NS 1e-3
#define NS_UNIT (64 * 1e-3)
#define SECTOR 512

static void test_spreads_by_direction(void **state)
{
	struct sw_window w = window();
	struct sw_detail *d = &detail;
	struct sw_issued_dir *is = w.sum.issued.dir;
	struct spread spreads[8];
	int dir, n = 0;

	(void)state;
	for (dir = 0; dir < SW_DIRS; dir++) {
		spreads[n++] = (struct spread){ "insert_bytes",
						dir,
						&d->inserted.sizes.count[dir],
						&d->inserted.sizes.sum[dir],
						&d->inserted.sizes.max[dir],
						d->hist.inserted[dir],
						1,
						SECTOR };
		spreads[n++] = (struct spread){ "issue_bytes",
						dir,
						&d->issued.sizes.count[dir],
						&d->issued.sizes.sum[dir],
						&d->issued.sizes.max[dir],
						d->hist.issued[dir],
						1,
						SECTOR };
		spreads[n++] = (struct spread){ "run_requests",
						dir,
						&d->issued.runs[dir],
						&d->issued.run_ios[dir],
						&d->issued.run_ios_max[dir],
						d->hist.run_ios[dir],
						1,
						1 };
		spreads[n++] = (struct spread){ "late_us",
						dir,
						&is[dir].expired,
						&is[dir].late_sum,
						&is[dir].late_max,
						w.sum.issued_hist.late[dir],
						NS,
						NS_UNIT };
	}
	assert_spreads(&w, spreads, 8);
}

/* It shares its count with run_requests. */
static void test_bytes_of_runs(void **state)
{
	struct sw_window w = window();
	int dir;

	(void)state;
	for (dir = 0; dir < SW_DIRS; dir++) {
		detail.issued.runs[dir] = 2 + dir;
		detail.issued.run_bytes[dir] = 1000000 * (2 + dir);
		detail.issued.run_bytes_max[dir] = 1500000 + dir;
		detail.hist.run_bytes[dir][100 + dir] = 2 + dir;
	}
	for (dir = 0; dir < SW_DIRS; dir++) {
		assert_count("run_bytes", &w, dir, "count", 2 + dir);
		assert_number("run_bytes", &w, dir, "mean", 1000000);
		assert_count("run_bytes", &w, dir, "max", 1500000 + dir);
		assert_number("run_bytes", &w, dir, "p50",
			      fmin(sw_hist_middle(100 + dir) * 512, 1500000 + dir));
	}
	assert_count("run_bytes", &w, BOTH, "count", 5);
	assert_count("run_bytes", &w, BOTH, "max", 1500001);
}

static void test_spreads_of_the_disk(void **state)
{
	struct sw_window w = window();
	struct sw_completed *co = &w.sum.completed;
	struct sw_completed_hist *hist = &w.sum.completed_hist;
	const struct spread spreads[] = {
		{ "streams", BOTH, &detail.issued.resumed, &detail.issued.resumed_sum,
		  &detail.issued.resumed_max, detail.hist.resumed, 1, 1 },
		{ "unplugs", BOTH, &detail.unplugged.unplugs, &detail.unplugged.sum,
		  &detail.unplugged.max, detail.hist.unplugs, 1, 1 },
		{ "flush_us", BOTH, &co->flush.count, &co->flush.sum, &co->flush.max, hist->flush,
		  NS, NS_UNIT },
		{ "fua_us", BOTH, &co->fua.count, &co->fua.sum, &co->fua.max, hist->fua, NS,
		  NS_UNIT },
	};

	(void)state;
	assert_spreads(&w, spreads, sizeof(spreads) / sizeof(spreads[0]));
}

/* A bucket of sizes is in sectors, and its middle is not above the largest. */
static void test_sizes_are_not_above_the_maximum(void **state)
{
	struct sw_window w = window();

	(void)state;
	detail.inserted.sizes.count[SW_READ] = 1;
	detail.inserted.sizes.sum[SW_READ] = detail.inserted.sizes.max[SW_READ] = 512 * 129;
	detail.hist.inserted[SW_READ][bucket_of(129)] = 1;
	assert_number("insert_bytes", &w, SW_READ, "p50", 512 * 129);
	detail.inserted.sizes.max[SW_READ] = 512 * 140;
	assert_number("insert_bytes", &w, SW_READ, "p50", 512 * 135.5);
}

static void test_counts(void **state)
{
	struct sw_window w = window();
	int dir;

	(void)state;
	for (dir = 0; dir < SW_DIRS; dir++) {
		detail.completed.other_cpu[dir] = 30 + dir;
		detail.completed.other_llc[dir] = 10 + dir;
		detail.completed.placed[dir] = 40;
		w.sum.issued.dir[dir].seek_sum = 70 + dir;
	}
	detail.unplugged.explicit_ones = 6;
	for (dir = 0; dir < SW_DIRS; dir++) {
		assert_count("other_cpu", &w, dir, "", 30 + dir);
		assert_count("other_llc", &w, dir, "", 10 + dir);
		assert_count("travel_sectors", &w, dir, "", 70 + dir);
	}
	assert_number("other_cpu_share", &w, SW_READ, "", 0.75);
	assert_number("other_llc_share", &w, SW_READ, "", 0.25);
	assert_number("other_cpu_share", &w, BOTH, "", 61. / 80);
	assert_count("unplugs_explicit", &w, BOTH, "", 6);
	w.caches = false;
	assert_unknown("other_llc", &w, SW_READ, "");
	assert_unknown("other_llc_share", &w, SW_READ, "");
	assert_count("other_cpu", &w, SW_READ, "", 30);
}

static void test_kinds(void **state)
{
	static const char *const joins[] = { "back", "front", "plug_back", "plug_front" };
	static const char *const errors[] = { "io",       "medium",  "timeout",    "transport",
					      "target",   "nospace", "protection", "unsupported",
					      "resource", "other" };
	struct sw_window w = window();
	unsigned int dir, i;

	(void)state;
	for (dir = 0; dir < SW_DIRS; dir++) {
		for (i = 0; i < SW_JOINS; i++)
			detail.joined.bios[dir][i] = 100 * dir + i + 1;
		for (i = 0; i < SW_ERRORS; i++)
			w.sum.completed.failed[dir][i] = 1000 * dir + i + 1;
	}
	for (dir = 0; dir < SW_DIRS; dir++) {
		for (i = 0; i < SW_JOINS; i++)
			assert_count("bio_merges", &w, dir, joins[i], 100 * dir + i + 1);
		for (i = 0; i < SW_ERRORS; i++)
			assert_count("error_kinds", &w, dir, errors[i], 1000 * dir + i + 1);
	}
	assert_count("bio_merges", &w, BOTH, "plug_front", 108);
}

static struct sw_value apart_part(const struct sw_window *w, const char *name, unsigned int apart,
				  unsigned int dir, const char *which)
{
	struct sw_value v[SW_PARTS];
	unsigned int i, n = sw_figure_get_apart(sw_figure_find_apart(name), w, dir, apart, v);

	for (i = 0; i < n; i++)
		if (!strcmp(v[i].part, which))
			return v[i];
	fail_msg("%s has no %s", name, which);
	return v[0];
}

static double apart(const struct sw_window *w, const char *name, unsigned int apart,
		    unsigned int dir, const char *which)
{
	struct sw_value v = apart_part(w, name, apart, dir, which);

	assert_true(v.known);
	return v.whole ? (double)v.count : v.number;
}

/* A number of its own for each class and direction. */
static unsigned int own(unsigned int apart, unsigned int dir)
{
	return apart * SW_DIRS + dir + 1;
}

static void fill_aparts(void)
{
	unsigned int a, dir;

	for (a = 0; a < SW_APARTS; a++)
		for (dir = 0; dir < SW_DIRS; dir++) {
			uint64_t n = own(a, dir);
			struct sw_apart_waits *waits = &detail.issued.apart[a][dir];
			struct sw_apart_totals *totals = &detail.completed.apart[a][dir];

			*waits = (struct sw_apart_waits){ n, n * n * 1000, n * 100000 };
			*totals = (struct sw_apart_totals){ n + 20, (n << 20) + 1, n, n * n * 3000,
							    n * 300000 };
			detail.hist.wait[a][dir][40 + n] = (__u32)n;
			detail.hist.total[a][dir][60 + n] = (__u32)n;
		}
}

static void assert_near(double value, double expected)
{
	assert_true(fabs(value - expected) < 1e-6);
}

static void test_classes_keep_apart(void **state)
{
	struct sw_window w = window();
	unsigned int a, dir;

	(void)state;
	fill_aparts();
	for (a = 0; a < SW_APARTS; a++)
		for (dir = 0; dir < SW_DIRS; dir++) {
			unsigned int n = own(a, dir);

			assert_near(apart(&w, "ios", a, dir, ""), n + 20);
			assert_near(apart(&w, "bytes", a, dir, ""), (n << 20) + 1);
			assert_near(apart(&w, "wait_us", a, dir, "mean"), n);
			assert_near(apart(&w, "wait_us", a, dir, "max"), n * 100);
			assert_near(apart(&w, "wait_us", a, dir, "p50"),
				    (sw_hist_middle(40 + n) + 0.5) * 0.064);
			assert_near(apart(&w, "total_us", a, dir, "mean"), n * 3);
			assert_near(apart(&w, "total_us", a, dir, "max"), n * 300);
			assert_near(apart(&w, "total_us", a, dir, "p99"),
				    fmin((sw_hist_middle(60 + n) + 0.5) * 0.064, n * 300));
		}
}

static void test_classes_of_both_directions(void **state)
{
	struct sw_window w = window();
	unsigned int a;

	(void)state;
	fill_aparts();
	for (a = 0; a < SW_APARTS; a++) {
		double r = own(a, SW_READ), wr = own(a, SW_WRITE);

		assert_near(apart(&w, "ios", a, BOTH, ""), r + wr + 40);
		assert_near(apart(&w, "wait_us", a, BOTH, "max"), wr * 100);
		assert_near(apart(&w, "total_us", a, BOTH, "mean"),
			    (r * r + wr * wr) * 3 / (r + wr));
	}
	w.groups &= ~SW_GROUP_CLASSES;
	assert_false(apart_part(&w, "ios", SW_APART_RT, SW_READ, "").known);
	assert_false(apart_part(&w, "wait_us", SW_APART_RT, SW_READ, "p50").known);
}

static bool is_known(const struct sw_figure *f, const struct sw_window *w)
{
	struct sw_value v[SW_PARTS];
	unsigned int i, n = sw_figure_get(f, w, SW_READ, v);

	for (i = 0; i < n; i++)
		if (v[i].known)
			return true;
	return false;
}

/* Each figure of a group is null without the group, and none of another is for its sake. */
static void test_groups(void **state)
{
	struct sw_window w = window();
	unsigned int i;
	uint32_t group;

	(void)state;
	for (group = 1; group < SW_GROUPS_ALL; group <<= 1) {
		w.groups = SW_GROUPS_ALL & ~group;
		for (i = 0; i < sw_figure_count; i++) {
			const struct sw_figure *f = &sw_figures[i];

			assert_int_equal(sw_figure_measured(f, &w), f->group != group);
			if (f->group == group)
				assert_false(is_known(f, &w));
		}
	}
	w.groups = SW_GROUPS_ALL;
	w.detail = 0;
	for (i = 0; i < sw_figure_count; i++)
		assert_int_equal(sw_figure_measured(&sw_figures[i], &w), !sw_figures[i].group);
	assert_string_equal(sw_group_name(SW_GROUP_MERGES), "merges");
	assert_string_equal(sw_group_name(SW_GROUP_STREAMS), "streams");
	assert_string_equal(sw_group_name(SW_GROUP_DEPTH), "depth");
	assert_string_equal(sw_group_name(SW_GROUP_LOCALITY), "locality");
	assert_string_equal(sw_group_name(SW_GROUP_CLASSES), "classes");
	assert_string_equal(sw_group_name(0), "core");
}

static const char *why(const struct sw_window *w, const char *name)
{
	const char *text = sw_figure_why_not(sw_figure_find(name), w);

	return text ? text : "";
}

static void test_why_not(void **state)
{
	struct sw_window w = window();
	unsigned int i;

	(void)state;
	for (i = 0; i < sw_figure_count; i++)
		assert_null(sw_figure_why_not(&sw_figures[i], &w));
	w.deadline = w.kyber = w.caches = false;
	w.passes = SW_PASSES_UNKNOWN;
	assert_non_null(strstr(why(&w, "batches"), "mq-deadline"));
	assert_non_null(strstr(why(&w, "late_us"), "mq-deadline"));
	assert_non_null(strstr(why(&w, "head_inserts"), "mq-deadline"));
	assert_non_null(strstr(why(&w, "kyber_depth"), "kyber"));
	assert_non_null(strstr(why(&w, "other_llc"), "cache"));
	assert_non_null(strstr(why(&w, "other_llc_share"), "cache"));
	assert_non_null(strstr(why(&w, "passes"), "scheduler"));
	assert_string_equal(why(&w, "other_cpu"), "");
	assert_string_equal(why(&w, "wraps"), "");
	assert_string_equal(why(&w, "held_levels"), "");
	/* A group that nobody asked for needs no reason, whatever else is not there. */
	w.detail = 0;
	w.groups = 0;
	assert_string_equal(why(&w, "other_llc"), "");
	assert_string_equal(why(&w, "held_levels"), "");
	assert_string_equal(why(&w, "starved_us"), "");
	assert_non_null(strstr(why(&w, "batches"), "mq-deadline"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spreads_by_direction),
		cmocka_unit_test(test_bytes_of_runs),
		cmocka_unit_test(test_spreads_of_the_disk),
		cmocka_unit_test(test_sizes_are_not_above_the_maximum),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_classes_keep_apart),
		cmocka_unit_test(test_classes_of_both_directions),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_why_not),
	};

	return cmocka_run_group_tests(tests, 0, 0);
}
