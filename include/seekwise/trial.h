/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the controller decides by: paired trials, and the order of what is tried. */
#ifndef SEEKWISE_TRIAL_H
#define SEEKWISE_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "seekwise/controller.h"

/* The last values of something, oldest overwritten. Zeroed is empty. */
#define SW_SERIES 32
struct sw_series {
	double value[SW_SERIES];
	unsigned int count, next;
};

void sw_series_add(struct sw_series *series, double value);
double sw_series_median(const struct sw_series *series); /* -1 when it is empty */
double sw_series_mean(const struct sw_series *series);   /* 0 when it is empty */

/*
 * One trial: pairs of windows, one under each value, judged by the logarithm
 * of their ratio. See trial.c for how the error is kept.
 */
#define SW_TRIAL_PAIRS 256 /* most pairs, whatever the limits say */
struct sw_trial {
	int min_pairs, max_pairs, pairs;
	int look;             /* number of pairs at which it is judged next */
	double alpha;         /* 1 - confidence, of each bound over all looks */
	double bound;         /* log of 1 + threshold */
	double mean, squares; /* of the log ratios; sum of squared deviations */
};

enum sw_trial_end {
	SW_TRIAL_GOES_ON,
	SW_TRIAL_GAIN,    /* lower bound above the threshold, and above 0 if levels persist */
	SW_TRIAL_NO_GAIN, /* upper bound below the threshold */
	SW_TRIAL_WORSE,   /* upper bound below 0 */
	SW_TRIAL_NOISE,   /* max_pairs, and neither */
};

/*
 * Of the gain, as logarithms: expm1() of them is the relative gain. The bounds
 * are infinite between looks: only at looks do they hold at the confidence.
 */
struct sw_interval {
	double mean, low, high;
};

/* min_pairs below 2 is taken as 2: one pair has no spread. */
void sw_trial_begin(struct sw_trial *trial, const struct sw_limits *limits);
/*
 * Adds a pair of scores, both above 0 and finite. Returns whether that makes a look: then the
 * bounds of *interval hold at the confidence, over all looks; else they are infinite. `noise` as
 * below, or 0.
 */
bool sw_trial_pair(struct sw_trial *trial, double incumbent, double candidate,
		   const struct sw_series *noise, struct sw_interval *interval);
/* The interval of two pairs or more, if this is the only look at them. */
void sw_trial_bounds(const struct sw_trial *trial, struct sw_interval *interval);
/*
 * Adds a pair of scores, both above 0 and finite, and judges the trial if that
 * makes a look. `noise` holds squared differences of the log scores of
 * adjoining windows under one value; it may be empty. *interval is set always.
 */
enum sw_trial_end sw_trial_add(struct sw_trial *trial, double incumbent, double candidate,
			       const struct sw_series *noise, struct sw_interval *interval);
/* What Student's t with `df` degrees of freedom exceeds with probability `tail`, below 0.5. */
double sw_student(int df, double tail);

/* One search: every power of two within the bounds is tried at most once. */
struct sw_search {
	int low, high;  /* exponents within the bounds; low > high: there is none */
	int stride;     /* in exponents; 0: the neighbourhood is done */
	int far_left;   /* far candidates that may still be tried */
	uint64_t tried; /* bit for each exponent */
};

void sw_search_begin(struct sw_search *search, int64_t min, int64_t max, int64_t incumbent);
/*
 * What to try next against the incumbent; -1: nothing is left. `full_share`:
 * share of requests in batches that ended at the limit, below 0 if unknown.
 * The value counts as tried from sw_search_tried on.
 */
int64_t sw_search_next(struct sw_search *search, int64_t incumbent, double full_share,
		       enum sw_reason *reason);
void sw_search_tried(struct sw_search *search, int64_t value);
/* The last value tried became the incumbent: look around it. */
void sw_search_kept(struct sw_search *search);

#endif
