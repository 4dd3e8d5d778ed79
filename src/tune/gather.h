/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A window that comes in parts, and when it holds enough. */
#ifndef SEEKWISE_GATHER_H
#define SEEKWISE_GATHER_H

#include <stdbool.h>
#include <stdint.h>

#include "seekwise/window.h"

/* All 0: nothing yet. */
struct sw_gather {
	struct sw_window window;
	bool begun;        /* window holds something */
	uint64_t to_leave; /* when settling: requests from before the last write */
};

void sw_gather_add(struct sw_gather *gather, const struct sw_window *part);
/* Requests that are held or in the device at its end. */
uint64_t sw_gather_outstanding(const struct sw_gather *gather);

/* The least length of a settling window, and how long until an unfinished window is seen again. */
uint64_t sw_gather_part_ns(uint64_t window_ns);

/* Settling: those to leave are done, or it has been 10 s. */
bool sw_gather_settled(const struct sw_gather *gather);
/*
 * Measuring: it has its length, and min_ios reads and writes were completed, or
 * it has 5 times its length.
 */
bool sw_gather_measured(const struct sw_gather *gather, uint64_t window_ns, uint64_t min_ios);

#endif
