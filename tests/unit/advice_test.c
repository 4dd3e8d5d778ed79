// SPDX-License-Identifier: GPL-2.0-or-later
/* Advice: each row on the window made for it, on none beside it, and never without evidence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/output/advice.h"
#include "advice_build.h"
#include "advice_windows.h"

static size_t window_count(void)
{
	size_t n = 0;

	while (advice_window(n))
		n++;
	return n;
}

static struct sw_report_disk window_named(const char *name)
{
	size_t i;

	for (i = 0; strcmp(advice_window(i)->name, name); i++)
		;
	return advice_window(i)->make();
}

/* The ids given, in order, with blanks between; and what the first one is. */
static const struct sw_advice *given(const struct sw_report_disk *d, char ids[512])
{
	const struct sw_advice *rows[SW_ADVICE_MAX];
	struct sw_facts facts = sw_facts_of_report(d);
	unsigned int i, n = sw_advise(&facts, rows);

	*ids = '\0';
	for (i = 0; i < n; i++)
		strcat(strcat(ids, i ? " " : ""), rows[i]->id);
	return n ? rows[0] : 0;
}

static void assert_given(const struct sw_report_disk *d, const char *name, const char *expected)
{
	char ids[512];

	given(d, ids);
	if (strcmp(ids, expected))
		fail_msg("%s: \"%s\" instead of \"%s\"", name, ids, expected);
}

static void test_each_window_its_row(void **unused)
{
	const struct advice_window *w;
	const struct sw_advice *row;
	struct sw_report_disk d;
	struct sw_facts facts;
	char ids[512], text[1024];
	size_t i;

	(void)unused;
	for (i = 0; (w = advice_window(i)); i++) {
		d = w->make();
		assert_null(sw_unjudged(&d));
		facts = sw_facts_of_report(&d);
		assert_string_equal(sw_verdict_name(facts.verdict), w->bound);
		assert_given(&d, w->name, w->ids);
		row = given(&d, ids);
		if (!w->command)
			continue;
		sw_advice_words(row->commands[0], row, &facts, text, sizeof(text));
		assert_string_equal(text, w->command);
	}
}

/* No row without a window of its own. */
static void test_each_row_has_its_window(void **unused)
{
	const struct advice_window *w;
	unsigned int row;
	size_t i;

	(void)unused;
	for (row = 0; row < sw_advice_count; row++) {
		for (i = 0; (w = advice_window(i)); i++)
			if (!strcmp(w->ids, sw_advice[row].id))
				break;
		if (!w)
			fail_msg("%s has no window", sw_advice[row].id);
	}
}

static void test_idle_gives_none(void **unused)
{
	const struct advice_window *w;
	struct sw_report_disk d;
	size_t i;

	(void)unused;
	for (i = 0; (w = advice_window(i)); i++) {
		d = w->make();
		d.window.busy_ns = SECOND / 2;
		assert_given(&d, w->name, "");
		memset(&d.window.sum, 0, sizeof(d.window.sum));
		d.window.busy_ns = 10 * SECOND;
		assert_given(&d, w->name, "");
	}
}

/* A few of many move no figure; more, or figures that may be of two moments, prove nothing. */
static void test_losses_that_are_few(void **unused)
{
	struct sw_report_disk d = advice_window(0)->make();
	__u64 *ios = &d.window.sum.completed.dir[SW_READ].ios;

	(void)unused;
	d.window.sum.completed.dir[SW_WRITE].ios = 0;
	*ios = 3000;
	d.window.sum.issued.stale = 3;
	assert_null(sw_unjudged(&d));
	*ios = 2999;
	assert_string_equal(sw_unjudged(&d),
			    "more than 1 of 1000 requests were lost to the observer, and what is "
			    "not whole proves nothing");
	d.window.sum.issued.stale = 0;
	assert_null(sw_unjudged(&d));
	d.window.torn = 1;
	assert_non_null(sw_unjudged(&d));
}

static void test_neighbours_do_not_give_it(void **unused)
{
	const struct advice_neighbour *near;
	struct sw_report_disk d;
	size_t i;

	(void)unused;
	for (i = 0; (near = advice_neighbour(i)); i++) {
		d = near->make();
		near->change(&d);
		assert_given(&d, near->name, near->ids);
	}
}

static void test_no_scheduler_for_zoned(void **unused)
{
	const struct sw_advice *rows[SW_ADVICE_MAX];
	const struct advice_window *w;
	struct sw_report_disk d;
	struct sw_facts facts;
	unsigned int n, k;
	size_t i;

	(void)unused;
	for (i = 0; (w = advice_window(i)); i++) {
		d = w->make();
		is_zoned(&d);
		facts = sw_facts_of_report(&d);
		n = sw_advise(&facts, rows);
		for (k = 0; k < n; k++)
			assert_true(!rows[k]->commands[0] ||
				    !strstr(rows[k]->commands[0], "queue/scheduler"));
	}
}

static uint64_t state = 88172645463325252ULL;

static uint64_t bits(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Of every size, 0 among them. */
static uint64_t number(void)
{
	return bits() % 4 ? bits() >> (bits() % 64) : 0;
}

/* Some words, and some buckets, of which a whole histogram may go. */
static void shake_words(uint64_t *words, size_t counters, uint32_t *buckets, size_t all)
{
	unsigned int i, n = bits() % 12;

	for (i = 0; i < n; i++) {
		words[bits() % counters] = number();
		buckets[bits() % all] = (uint32_t)number();
		if (bits() % 8 == 0)
			memset(&buckets[bits() % (all - SW_HIST_BUCKETS)], 0,
			       SW_HIST_BUCKETS * sizeof(*buckets));
	}
}

static void shake_detail(struct sw_report_disk *d)
{
	struct sw_detail *det = d->window.detail;

	d->window.pool = bits() % 4 ? d->window.pool : number();
	if (bits() % 4 == 0)
		d->window.groups &= (uint32_t)bits();
	if (bits() % 16 == 0)
		d->window.detail = 0;
	shake_words((uint64_t *)det, offsetof(struct sw_detail, hist) / sizeof(uint64_t),
		    (uint32_t *)&det->hist, sizeof(det->hist) / sizeof(uint32_t));
}

static void shake_around(struct sw_around *around)
{
	uint64_t *numbers[] = { &around->queue_depth, &around->read_ahead_kb,
				&around->max_sectors_kb, &around->max_hw_sectors_kb };

	if (bits() % 2)
		*numbers[bits() % 4] = number();
	around->unthrottled ^= bits() % 4 == 0;
}

/* Some of what was counted, some of what sysfs tells. */
static void shake(struct sw_report_disk *d)
{
	struct sw_record *sum = &d->window.sum;
	size_t counters = offsetof(struct sw_record, issued_hist);

	shake_words((uint64_t *)sum, counters / sizeof(uint64_t), (uint32_t *)&sum->issued_hist,
		    (sizeof(*sum) - counters) / sizeof(uint32_t));
	if (d->window.detail)
		shake_detail(d);
	if (bits() % 2)
		set_knob(d, bits() % SW_KNOBS, (int64_t)number());
	d->knobs.present[bits() % SW_KNOBS] ^= bits() % 4 == 0;
	d->window.deadline ^= bits() % 4 == 0;
	d->disk.rotational ^= bits() % 4 == 0;
	shake_around(&d->around);
	if (bits() % 16 == 0)
		d->window.end_ns = d->window.start_ns;
}

static void assert_complete(const struct sw_advice *row, const struct sw_facts *facts)
{
	char path[SW_FACT_PATH], text[1024];
	unsigned int i;

	assert_true(sw_advice_evidence(row, 0, path));
	for (i = 0; sw_advice_evidence(row, i, path); i++)
		assert_true(sw_fact_number(facts, path) >= 0);
	sw_advice_words(row->text, row, facts, text, sizeof(text));
	assert_true(strlen(text) < sizeof(text) - 1);
	assert_null(strpbrk(text, "{}$"));
	assert_null(strstr(text, " - "));
	for (i = 0; i < SW_ADVICE_COMMANDS && row->commands[i]; i++) {
		sw_advice_words(row->commands[i], row, facts, text, sizeof(text));
		assert_null(strpbrk(text, "{}$"));
		assert_null(strstr(text, "echo -"));
	}
}

static void test_never_without_evidence(void **unused)
{
	const struct sw_advice *rows[SW_ADVICE_MAX];
	unsigned int fired[SW_ADVICE_MAX] = { 0 }, i, n, k;
	size_t windows = window_count();
	struct sw_report_disk d;
	struct sw_facts facts;

	(void)unused;
	for (i = 0; i < 60000; i++) {
		d = advice_window(bits() % windows)->make();
		shake(&d);
		facts = sw_facts_of_report(&d);
		n = sw_advise(&facts, rows);
		for (k = 0; k < n; k++) {
			fired[rows[k] - sw_advice]++;
			assert_complete(rows[k], &facts);
		}
	}
	for (i = 0; i < sw_advice_count; i++)
		if (fired[i] < 50)
			fail_msg("%s was given %u times only", sw_advice[i].id, fired[i]);
}

/* A misspelt path would make a row that is never given. */
static void test_paths_lead_somewhere(void **unused)
{
	struct sw_report_disk d = window_named("plain");
	struct sw_facts facts = sw_facts_of_report(&d);
	char path[SW_FACT_PATH];
	struct sw_fact fact;
	unsigned int row, i;

	(void)unused;
	for (row = 0; row < sw_advice_count; row++)
		for (i = 0; sw_advice_evidence(&sw_advice[row], i, path); i++)
			if (!sw_fact_get(&facts, path, &fact))
				fail_msg("%s: %s", sw_advice[row].id, path);
	assert_false(sw_fact_get(&facts, "read.no_such_figure", &fact));
	assert_false(sw_fact_get(&facts, "read.wait_us.p98", &fact));
	assert_false(sw_fact_get(&facts, "read.held.mean", &fact));
	assert_false(sw_fact_get(&facts, "knobs.no_such_knob", &fact));
	assert_float_equal(sw_fact_number(&facts, "held.mean"), 20, 0);
	assert_float_equal(sw_fact_number(&facts, "read.ios"), 1500, 0);
	assert_float_equal(sw_fact_number(&facts, "write.wait_us.p99"), -1, 0);
	assert_float_equal(sw_fact_number(&facts, "knobs.read_expire"), 500, 0);
	assert_float_equal(sw_fact_number(&facts, "queue_depth"), -1, 0);
	assert_float_equal(sw_fact_number(&facts, "read_ahead_kb"), -1, 0);
}

/* Figures of the classes apart, of a direction or of both. */
static void test_paths_of_classes(void **unused)
{
	struct sw_report_disk d = window_named("async wall");
	struct sw_facts facts = sw_facts_of_report(&d);
	struct sw_fact fact;

	(void)unused;
	assert_float_equal(sw_fact_number(&facts, "write.classes.sync.ios"), 200, 0);
	assert_float_equal(sw_fact_number(&facts, "write.classes.async.ios"), 4600, 0);
	assert_float_equal(sw_fact_number(&facts, "read.classes.sync.ios"), 0, 0);
	assert_float_equal(sw_fact_number(&facts, "classes.async.ios"), 4600, 0);
	assert_float_equal(sw_fact_number(&facts, "write.classes.sync.wait_us.mean"), 70 * MS, 0);
	assert_float_equal(sw_fact_number(&facts, "write.classes.sync.total_us.max"), 250 * MS, 0);
	assert_float_equal(sw_fact_number(&facts, "write.classes.rt.wait_us.p95"), -1, 0);
	assert_true(sw_fact_get(&facts, "write.classes.async.total_us.p99", &fact));
	assert_string_equal(fact.unit, "us");
	assert_false(sw_fact_get(&facts, "write.classes", &fact));
	assert_false(sw_fact_get(&facts, "write.classes.", &fact));
	assert_false(sw_fact_get(&facts, "write.classes.sync", &fact));
	assert_false(sw_fact_get(&facts, "write.classes.sync.", &fact));
	assert_false(sw_fact_get(&facts, "write.classes.nobody.ios", &fact));
	assert_false(sw_fact_get(&facts, "write.classes.sync.wait_us", &fact));
	assert_false(sw_fact_get(&facts, "write.classes.sync.wait_us.p98", &fact));
	assert_false(sw_fact_get(&facts, "write.classes.sync.seek_sectors.max", &fact));
	assert_false(sw_fact_get(&facts, "write.sync.ios", &fact));
	assert_false(sw_fact_get(
		&facts, "write.classes.sync.a_name_that_is_longer_than_any_figure_has.p95", &fact));
	d.window.groups = 0;
	assert_float_equal(sw_fact_number(&facts, "write.classes.sync.ios"), -1, 0);
}

static void test_words(void **unused)
{
	struct sw_report_disk d = window_named("reads expire");
	struct sw_facts facts;
	const struct sw_advice *row;
	char ids[512], text[1024];

	(void)unused;
	row = given(&d, ids);
	facts = sw_facts_of_report(&d);
	sw_advice_words(row->text, row, &facts, text, sizeof(text));
	assert_non_null(strstr(text, "900 of 1500 reads were issued after their deadline (500 ms; "
				     "95 % wait 900.0 ms at most), and 60 sweeps"));
	sw_advice_words(row->text, row, &facts, text, 12);
	assert_string_equal(text, "900 of 1500");
	/* sysfs has '!' where /dev has '/' */
	d = window_named("stall");
	strcpy(d.disk.name, "cciss!c0d0");
	facts = sw_facts_of_report(&d);
	row = given(&d, ids);
	sw_advice_words(row->commands[0], row, &facts, text, sizeof(text));
	assert_string_equal(text, "smartctl -x /dev/cciss/c0d0");
}

static void words_of(const struct sw_report_disk *d, char text[1024], char command[1024])
{
	struct sw_facts facts = sw_facts_of_report(d);
	char ids[512];
	const struct sw_advice *row = given(d, ids);

	sw_advice_words(row->text, row, &facts, text, 1024);
	sw_advice_words(row->commands[0], row, &facts, command, 1024);
}

static void test_words_of_details(void **unused)
{
	struct sw_report_disk d = window_named("pieces");
	char text[1024], command[1024];

	(void)unused;
	words_of(&d, text, command);
	assert_non_null(
		strstr(text, "of 128 KiB (max_sectors_kb; the device would take 32767 KiB)"));
	assert_non_null(strstr(text, "full 80.0 % of the time: the disk stays for 3 of them"));
	d = window_named("sync behind");
	words_of(&d, text, command);
	assert_non_null(strstr(text, "async ones: 200 of them"));
	/* async_depth has moved: what there is of it is read, named and set */
	d.knobs.present[SW_ASYNC_DEPTH_OLD] = false;
	set_knob(&d, SW_ASYNC_DEPTH, 300);
	words_of(&d, text, command);
	assert_non_null(strstr(text, "async_depth (300) bounds both"));
	assert_string_equal(command, "echo 150 > /sys/block/sda/queue/async_depth");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_window_its_row),
		cmocka_unit_test(test_each_row_has_its_window),
		cmocka_unit_test(test_idle_gives_none),
		cmocka_unit_test(test_losses_that_are_few),
		cmocka_unit_test(test_neighbours_do_not_give_it),
		cmocka_unit_test(test_no_scheduler_for_zoned),
		cmocka_unit_test(test_never_without_evidence),
		cmocka_unit_test(test_paths_lead_somewhere),
		cmocka_unit_test(test_paths_of_classes),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_words_of_details),
	};

	return cmocka_run_group_tests(tests, 0, 0);
}
