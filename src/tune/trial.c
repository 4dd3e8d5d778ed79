// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Paired trials: what the ratio of two windows says, and when it is enough.
 *
 * A pair gives one number, the log of the candidate's score over the
 * incumbent's. The trial is looked at after min_pairs pairs, then at ever
 * wider steps, and last at max_pairs. At each look both bounds of the mean are
 * taken from Student's t at that look's own share of alpha = 1 - confidence;
 * the shares add up to one, so the union bound holds each bound's error over
 * all looks to alpha, however the looks depend on each other. The last look
 * gets most, as small gains need it; the first gets its 5 %, as large gains
 * show there.
 *
 * Where the level of the load persists for some windows, neighbouring pairs
 * agree more than chance would have them, since each begins under the value
 * that the one before ended under: if the correlation falls by a constant factor
 * for each window, theirs is at most 0.193, and the variance of the mean 1.4 times
 * what the pairs' spread says. So a gain must also exceed 0 by bounds that are
 * wider by that. With quiet windows the threshold asks for more than this
 * anyway; with noisy ones the threshold is nothing, and this is what holds.
 *
 * Few pairs tell little about their own spread: at three pairs t is beyond
 * 20, and no true gain would pass, while three equal ratios by chance would.
 * So below SW_OWN_SPREAD pairs the noise between adjoining windows under one
 * value is pooled in. It is counted twice: the halves of a pair lie a settling
 * window further apart than adjoining windows, and where the level of the load
 * persists for some windows, their differences have up to twice the variance.
 * The pairs' own spread is used where that is larger.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "seekwise/trial.h"

#define SW_OWN_SPREAD 6  /* pairs from which on their own spread suffices */
#define SW_NOISE_LEAST 4 /* differences that make a noise estimate */
#define SW_NOISE_MOST 6  /* degrees of freedom that they may lend */
#define SW_RATIO_MOST 30 /* of a log ratio: its gain must stay a number */
#define SW_FIRST_SHARE 0.05
#define SW_LAST_SHARE 0.7
#define SW_PERSISTENCE 1.4 /* variance of the mean, over that of independent pairs */

void sw_series_add(struct sw_series *series, double value)
{
	series->value[series->next] = value;
	series->next = (series->next + 1) % SW_SERIES;
	if (series->count < SW_SERIES)
		series->count++;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double sw_series_median(const struct sw_series *series)
{
	double sorted[SW_SERIES];
	unsigned int n = series->count;

	if (n == 0)
		return -1;
	memcpy(sorted, series->value, n * sizeof(sorted[0]));
	qsort(sorted, n, sizeof(sorted[0]), ascending);
	/* halves first: the sum of two huge values would overflow */
	return sorted[(n - 1) / 2] / 2 + sorted[n / 2] / 2;
}

double sw_series_mean(const struct sw_series *series)
{
	double mean = 0;

	for (unsigned int i = 0; i < series->count; i++)
		mean += series->value[i] / series->count;
	return mean;
}

/* Probability beyond t, by the finite sums for whole degrees of freedom. */
static double student_tail(int df, double t)
{
	double angle = atan(t / sqrt(df)), cos2 = cos(angle) * cos(angle);
	double term = df % 2 ? cos(angle) : 1, sum = 0;

	for (int i = df % 2 ? 3 : 2; i <= df; i += 2) {
		sum += term;
		term *= cos2 * (i - 1) / i;
	}
	sum *= sin(angle);
	if (df % 2)
		sum = (angle + sum) * M_2_PI;
	return (1 - sum) / 2;
}

double sw_student(int df, double tail)
{
	double low = 0, high = 1;

	while (student_tail(df, high) > tail && high < 1e9)
		high *= 2;
	for (int i = 0; i < 40; i++) {
		double middle = (low + high) / 2;

		if (student_tail(df, middle) > tail)
			low = middle;
		else
			high = middle;
	}
	return high;
}

static int next_look(int pairs, int max_pairs)
{
	int next = pairs + (pairs < 6 ? 1 : pairs / 3);

	/* a look just before the last one would only take from its share */
	return next > max_pairs - max_pairs / 5 ? max_pairs : next;
}

/* This look's share of alpha. Those between first and last share by their pairs. */
static double look_share(const struct sw_trial *trial)
{
	int between = 0;

	if (trial->min_pairs == trial->max_pairs)
		return 1;
	if (trial->look == trial->min_pairs)
		return SW_FIRST_SHARE;
	for (int n = next_look(trial->min_pairs, trial->max_pairs); n < trial->max_pairs;
	     n = next_look(n, trial->max_pairs))
		between += n;
	if (trial->look < trial->max_pairs)
		return (1 - SW_FIRST_SHARE - SW_LAST_SHARE) * trial->look / between;
	return between ? SW_LAST_SHARE : 1 - SW_FIRST_SHARE;
}

void sw_trial_begin(struct sw_trial *trial, const struct sw_limits *limits)
{
	memset(trial, 0, sizeof(*trial));
	trial->min_pairs = limits->min_pairs < 2 ? 2 : limits->min_pairs;
	if (trial->min_pairs > SW_TRIAL_PAIRS)
		trial->min_pairs = SW_TRIAL_PAIRS;
	trial->max_pairs = limits->max_pairs;
	if (trial->max_pairs < trial->min_pairs)
		trial->max_pairs = trial->min_pairs;
	if (trial->max_pairs > SW_TRIAL_PAIRS)
		trial->max_pairs = SW_TRIAL_PAIRS;
	trial->look = trial->min_pairs;
	trial->alpha = 1 - limits->confidence;
	trial->bound = log1p(limits->threshold);
}

/* Half the width of the interval at a look that has that share of alpha. */
static double half_width(const struct sw_trial *trial, const struct sw_series *noise, double share)
{
	int n = trial->pairs, df = n - 1, lent = noise ? (int)noise->count : 0;
	double variance = trial->squares / df, pooled;

	if (n < SW_OWN_SPREAD && lent >= SW_NOISE_LEAST) {
		if (lent > SW_NOISE_MOST)
			lent = SW_NOISE_MOST;
		df += lent;
		pooled = (trial->squares + lent * 2 * sw_series_mean(noise)) / df;
		variance = fmax(variance, pooled);
	}
	return sw_student(df, trial->alpha * share) * sqrt(variance / n);
}

static void set_bounds(struct sw_interval *interval, double mean, double half)
{
	*interval = (struct sw_interval){ mean, mean - half, mean + half };
}

bool sw_trial_pair(struct sw_trial *trial, double incumbent, double candidate,
		   const struct sw_series *noise, struct sw_interval *interval)
{
	double ratio = fmax(fmin(log(candidate) - log(incumbent), SW_RATIO_MOST), -SW_RATIO_MOST);
	double step = ratio - trial->mean;

	trial->pairs++;
	trial->mean += step / trial->pairs;
	trial->squares += step * (ratio - trial->mean);
	set_bounds(interval, trial->mean, HUGE_VAL);
	if (trial->pairs < trial->look)
		return false;
	set_bounds(interval, trial->mean, half_width(trial, noise, look_share(trial)));
	trial->look = next_look(trial->pairs, trial->max_pairs);
	return true;
}

void sw_trial_bounds(const struct sw_trial *trial, struct sw_interval *interval)
{
	set_bounds(interval, trial->mean, half_width(trial, NULL, 1));
}

enum sw_trial_end sw_trial_add(struct sw_trial *trial, double incumbent, double candidate,
			       const struct sw_series *noise, struct sw_interval *interval)
{
	double wide;

	if (!sw_trial_pair(trial, incumbent, candidate, noise, interval))
		return SW_TRIAL_GOES_ON;
	wide = (trial->mean - interval->low) * sqrt(SW_PERSISTENCE);
	if (interval->low > trial->bound && trial->mean - wide > 0)
		return SW_TRIAL_GAIN;
	if (interval->high < 0)
		return SW_TRIAL_WORSE;
	if (interval->high < trial->bound)
		return SW_TRIAL_NO_GAIN;
	if (trial->pairs >= trial->max_pairs)
		return SW_TRIAL_NOISE;
	return SW_TRIAL_GOES_ON;
}
