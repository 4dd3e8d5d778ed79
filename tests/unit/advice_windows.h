/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Windows made for the rows of advice: one for each row, and neighbours of
 * these, with one thing changed so that the row does not hold any more.
 */
#ifndef SEEKWISE_TESTS_ADVICE_WINDOWS_H
#define SEEKWISE_TESTS_ADVICE_WINDOWS_H

#include "seekwise/output.h"

struct advice_window {
	const char *name;
	struct sw_report_disk (*make)(void);
	const char *bound, *ids; /* exactly these */
	const char *command;     /* of the first */
};

struct advice_neighbour {
	const char *name;
	struct sw_report_disk (*make)(void);
	void (*change)(struct sw_report_disk *d);
	const char *ids; /* exactly these */
};

/* Number i, 0 beyond the last one. */
const struct advice_window *advice_window(size_t i);
const struct advice_neighbour *advice_neighbour(size_t i);

/* The tables that these go through, ended by one without a name. */
extern const struct advice_window advice_core_windows[], advice_detail_windows[];
extern const struct advice_neighbour advice_core_neighbours[], advice_detail_neighbours[];

#endif
