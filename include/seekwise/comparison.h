/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings against each other, in alternating windows: pure, as the controller is. It decides
 * about no knob: it says whose window is next, and what the windows show.
 */
#ifndef SEEKWISE_COMPARISON_H
#define SEEKWISE_COMPARISON_H

#include "seekwise/trial.h"

#define SW_COMPARED 6 /* sets: the first, a, with which each of the others is compared */

enum sw_metric { SW_THROUGHPUT, SW_SYNC_P99, SW_WAIT_MEAN, SW_METRICS };

struct sw_metric_row {
	const char *name, *unit;
	const char *of;    /* "work per busy second" */
	bool lower_better; /* and then "less" is good */
};
extern const struct sw_metric_row sw_metrics[SW_METRICS];
/* Of a window; -1: not measured in it. */
double sw_metric_of(enum sw_metric metric, const struct sw_sample *sample);
/* src/tune/explain.c: "5.5 MiB/s", "84 ms"; "-" below 0. */
void sw_metric_text(enum sw_metric metric, double value, char *text, unsigned int size);
/* Number of the metric of that name, -1 if there is none. */
int sw_metric_find(const char *name);

enum sw_unused {
	SW_USED,
	SW_UNUSED_LOSSY,
	SW_UNUSED_TAINTED,
	SW_UNUSED_FEW, /* too few requests */
	SW_UNUSED_UNMEASURED,
	SW_UNUSED_WHYS
};

enum sw_outcome {
	SW_OPEN, /* not yet */
	SW_BETTER,
	SW_POORER,
	SW_ALIKE, /* no difference of the threshold or more */
	SW_NOT_DECIDED,
	SW_NOT_JUDGED, /* no pair could be used */
};

/* One of the others against a. */
struct sw_pairing {
	struct sw_trial trial;
	struct sw_interval
		gain; /* of it over a, as logarithms, above 0 is better; infinite if unknown */
	struct sw_series a, b; /* the metric in the pairs used */
	int unused;            /* pairs */
	enum sw_unused why;    /* of the last of them */
	enum sw_outcome outcome;
};

struct sw_comparison {
	struct sw_limits limits;
	enum sw_metric metric;
	int sets;
	int rounds_most, rounds;
	bool sequential; /* ends when all are decided */
	int place;       /* windows of this round so far */
	double value[SW_COMPARED];
	enum sw_unused unused[SW_COMPARED];
	struct sw_pairing with[SW_COMPARED]; /* [0] is not used */
};

/* What the user calls set number i: "a", "b", or "b1" where there are several; `label` itself. */
#define SW_SET_LABEL 8
const char *sw_set_label(int i, int sets, char label[SW_SET_LABEL]);

#define SW_COMPARE_CONFIDENCE 0.95 /* of the interval, on both sides together */

/* pairs: exactly so many rounds, with one look at their end; 0: as many as it takes, 40 at most. */
void sw_comparison_begin(struct sw_comparison *c, int sets, enum sw_metric metric, int pairs);
/*
 * Which set the next window is to be under: in each second round they come backwards, so that a
 * drift of the load evens out. -1: it is over.
 */
int sw_comparison_turn(const struct sw_comparison *c);
/* The window under the set whose turn it is. */
void sw_comparison_give(struct sw_comparison *c, const struct sw_sample *sample);
/* To be called at the end, also at an early one: no outcome is SW_OPEN any more. */
void sw_comparison_end(struct sw_comparison *c);

#endif
