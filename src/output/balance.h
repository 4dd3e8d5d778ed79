/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The members of a stacked device side by side. */
#ifndef SEEKWISE_OUTPUT_BALANCE_H
#define SEEKWISE_OUTPUT_BALANCE_H

#include "seekwise/output.h"

/* What a member has of all; NAN where there is nothing to have a part of. */
struct sw_share {
	const char *name;
	double ios, bytes; /* 0...1 */
	double busy;       /* 0...1 */
	double service_us; /* mean */
};

struct sw_share sw_share_of(const struct sw_report_stack *stack, int member);

/* Bytes of a member on average to those of the one with most: 1/N...1; NAN without any. */
double sw_stack_balance(const struct sw_report_stack *stack);

#endif
