// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "parts.h"

struct sw_value part(const char *name, const struct sw_window *w, unsigned int dir,
		     const char *which)
{
	const struct sw_figure *f = sw_figure_find(name);
	struct sw_value v[SW_PARTS];
	unsigned int i, n;

	assert_non_null(f);
	n = sw_figure_get(f, w, dir, v);
	assert_in_range(n, 1, SW_PARTS);
	for (i = 0; i < n; i++)
		if (!strcmp(v[i].part, which))
			return v[i];
	fail_msg("%s has no %s", name, which);
	return v[0];
}

void assert_count(const char *name, const struct sw_window *w, unsigned int dir, const char *which,
		  uint64_t expected)
{
	struct sw_value v = part(name, w, dir, which);

	if (!v.known || !v.whole || v.count != expected)
		fail_msg("%s %s is%s %llu instead of %llu", name, which, v.known ? "" : " null,",
			 (unsigned long long)v.count, (unsigned long long)expected);
}

void assert_number(const char *name, const struct sw_window *w, unsigned int dir, const char *which,
		   double expected)
{
	struct sw_value v = part(name, w, dir, which);

	if (!v.known || v.whole || !(fabs(v.number - expected) < 1e-9))
		fail_msg("%s %s is%s %.9f instead of %.9f", name, which, v.known ? "" : " null,",
			 v.number, expected);
}

void assert_unknown(const char *name, const struct sw_window *w, unsigned int dir,
		    const char *which)
{
	if (part(name, w, dir, which).known)
		fail_msg("%s %s is known", name, which);
}

unsigned int bucket_of(uint64_t v)
{
	unsigned int exp;

	if (v < 8)
		return (unsigned int)v;
	exp = 63 - (unsigned int)__builtin_clzll(v) - 3;
	exp = (exp << 3) + (unsigned int)(v >> exp);
	return exp < SW_HIST_BUCKETS ? exp : SW_HIST_BUCKETS - 1;
}
