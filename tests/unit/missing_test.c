// SPDX-License-Identifier: GPL-2.0-or-later
/* Figures that are null, gathered by the reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "../../src/output/missing.h"

static struct sw_detail detail;

static struct sw_window everything(void)
{
	return (struct sw_window){ .deadline = true,
				   .kyber = true,
				   .caches = true,
				   .passes = SW_PASSES_MEASURED,
				   .detail = &detail,
				   .groups = SW_GROUPS_ALL };
}

/* The names, by reason: "batches expired; passes". */
static void gather(const struct sw_window *w, char *names, size_t size)
{
	unsigned int i, k;
	const char *why;
	FILE *out = fmemopen(names, size, "w");

	assert_non_null(out);
	for (i = 0; sw_missing_reason(w, &i); i++) {
		why = sw_figure_why_not(&sw_figures[i], w);
		assert_non_null(why);
		fprintf(out, "%s%s", ftell(out) ? "; " : "", sw_figures[i].name);
		for (k = sw_missing_next(w, why, i + 1); k < sw_figure_count;
		     k = sw_missing_next(w, why, k + 1)) {
			assert_string_equal(sw_figure_why_not(&sw_figures[k], w), why);
			fprintf(out, " %s", sw_figures[k].name);
		}
	}
	assert_int_equal(i, sw_figure_count);
	fclose(out);
}

static void assert_missing(const struct sw_window *w, const char *expected)
{
	char names[1024] = "";

	gather(w, names, sizeof(names));
	assert_string_equal(names, expected);
}

static void test_nothing_is_missing(void **state)
{
	struct sw_window w = everything();
	unsigned int i = 0;

	(void)state;
	assert_missing(&w, "");
	assert_int_equal(sw_missing_next(&w, 0, 0), sw_figure_count);
	assert_false(sw_missing_reason(&w, &i));
}

/* Each reason once, in the order of the table, with all that it is the reason for. */
static void test_reasons(void **state)
{
	struct sw_window w = everything();

	(void)state;
	w.passes = SW_PASSES_UNKNOWN;
	assert_missing(&w, "passes");
	w.deadline = false;
	assert_missing(&w, "batches expired late_us head_inserts; passes");
	w.caches = false;
	assert_missing(&w, "batches expired late_us head_inserts; other_llc other_llc_share; "
			   "passes");
}

/* Who has no kyber does not look for its figures; nor who asked for no group for theirs. */
static void test_what_nobody_looks_for(void **state)
{
	struct sw_window w = everything();

	(void)state;
	w.kyber = false;
	assert_missing(&w, "");
	w.detail = 0;
	w.groups = 0;
	w.caches = false;
	assert_missing(&w, "");
	w.passes = SW_PASSES_UNKNOWN;
	assert_missing(&w, "passes");
}

/* A group that this kernel cannot give, and only where it was asked for. */
static void test_refused_groups(void **state)
{
	struct sw_window w = everything();

	(void)state;
	w.groups = SW_GROUP_MERGES;
	assert_missing(&w, "");
	w.refused = SW_GROUP_DEPTH;
	assert_missing(&w, "starved_us held_levels held_levels_read held_levels_sync_write "
			   "held_levels_async_write device_levels device_levels_read "
			   "device_levels_sync_write device_levels_async_write pool_full "
			   "idle_with_work device_idle");
}

static void test_next(void **state)
{
	struct sw_window w = everything();
	unsigned int first, passes;

	(void)state;
	w.deadline = false;
	w.passes = SW_PASSES_UNKNOWN;
	first = sw_missing_next(&w, 0, 0);
	assert_string_equal(sw_figures[first].name, "batches");
	assert_int_equal(sw_missing_next(&w, 0, first), first);
	assert_string_equal(sw_figures[sw_missing_next(&w, 0, first + 1)].name, "expired");
	passes = sw_missing_next(&w, "no such reason", 0);
	assert_int_equal(passes, sw_figure_count);
	passes = sw_missing_next(&w, sw_figure_why_not(sw_figure_find("passes"), &w), 0);
	assert_string_equal(sw_figures[passes].name, "passes");
	assert_int_equal(sw_missing_next(&w, 0, sw_figure_count), sw_figure_count);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_is_missing),
		cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_what_nobody_looks_for),
		cmocka_unit_test(test_refused_groups),
		cmocka_unit_test(test_next),
	};

	return cmocka_run_group_tests(tests, 0, 0);
}
