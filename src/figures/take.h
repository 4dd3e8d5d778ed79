/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Figures that do not come out of the window the way of their shape. */
#ifndef SEEKWISE_OUTPUT_TAKE_H
#define SEEKWISE_OUTPUT_TAKE_H

#include "seekwise/figures.h"

/* The kinds of wraps; all are unknown where the scheduler's lists were not read. */
sw_take sw_take_wraps;
/* The count, in ns, over the length of the window; of several members the mean. */
sw_take sw_take_busy;

/* Those of the detail groups, and of kyber (take_detail.c). */
sw_take sw_take_levels;     /* a distribution over time */
sw_take sw_take_pool;       /* the time at the pool's size and above */
sw_take sw_take_time_share; /* a time, as a share of the window; of several members the mean */
sw_take sw_take_idle;       /* what sw_take_busy leaves */
sw_take sw_take_starved;
sw_take sw_take_seek_cost;
sw_take sw_take_busiest_cpu;
sw_take sw_take_busiest_task;
sw_take sw_take_kyber_depth;
sw_take sw_take_kyber_latency;

/* What the file take.c gives to the other one. Where that is in the window or its details: */
const char *sw_take_at(const struct sw_window *w, struct sw_at at, unsigned int dir);
struct sw_value sw_whole(const char *part, bool known, uint64_t count);
struct sw_value sw_fraction(const char *part, bool known, double number);
/* The window's details, all zero where there are none. */
const struct sw_detail *sw_take_detail(const struct sw_window *w);
/* Seconds of the window, of all its members together. */
double sw_take_seconds(const struct sw_window *w);

#endif
