// SPDX-License-Identifier: GPL-2.0-or-later
/* One disk under tuning: the controller's steps, carried out. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gather.h"
#include "held_disk.h"
#include "seekwise/base.h"
#include "seekwise/knobs.h"
#include "seekwise/tuner.h"
#include "tuned.h"

/* A disk that cannot be tuned now is looked at again after this. */
#define RETRY_NS (5ULL * 1000000000)
/* Lasting errors that end the tuning of a knob. */
#define MAX_ERRORS 3

struct sw_tuner {
	struct sw_held_disk held;
	struct sw_tuner_options options;
	struct sw_tuned_set set;
	int decisions;
	enum sw_tuner_state state;
	struct sw_step step;
	uint64_t due_ns;
	struct sw_gather gather; /* the window of the step under way */
	char why[256];
};

static void say(const struct sw_tuner *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void say(const struct sw_tuner *t, const char *format, ...)
{
	char text[512];
	va_list args;
	int n;

	n = snprintf(text, sizeof(text), "%s: ", t->held.disk.name);
	va_start(args, format);
	vsnprintf(text + n, sizeof(text) - n, format, args);
	va_end(args);
	t->options.say(text);
}

/* Begins with the settings in force as the baseline. SW_OK or an exit code. */
static int begin(struct sw_tuner *t, char *why, unsigned int why_size)
{
	struct sw_settings now;
	int code = sw_held_begin(&t->held, &now, why, why_size);

	if (code)
		return code;
	if (sw_tuned_start(&t->set, &now, &t->options.limits)) {
		snprintf(why, why_size, "%s", sw_strerror(ENOMEM));
		return SW_FAILED;
	}
	t->gather.begun = false;
	t->state = SW_TUNING;
	t->step = (struct sw_step){ .kind = SW_STEP_WATCH, .value = t->set.turn->value };
	t->due_ns = sw_now_ns() + t->options.window_ns;
	return SW_OK;
}

/* Not tunable at the moment: once for each reason it is said. */
static enum sw_tuner_state wait_for(struct sw_tuner *t, const char *why)
{
	if (t->state != SW_WAITING || strcmp(t->why, why))
		say(t, "not tuned now: %s", why);
	snprintf(t->why, sizeof(t->why), "%s", why);
	t->state = SW_WAITING;
	t->due_ns = sw_now_ns() + RETRY_NS;
	return t->state;
}

/* Nobody looks after the knob from here on: what we wrote goes back at once. */
static enum sw_tuner_state end(struct sw_tuner *t, const char *why)
{
	say(t, "no longer tuned: %s", why);
	if (t->held.saved && sw_held_restore(&t->held))
		sw_tuned_undone(&t->set);
	snprintf(t->why, sizeof(t->why), "%s", why);
	t->state = SW_ENDED;
	t->due_ns = UINT64_MAX;
	return t->state;
}

int sw_tuner_open(struct sw_tuner **tuner, const struct sw_disk *disk,
		  const struct sw_tuner_options *options, char *why, unsigned int why_size)
{
	struct sw_tuner *t = calloc(1, sizeof(*t));
	int code;

	*tuner = NULL;
	if (!t) {
		snprintf(why, why_size, "%s", sw_strerror(ENOMEM));
		return SW_FAILED;
	}
	t->options = *options;
	sw_held_init(&t->held, disk, &options->gate, MAX_ERRORS);
	code = options->dry_run ? SW_OK : sw_held_take(&t->held, why, why_size);
	if (!code)
		code = begin(t, why, why_size);
	if (code == SW_NOTHING_TO_TUNE && options->patient) {
		wait_for(t, why);
		code = SW_OK;
	}
	if (code) {
		sw_held_close(&t->held, false);
		sw_tuned_free(&t->set);
		free(t);
		return code;
	}
	*tuner = t;
	return SW_OK;
}

/*
 * Gives the knob the step's value. Where that fails for now, the step's window
 * is marked as not comparable and the controller asks again.
 */
static enum sw_tuner_state put(struct sw_tuner *t, int64_t value)
{
	struct sw_tuned *k = t->set.turn;
	char why[256];

	if (value == k->value)
		return t->state;
	switch (sw_held_put(&t->held, k->id, k->value, value, &t->set.original, why, sizeof(why))) {
	case SW_HELD_WRITTEN:
		k->value = value;
		return t->state;
	case SW_HELD_LATER:
		return t->state;
	default:
		return end(t, why);
	}
}

static void say_losses(const struct sw_tuner *t)
{
	const struct sw_record *s = &t->gather.window.sum;

	sw_log(SW_DEBUG,
	       "%s: no_insert %llu, unmatched %llu, stale %llu + %llu, table_miss %llu + %llu, negative "
	       "%llu + %llu, missed %llu, torn %llu",
	       t->held.disk.name, s->issued.no_insert, s->completed.unmatched, s->inserted.stale,
	       s->issued.stale, s->inserted.table_miss, s->issued.table_miss, s->issued.negative,
	       s->completed.negative, (unsigned long long)t->gather.window.missed,
	       (unsigned long long)t->gather.window.torn);
}

static void say_decision(struct sw_tuner *t, const struct sw_decision *d)
{
	char text[sizeof(t->why)];

	if (d->kind == SW_NO_DECISION)
		return;
	sw_decision_text(d, sw_tuned_name(t->set.turn), text, sizeof(text));
	say(t, "%s", text);
	if (d->kind == SW_HOLDING)
		snprintf(t->why, sizeof(t->why), "%s", text);
	else
		t->why[0] = 0;
}

/* With --dry-run: what would be written, and the end of it. */
static enum sw_tuner_state propose(struct sw_tuner *t)
{
	const struct sw_decision *d = &t->step.decision;

	char text[sizeof(t->why)];

	if (d->kind == SW_NO_DECISION)
		return t->state;
	sw_decision_text(d, sw_tuned_name(t->set.turn), text, sizeof(text));
	if (d->kind == SW_TRIAL_BEGINS)
		say(t, "would begin by %s; that is: echo %lld >%s/block/%s/queue/%s", text,
		    (long long)d->to, sw_roots.sys, t->held.disk.name,
		    sw_knobs[t->set.turn->id].file);
	else
		say(t, "%s", text);
	if (d->kind == SW_TRIAL_BEGINS || d->kind == SW_HOLDING || d->kind == SW_SEARCH_OVER) {
		t->state = SW_ENDED;
		t->due_ns = UINT64_MAX;
	}
	return t->state;
}

/* The search over one knob is over: it stays as decided, and the next has its turn. */
static void next_knob(struct sw_tuner *t)
{
	bool unsearched = sw_tuned_next(&t->set, &t->gather.window);

	t->state = unsearched ? SW_TUNING : SW_SETTLED;
	t->step = (struct sw_step){ .kind = SW_STEP_WATCH, .value = t->set.turn->value };
}

/* The step's window is complete: the next step. */
static enum sw_tuner_state next_step(struct sw_tuner *t, bool tainted)
{
	struct sw_sample sample =
		sw_sample_of(&t->gather.window, t->set.turn->id, t->set.turn->value);
	uint64_t outstanding = sw_gather_outstanding(&t->gather);

	/* A write that did not succeed: the window was observed under another value. */
	sample.tainted = tainted || (!t->options.dry_run && t->set.turn->value != t->step.value);
	t->gather.begun = false;
	if (sw_window_losses(&t->gather.window))
		say_losses(t);
	t->step = sw_controller_step(t->set.turn->controller, &sample);
	if (t->options.dry_run) {
		t->due_ns = sw_now_ns() + t->options.window_ns;
		return propose(t);
	}
	say_decision(t, &t->step.decision);
	t->decisions += t->step.decision.kind != SW_NO_DECISION;
	if (t->step.decision.kind == SW_SEARCH_OVER)
		next_knob(t);
	else if (t->step.decision.kind == SW_TRIAL_BEGINS)
		t->state = SW_TUNING;
	t->gather.to_leave = t->step.kind == SW_STEP_SETTLE ? outstanding : 0;
	put(t, t->step.value);
	if (t->state != SW_ENDED)
		t->due_ns = sw_now_ns() + (t->step.kind == SW_STEP_SETTLE
						   ? sw_gather_part_ns(t->options.window_ns)
						   : t->options.window_ns);
	return t->state;
}

/* Does the window under way hold enough for the step? If not, it goes on. */
static bool is_complete(const struct sw_tuner *t)
{
	if (t->step.kind == SW_STEP_SETTLE)
		return sw_gather_settled(&t->gather);
	return sw_gather_measured(&t->gather, t->options.window_ns, t->options.limits.min_ios);
}

/* The step under way is of a trial that is no more. */
static void drop_step(struct sw_tuner *t, enum sw_tuner_state state, bool *tainted)
{
	t->step = (struct sw_step){ .kind = SW_STEP_WATCH, .value = t->set.turn->value };
	t->gather.begun = false;
	t->state = state;
	*tainted = true;
}

/* False when nothing is left to tune. */
static bool hands_off(struct sw_tuner *t, struct sw_tuned *k, int64_t now, bool *tainted)
{
	bool had_turn = k == t->set.turn;
	char why[256];

	snprintf(why, sizeof(why),
		 "somebody else set %s to %lld (it was %lld): hands off that knob",
		 sw_tuned_name(k), (long long)now, (long long)k->value);
	if (!sw_tuned_leave(&t->set, k, now)) {
		end(t, why);
		return false;
	}
	say(t, "%s", why);
	if (had_turn)
		drop_step(t, SW_SETTLED, tainted);
	return true;
}

static bool look_at_knobs(struct sw_tuner *t, const struct sw_settings *now, bool *tainted)
{
	struct sw_tuned *k = NULL;

	switch (sw_tuned_look(&t->set, now, &k)) {
	case SW_TUNED_FOREIGN:
		return hands_off(t, k, now->value[k->id], tainted);
	case SW_TUNED_ANEW:
		say(t, "nr_requests is %lld now: the search over %s begins anew",
		    (long long)now->value[SW_NR_REQUESTS], sw_tuned_name(k));
		drop_step(t, SW_TUNING, tainted);
		return true;
	default:
		return true;
	}
}

/* Are the knobs as we left them, on the same disk and scheduler? Says what is not. */
static bool still_ours(struct sw_tuner *t, bool *tainted)
{
	struct sw_settings now;
	char why[256];

	switch (sw_held_look(&t->held, tainted, why, sizeof(why))) {
	case SW_HELD_GONE:
		end(t, why);
		return false;
	case SW_HELD_BARRED:
		wait_for(t, why);
		return false;
	default:
		break;
	}
	if (sw_knobs_read(&t->held.disk, &now))
		return true;
	return look_at_knobs(t, &now, tainted);
}

static enum sw_tuner_state retry(struct sw_tuner *t)
{
	char why[256];

	if (sw_disk_refresh(&t->held.disk))
		return end(t, "the disk is gone");
	if (begin(t, why, sizeof(why)))
		return wait_for(t, why);
	say(t, "tuned again");
	return t->state;
}

enum sw_tuner_state sw_tuner_step(struct sw_tuner *t, const struct sw_window *window)
{
	bool tainted;

	if (t->state == SW_ENDED)
		return t->state;
	if (t->state == SW_WAITING)
		return retry(t);
	if (!still_ours(t, &tainted))
		return t->state;
	sw_gather_add(&t->gather, window);
	if (!is_complete(t) && !tainted) {
		t->due_ns = sw_now_ns() + sw_gather_part_ns(t->options.window_ns);
		return t->state;
	}
	return next_step(t, tainted);
}

/* Leaves the values that were decided on; a candidate under trial is taken back. */
static int keep_learned(struct sw_tuner *t)
{
	struct sw_tuned *k;

	if (t->state != SW_TUNING && t->state != SW_SETTLED)
		return 1;
	put(t, sw_tuned_decided(t->set.turn));
	for (k = t->set.knob; k < t->set.knob + SW_TUNED; k++) {
		if (k->value != sw_tuned_decided(k))
			return -EIO;
		if (k->value != sw_tuned_found(&t->set, k) || k == t->set.knob)
			say(t, "kept: %s = %lld (found %lld)", sw_tuned_name(k),
			    (long long)k->value, (long long)sw_tuned_found(&t->set, k));
	}
	return sw_baseline_drop(&t->held.disk);
}

/* What goes with the baseline coming back. */
static void say_found(const struct sw_tuner *t)
{
	const struct sw_tuned *k;

	if (t->options.keep || !t->held.saved)
		return;
	for (k = t->set.knob; k < t->set.knob + SW_TUNED; k++)
		if (sw_tuned_decided(k) != sw_tuned_found(&t->set, k))
			say(t,
			    "the best %s found was %lld; back to %lld, as found (--keep would "
			    "leave it)",
			    sw_tuned_name(k), (long long)sw_tuned_decided(k),
			    (long long)sw_tuned_found(&t->set, k));
}

int sw_tuner_close(struct sw_tuner *t)
{
	bool restore;
	int code;

	if (!t)
		return SW_OK;
	if (!t->decisions && !t->options.dry_run && t->state == SW_TUNING)
		say(t, "ended before anything could be judged");
	if (t->state == SW_TUNING && t->step.kind != SW_STEP_WATCH && !t->options.dry_run)
		say(t, "the trial of %s under way was not finished: nothing of it is kept",
		    sw_tuned_name(t->set.turn));
	say_found(t);
	restore = t->held.saved && (!t->options.keep || keep_learned(t));
	code = sw_held_close(&t->held, restore);
	sw_tuned_free(&t->set);
	free(t);
	return code;
}

uint64_t sw_tuner_due(const struct sw_tuner *t)
{
	return t->due_ns;
}

void sw_tuner_values(const struct sw_tuner *t, char *text, unsigned int size)
{
	sw_tuned_text(&t->set, text, size);
}

const char *sw_tuner_disk(const struct sw_tuner *t)
{
	return t->held.disk.name;
}

const char *sw_tuner_why(const struct sw_tuner *t)
{
	return t->why;
}
