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
	struct sw_settings original;
	int64_t value[SW_KNOBS]; /* in force, as far as we know */
	struct sw_gather gather;
	bool begun; /* a turn is under way */
	bool settling;
	bool unwritten; /* a knob has not the set's value yet */
	uint64_t due_ns;
	char why[256];
};

/* Named in any of the sets: these are written, and nobody else may. */
static bool is_compared(const struct sw_live_trial *t, int id)
{
	int i;

	for (i = 0; i < t->options.sets; i++)
		if (t->options.set[i].named[id])
			return true;
	return false;
}

static int fit_sets(struct sw_live_trial *t, char *why, unsigned int why_size)
{
	int i;

	for (i = 0; i < t->options.sets; i++)
		if (sw_set_fit(&t->options.set[i], &t->original, why, why_size))
			return SW_NOTHING_TO_TUNE;
	return SW_OK;
}

static bool end(struct sw_live_trial *t, const char *why)
{
	if (why != t->why)
		snprintf(t->why, sizeof(t->why), "%s", why);
	t->due_ns = UINT64_MAX;
	return false;
}

/* Gives the disk the settings of the turn; false: it is over. */
static bool put_turn(struct sw_live_trial *t)
{
	const struct sw_set *set = &t->options.set[sw_comparison_turn(&t->comparison)];
	int id;

	t->unwritten = false;
	for (id = 0; id < SW_KNOBS; id++) {
		if (!is_compared(t, id) || set->value[id] == t->value[id])
			continue;
		switch (sw_held_put(&t->held, id, t->value[id], set->value[id], &t->original,
				    t->why, sizeof(t->why))) {
		case SW_HELD_WRITTEN:
			t->value[id] = set->value[id];
			break;
		case SW_HELD_LATER:
			t->unwritten = true;
			break;
		default:
			return end(t, t->why);
		}
	}
	t->why[0] = '\0';
	return true;
}

static bool as_wanted(const struct sw_live_trial *t)
{
	const struct sw_set *set = &t->options.set[sw_comparison_turn(&t->comparison)];
	int id;

	for (id = 0; id < SW_KNOBS; id++)
		if (is_compared(t, id) && set->value[id] != t->value[id])
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
	static const struct sw_gate gate = { .any_rotation = true };
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
	if (!code)
		code = fit_sets(t, why, why_size);
	if (code) {
		sw_held_close(&t->held, false);
		free(t);
		return code;
	}
	memcpy(t->value, t->original.value, sizeof(t->value));
	sw_comparison_begin(&t->comparison, options->sets, options->metric, options->pairs);
	t->due_ns = sw_now_ns();
	*trial = t;
	return SW_OK;
}

uint64_t sw_live_due(const struct sw_live_trial *t)
{
	return t->due_ns;
}

/* Somebody else's value in a knob that is compared ends it: what is measured is theirs. */
static bool still_ours(struct sw_live_trial *t, bool *slept)
{
	struct sw_settings now;
	int id;

	enum sw_held_state state = sw_held_look(&t->held, slept, t->why, sizeof(t->why));

	if (state == SW_HELD_BARRED)
		t->held.saved = false;
	if (state != SW_HELD_OURS)
		return end(t, t->why);
	if (sw_knobs_read(&t->held.disk, &now))
		return true;
	for (id = 0; id < SW_KNOBS; id++) {
		if (!is_compared(t, id) || sw_knob_same(id, t->value[id], now.value[id]))
			continue;
		snprintf(t->why, sizeof(t->why),
			 "somebody else set %s to %lld (it was %lld): hands off that knob",
			 sw_knobs[id].name, (long long)now.value[id], (long long)t->value[id]);
		return end(t, t->why);
	}
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
		sw_sample_of(&t->gather.window, SW_FIFO_BATCH, t->value[SW_FIFO_BATCH]);
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
