/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a figure says of a window, by the names of the figure and of its part ("": its only one). */
#ifndef SEEKWISE_TESTS_PARTS_H
#define SEEKWISE_TESTS_PARTS_H

#include "seekwise/figures.h"

struct sw_value part(const char *name, const struct sw_window *w, unsigned int dir,
		     const char *which);
/* A whole number, a fraction (but for 1e-9), nothing. */
void assert_count(const char *name, const struct sw_window *w, unsigned int dir, const char *which,
		  uint64_t expected);
void assert_number(const char *name, const struct sw_window *w, unsigned int dir, const char *which,
		   double expected);
void assert_unknown(const char *name, const struct sw_window *w, unsigned int dir,
		    const char *which);

/* The bucket that the kernel side counts a value in: the formula of record.h. */
unsigned int bucket_of(uint64_t v);

#endif
