/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Figures that are null for a reason that lies in the kernel or the scheduler, by reason. */
#ifndef SEEKWISE_OUTPUT_MISSING_H
#define SEEKWISE_OUTPUT_MISSING_H

#include "seekwise/figures.h"

/* The next row from i on that is null for that reason (0: for any); sw_figure_count: none. */
unsigned int sw_missing_next(const struct sw_window *w, const char *why, unsigned int i);

/* Moves *i on to the next row that is the first one with its reason; false: there is none. */
bool sw_missing_reason(const struct sw_window *w, unsigned int *i);

#endif
