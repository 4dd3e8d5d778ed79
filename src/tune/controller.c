// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The controller of one knob: watches under the incumbent, tries candidates
 * against it in pairs of windows, rests when nothing is left to try.
 *
 * What the caller owes it:
 * - The sample of a step covers only time in which the knob had the step's
 *   value. A window in which a write failed, came late or was undone by
 *   somebody else is `tainted`.
 * - A SETTLE step writes the value and then lasts until every request that was
 *   chosen under the value before has completed: at least the longest total
 *   seen lately and one second, and longer while requests inserted before the
 *   write are held. Its sample is not looked at; what it must not do is end early,
 *   since the next window then measures the value before.
 * - WATCH and MEASURE windows have one length, the same for both values of a
 *   trial and long enough for min_ios several times over. They follow each other
 *   without gaps; a gap (suspend) makes the next one `tainted`.
 * - One call for each window, in order. Steps are never left out: the controller
 *   counts windows as its only clock.
 */
#include <math.h>
#include <stdlib.h>

#include "seekwise/controller.h"
#include "seekwise/trial.h"

#define SW_IDLE_BUSY 0.1     /* of the time: less is idle */
#define SW_IDLE_IOS 8        /* fewer are too few to say what bounds them */
#define SW_QUEUE_HELD 1      /* held on average */
#define SW_QUEUE_WAIT 0.2    /* of the total spent in the scheduler */
#define SW_DEVICE_BUSY 0.8   /* of the time */
#define SW_DEVICE_HOLDS 2    /* in the device on average */
#define SW_LEARN_WINDOWS 8   /* of the baseline, before the first trial: its p99, and the noise */
#define SW_GUARD_IOS 20      /* sync requests that make a p99 worth a look */
#define SW_GUARD_WINDOWS 3   /* of the baseline, before its p99 guards anything */
#define SW_SPOILT_IN_A_ROW 3 /* windows that pause a trial */
#define SW_SPOILT_IN_TRIAL 8 /* windows that end it */
#define SW_REST_SCORES 15    /* windows whose median stands for the score at rest */
#define SW_REST_MOVE 0.2     /* that the score must move by to search anew */
#define SW_REST_LONG 10      /* rests after which to search anew in any case */

struct sw_controller {
	struct sw_limits limits;
	int64_t baseline, incumbent;
	struct sw_step last;
	uint64_t windows, spent; /* once settled: all, and those of trials */
	bool settled;            /* the first search is over */

	bool resting;
	long rested;
	struct sw_series rest_first, rest_last;

	enum sw_reason holding; /* said last */
	int wanted;             /* good windows to watch before the next trial */
	struct sw_search search;

	bool trying, paused; /* paused: a trial waits for a load worth judging */
	struct sw_trial trial;
	struct sw_interval interval;
	int64_t candidate;
	bool second_half;
	double first_score;
	int spoilt, spoilt_in_a_row;
	struct sw_series from_score, to_score, from_p99, to_p99;

	struct sw_series baseline_p99, noise, full_share;
	double score_before; /* of the adjoining window under the same value, else 0 */
};

static const struct sw_decision nothing = { .from_p99_us = -1, .to_p99_us = -1 };

void sw_limits_default(struct sw_limits *limits)
{
	*limits = (struct sw_limits){ .threshold = 0.03,
				      .guard = 0.25,
				      .guard_breach = 2,
				      .confidence = 0.99,
				      .min_pairs = 3,
				      .max_pairs = 20,
				      .min_ios = 50,
				      .min = 1,
				      .max = 1024,
				      .trial_share = 0.2,
				      .rest_windows = 60 };
}

struct sw_controller *sw_controller_new(const struct sw_limits *limits, int64_t baseline)
{
	struct sw_controller *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->limits = *limits;
	c->baseline = baseline;
	c->incumbent = baseline;
	c->wanted = SW_LEARN_WINDOWS;
	c->last = (struct sw_step){ SW_STEP_WATCH, baseline, nothing };
	sw_search_begin(&c->search, limits->min, limits->max, baseline);
	return c;
}

void sw_controller_free(struct sw_controller *controller)
{
	free(controller);
}

int64_t sw_controller_incumbent(const struct sw_controller *controller)
{
	return controller->incumbent;
}

double sw_held_wait_us(const struct sw_sample *sample)
{
	return sample->ios ? sample->held_mean * sample->seconds * 1e6 / (double)sample->ios : -1;
}

/*
 * Idle: hardly busy, or hardly a request. Queue-bound: the scheduler holds
 * something on average, and requests spend a good part of their time there, so
 * its order matters. Else the device is the bound if it is nearly always busy
 * and holds many, and the submitter if it is not: it leaves the device without
 * work, or offers one request at a time.
 */
enum sw_verdict sw_verdict_of(const struct sw_sample *sample)
{
	/* Where some are not issued at all, only the number held tells how long they wait. */
	double wait = fmax(sample->wait_mean_us, sw_held_wait_us(sample));
	double busy = sample->busy_seconds, service = sample->service_mean_us;

	if (!(sample->seconds > 0) || !(busy >= SW_IDLE_BUSY * sample->seconds) ||
	    sample->ios < SW_IDLE_IOS)
		return SW_IDLE_DISK;
	if (sample->wait_mean_us < 0 || service < 0) { /* by Little's law the same ratio */
		wait = sample->held_mean;
		service = sample->device_mean;
	}
	if (sample->held_mean >= SW_QUEUE_HELD && wait >= SW_QUEUE_WAIT * (wait + service))
		return SW_QUEUE_BOUND;
	if (busy >= SW_DEVICE_BUSY * sample->seconds && sample->device_mean >= SW_DEVICE_HOLDS)
		return SW_DEVICE_BOUND;
	return SW_SUBMITTER_BOUND;
}

const char *sw_verdict_name(enum sw_verdict verdict)
{
	switch (verdict) {
	case SW_IDLE_DISK:
		return "idle";
	case SW_SUBMITTER_BOUND:
		return "submitter";
	case SW_QUEUE_BOUND:
		return "queue";
	case SW_DEVICE_BOUND:
		return "device";
	}
	return "unknown";
}

static double score_of(const struct sw_sample *sample)
{
	return sample->busy_seconds > 0 ? (double)sample->bytes / sample->busy_seconds : 0;
}

/* Why this window can neither be judged nor tuned by; SW_WHY_NONE: it can. */
static enum sw_reason unusable(const struct sw_controller *c, const struct sw_sample *sample)
{
	enum sw_verdict verdict = sw_verdict_of(sample);
	double score = score_of(sample);

	if (sample->lossy)
		return SW_WHY_LOSSES;
	if (sample->tainted)
		return SW_WHY_TAINTED;
	if (verdict == SW_IDLE_DISK)
		return SW_WHY_IDLE;
	if (sample->ios < c->limits.min_ios || !isfinite(score) || !(score > 0))
		return SW_WHY_FEW;
	if (verdict == SW_SUBMITTER_BOUND)
		return SW_WHY_SUBMITTER;
	return verdict == SW_DEVICE_BOUND ? SW_WHY_DEVICE : SW_WHY_NONE;
}

static bool p99_measured(const struct sw_sample *sample)
{
	return sample->sync_p99_us >= 0 && isfinite(sample->sync_p99_us) &&
	       sample->sync_ios >= SW_GUARD_IOS;
}

/* What every good window teaches, in a trial or not. */
static void learn(struct sw_controller *c, const struct sw_sample *sample)
{
	double score = score_of(sample);

	if (c->score_before > 0) {
		double difference = log(score) - log(c->score_before);

		sw_series_add(&c->noise, difference * difference);
	}
	c->score_before = score;
	if (c->last.value == c->baseline && p99_measured(sample))
		sw_series_add(&c->baseline_p99, sample->sync_p99_us);
	if (c->last.value == c->incumbent && sample->full_share >= 0)
		sw_series_add(&c->full_share, sample->full_share);
}

/* The step to `value`: over a settling window unless it is in force already. */
static struct sw_step step_to(struct sw_controller *c, int64_t value, struct sw_decision decision)
{
	enum sw_step_kind kind = c->trying && !c->paused ? SW_STEP_MEASURE : SW_STEP_WATCH;

	if (value != c->last.value)
		kind = SW_STEP_SETTLE;
	return (struct sw_step){ kind, value, decision };
}

static struct sw_step hold(struct sw_controller *c, enum sw_reason why)
{
	struct sw_decision decision = nothing;

	if (why != c->holding) {
		decision.kind = SW_HOLDING;
		decision.from = decision.to = c->incumbent;
		decision.reason = why;
		c->holding = why;
	}
	return step_to(c, c->incumbent, decision);
}

/* The value under which this half of the pair is measured: A B, B A, A B... */
static int64_t half_value(const struct sw_controller *c)
{
	bool candidate = (c->trial.pairs % 2 == 1) != c->second_half;

	return candidate ? c->candidate : c->incumbent;
}

/* Most windows that a trial can take, with those that are spoilt and its pauses' settling. */
static double dearest_trial(const struct sw_controller *c)
{
	return 3.0 * c->trial.max_pairs + 2 + SW_SPOILT_IN_TRIAL +
	       2.0 * (SW_SPOILT_IN_TRIAL / SW_SPOILT_IN_A_ROW);
}

/* Once settled, a trial begins only when even the dearest would stay within the share. */
static bool affordable(const struct sw_controller *c)
{
	double cost = dearest_trial(c);

	return !c->settled ||
	       (double)c->spent + cost <= c->limits.trial_share * ((double)c->windows + cost);
}

static struct sw_step begin_trial(struct sw_controller *c, int64_t candidate, enum sw_reason why)
{
	struct sw_decision decision = nothing;

	sw_search_tried(&c->search, candidate);
	c->trying = true;
	c->candidate = candidate;
	c->second_half = false;
	c->spoilt = c->spoilt_in_a_row = 0;
	c->from_score = c->to_score = c->from_p99 = c->to_p99 = (struct sw_series){ 0 };
	c->interval = (struct sw_interval){ 0, -HUGE_VAL, HUGE_VAL };
	c->holding = SW_WHY_NONE;
	decision.kind = SW_TRIAL_BEGINS;
	decision.from = c->incumbent;
	decision.to = candidate;
	decision.reason = why;
	return step_to(c, half_value(c), decision);
}

static struct sw_step search_over(struct sw_controller *c)
{
	struct sw_decision decision = nothing;

	c->settled = c->resting = true;
	c->rested = 0;
	c->rest_first = c->rest_last = (struct sw_series){ 0 };
	decision.kind = SW_SEARCH_OVER;
	decision.from = decision.to = c->incumbent;
	decision.reason = SW_WHY_BEST;
	return step_to(c, c->incumbent, decision);
}

/* At rest: the median score when the rest began, and lately. */
static bool score_moved(const struct sw_controller *c)
{
	double first = sw_series_median(&c->rest_first), last = sw_series_median(&c->rest_last);

	return c->rest_last.count >= SW_REST_SCORES && fabs(last / first - 1) > SW_REST_MOVE;
}

/* Whether the rest is over. Of the lately seen scores only the newest count. */
static bool rest_over(struct sw_controller *c, double score)
{
	long rest = c->limits.rest_windows < 1 ? 1 : c->limits.rest_windows;

	if (c->rest_first.count < SW_REST_SCORES)
		sw_series_add(&c->rest_first, score);
	else
		sw_series_add(&c->rest_last, score);
	return (c->rested >= rest && score_moved(c)) || c->rested / SW_REST_LONG >= rest;
}

static struct sw_step watch_window(struct sw_controller *c, const struct sw_sample *sample,
				   enum sw_reason why)
{
	double full = c->full_share.count ? sw_series_mean(&c->full_share) : -1;
	enum sw_reason try_why = SW_WHY_NONE;
	int64_t candidate;

	if (c->resting)
		c->rested++;
	/* One such window in many is no reason to tell anybody: it is not judged, that is all. */
	if ((why == SW_WHY_LOSSES || why == SW_WHY_TAINTED) &&
	    ++c->spoilt_in_a_row < SW_SPOILT_IN_A_ROW)
		return step_to(c, c->incumbent, nothing);
	c->spoilt_in_a_row = 0;
	if (why)
		return hold(c, why);
	if (c->paused) {
		c->paused = false;
		c->holding = SW_WHY_NONE;
		return step_to(c, half_value(c), nothing);
	}
	if (c->resting) {
		if (!rest_over(c, score_of(sample)))
			return step_to(c, c->incumbent, nothing);
		c->resting = false;
		sw_search_begin(&c->search, c->limits.min, c->limits.max, c->incumbent);
	}
	if (c->wanted > 0 && --c->wanted > 0)
		return step_to(c, c->incumbent, nothing);
	candidate = sw_search_next(&c->search, c->incumbent, full, &try_why);
	if (candidate < 0)
		return search_over(c);
	sw_trial_begin(&c->trial, &c->limits);
	if (!affordable(c))
		return step_to(c, c->incumbent, nothing);
	return begin_trial(c, candidate, try_why);
}

/*
 * The p99 that the candidate's is held against, -1 for none: what the caller
 * gave, the baseline's, or the incumbent's where the baseline was only seen
 * without sync requests.
 */
double sw_controller_guard_p99(const struct sw_controller *c)
{
	if (c->limits.guard_p99_us > 0)
		return c->limits.guard_p99_us;
	if (c->baseline_p99.count >= SW_GUARD_WINDOWS)
		return sw_series_median(&c->baseline_p99);
	if (c->from_p99.count >= SW_GUARD_WINDOWS)
		return sw_series_median(&c->from_p99);
	return -1;
}

static bool beyond_guard(const struct sw_controller *c, double p99, double factor)
{
	double reference = sw_controller_guard_p99(c);

	return p99 >= 0 && reference >= 0 && p99 > reference * (1 + c->limits.guard * factor);
}

/* Ends the trial. With the guard as reason, from_p99_us is what the guard held against. */
static struct sw_step end_trial(struct sw_controller *c, enum sw_decision_kind kind,
				enum sw_reason why, double p99)
{
	struct sw_decision decision = {
		.kind = kind,
		.from = c->incumbent,
		.to = c->candidate,
		.gain = expm1(c->interval.mean),
		.low = expm1(c->interval.low),
		.high = expm1(c->interval.high),
		.pairs = c->trial.pairs,
		.from_score = sw_series_median(&c->from_score),
		.to_score = sw_series_median(&c->to_score),
		.from_p99_us = why == SW_WHY_GUARD ? sw_controller_guard_p99(c)
						   : sw_series_median(&c->from_p99),
		.to_p99_us = p99,
		.reason = why,
	};

	c->trying = c->paused = false;
	c->wanted = 1;
	if (kind == SW_KEPT) {
		c->incumbent = c->candidate;
		c->full_share = (struct sw_series){ 0 };
		sw_search_kept(&c->search);
	}
	return step_to(c, c->incumbent, decision);
}

static struct sw_step spoilt_window(struct sw_controller *c, enum sw_reason why)
{
	if (++c->spoilt >= SW_SPOILT_IN_TRIAL)
		return end_trial(c, SW_UNDECIDED, why, sw_series_median(&c->to_p99));
	if (++c->spoilt_in_a_row < SW_SPOILT_IN_A_ROW)
		return step_to(c, c->last.value, nothing);
	/* the halves of a pair must lie close together: begin this one anew later */
	c->spoilt_in_a_row = 0;
	c->second_half = false;
	c->paused = true;
	return hold(c, why);
}

/* A pair is complete: what the trial says now. */
static struct sw_step judge(struct sw_controller *c, double incumbent, double candidate)
{
	double p99 = sw_series_median(&c->to_p99);
	enum sw_trial_end end =
		sw_trial_add(&c->trial, incumbent, candidate, &c->noise, &c->interval);

	if (c->trial.pairs >= c->trial.min_pairs && beyond_guard(c, p99, 1))
		return end_trial(c, SW_UNDONE, SW_WHY_GUARD, p99);
	switch (end) {
	case SW_TRIAL_GAIN:
		return end_trial(c, SW_KEPT, SW_WHY_GAIN, p99);
	case SW_TRIAL_NO_GAIN:
		return end_trial(c, SW_UNDONE, SW_WHY_NO_GAIN, p99);
	case SW_TRIAL_WORSE:
		return end_trial(c, SW_UNDONE, SW_WHY_WORSE, p99);
	case SW_TRIAL_NOISE:
		return end_trial(c, SW_UNDECIDED, SW_WHY_NOISE, p99);
	default:
		return step_to(c, half_value(c), nothing);
	}
}

static struct sw_step trial_window(struct sw_controller *c, const struct sw_sample *sample,
				   enum sw_reason why)
{
	bool candidate = c->last.value == c->candidate;
	double score = score_of(sample);

	if (why)
		return spoilt_window(c, why);
	c->spoilt_in_a_row = 0;
	sw_series_add(candidate ? &c->to_score : &c->from_score, score);
	if (p99_measured(sample)) {
		sw_series_add(candidate ? &c->to_p99 : &c->from_p99, sample->sync_p99_us);
		if (candidate && beyond_guard(c, sample->sync_p99_us, c->limits.guard_breach))
			return end_trial(c, SW_BREACH, SW_WHY_GUARD, sample->sync_p99_us);
	}
	if (!c->second_half) {
		c->first_score = score;
		c->second_half = true;
		return step_to(c, half_value(c), nothing);
	}
	c->second_half = false;
	return candidate ? judge(c, c->first_score, score) : judge(c, score, c->first_score);
}

struct sw_step sw_controller_step(struct sw_controller *c, const struct sw_sample *sample)
{
	enum sw_reason why;

	if (c->settled) {
		c->windows++;
		c->spent += c->last.kind != SW_STEP_WATCH;
	}
	if (c->last.kind == SW_STEP_SETTLE) {
		c->score_before = 0;
		c->last = step_to(c, c->last.value, nothing);
		return c->last;
	}
	why = unusable(c, sample);
	if (why)
		c->score_before = 0;
	else
		learn(c, sample);
	c->last = c->trying && !c->paused ? trial_window(c, sample, why)
					  : watch_window(c, sample, why);
	return c->last;
}
