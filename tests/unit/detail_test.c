// SPDX-License-Identifier: GPL-2.0-or-later
/* Windows of the detail groups: what all CPUs counted between two, but for the levels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "fakeobserver.h"

#define WORD_AT(member) (offsetof(struct sw_detail, member) / sizeof(__u64))
#define SECOND 1000000000ULL

static struct sw_detail *detail(int cpu)
{
	return fakeobserver_detail(&fake, 0, cpu);
}

static struct sw_window next_window(void)
{
	return fakeobserver_window(&fake, 0, fake.now[0] + SECOND);
}

static void test_groups_off(void **state)
{
	struct fakeobserver off;
	struct sw_window w;

	(void)state;
	fakeobserver_make(&off, 0);
	w = fakeobserver_window(&off, 0, FAKE_START + SECOND);
	assert_null(w.detail);
	assert_int_equal(w.groups, 0);
	assert_int_equal(w.torn, 0);
	fakeobserver_free(&off);
}

/* Words that are neither sums nor largest values. */
static bool is_none(size_t word)
{
	return word == WORD_AT(joined.seq) || word == WORD_AT(unplugged.seq) ||
	       word == WORD_AT(issued.scratch) ||
	       (word >= WORD_AT(issued.tasks) && word < WORD_AT(issued.tasks[SW_TASKS]));
}

/* Words and counts of cells: test_cells. */
static bool is_of_cells(size_t word)
{
	return (word >= WORD_AT(issued.apart) && word < WORD_AT(issued.apart[SW_APART_CELLS])) ||
	       (word >= WORD_AT(completed.apart) &&
		word < WORD_AT(completed.apart[SW_APART_CELLS]));
}

/* They are the last of the histograms. */
#define COUNTS (offsetof(struct sw_detail_hist, wait) / sizeof(__u32))

static bool is_maximum(size_t word)
{
	size_t i;

	for (i = 0; i < SW_DETAIL_MAXIMA; i++)
		if (sw_detail_maxima[i] == word)
			return true;
	return false;
}

/* Adds to every sum, and raises every largest value to, something of its own. */
static void count_something(int disk, int cpu, uint64_t factor)
{
	struct sw_detail *d = fakeobserver_detail(&fake, disk, cpu);
	__u64 *words = (__u64 *)d;
	__u32 *counts = (__u32 *)&d->hist;
	size_t i;

	for (i = 0; i < WORD_AT(levels); i++)
		if (is_maximum(i))
			words[i] = (i + 1) * factor;
		else if (!is_none(i))
			words[i] += (i + 1) * factor;
	for (i = 0; i < COUNTS; i++)
		counts[i] += (__u32)((i + 1) * factor);
}

/* That the window's sums are (i + 1) * sum, its largest values (i + 1) * largest. */
static void assert_window(const struct sw_window *w, uint64_t sum, uint64_t largest)
{
	const __u64 *words = (const __u64 *)w->detail;
	const __u32 *counts = (const __u32 *)&w->detail->hist;
	uint64_t factor;
	size_t i;

	for (i = 0; i < WORD_AT(levels); i++) {
		if (is_of_cells(i))
			continue;
		factor = is_none(i) ? 0 : is_maximum(i) ? largest : sum;
		if (words[i] != (i + 1) * factor)
			fail_msg("word %zu is %llu instead of %llu", i,
				 (unsigned long long)words[i],
				 (unsigned long long)((i + 1) * factor));
	}
	for (i = 0; i < COUNTS; i++)
		assert_int_equal(counts[i], (__u32)((i + 1) * sum));
}

static void test_sums_and_maxima(void **state)
{
	struct sw_window w;
	int cpu;

	(void)state;
	for (cpu = 0; cpu < FAKE_CPUS; cpu++)
		count_something(0, cpu, 1ULL << (3 - cpu));
	w = next_window();
	assert_int_equal(w.groups, SW_GROUPS_ALL);
	assert_int_equal(w.torn, 0);
	assert_window(&w, 15, 8);
	count_something(0, 1, 5);
	count_something(1, 0, 100);
	w = next_window();
	assert_window(&w, 5, 5);
	/* Largest values are those of the window alone. */
	w = next_window();
	assert_window(&w, 0, 0);
	count_something(0, 3, 2);
	count_something(0, 0, 3);
	w = next_window();
	assert_window(&w, 5, 3);
	w = fakeobserver_window(&fake, 1, FAKE_START + 9 * SECOND);
	assert_window(&w, 100, 100);
}

static void count_in_cell(int cpu, unsigned int cell, uint64_t n)
{
	struct sw_detail *d = detail(cpu);
	struct sw_apart_waits *waits = &d->issued.apart[cell][SW_WRITE];
	struct sw_apart_totals *totals = &d->completed.apart[cell][SW_WRITE];

	waits->waits += n;
	waits->wait_sum += 10 * n;
	waits->wait_max = 20 + n;
	totals->ios += n;
	totals->bytes += 512 * n;
	totals->totals += n;
	totals->total_sum += 30 * n;
	totals->total_max = 40 + n;
	d->hist.wait[cell][SW_WRITE][7] += n;
	d->hist.total[cell][SW_WRITE][SW_HIST_BUCKETS - 1] += n;
}

static void assert_class(const struct sw_detail *d, enum sw_apart apart, uint64_t n, uint64_t most)
{
	const struct sw_apart_waits *waits = &d->issued.apart[apart][SW_WRITE];
	const struct sw_apart_totals *totals = &d->completed.apart[apart][SW_WRITE];

	assert_int_equal(waits->waits, n);
	assert_int_equal(waits->wait_sum, 10 * n);
	assert_int_equal(waits->wait_max, most ? 20 + most : 0);
	assert_int_equal(totals->ios, n);
	assert_int_equal(totals->bytes, 512 * n);
	assert_int_equal(totals->totals, n);
	assert_int_equal(totals->total_sum, 30 * n);
	assert_int_equal(totals->total_max, most ? 40 + most : 0);
	assert_int_equal(d->hist.wait[apart][SW_WRITE][7], n);
	assert_int_equal(d->hist.total[apart][SW_WRITE][SW_HIST_BUCKETS - 1], n);
	assert_int_equal(d->issued.apart[apart][SW_READ].waits, 0);
	assert_int_equal(d->hist.wait[apart][SW_READ][7], 0);
}

/* Bit 0 is async, the class is above it; both ways of telling apart have each request. */
static void test_cells(void **state)
{
	struct sw_window w;

	(void)state;
	count_in_cell(0, SW_RT << 1, 1);
	count_in_cell(1, SW_RT << 1 | 1, 2);
	count_in_cell(2, SW_BE << 1, 4);
	count_in_cell(2, SW_IDLE << 1 | 1, 8);
	count_in_cell(3, SW_IDLE << 1 | 1, 16);
	w = next_window();
	assert_class(w.detail, SW_APART_SYNC, 5, 4);
	assert_class(w.detail, SW_APART_ASYNC, 26, 16);
	assert_class(w.detail, SW_APART_RT, 3, 2);
	assert_class(w.detail, SW_APART_BE, 4, 4);
	assert_class(w.detail, SW_APART_IDLE, 24, 16);
	/* Only what is new. */
	count_in_cell(0, SW_BE << 1 | 1, 3);
	w = next_window();
	assert_class(w.detail, SW_APART_SYNC, 0, 0);
	assert_class(w.detail, SW_APART_ASYNC, 3, 3);
	assert_class(w.detail, SW_APART_RT, 0, 0);
	assert_class(w.detail, SW_APART_BE, 3, 3);
	assert_class(w.detail, SW_APART_IDLE, 0, 0);
}

/* Counts of 32 bits and of 64 go round; the difference does not. */
static void test_counters_go_round(void **state)
{
	struct sw_detail *d = detail(2);
	struct sw_window w;

	(void)state;
	d->hist.unplugs[5] = UINT32_MAX - 1;
	d->unplugged.sum = UINT64_MAX - 1;
	next_window();
	d->hist.unplugs[5] += 10;
	d->unplugged.sum += 10;
	w = next_window();
	assert_int_equal(w.detail->hist.unplugs[5], 10);
	assert_int_equal(w.detail->unplugged.sum, 10);
}

/* What was counted before the start is left out, be it a largest value. */
static void test_start(void **state)
{
	struct sw_window w;

	(void)state;
	count_something(0, 1, 1000);
	detail(1)->issued.tasks[0] = (struct sw_task){ .count = 70, .tid = 7 };
	sw_details_start(&fake.o, 0);
	detail(1)->issued.tasks[0].count += 2;
	w = next_window();
	assert_int_equal(w.detail->issued.tasks[0].count, 2);
	memset(&w.detail->issued.tasks[0], 0, sizeof(w.detail->issued.tasks[0]));
	assert_window(&w, 0, 0);
}

static void set_task(int cpu, int place, uint32_t tid, const char *name, uint64_t count)
{
	struct sw_task *task = &detail(cpu)->issued.tasks[place];

	task->tid = tid;
	task->count = count;
	strncpy(task->name, name, sizeof(task->name) - 1);
}

static void assert_busiest(uint32_t tid, const char *name, uint64_t count)
{
	struct sw_window w = next_window();
	const struct sw_task *tasks = w.detail->issued.tasks;
	size_t i;

	assert_int_equal(tasks[0].count, count);
	assert_int_equal(tasks[0].tid, tid);
	assert_string_equal(tasks[0].name, name);
	for (i = 1; i < SW_TASKS; i++)
		assert_int_equal(tasks[i].count, 0);
}

/* Each CPU has its own table: a task's counts add up, wherever it stands in them. */
static void test_tasks_of_several_cpus(void **state)
{
	(void)state;
	assert_busiest(0, "", 0);
	set_task(0, 0, 100, "alone", 10);
	set_task(0, 1, 200, "wandering", 4);
	set_task(1, 0, 200, "wandering", 4);
	set_task(3, 0, 300, "third", 1);
	set_task(3, 1, 200, "wandering", 3);
	assert_busiest(200, "wandering", 11);
	/* From then on only what is new counts. */
	set_task(0, 0, 100, "alone", 13);
	set_task(3, 1, 200, "wandering", 5);
	assert_busiest(100, "alone", 3);
	assert_busiest(0, "", 0);
	set_task(3, 0, 300, "third", 2);
	assert_busiest(300, "third", 1);
	/* An idle CPU's interrupt issues as task 0. */
	set_task(2, 0, 0, "swapper/2", 6);
	assert_busiest(0, "swapper/2", 6);
}

static void test_all_tables_full(void **state)
{
	int cpu, i;

	(void)state;
	for (cpu = 0; cpu < FAKE_CPUS; cpu++)
		for (i = 0; i < SW_TASKS; i++)
			set_task(cpu, i, (uint32_t)(cpu * SW_TASKS + i + 1), "one of many",
				 (uint64_t)(cpu * SW_TASKS + i + 1));
	assert_busiest(FAKE_CPUS * SW_TASKS, "one of many", FAKE_CPUS * SW_TASKS);
}

/* Who had no room may have been busier than those that had. */
static void test_task_is_unknown(void **state)
{
	struct sw_window w;

	(void)state;
	set_task(0, 0, 100, "busy", 10);
	detail(1)->issued.tasks_beyond = 6;
	detail(2)->issued.tasks_beyond = 5;
	w = next_window();
	assert_int_equal(w.detail->issued.tasks_beyond, 11);
	assert_int_equal(w.detail->issued.tasks[0].count, 0);
	/* No more than it: then it is the busiest, or as busy as any. */
	set_task(0, 0, 100, "busy", 16);
	detail(1)->issued.tasks_beyond += 6;
	assert_busiest(100, "busy", 6);
}

/* The second may have had no room in another CPU's table. */
static void test_task_that_the_second_may_pass(void **state)
{
	(void)state;
	set_task(0, 0, 100, "first", 70);
	set_task(1, 0, 200, "second", 50);
	set_task(2, 0, 300, "third", 10);
	detail(2)->issued.tasks_beyond = 20;
	assert_busiest(100, "first", 70);
	set_task(0, 0, 100, "first", 140);
	set_task(1, 0, 200, "second", 100);
	detail(2)->issued.tasks_beyond += 21;
	assert_busiest(0, "", 0);
	/* Whichever of the two comes first in the tables. */
	set_task(0, 0, 100, "first", 190);
	set_task(1, 0, 200, "second", 170);
	detail(2)->issued.tasks_beyond += 21;
	assert_busiest(0, "", 0);
	set_task(0, 0, 100, "first", 240);
	set_task(1, 0, 200, "second", 240);
	detail(2)->issued.tasks_beyond += 20;
	assert_busiest(200, "second", 70);
}

/* A direction that is passed over still has been since it had one, or since its last issue. */
static void test_starved_at_the_end(void **state)
{
	struct sw_state *st = &fake.states[0];
	struct sw_window w;

	(void)state;
	st->held_by = 1ULL << (SW_KEPT_BITS - 1);
	st->pending_since[SW_READ] = FAKE_START + 100;
	st->pending_since[SW_WRITE] = FAKE_START + 1;
	w = fakeobserver_window(&fake, 0, FAKE_START + 1000);
	assert_int_equal(w.detail->issued.starved_max[SW_READ], 900);
	assert_int_equal(w.detail->issued.starved_max[SW_WRITE], 0);
	/* One of the two kinds of writes, and no reads. */
	st->held_by = 2ULL << SW_KEPT_BITS;
	w = fakeobserver_window(&fake, 0, FAKE_START + 2000);
	assert_int_equal(w.detail->issued.starved_max[SW_READ], 0);
	assert_int_equal(w.detail->issued.starved_max[SW_WRITE], 1999);
	st->held_by = 3ULL << 2 * SW_KEPT_BITS;
	w = fakeobserver_window(&fake, 0, FAKE_START + 3000);
	assert_int_equal(w.detail->issued.starved_max[SW_WRITE], 2999);
	/* One that ended is longer. */
	detail(3)->issued.starved_max[SW_WRITE] = 5000;
	w = fakeobserver_window(&fake, 0, FAKE_START + 4000);
	assert_int_equal(w.detail->issued.starved_max[SW_WRITE], 5000);
	/* Since a moment behind the end, and since never. */
	st->held_by |= 1;
	st->pending_since[SW_READ] = FAKE_START + 5001;
	st->pending_since[SW_WRITE] = 0;
	w = fakeobserver_window(&fake, 0, FAKE_START + 5000);
	assert_int_equal(w.detail->issued.starved_max[SW_READ], 0);
	assert_int_equal(w.detail->issued.starved_max[SW_WRITE], 0);
	st->pending_since[SW_READ] = st->pending_since[SW_WRITE] = 1;
	w = fakeobserver_window(&fake, 1, FAKE_START + FAKE_LATER + 5000);
	assert_int_equal(w.detail->issued.starved_max[SW_READ], 0);
	assert_int_equal(w.detail->issued.starved_max[SW_WRITE], 0);
}

/* A program that stays in the middle of its section: given up after some tries, and said so. */
static void test_torn_sections(void **state)
{
	struct sw_record *first = fakeobserver_record(&fake, 0, 0);
	struct sw_record *last = fakeobserver_record(&fake, 0, FAKE_CPUS - 1);
	__u64 *const seqs[] = { &first->inserted.seq, &last->issued.seq, &first->completed.seq,
				&detail(1)->joined.seq, &detail(2)->unplugged.seq };
	/* What the detail groups do not read. */
	__u64 *const others[] = { &first->requeued.seq, &first->merged.seq, &first->passed.seq,
				  &first->kyber.seq };
	struct sw_window w;
	size_t i;

	(void)state;
	for (i = 0; i < 4; i++)
		*others[i] = 1;
	for (i = 0; i < 5; i++) {
		*seqs[i] = 2 * i + 1;
		w = next_window();
		assert_int_equal(w.torn, 1);
		*seqs[i] += 1;
	}
	w = next_window();
	assert_int_equal(w.torn, 0);
	first->inserted.seq = detail(0)->joined.seq = detail(1)->joined.seq = 77;
	w = (struct sw_window){ .torn = 10, .start_ns = FAKE_START, .end_ns = FAKE_START + 1 };
	sw_details_window(&fake.o, 0, &w);
	assert_int_equal(w.torn, 13);
	assert_int_equal(w.detail->joined.seq, 0);
}

static bool writing;

/* For a moment, as a program takes one. */
static void spin(int n)
{
	while (n--)
		asm volatile("" ::: "memory");
}

/* As sw_begin and sw_end do it: outside, the first and the last word of the section are the same.
 */
static void *write_on(void *of)
{
	struct sw_detail_completed *co = &detail(2)->completed;
	__u64 *seq = of, n = 0;

	while (__atomic_load_n(&writing, __ATOMIC_RELAXED)) {
		__atomic_store_n(seq, *seq + 1, __ATOMIC_SEQ_CST);
		__atomic_store_n(&co->placed[SW_READ], ++n, __ATOMIC_RELEASE);
		spin(100);
		__atomic_store_n(&co->costs[SW_COSTS - 1].bytes, n, __ATOMIC_RELEASE);
		__atomic_store_n(seq, *seq + 1, __ATOMIC_RELEASE);
		spin(300);
	}
	return NULL;
}

static void test_sections_are_whole(void **state)
{
	uint64_t seen = 0, torn = 0;
	struct sw_window w;
	pthread_t writer;
	int i;

	(void)state;
	writing = true;
	assert_int_equal(pthread_create(&writer, NULL, write_on,
					&fakeobserver_record(&fake, 0, 2)->completed.seq),
			 0);
	for (i = 0; i < 2000; i++) {
		w = next_window();
		/* One that is torn spoils the one after as well. */
		if (w.torn || torn) {
			torn = w.torn;
			continue;
		}
		assert_int_equal(w.detail->completed.placed[SW_READ],
				 w.detail->completed.costs[SW_COSTS - 1].bytes);
		seen += w.detail->completed.placed[SW_READ];
	}
	__atomic_store_n(&writing, false, __ATOMIC_RELAXED);
	pthread_join(writer, NULL);
	w = next_window();
	assert_int_equal(w.torn, 0);
	assert_true(seen > 0);
}

#define WITH_OBSERVER(test) cmocka_unit_test_setup_teardown(test, fake_setup, fake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_groups_off),
		WITH_OBSERVER(test_sums_and_maxima),
		WITH_OBSERVER(test_cells),
		WITH_OBSERVER(test_counters_go_round),
		WITH_OBSERVER(test_start),
		WITH_OBSERVER(test_tasks_of_several_cpus),
		WITH_OBSERVER(test_all_tables_full),
		WITH_OBSERVER(test_task_is_unknown),
		WITH_OBSERVER(test_task_that_the_second_may_pass),
		WITH_OBSERVER(test_starved_at_the_end),
		WITH_OBSERVER(test_torn_sections),
		WITH_OBSERVER(test_sections_are_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
