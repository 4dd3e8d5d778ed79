// SPDX-License-Identifier: GPL-2.0-or-later
/* A comparison's turns, carried out on a disk. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gather.h"
#include "held_disk.h"
#include "knobs_internal.h"
#include "seekwise/base.h"
#include "seekwise/live_trial.h"
#include "seekwise/tuner.h"

/* A value that cannot be written ends it at once: there is nothing to compare. */
#define MAX_ERRORS 3

struct sw_live_trial {
	struct sw_held_disk held;
	struct sw_live_options options;
	struct sw_comparison comparison;
	struct sw_settings original, now; /* now: in force, as far as we know */
	char original_scheduler[32], scheduler[32];
	struct sw_gather gather;
	bool begun; /* a turn is under way */
	bool settling;
	bool unwritten; /* a knob has not the set's value yet */
	uint64_t due_ns;
	char why[256];
};

static bool is_named(const struct sw_live_trial *t, int id)
{
	int i;

	for (i = 0; i < t->options.sets; i++)
		if (t->options.set[i].named[id])
			return true;
	return false;
}

static bool has_schedulers(const struct sw_live_options *options)
{
	int i;

	for (i = 0; i < options->sets; i++)
		if (options->set[i].named_scheduler)
			return true;
	return false;
}

/*
 * These are written, and nobody else may: what a set names, and where schedulers are switched
 * all that there is, as each switch sets it anew. What nr_requests draws along is the kernel's.
 */
static bool is_compared(const struct sw_live_trial *t, int id)
{
	return is_named(t, id) || (t->held.gate.any_scheduler && !sw_knob_follows(id));
}

/* Has the knob to have the set's value in its turns? What a scheduler sets itself it keeps. */
static bool is_to_write(const struct sw_live_trial *t, const struct sw_set *set, int id)
{
	if (set->named[id])
		return true;
	if (strcmp(set->scheduler, t->original_scheduler) || !t->original.present[id])
		return false;
	if (sw_knob_follows(id))
		return is_compared(t, SW_NR_REQUESTS) &&
		       set->value[SW_NR_REQUESTS] == t->original.value[SW_NR_REQUESTS];
	return is_compared(t, id);
}

static int fit_set(struct sw_live_trial *t, struct sw_set *set, char *why, unsigned int why_size)
{
	char offered[256];

	if (set->named_scheduler &&
	    !sw_scheduler_offered(&t->held.disk, set->scheduler, offered, sizeof(offered))) {
		snprintf(why, why_size,
			 "it has no scheduler %s; it has %s (a module must be loaded first)",
			 set->scheduler, offered);
		return SW_NOTHING_TO_TUNE;
	}
	if (sw_set_fit(set, &t->original, t->original_scheduler, why, why_size))
		return SW_NOTHING_TO_TUNE;
	/* Under none it is the depth of the driver, which keeps it when a scheduler comes. */
	if (t->held.gate.any_scheduler && set->named[SW_NR_REQUESTS] &&
	    !strcmp(set->scheduler, "none")) {
		snprintf(why, why_size,
			 "nr_requests under none stays with the driver when the scheduler is "
			 "switched: not where schedulers are compared");
		return SW_NOTHING_TO_TUNE;
	}
	return SW_OK;
}

static int fit_sets(struct sw_live_trial *t, char *why, unsigned int why_size)
{
	int i, code = SW_OK;

	for (i = 0; i < t->options.sets && !code; i++)
		code = fit_set(t, &t->options.set[i], why, why_size);
	return code;
}

static bool end(struct sw_live_trial *t, const char *why)
{
	if (why != t->why)
		snprintf(t->why, sizeof(t->why), "%s", why);
	t->due_ns = UINT64_MAX;
	return false;
}

/* Their switch has set all knobs anew: there is nothing of ours to put back. */
static bool switched_by_other(struct sw_live_trial *t)
{
	snprintf(t->why, sizeof(t->why),
		 "somebody else switched the scheduler to %s (it was %s): hands off",
		 t->held.disk.scheduler, t->scheduler);
	sw_baseline_drop(&t->held.disk);
	t->held.saved = false;
	return end(t, t->why);
}

static bool set_by_other(struct sw_live_trial *t, int id, int64_t value)
{
	snprintf(t->why, sizeof(t->why),
		 "somebody else set %s to %lld (it was %lld): hands off that knob",
		 sw_knobs[id].name, (long long)value, (long long)t->now.value[id]);
	return end(t, t->why);
}

static const struct sw_set *set_of_turn(const struct sw_live_trial *t)
{
	return &t->options.set[sw_comparison_turn(&t->comparison)];
}

/* After a write: false if it ended the trial. */
static bool went_on(struct sw_live_trial *t, enum sw_held_write result)
{
	if (result == SW_HELD_LATER)
		t->unwritten = true;
	return result == SW_HELD_WRITTEN || result == SW_HELD_LATER || end(t, t->why);
}

static bool put_scheduler(struct sw_live_trial *t, const char *scheduler)
{
	enum sw_held_write result;

	if (!strcmp(scheduler, t->scheduler))
		return true;
	result = sw_held_switch(&t->held, scheduler, &t->original, &t->now, t->why, sizeof(t->why));
	if (result == SW_HELD_FOREIGN && !sw_disk_refresh(&t->held.disk))
		return switched_by_other(t);
	if (result == SW_HELD_WRITTEN)
		snprintf(t->scheduler, sizeof(t->scheduler), "%s", scheduler);
	return went_on(t, result);
}

/* What moved with nr_requests, without anybody writing it. */
static void read_followers(struct sw_live_trial *t)
{
	int id;

	for (id = 0; id < SW_KNOBS; id++)
		if (sw_knob_follows(id) && t->now.present[id])
			sw_knob_read(&t->held.disk, id, &t->now.value[id]);
}

static bool put_knob(struct sw_live_trial *t, int id, int64_t value)
{
	enum sw_held_write result;
	int64_t found;

	if (!t->now.present[id]) {
		snprintf(t->why, sizeof(t->why), "there is no %s under %s", sw_knobs[id].name,
			 t->scheduler);
		return end(t, t->why);
	}
	if (value == t->now.value[id])
		return true;
	result = sw_held_put(&t->held, id, t->now.value[id], value, &t->original, t->why,
			     sizeof(t->why));
	if (result == SW_HELD_FOREIGN && !sw_knob_read(&t->held.disk, id, &found))
		return set_by_other(t, id, found);
	if (result == SW_HELD_WRITTEN) {
		t->now.value[id] = value;
		if (id == SW_NR_REQUESTS)
			read_followers(t);
	}
	return went_on(t, result);
}

/* Gives the disk the settings of the turn; false: it is over. */
static bool put_turn(struct sw_live_trial *t)
{
	const struct sw_set *set = set_of_turn(t);
	int id;

	t->unwritten = false;
	if (!put_scheduler(t, set->scheduler))
		return false;
	/* Knobs are the scheduler's. */
	for (id = 0; id < SW_KNOBS && !strcmp(set->scheduler, t->scheduler); id++)
		if (is_to_write(t, set, id) && !put_knob(t, id, set->value[id]))
			return false;
	t->why[0] = '\0';
	return true;
}

static bool as_wanted(const struct sw_live_trial *t)
{
	const struct sw_set *set = set_of_turn(t);
	int id;

	if (strcmp(set->scheduler, t->scheduler))
		return false;
	for (id = 0; id < SW_KNOBS; id++)
		if (is_to_write(t, set, id) && set->value[id] != t->now.value[id])
			return false;
	return true;
}

/* Begins the window of the turn, after the requests chosen under other settings are gone. */
static bool begin_turn(struct sw_live_trial *t)
{
	uint64_t outstanding = sw_gather_outstanding(&t->gather);

	t->begun = true;
	t->settling = !as_wanted(t);
	if (t->settling && !put_turn(t))
		return false;
	memset(&t->gather, 0, sizeof(t->gather));
	t->gather.to_leave = outstanding;
	t->due_ns = sw_now_ns() +
		    (t->settling ? sw_gather_part_ns(t->options.window_ns) : t->options.window_ns);
	return true;
}

int sw_live_open(struct sw_live_trial **trial, const struct sw_disk *disk,
		 const struct sw_live_options *options, char *why, unsigned int why_size)
{
	const struct sw_gate gate = { .any_rotation = true,
				      .any_scheduler = has_schedulers(options) };
	struct sw_live_trial *t = calloc(1, sizeof(*t));
	int code;

	*trial = NULL;
	if (!t) {
		snprintf(why, why_size, "%s", sw_strerror(ENOMEM));
		return SW_FAILED;
	}
	t->options = *options;
	sw_held_init(&t->held, disk, &gate, MAX_ERRORS);
	code = sw_held_take(&t->held, why, why_size);
	if (!code)
		code = sw_held_begin(&t->held, &t->original, why, why_size);
	memcpy(t->original_scheduler, t->held.disk.scheduler, sizeof(t->original_scheduler));
	if (!code)
		code = fit_sets(t, why, why_size);
	if (code) {
		sw_held_close(&t->held, false);
		free(t);
		return code;
	}
	t->now = t->original;
	memcpy(t->scheduler, t->original_scheduler, sizeof(t->scheduler));
	sw_comparison_begin(&t->comparison, options->sets, options->metric, options->pairs);
	t->due_ns = sw_now_ns();
	*trial = t;
	return SW_OK;
}

uint64_t sw_live_due(const struct sw_live_trial *t)
{
	return t->due_ns;
}

/* Somebody else's scheduler, or value in what is compared, ends it: what is measured is theirs. */
static bool still_ours(struct sw_live_trial *t, bool *slept)
{
	enum sw_held_state state = sw_held_look(&t->held, slept, t->why, sizeof(t->why));
	struct sw_settings found;
	int id;

	if (state == SW_HELD_BARRED)
		t->held.saved = false;
	if (state != SW_HELD_OURS)
		return end(t, t->why);
	if (strcmp(t->held.disk.scheduler, t->scheduler))
		return switched_by_other(t);
	if (sw_knobs_read(&t->held.disk, &found))
		return true;
	for (id = 0; id < SW_KNOBS; id++)
		if (t->now.present[id] && is_compared(t, id) &&
		    !sw_knob_same(id, t->now.value[id], found.value[id]))
			return set_by_other(t, id, found.value[id]);
	return true;
}

static void say_round(const struct sw_live_trial *t)
{
	const struct sw_comparison *c = &t->comparison;
	char text[256];
	char label[SW_SET_LABEL], value[32];
	int i, n;

	n = snprintf(text, sizeof(text), "%s: round %d:", t->held.disk.name, c->rounds);
	for (i = 0; i < c->sets; i++) {
		sw_metric_text(c->metric, c->unused[i] ? -1 : c->value[i], value, sizeof(value));
		n += snprintf(text + n, sizeof(text) - (size_t)n, "%s %s %s", i ? "," : "",
			      sw_set_label(i, c->sets, label), value);
	}
	t->options.say(text);
}

static bool is_complete(const struct sw_live_trial *t)
{
	/* With a number of pairs given it takes the time that was asked for. */
	uint64_t least = t->options.pairs ? 0 : t->comparison.limits.min_ios;

	if (t->settling)
		return !t->unwritten && sw_gather_settled(&t->gather);
	return sw_gather_measured(&t->gather, t->options.window_ns, least);
}

static bool next_turn(struct sw_live_trial *t, bool slept)
{
	struct sw_sample sample =
		sw_sample_of(&t->gather.window, SW_FIFO_BATCH, t->now.value[SW_FIFO_BATCH]);
	int rounds = t->comparison.rounds;

	sample.tainted = slept;
	sw_comparison_give(&t->comparison, &sample);
	if (t->comparison.rounds > rounds)
		say_round(t);
	if (sw_comparison_turn(&t->comparison) < 0)
		return end(t, "");
	return begin_turn(t);
}

bool sw_live_step(struct sw_live_trial *t, const struct sw_window *window)
{
	bool slept;

	if (t->due_ns == UINT64_MAX || !still_ours(t, &slept))
		return false;
	sw_gather_add(&t->gather, window);
	/* The first window is of the time before: who is there then has to leave. */
	if (!t->begun)
		return begin_turn(t);
	if (t->settling && t->unwritten && !put_turn(t))
		return false;
	if (!is_complete(t) && !slept) {
		t->due_ns = sw_now_ns() + sw_gather_part_ns(t->options.window_ns);
		return true;
	}
	if (!t->settling || slept)
		return next_turn(t, slept);
	t->settling = false;
	memset(&t->gather, 0, sizeof(t->gather));
	t->due_ns = sw_now_ns() + t->options.window_ns;
	return true;
}

int sw_live_release(struct sw_live_trial *t)
{
	sw_comparison_end(&t->comparison);
	return sw_held_close(&t->held, t->held.saved);
}

const char *sw_live_why(const struct sw_live_trial *t)
{
	return t->why;
}

const struct sw_comparison *sw_live_result(const struct sw_live_trial *t)
{
	return &t->comparison;
}

const struct sw_set *sw_live_set(const struct sw_live_trial *t, int i)
{
	return &t->options.set[i];
}

void sw_live_free(struct sw_live_trial *t)
{
	free(t);
}
