// SPDX-License-Identifier: GPL-2.0-or-later
/* The members of a stacked device side by side. */
#include "balance.h"

#include <math.h>

#include "seekwise/figures.h"

static const struct sw_window *window_of(const struct sw_report_stack *stack, int member)
{
	return &stack->disks[stack->members[member]].window;
}

static double number(const struct sw_window *w, const char *figure, const char *part)
{
	double n = sw_figure_number(sw_figure_find(figure), w, SW_DIRS, part);

	return n < 0 ? NAN : n;
}

static double part_of_all(const struct sw_report_stack *stack, int member, const char *figure)
{
	double all = number(&stack->window, figure, "");

	return all > 0 ? number(window_of(stack, member), figure, "") / all : NAN;
}

struct sw_share sw_share_of(const struct sw_report_stack *stack, int member)
{
	const struct sw_window *w = window_of(stack, member);

	return (struct sw_share){
		.name = stack->disks[stack->members[member]].disk.name,
		.ios = part_of_all(stack, member, "ios"),
		.bytes = part_of_all(stack, member, "bytes"),
		.busy = number(w, "busy", ""),
		.service_us = number(w, "service_us", "mean"),
	};
}

double sw_stack_balance(const struct sw_report_stack *stack)
{
	double most = 0;
	int i;

	for (i = 0; i < stack->count; i++)
		most = fmax(most, part_of_all(stack, i, "bytes"));
	return most > 0 ? 1 / most / stack->count : NAN;
}
