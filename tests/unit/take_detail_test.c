// SPDX-License-Identifier: GPL-2.0-or-later
/* Figures of the detail groups, and of kyber, that are computed and not just read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "parts.h"

#define SECOND 1000000000ULL

static struct sw_detail detail;

/* Ten seconds of one disk with all groups on, in which nothing was. */
static struct sw_window window(void)
{
	memset(&detail, 0, sizeof(detail));
	return (struct sw_window){
		.start_ns = 5 * SECOND,
		.end_ns = 15 * SECOND,
		.detail = &detail,
		.groups = SW_GROUPS_ALL,
	};
}

static const struct {
	const char *name;
	enum sw_followed level;
	enum sw_kept kept;
} levels[] = {
	{ "held_levels", SW_LEVEL_HELD, SW_KEPT_ALL },
	{ "held_levels_read", SW_LEVEL_HELD, SW_KEPT_READ },
	{ "held_levels_sync_write", SW_LEVEL_HELD, SW_KEPT_SYNC },
	{ "held_levels_async_write", SW_LEVEL_HELD, SW_KEPT_ASYNC },
	{ "device_levels", SW_LEVEL_DEVICE, SW_KEPT_ALL },
	{ "device_levels_read", SW_LEVEL_DEVICE, SW_KEPT_READ },
	{ "device_levels_sync_write", SW_LEVEL_DEVICE, SW_KEPT_SYNC },
	{ "device_levels_async_write", SW_LEVEL_DEVICE, SW_KEPT_ASYNC },
};

static void test_levels_keep_apart(void **state)
{
	struct sw_window w = window();
	size_t i;

	(void)state;
	w.sum.inserted.held_max = w.sum.issued.device_max = 100;
	w.held_mean = 0.25;
	w.device_mean = 0.5;
	for (i = 0; i < 8; i++) {
		assert_unknown(levels[i].name, &w, SW_DIRS, "p50");
		assert_unknown(levels[i].name, &w, SW_DIRS, "mean");
	}
	for (i = 0; i < 8; i++)
		detail.levels.time[levels[i].level][levels[i].kept][i + 1] = i + 100;
	for (i = 0; i < 8; i++) {
		assert_number(levels[i].name, &w, SW_DIRS, "p50", (double)i + 1);
		assert_number(levels[i].name, &w, SW_DIRS, "mean",
			      levels[i].kept != SW_KEPT_ALL      ? (double)i + 1
			      : levels[i].level == SW_LEVEL_HELD ? 0.25
								 : 0.5);
	}
}

static void test_level_percentiles(void **state)
{
	struct sw_window w = window();
	__u64 *time = detail.levels.time[SW_LEVEL_HELD][SW_KEPT_READ];

	(void)state;
	w.sum.inserted.held_max = 200;
	time[0] = 5 * SECOND;
	time[4] = 4 * SECOND + SECOND / 2;
	time[bucket_of(16)] = SECOND * 4 / 10;
	time[bucket_of(100)] = SECOND / 10;
	assert_number("held_levels_read", &w, SW_DIRS, "p50", 0);
	assert_number("held_levels_read", &w, SW_DIRS, "p95", 4);
	assert_number("held_levels_read", &w, SW_DIRS, "p99", 16.5);
	assert_number("held_levels_read", &w, SW_DIRS, "mean",
		      0.45 * 4 + 0.04 * 16.5 + 0.01 * sw_hist_middle(bucket_of(100)));
	/* A hair more at the upper ones. */
	time[0]--;
	time[4]--;
	time[bucket_of(100)]++;
	assert_number("held_levels_read", &w, SW_DIRS, "p50", 4);
	assert_number("held_levels_read", &w, SW_DIRS, "p95", 16.5);
	assert_number("held_levels_read", &w, SW_DIRS, "p99", sw_hist_middle(bucket_of(100)));
	/* The last bucket of all. */
	w.sum.inserted.held_max = 1 << 20;
	time[SW_LEVEL_BUCKETS - 1] = 10000 * SECOND;
	assert_number("held_levels_read", &w, SW_DIRS, "p50", sw_hist_middle(SW_LEVEL_BUCKETS - 1));
}

/* The middle of a bucket may lie above the largest that was there. */
static void test_levels_are_not_above_the_maximum(void **state)
{
	static const char *const parts[] = { "p50", "p95", "p99" };
	struct sw_window w = window();
	size_t i;

	(void)state;
	w.sum.inserted.held_max = 129;
	w.sum.issued.device_max = 33;
	detail.levels.time[SW_LEVEL_HELD][SW_KEPT_ALL][bucket_of(129)] = 10 * SECOND;
	detail.levels.time[SW_LEVEL_HELD][SW_KEPT_READ][bucket_of(129)] = 10 * SECOND;
	detail.levels.time[SW_LEVEL_DEVICE][SW_KEPT_ALL][bucket_of(33)] = 10 * SECOND;
	for (i = 0; i < 3; i++) {
		assert_number("held_levels", &w, SW_DIRS, parts[i], 129);
		assert_number("held_levels_read", &w, SW_DIRS, parts[i], 129);
		assert_number("device_levels", &w, SW_DIRS, parts[i], 33);
	}
	/* Nor is the mean, of which a part may be exact. */
	assert_number("held_levels_read", &w, SW_DIRS, "mean", 129);
	detail.levels.time[SW_LEVEL_DEVICE][SW_KEPT_SYNC][bucket_of(33)] = 10 * SECOND;
	detail.levels.time[SW_LEVEL_DEVICE][SW_KEPT_SYNC][4] = 30 * SECOND;
	assert_number("device_levels_sync_write", &w, SW_DIRS, "mean", 0.75 * 4 + 0.25 * 33);
	w.members = 1;
	assert_number("held_levels", &w, SW_DIRS, "p50", 129);
	/* Of several members it is not known. */
	w.members = 2;
	assert_number("held_levels", &w, SW_DIRS, "p50", 135.5);
	assert_number("held_levels_read", &w, SW_DIRS, "mean", 135.5);
}

static void test_pool(void **state)
{
	struct sw_window w = window();
	__u64 *time = detail.levels.time[SW_LEVEL_THERE][SW_KEPT_ALL];

	(void)state;
	time[0] = 3 * SECOND;
	time[bucket_of(255)] = 4 * SECOND;
	time[bucket_of(256)] = 2 * SECOND;
	time[bucket_of(300)] = SECOND / 2;
	time[SW_LEVEL_BUCKETS - 1] = SECOND / 4;
	detail.levels.time[SW_LEVEL_HELD][SW_KEPT_ALL][bucket_of(256)] = 9 * SECOND;
	assert_unknown("pool_full", &w, SW_DIRS, "");
	w.pool = 256;
	assert_number("pool_full", &w, SW_DIRS, "", 0.275);
	w.pool = 255;
	assert_number("pool_full", &w, SW_DIRS, "", 0.675);
	/* The bucket that it lies in counts. */
	w.pool = 319;
	assert_number("pool_full", &w, SW_DIRS, "", 0.075);
	w.pool = 1;
	assert_number("pool_full", &w, SW_DIRS, "", 0.675);
	w.pool = 1 << 20;
	assert_number("pool_full", &w, SW_DIRS, "", 0.025);
	w.members = 1;
	assert_number("pool_full", &w, SW_DIRS, "", 0.025);
	w.members = 2;
	assert_unknown("pool_full", &w, SW_DIRS, "");
	w.members = 0;
	w.end_ns = w.start_ns;
	assert_unknown("pool_full", &w, SW_DIRS, "");
}

/* An event between the window's end and the reading makes a time longer than the window. */
static void test_shares_are_not_above_one(void **state)
{
	struct sw_window w = window();

	(void)state;
	w.pool = 16;
	detail.levels.time[SW_LEVEL_THERE][SW_KEPT_ALL][20] = 10 * SECOND;
	detail.levels.time[SW_LEVEL_THERE][SW_KEPT_ALL][21] = SECOND / 1000;
	detail.levels.idle_with_work = 10 * SECOND + SECOND / 1000;
	assert_number("pool_full", &w, SW_DIRS, "", 1);
	assert_number("idle_with_work", &w, SW_DIRS, "", 1);
}

static void test_idle(void **state)
{
	struct sw_window w = window();

	(void)state;
	w.busy_ns = 4 * SECOND;
	detail.levels.idle_with_work = SECOND;
	assert_number("idle_with_work", &w, SW_DIRS, "", 0.1);
	assert_number("device_idle", &w, SW_DIRS, "", 0.6);
	/* Of several members the mean. */
	w.members = 2;
	assert_number("idle_with_work", &w, SW_DIRS, "", 0.05);
	assert_number("device_idle", &w, SW_DIRS, "", 0.8);
	w.members = 0;
	w.busy_ns = 11 * SECOND;
	assert_number("device_idle", &w, SW_DIRS, "", 0);
	w.end_ns = w.start_ns;
	assert_unknown("idle_with_work", &w, SW_DIRS, "");
	assert_unknown("device_idle", &w, SW_DIRS, "");
}

static void test_starved(void **state)
{
	struct sw_window w = window();

	(void)state;
	assert_number("starved_us", &w, SW_READ, "", 0);
	detail.issued.starved_max[SW_READ] = 1500;
	detail.issued.starved_max[SW_WRITE] = 2000001;
	assert_number("starved_us", &w, SW_READ, "", 1.5);
	assert_number("starved_us", &w, SW_WRITE, "", 2000.001);
	assert_number("starved_us", &w, SW_DIRS, "", 2000.001);
	detail.issued.starved_max[SW_READ] = 3000000;
	assert_number("starved_us", &w, SW_DIRS, "", 3000);
}

static void cost(unsigned int i, uint64_t count, uint64_t ns, uint64_t bytes)
{
	detail.completed.costs[i] = (struct sw_cost){ count, ns, bytes };
}

/* 16 sequential requests, 100 us for each 4 KiB; others take 1.1 ms and 2.2 ms for 8 KiB. */
static void test_seek_cost(void **state)
{
	struct sw_window w = window();

	(void)state;
	w.busy_ns = 100000000;
	cost(0, 16, 1600000, 16 * 4096);
	assert_unknown("seek_cost", &w, SW_DIRS, "each_us");
	assert_number("seek_cost", &w, SW_DIRS, "total_us", 0);
	assert_number("seek_cost", &w, SW_DIRS, "share", 0);
	cost(1, 10, 11000000, 10 * 4096);
	assert_number("seek_cost", &w, SW_DIRS, "each_us", 1000);
	assert_number("seek_cost", &w, SW_DIRS, "total_us", 10000);
	assert_number("seek_cost", &w, SW_DIRS, "share", 0.1);
	cost(SW_COSTS - 1, 5, 11000000, 5 * 8192);
	assert_number("seek_cost", &w, SW_DIRS, "each_us", 20000. / 15);
	assert_number("seek_cost", &w, SW_DIRS, "total_us", 20000);
	/* What took no longer than sequential ones cost nothing, and gives nothing back. */
	cost(20, 5, 1, 5 * 4096);
	assert_number("seek_cost", &w, SW_DIRS, "each_us", 1000);
	assert_number("seek_cost", &w, SW_DIRS, "total_us", 20000);
	assert_number("seek_cost", &w, SW_DIRS, "share", 0.2);
	w.busy_ns = 1000;
	assert_number("seek_cost", &w, SW_DIRS, "share", 1);
	w.busy_ns = 0;
	assert_unknown("seek_cost", &w, SW_DIRS, "share");
	assert_number("seek_cost", &w, SW_DIRS, "total_us", 20000);
}

static void test_seek_cost_wants_sequential_ones(void **state)
{
	static const char *const parts[] = { "each_us", "total_us", "share" };
	struct sw_window w = window();
	size_t i;

	(void)state;
	w.busy_ns = 100000000;
	cost(3, 100, 500000000, 100 * 4096);
	for (i = 0; i < 3; i++)
		assert_unknown("seek_cost", &w, SW_DIRS, parts[i]);
	cost(0, 15, 1500000, 15 * 4096);
	for (i = 0; i < 3; i++)
		assert_unknown("seek_cost", &w, SW_DIRS, parts[i]);
	cost(0, 16, 1500000, 0);
	for (i = 0; i < 3; i++)
		assert_unknown("seek_cost", &w, SW_DIRS, parts[i]);
	cost(0, 16, 1600000, 16 * 4096);
	assert_number("seek_cost", &w, SW_DIRS, "each_us", 4900);
}

static void test_busiest(void **state)
{
	struct sw_window w = window();

	(void)state;
	assert_unknown("busiest_cpu", &w, SW_DIRS, "cpu");
	assert_unknown("busiest_task", &w, SW_DIRS, "share");
	w.sum.issued.dir[SW_READ].ios = 60;
	w.sum.issued.dir[SW_WRITE].ios = 40;
	w.cpu = 3;
	w.cpu_issues = 70;
	detail.issued.tasks[0] = (struct sw_task){ .count = 25, .tid = 4711 };
	detail.issued.tasks[1] = (struct sw_task){ .count = 30, .tid = 1 };
	assert_count("busiest_cpu", &w, SW_DIRS, "cpu", 3);
	assert_count("busiest_cpu", &w, SW_DIRS, "issued", 70);
	assert_number("busiest_cpu", &w, SW_DIRS, "share", 0.7);
	assert_count("busiest_task", &w, SW_DIRS, "tid", 4711);
	assert_count("busiest_task", &w, SW_DIRS, "issued", 25);
	assert_number("busiest_task", &w, SW_DIRS, "share", 0.25);
	/* CPU 0 and task 0 are some as well. */
	w.cpu = detail.issued.tasks[0].tid = 0;
	assert_count("busiest_cpu", &w, SW_DIRS, "cpu", 0);
	assert_count("busiest_task", &w, SW_DIRS, "tid", 0);
	/* The two counts are read one after the other. */
	w.cpu_issues = 101;
	assert_number("busiest_cpu", &w, SW_DIRS, "share", 1);
	detail.issued.tasks[0].count = 0;
	assert_unknown("busiest_task", &w, SW_DIRS, "tid");
	assert_unknown("busiest_task", &w, SW_DIRS, "issued");
	w.members = 1;
	assert_count("busiest_cpu", &w, SW_DIRS, "issued", 101);
	w.members = 2;
	assert_unknown("busiest_cpu", &w, SW_DIRS, "cpu");
	w.members = 0;
	w.sum.issued.dir[SW_READ].ios = w.sum.issued.dir[SW_WRITE].ios = 0;
	assert_unknown("busiest_cpu", &w, SW_DIRS, "share");
}

static const char *const domains[] = { "read", "write", "discard", "other" };

static void test_kyber_counts(void **state)
{
	struct sw_window w = { .kyber = true };
	size_t i;

	(void)state;
	for (i = 0; i < SW_DOMAINS; i++) {
		w.sum.kyber.throttled[i] = 10 + i;
		w.sum.kyber.adjusts[i] = 20 + i;
	}
	for (i = 0; i < SW_DOMAINS; i++) {
		assert_count("kyber_throttled", &w, SW_DIRS, domains[i], 10 + i);
		assert_count("kyber_adjusts", &w, SW_DIRS, domains[i], 20 + i);
	}
}

static void test_kyber_depth(void **state)
{
	struct sw_window w = { .kyber = true };
	size_t i;

	(void)state;
	w.kyber_state.depth[SW_DOMAIN_READ] = 257;
	w.kyber_state.depth[SW_DOMAIN_WRITE] = 129;
	w.kyber_state.depth[SW_DOMAIN_OTHER] = 1;
	assert_count("kyber_depth", &w, SW_DIRS, "read", 256);
	assert_count("kyber_depth", &w, SW_DIRS, "write", 128);
	assert_unknown("kyber_depth", &w, SW_DIRS, "discard");
	assert_count("kyber_depth", &w, SW_DIRS, "other", 0);
	w.kyber = false;
	for (i = 0; i < SW_DOMAINS; i++) {
		assert_unknown("kyber_depth", &w, SW_DIRS, domains[i]);
		assert_unknown("kyber_throttled", &w, SW_DIRS, domains[i]);
		assert_unknown("kyber_adjusts", &w, SW_DIRS, domains[i]);
	}
}

static void test_kyber_latency(void **state)
{
	struct sw_window w = { .kyber = true };
	struct sw_kyber_state *k = &w.kyber_state;

	(void)state;
	k->numerator[SW_DOMAIN_READ][0] = 3;
	k->denominator[SW_DOMAIN_READ][0] = 4;
	k->numerator[SW_DOMAIN_READ][1] = 1;
	k->denominator[SW_DOMAIN_READ][1] = 8;
	k->denominator[SW_DOMAIN_WRITE][0] = 4;
	k->numerator[SW_DOMAIN_WRITE][1] = 7;
	k->numerator[SW_DOMAIN_DISCARD][0] = k->denominator[SW_DOMAIN_DISCARD][0] = 1;
	assert_number("kyber_latency", &w, SW_DIRS, "read_total", 0.75);
	assert_number("kyber_latency", &w, SW_DIRS, "read_io", 0.125);
	assert_number("kyber_latency", &w, SW_DIRS, "write_total", 0);
	assert_unknown("kyber_latency", &w, SW_DIRS, "write_io");
	k->denominator[SW_DOMAIN_WRITE][1] = 2;
	assert_number("kyber_latency", &w, SW_DIRS, "write_io", 3.5);
	w.kyber = false;
	assert_unknown("kyber_latency", &w, SW_DIRS, "read_total");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_levels_keep_apart),
		cmocka_unit_test(test_level_percentiles),
		cmocka_unit_test(test_levels_are_not_above_the_maximum),
		cmocka_unit_test(test_pool),
		cmocka_unit_test(test_shares_are_not_above_one),
		cmocka_unit_test(test_idle),
		cmocka_unit_test(test_starved),
		cmocka_unit_test(test_seek_cost),
		cmocka_unit_test(test_seek_cost_wants_sequential_ones),
		cmocka_unit_test(test_busiest),
		cmocka_unit_test(test_kyber_counts),
		cmocka_unit_test(test_kyber_depth),
		cmocka_unit_test(test_kyber_latency),
	};

	return cmocka_run_group_tests(tests, 0, 0);
}
