/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Figures that do not come out of the window the way of their shape. */
#ifndef SEEKWISE_OUTPUT_TAKE_H
#define SEEKWISE_OUTPUT_TAKE_H

#include "seekwise/figures.h"

/* The kinds of wraps; all are unknown where the scheduler's lists were not read. */
sw_take sw_take_wraps;
/* The count, in ns, over the length of the window; of several members the mean. */
sw_take sw_take_busy;

#endif
