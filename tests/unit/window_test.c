// SPDX-License-Identifier: GPL-2.0-or-later
/* Histograms, losses and sums of windows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

static void test_buckets_adjoin(void **state)
{
	unsigned int b;

	(void)state;
	assert_int_equal(sw_hist_low(0), 0);
	for (b = 0; b < SW_HIST_BUCKETS; b++) {
		uint64_t low = sw_hist_low(b), next = sw_hist_low(b + 1);

		assert_true(next > low);
		assert_int_equal(bucket_of(low), b);
		assert_int_equal(bucket_of(next - 1), b);
		assert_true(sw_hist_middle(b) >= (double)low);
		assert_true(sw_hist_middle(b) < (double)next);
		if (next - low == 1)
			assert_true(sw_hist_middle(b) == (double)low);
		if (low)
			assert_true(((double)(next - 1) - sw_hist_middle(b)) / (double)low <
				    0.0625);
	}
	assert_int_equal(sw_hist_low(SW_HIST_BUCKETS), 1ULL << 38);
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static uint64_t random_value(unsigned int bits)
{
	uint64_t v = (uint64_t)random() << 31 ^ (uint64_t)random();

	return v & ((1ULL << ((unsigned int)random() % bits + 1)) - 1);
}

static void test_percentiles_of_random_data(void **state)
{
	static const double percents[] = { 0, 1, 25, 50, 90, 95, 99, 99.9, 100 };
	uint64_t values[2000];
	int round, i, n;
	size_t p;

	(void)state;
	srandom(7);
	for (round = 0; round < 200; round++) {
		uint32_t hist[SW_HIST_BUCKETS] = { 0 };

		n = 1 + (int)(random() % 2000);
		for (i = 0; i < n; i++) {
			values[i] = random_value(38);
			hist[bucket_of(values[i])]++;
		}
		qsort(values, (size_t)n, sizeof(values[0]), by_value);
		for (p = 0; p < sizeof(percents) / sizeof(percents[0]); p++) {
			double rank = fmax(ceil(percents[p] * n / 100), 1);
			double exact = (double)values[(int)rank - 1];

			assert_true(fabs(sw_hist_percentile(hist, percents[p]) - exact) <=
				    exact * 0.0625);
		}
	}
}

static void test_rank_is_rounded_up(void **state)
{
	uint32_t hist[SW_HIST_BUCKETS] = { 0 };

	(void)state;
	assert_true(sw_hist_percentile(hist, 50) == -1);
	hist[1] = 99;
	hist[5] = 1;
	assert_true(sw_hist_percentile(hist, 99) == 1);
	assert_true(sw_hist_percentile(hist, 99.5) == 5);
	hist[1] = 93;
	hist[5] = 7;
	assert_true(sw_hist_percentile(hist, 93) == 1);
	assert_true(sw_hist_percentile(hist, 93.01) == 5);
	memset(hist, 0, sizeof(hist));
	hist[3] = hist[4] = hist[6] = 1;
	assert_true(sw_hist_percentile(hist, 50) == 4);
	assert_true(sw_hist_percentile(hist, 0) == 3);
	assert_true(sw_hist_percentile(hist, 100) == 6);
}

static void test_full_buckets_do_not_overflow(void **state)
{
	uint32_t hist[SW_HIST_BUCKETS];

	(void)state;
	memset(hist, 0xff, sizeof(hist));
	assert_true(sw_hist_percentile(hist, 100) == sw_hist_middle(SW_HIST_BUCKETS - 1));
	assert_true(sw_hist_percentile(hist, 50) == sw_hist_middle(SW_HIST_BUCKETS / 2 - 1));
}

static void test_losses(void **state)
{
	struct sw_window w = { 0 };

	(void)state;
	assert_int_equal(sw_window_losses(&w), 0);
	w.sum.issued.before = w.sum.completed.before = 1ULL << 20;
	w.sum.requeued.requeues = w.sum.issued.head_inserts = 1ULL << 21;
	w.sum.completed.dir[0].errors = w.sum.completed.dir[1].partial = 1ULL << 22;
	assert_int_equal(sw_window_losses(&w), 0);
	w.sum.issued.no_insert = 1;
	w.sum.completed.unmatched = 2;
	w.sum.issued.negative = 4;
	w.sum.completed.negative = 8;
	w.sum.inserted.table_miss = 16;
	w.sum.issued.table_miss = 32;
	w.sum.inserted.stale = 64;
	w.sum.issued.stale = 128;
	w.missed = 256;
	w.torn = 512;
	assert_int_equal(sw_window_losses(&w), 1023 - 256);
}

/* One of a thousand, and one of fewer, are borne; a torn record never is. */
static void test_lossy(void **state)
{
	struct sw_window w = { 0 };

	(void)state;
	assert_false(sw_window_lossy(&w));
	w.sum.inserted.stale = 1;
	assert_false(sw_window_lossy(&w));
	w.sum.inserted.stale = 2;
	assert_true(sw_window_lossy(&w));
	w.sum.completed.dir[SW_READ].ios = 1000;
	w.sum.completed.dir[SW_WRITE].ios = 990;
	w.sum.completed.kinds[SW_DISCARD] = 9;
	assert_true(sw_window_lossy(&w));
	w.sum.completed.kinds[SW_PASSTHROUGH] = 1;
	assert_false(sw_window_lossy(&w));
	w.sum.issued.no_insert = 1;
	assert_true(sw_window_lossy(&w));
	w.sum.issued.no_insert = w.sum.inserted.stale = 0;
	w.missed = 1000;
	w.sum.requeued.requeues = 1000;
	assert_false(sw_window_lossy(&w));
	w.torn = 1;
	assert_true(sw_window_lossy(&w));
}

static void test_seconds(void **state)
{
	struct sw_window w = { .start_ns = 5000000000, .end_ns = 7500000000 };

	(void)state;
	assert_true(sw_window_seconds(&w) == 2.5);
	w.end_ns = w.start_ns;
	assert_true(sw_window_seconds(&w) == 0);
	w.end_ns = 1;
	assert_true(sw_window_seconds(&w) == 0);
}

static struct sw_window example(uint64_t start, uint64_t end, uint64_t n)
{
	struct sw_window w = { .start_ns = start, .end_ns = end, .deadline = true };

	w.sum.completed.dir[SW_WRITE].ios = n;
	w.sum.completed.dir[SW_WRITE].total_max = n * 10;
	w.sum.completed.kinds[SW_FLUSH] = n + 1;
	w.sum.issued.dir[SW_READ].seek_sum = n << 40;
	w.sum.issued.dir[SW_READ].seek_max = 1000 - n;
	w.sum.issued.dir[SW_READ].wraps[SW_UNKNOWN] = n + 2;
	w.sum.issued.flow.held_time = -n;
	w.sum.inserted.held_max = n;
	w.sum.issued.device_max = 1000 - n;
	w.sum.merged.merges[SW_WRITE] = n + 3;
	w.sum.issued_hist.seek[SW_READ][0] = (uint32_t)n;
	w.sum.completed_hist.total[SW_WRITE][SW_HIST_BUCKETS - 1] = (uint32_t)n;
	w.busy_ns = n;
	w.held_mean = (double)n;
	w.device_mean = (double)n * 2;
	w.held_now = n;
	w.device_now = n + 4;
	w.missed = n + 5;
	w.torn = n + 6;
	return w;
}

static void test_add(void **state)
{
	struct sw_window sum = example(1000, 4000, 10), more = example(4000, 5000, 30);

	(void)state;
	sw_window_add(&sum, &more);
	assert_int_equal(sum.start_ns, 1000);
	assert_int_equal(sum.end_ns, 5000);
	assert_int_equal(sum.sum.completed.dir[SW_WRITE].ios, 40);
	assert_int_equal(sum.sum.completed.dir[SW_WRITE].total_max, 300);
	assert_int_equal(sum.sum.completed.kinds[SW_FLUSH], 42);
	assert_int_equal(sum.sum.issued.dir[SW_READ].seek_sum, 40ULL << 40);
	assert_int_equal(sum.sum.issued.dir[SW_READ].seek_max, 990);
	assert_int_equal(sum.sum.issued.dir[SW_READ].wraps[SW_UNKNOWN], 44);
	assert_int_equal(sum.sum.issued.flow.held_time, (uint64_t)-40);
	assert_int_equal(sum.sum.inserted.held_max, 30);
	assert_int_equal(sum.sum.issued.device_max, 990);
	assert_int_equal(sum.sum.merged.merges[SW_WRITE], 46);
	assert_int_equal(sum.sum.issued_hist.seek[SW_READ][0], 40);
	assert_int_equal(sum.sum.completed_hist.total[SW_WRITE][SW_HIST_BUCKETS - 1], 40);
	assert_int_equal(sum.busy_ns, 40);
	assert_true(fabs(sum.held_mean - 15) < 1e-9);
	assert_true(fabs(sum.device_mean - 30) < 1e-9);
	assert_int_equal(sum.held_now, 30);
	assert_int_equal(sum.device_now, 34);
	assert_int_equal(sum.missed, 50);
	assert_int_equal(sum.torn, 52);
	assert_true(sum.deadline);
}

/* Every maximum of the record, and nothing else, is not summed. */
static void test_add_knows_all_maxima(void **state)
{
	struct sw_window sum = { .end_ns = 1 }, more = { .start_ns = 1, .end_ns = 2 };
	size_t i, maxima = 0, words = offsetof(struct sw_record, issued_hist) / sizeof(__u64);
	__u64 *a = (__u64 *)&sum.sum, *b = (__u64 *)&more.sum;
	const struct sw_record *r = &sum.sum;
	unsigned int dir;

	(void)state;
	for (i = 0; i < words; i++)
		a[i] = b[i] = 7;
	sw_window_add(&sum, &more);
	for (i = 0; i < words; i++)
		maxima += a[i] == 7;
	assert_int_equal(maxima, SW_RECORD_MAXIMA);
	assert_int_equal(maxima, 5 + 6 * SW_DIRS);
	assert_int_equal(r->completed.flush.max + r->completed.fua.max, 14);
	assert_int_equal(r->inserted.held_max + r->issued.device_max + r->passed.pass_max, 21);
	for (dir = 0; dir < SW_DIRS; dir++) {
		const struct sw_issued_dir *is = &r->issued.dir[dir];
		const struct sw_completed_dir *co = &r->completed.dir[dir];

		assert_int_equal(is->seek_max + is->wait_max + is->late_max, 21);
		assert_int_equal(co->service_max + co->total_max, 14);
		assert_int_equal(r->passed.dir[dir].batch_max, 7);
	}
}

static void test_add_edges(void **state)
{
	struct sw_window sum = { 0 }, more = example(4000, 5000, 30);

	(void)state;
	sw_window_add(&sum, &more);
	assert_memory_equal(&sum, &more, sizeof(sum));
	sum.sum.issued_hist.seek[SW_READ][0] = UINT32_MAX - 5;
	more.deadline = false;
	more.start_ns = more.end_ns = 5000;
	sw_window_add(&sum, &more);
	assert_int_equal(sum.sum.issued_hist.seek[SW_READ][0], UINT32_MAX);
	assert_false(sum.deadline);
	assert_true(sum.held_mean == 30);
}

static void test_join(void **state)
{
	struct sw_window sum = { 0 }, one = example(1000, 4000, 10),
			 other = example(1010, 4020, 30);

	(void)state;
	sw_window_join(&sum, &one);
	assert_int_equal(sum.members, 1);
	sum.members = 0;
	assert_memory_equal(&sum, &one, sizeof(sum));
	sum.members = 1;
	sw_window_join(&sum, &other);
	assert_int_equal(sum.members, 2);
	assert_int_equal(sum.start_ns, 1000);
	assert_int_equal(sum.end_ns, 4020);
	assert_int_equal(sum.sum.completed.dir[SW_WRITE].ios, 40);
	assert_int_equal(sum.sum.completed.dir[SW_WRITE].total_max, 300);
	assert_int_equal(sum.sum.issued.dir[SW_READ].seek_sum, 40ULL << 40);
	assert_int_equal(sum.sum.issued.dir[SW_READ].seek_max, 990);
	assert_int_equal(sum.sum.issued_hist.seek[SW_READ][0], 40);
	assert_int_equal(sum.busy_ns, 40);
	assert_true(sum.held_mean == 40);
	assert_true(sum.device_mean == 80);
	assert_int_equal(sum.held_now, 40);
	assert_int_equal(sum.device_now, 48);
	/* What the kernel missed it missed for all together. */
	assert_int_equal(sum.missed, 35);
	assert_int_equal(sum.torn, 52);
	assert_true(sum.deadline);
	one.deadline = false;
	sum.passes = SW_PASSES_MEASURED;
	one.passes = SW_PASSES_ESTIMATED;
	sw_window_join(&sum, &one);
	assert_int_equal(sum.members, 3);
	assert_false(sum.deadline);
	assert_int_equal(sum.passes, SW_PASSES_ESTIMATED);
}

#define DETAIL_WORD(field) (offsetof(struct sw_detail, field) / sizeof(__u64))

static bool is_task(size_t word)
{
	return word >= DETAIL_WORD(issued.tasks) && word < DETAIL_WORD(issued.tasks[SW_TASKS]);
}

/* Every maximum of the details, and nothing else, is not summed; two tables of tasks have no sum.
 */
static void test_join_knows_all_maxima(void **state)
{
	static struct sw_detail sum_detail, detail, other;
	struct sw_window sum = { .detail = &sum_detail };
	struct sw_window one = { .detail = &detail, .groups = SW_GROUPS_ALL };
	__u64 *a = (__u64 *)&sum_detail;
	size_t i, maxima = 0, words = offsetof(struct sw_detail, hist) / sizeof(__u64);
	unsigned int dir, apart;

	(void)state;
	for (i = 0; i < words; i++)
		((__u64 *)&detail)[i] = 7;
	sw_window_join(&sum, &one);
	assert_ptr_equal(sum.detail, &sum_detail);
	assert_memory_equal(&sum_detail, &detail, sizeof(detail));
	sw_window_join(&sum, &one);
	for (i = 0; i < words; i++)
		if (is_task(i))
			assert_int_equal(a[i], 0);
		else if (a[i] == 7)
			maxima++;
		else
			assert_int_equal(a[i], 14);
	assert_int_equal(maxima, SW_DETAIL_MAXIMA);
	assert_int_equal(maxima, 2 + (5 + 2 * SW_APART_CELLS) * SW_DIRS);
	assert_int_equal(sum_detail.issued.resumed_max + sum_detail.unplugged.max, 14);
	for (dir = 0; dir < SW_DIRS; dir++) {
		const struct sw_detail_issued *is = &sum_detail.issued;

		assert_int_equal(sum_detail.inserted.sizes.max[dir] + is->sizes.max[dir], 14);
		assert_int_equal(is->run_ios_max[dir] + is->run_bytes_max[dir], 14);
		assert_int_equal(is->starved_max[dir], 7);
		for (apart = 0; apart < SW_APART_CELLS; apart++)
			assert_int_equal(is->apart[apart][dir].wait_max +
						 sum_detail.completed.apart[apart][dir].total_max,
					 14);
	}
	/* The larger one stays, whichever it is. */
	other.unplugged.max = 6;
	other.issued.resumed_max = 8;
	one.detail = &other;
	sw_window_join(&sum, &one);
	assert_int_equal(sum_detail.unplugged.max, 7);
	assert_int_equal(sum_detail.issued.resumed_max, 8);
}

static void test_join_of_details(void **state)
{
	static struct sw_detail sum_detail, detail;
	struct sw_window sum = { .detail = &sum_detail };
	struct sw_window one = { .detail = &detail,
				 .groups = SW_GROUP_DEPTH | SW_GROUP_MERGES,
				 .pool = 100,
				 .kyber = true,
				 .caches = true };

	(void)state;
	detail.hist.unplugs[SW_HIST_BUCKETS - 1] = 3;
	detail.hist.inserted[SW_READ][0] = UINT32_MAX - 1;
	detail.hist.total[SW_APARTS - 1][SW_WRITE][SW_HIST_BUCKETS - 1] = 5;
	detail.levels.idle_with_work = 1ULL << 40;
	detail.issued.tasks[0] = (struct sw_task){ .count = 1, .tid = 5 };
	sw_window_join(&sum, &one);
	/* One member's own is known as it is. */
	assert_int_equal(sum_detail.issued.tasks[0].tid, 5);
	assert_int_equal(sum.pool, 100);
	assert_true(sum.kyber && sum.caches);
	one.groups = SW_GROUP_MERGES | SW_GROUP_STREAMS;
	sw_window_join(&sum, &one);
	assert_int_equal(sum_detail.hist.unplugs[SW_HIST_BUCKETS - 1], 6);
	assert_int_equal(sum_detail.hist.inserted[SW_READ][0], UINT32_MAX);
	assert_int_equal(sum_detail.hist.total[SW_APARTS - 1][SW_WRITE][SW_HIST_BUCKETS - 1], 10);
	assert_int_equal(sum_detail.levels.idle_with_work, 1ULL << 41);
	assert_int_equal(detail.levels.idle_with_work, 1ULL << 40);
	assert_int_equal(sum_detail.issued.tasks[0].count, 0);
	assert_int_equal(sum.groups, SW_GROUP_MERGES);
	assert_int_equal(sum.pool, 200);
	assert_false(sum.kyber);
	assert_true(sum.caches);
	one.caches = false;
	one.pool = 0;
	sw_window_join(&sum, &one);
	assert_int_equal(sum.pool, 0);
	assert_false(sum.caches);
	one.pool = 100;
	sw_window_join(&sum, &one);
	assert_int_equal(sum.pool, 0);
}

/* Without room for the sum's details there are none, nor where members have none. */
static void test_join_without_details(void **state)
{
	static struct sw_detail room, detail;
	struct sw_window sum = { 0 }, one = { .detail = &detail, .groups = SW_GROUPS_ALL };

	(void)state;
	detail.unplugged.sum = 3;
	sw_window_join(&sum, &one);
	sw_window_join(&sum, &one);
	assert_null(sum.detail);
	assert_int_equal(sum.groups, 0);
	assert_int_equal(detail.unplugged.sum, 3);
	sum = (struct sw_window){ .detail = &room };
	one.detail = 0;
	one.groups = 0;
	sw_window_join(&sum, &one);
	sw_window_join(&sum, &one);
	assert_null(sum.detail);
	assert_int_equal(sum.groups, 0);
}

/* Details are the observer's and of one window: a sum over time has none. */
static void test_add_drops_details(void **state)
{
	static struct sw_detail detail;
	struct sw_window sum = { 0 };
	struct sw_window more = { .end_ns = 5, .detail = &detail, .groups = SW_GROUPS_ALL };

	(void)state;
	sw_window_add(&sum, &more);
	assert_null(sum.detail);
	assert_int_equal(sum.groups, 0);
	sw_window_add(&sum, &more);
	assert_null(sum.detail);
	assert_int_equal(sum.groups, 0);
}

/* A percentile of the sum is that of all values together, not one of percentiles. */
static void test_percentiles_of_a_sum(void **state)
{
	struct sw_window sum = { 0 }, fast = { .end_ns = 1 }, slow = { .end_ns = 1 };
	const uint32_t *hist = sum.sum.completed_hist.total[SW_READ];

	(void)state;
	fast.sum.completed_hist.total[SW_READ][3] = 98;
	slow.sum.completed_hist.total[SW_READ][5] = 2;
	sw_window_join(&sum, &fast);
	sw_window_join(&sum, &slow);
	assert_true(sw_hist_percentile(hist, 98) == 3);
	assert_true(sw_hist_percentile(hist, 99) == 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_buckets_adjoin),
		cmocka_unit_test(test_percentiles_of_random_data),
		cmocka_unit_test(test_rank_is_rounded_up),
		cmocka_unit_test(test_full_buckets_do_not_overflow),
		cmocka_unit_test(test_losses),
		cmocka_unit_test(test_lossy),
		cmocka_unit_test(test_seconds),
		cmocka_unit_test(test_add),
		cmocka_unit_test(test_add_knows_all_maxima),
		cmocka_unit_test(test_add_edges),
		cmocka_unit_test(test_join),
		cmocka_unit_test(test_join_knows_all_maxima),
		cmocka_unit_test(test_join_of_details),
		cmocka_unit_test(test_join_without_details),
		cmocka_unit_test(test_add_drops_details),
		cmocka_unit_test(test_percentiles_of_a_sum),
	};

	return cmocka_run_group_tests(tests, 0, 0);
}
