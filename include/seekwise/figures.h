/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of figures. Text, JSON, its schema, the live view and the list of
 * explanations are made from its rows, so a new figure is a new row.
 */
#ifndef SEEKWISE_FIGURES_H
#define SEEKWISE_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

#include "seekwise/window.h"

/* SW_OF_APART: of a direction, once for each of the classes (enum sw_apart). */
enum sw_figure_scope { SW_OF_DIRECTION, SW_OF_APART, SW_OF_DISK, SW_OF_LOSSES };

enum sw_figure_shape {
	SW_SHAPE_COUNT,  /* one integer */
	SW_SHAPE_RATIO,  /* count over base, 0...1 */
	SW_SHAPE_SPREAD, /* a distribution: the parts that the row names */
	SW_SHAPE_LEVEL,  /* a number over time: mean, max, now */
	SW_SHAPE_MAP,    /* one integer for each kind */
};

/* Parts of a spread, in the order in which they are given. */
#define SW_PART_COUNT 1u
#define SW_PART_P50 2u
#define SW_PART_P95 4u
#define SW_PART_P99 8u
#define SW_PART_MAX 16u
#define SW_PART_MEAN 32u
#define SW_PARTS 12 /* no figure has more */

/* One value. `known` is false where nothing was measured: null in JSON, "-" in text. */
struct sw_value {
	const char *part; /* "p50", "to_head"; "" when the figure has this value alone */
	bool known;
	bool whole; /* an integer, in `count`; otherwise it is in `number` */
	uint64_t count;
	double number;
};

/*
 * Where in a struct sw_window, or in its details, something starts, and how far
 * the next direction's is, in bytes. offset 0 of a window: not there; stride 0: not by direction.
 */
struct sw_at {
	unsigned int offset, stride;
	bool detail;
};

struct sw_figure;
typedef unsigned int sw_take(const struct sw_figure *figure, const struct sw_window *w,
			     unsigned int dir, struct sw_value values[SW_PARTS]);

struct sw_figure {
	const char *name;  /* as in JSON */
	const char *label; /* as in text */
	const char *unit;  /* requests, bytes, sectors, us, share... */
	uint32_t group;    /* SW_GROUP_*, 0: core */
	const char *about; /* one line of explanation */
	enum sw_figure_scope scope;
	enum sw_figure_shape shape;
	bool rate;                /* people want it per second as well */
	bool deadline;            /* null unless mq-deadline's own state was read */
	bool passes;              /* null where dispatch passes are not known */
	bool kyber;               /* null unless kyber's tracepoints were read */
	bool caches;              /* null where it is not known which CPUs share a cache */
	bool quiet;               /* left out of the text while there is nothing */
	bool information;         /* stands with the losses, but is none */
	bool time;                /* recorded in ns (histogram: SW_HIST_TIME_SHIFT), given in us */
	bool size;                /* recorded in bytes (histogram: in sectors) */
	unsigned int parts;       /* of a spread */
	const char *const *kinds; /* of a map, ended by 0 */
	struct sw_at count;       /* count, numerator, first of a map's, number of samples */
	struct sw_at also;        /* added to count */
	struct sw_at base;        /* denominator of a ratio */
	struct sw_at sum, max, hist;
	struct sw_at mean, now; /* of a level */
	sw_take *take;          /* instead of what the shape does */
};

extern const struct sw_figure sw_figures[];
extern const unsigned int sw_figure_count;

/* The row of that name, 0 if there is none. */
const struct sw_figure *sw_figure_find(const char *name);
/* The same of those of scope SW_OF_APART: both have "ios". */
const struct sw_figure *sw_figure_find_apart(const char *name);

/* Names of the classes, by enum sw_apart, and of the detail groups, by the bits' numbers. */
extern const char *const sw_apart_names[];
extern const char *const sw_group_names[];
#define SW_GROUPS 5

/* Its group's name: "core" for 0. */
const char *sw_group_name(uint32_t group);

/* False where the whole figure is null in this window. */
bool sw_figure_measured(const struct sw_figure *figure, const struct sw_window *w);
/*
 * Why it is null there, where that lies in the kernel or the scheduler and not in what was asked
 * for; 0 otherwise.
 */
const char *sw_figure_why_not(const struct sw_figure *figure, const struct sw_window *w);

/*
 * Takes the figure out of a window: fills values and returns their number,
 * which is the same for every window. dir: SW_READ, SW_WRITE, or SW_DIRS for
 * both together; without meaning for figures of other scopes.
 */
unsigned int sw_figure_get(const struct sw_figure *figure, const struct sw_window *w,
			   unsigned int dir, struct sw_value values[SW_PARTS]);

/* The same of a figure of scope SW_OF_APART, for one class. */
unsigned int sw_figure_get_apart(const struct sw_figure *figure, const struct sw_window *w,
				 unsigned int dir, enum sw_apart apart,
				 struct sw_value values[SW_PARTS]);

/*
 * One part of a figure as a number, -1 when it is not known. part "": the only
 * value, or the sum of a map's known kinds.
 */
double sw_figure_number(const struct sw_figure *figure, const struct sw_window *w, unsigned int dir,
			const char *part);

/* The same divided by the window's seconds; -1 as well when it has none. */
double sw_figure_rate(const struct sw_figure *figure, const struct sw_window *w, unsigned int dir,
		      const char *part);

#endif
