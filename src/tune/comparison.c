// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Settings against each other. Each pair, a window under a and one under another set of the same
 * round, gives the log of a ratio; bounds are those of trial.c. Each of the two bounds has half of
 * what the confidence leaves, so that the interval between them has the confidence.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "seekwise/comparison.h"

#define ROUNDS_MOST 40
/* Without noise known from before, fewer pairs say too little of their own spread. */
#define PAIRS_LEAST 6
/* Sync requests that make a p99 worth a look. */
#define P99_IOS 20

const struct sw_metric_row sw_metrics[SW_METRICS] = {
	[SW_THROUGHPUT] = { "throughput", "bytes/s", "work per busy second", false },
	[SW_SYNC_P99] = { "sync_p99", "us", "read p99", true },
	[SW_WAIT_MEAN] = { "wait_mean", "us", "mean wait", true },
};

double sw_metric_of(enum sw_metric metric, const struct sw_sample *sample)
{
	switch (metric) {
	case SW_THROUGHPUT:
		return sample->busy_seconds > 0 ? (double)sample->bytes / sample->busy_seconds : -1;
	case SW_SYNC_P99:
		return sample->sync_ios >= P99_IOS ? sample->sync_p99_us : -1;
	case SW_WAIT_MEAN:
		return sample->wait_mean_us;
	default:
		return -1;
	}
}

int sw_metric_find(const char *name)
{
	int i;

	for (i = 0; i < SW_METRICS; i++)
		if (!strcmp(sw_metrics[i].name, name))
			return i;
	return -1;
}

const char *sw_set_label(int i, int sets, char label[SW_SET_LABEL])
{
	if (i && sets > 2)
		snprintf(label, SW_SET_LABEL, "b%d", i);
	else
		snprintf(label, SW_SET_LABEL, "%c", i ? 'b' : 'a');
	return label;
}

static bool usable(double value)
{
	return value > 0 && isfinite(value);
}

static enum sw_unused unused_why(const struct sw_comparison *c, const struct sw_sample *sample)
{
	if (sample->lossy)
		return SW_UNUSED_LOSSY;
	if (sample->tainted)
		return SW_UNUSED_TAINTED;
	if (sample->ios < c->limits.min_ios)
		return SW_UNUSED_FEW;
	return usable(sw_metric_of(c->metric, sample)) ? SW_USED : SW_UNUSED_UNMEASURED;
}

void sw_comparison_begin(struct sw_comparison *c, int sets, enum sw_metric metric, int pairs)
{
	int i;

	memset(c, 0, sizeof(*c));
	sw_limits_default(&c->limits);
	c->limits.confidence = 1 - (1 - SW_COMPARE_CONFIDENCE) / 2;
	c->limits.min_pairs = PAIRS_LEAST;
	c->limits.max_pairs = ROUNDS_MOST;
	c->sets = sets;
	c->metric = metric;
	c->sequential = pairs == 0;
	c->rounds_most = pairs ? pairs : ROUNDS_MOST;
	for (i = 1; i < sets; i++) {
		sw_trial_begin(&c->with[i].trial, &c->limits);
		c->with[i].gain = (struct sw_interval){ 0, -HUGE_VAL, HUGE_VAL };
	}
}

static bool all_decided(const struct sw_comparison *c)
{
	int i;

	for (i = 1; i < c->sets; i++)
		if (c->with[i].outcome == SW_OPEN)
			return false;
	return true;
}

int sw_comparison_turn(const struct sw_comparison *c)
{
	if (!c->place && (c->rounds == c->rounds_most || (c->sequential && all_decided(c))))
		return -1;
	return c->rounds % 2 ? c->sets - 1 - c->place : c->place;
}

/* What an interval says; SW_OPEN: nothing yet. */
static enum sw_outcome says(const struct sw_interval *gain, double bound)
{
	if (gain->low > -bound && gain->high < bound)
		return SW_ALIKE;
	if (gain->low > 0)
		return SW_BETTER;
	return gain->high < 0 ? SW_POORER : SW_OPEN;
}

/* A look before the end decides only what is surely of use. */
static enum sw_outcome says_early(const struct sw_interval *gain, double bound)
{
	enum sw_outcome outcome = says(gain, bound);

	if ((outcome == SW_BETTER && gain->low < bound) ||
	    (outcome == SW_POORER && gain->high > -bound))
		return SW_OPEN;
	return outcome;
}

static void add_pair(const struct sw_comparison *c, struct sw_pairing *p, double a, double b)
{
	bool lower = sw_metrics[c->metric].lower_better;
	struct sw_interval gain;

	sw_series_add(&p->a, a);
	sw_series_add(&p->b, b);
	if (sw_trial_pair(&p->trial, lower ? b : a, lower ? a : b, NULL, &gain) && c->sequential) {
		p->gain = gain;
		p->outcome = p->trial.pairs < p->trial.max_pairs ? says_early(&gain, p->trial.bound)
								 : says(&gain, p->trial.bound);
	}
	p->gain.mean = gain.mean;
}

static void end_round(struct sw_comparison *c)
{
	struct sw_pairing *p;
	int i;

	for (i = 1; i < c->sets; i++) {
		p = &c->with[i];
		if (p->outcome != SW_OPEN)
			continue;
		if (c->unused[0] || c->unused[i]) {
			p->unused++;
			p->why = c->unused[0] ? c->unused[0] : c->unused[i];
		} else {
			add_pair(c, p, c->value[0], c->value[i]);
		}
	}
	c->rounds++;
	c->place = 0;
}

void sw_comparison_give(struct sw_comparison *c, const struct sw_sample *sample)
{
	int turn = sw_comparison_turn(c);

	if (turn < 0)
		return;
	c->value[turn] = sw_metric_of(c->metric, sample);
	c->unused[turn] = unused_why(c, sample);
	if (++c->place == c->sets)
		end_round(c);
}

void sw_comparison_end(struct sw_comparison *c)
{
	struct sw_pairing *p;
	int i;

	for (i = 1; i < c->sets; i++) {
		p = &c->with[i];
		if (p->outcome != SW_OPEN)
			continue;
		if (!c->sequential && p->trial.pairs > 1) {
			sw_trial_bounds(&p->trial, &p->gain);
			p->outcome = says(&p->gain, p->trial.bound);
		}
		if (p->outcome == SW_OPEN)
			p->outcome = p->trial.pairs ? SW_NOT_DECIDED : SW_NOT_JUDGED;
	}
}
