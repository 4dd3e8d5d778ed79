// SPDX-License-Identifier: GPL-2.0-or-later
/* Which knobs of a disk are tuned, in which order, and what is known of their values. */
#include <errno.h>
#include <stdio.h>

#include "tuned.h"

/* Passes shorter than this on average: nothing for nr_sched_batch to bound. */
#define PASSES_MATTER 1.05

/* In this order; the second exists on patched kernels. */
static const enum sw_knob_id in_order[SW_TUNED] = { SW_FIFO_BATCH, SW_NR_SCHED_BATCH };

static struct sw_tuned *first_of(struct sw_tuned_set *set)
{
	return &set->knob[0];
}

static struct sw_tuned *end_of(struct sw_tuned_set *set)
{
	return &set->knob[SW_TUNED];
}

const char *sw_tuned_name(const struct sw_tuned *k)
{
	return sw_knobs[k->id].name;
}

int64_t sw_tuned_decided(const struct sw_tuned *k)
{
	return k->controller ? sw_controller_incumbent(k->controller) : k->value;
}

int64_t sw_tuned_found(const struct sw_tuned_set *set, const struct sw_tuned *k)
{
	return set->original.value[k->id];
}

static void forget(struct sw_tuned *k)
{
	sw_controller_free(k->controller);
	k->controller = NULL;
}

void sw_tuned_free(struct sw_tuned_set *set)
{
	struct sw_tuned *k;

	for (k = first_of(set); k < end_of(set); k++)
		forget(k);
}

/* The guard of a later knob stays what it was under the first, or each could take its share. */
static int give_turn(struct sw_tuned_set *set, struct sw_tuned *k)
{
	struct sw_limits limits = set->limits;
	int64_t pool = set->original.value[SW_NR_REQUESTS];
	double p99 = -1;

	set->turn = k;
	if (k->controller)
		return 0;
	if (k->id == SW_NR_SCHED_BATCH && pool < limits.max)
		limits.max = pool;
	if (k != first_of(set))
		p99 = sw_controller_guard_p99(first_of(set)->controller);
	if (p99 > 0)
		limits.guard_p99_us = p99;
	k->controller = sw_controller_new(&limits, k->value);
	return k->controller ? 0 : -ENOMEM;
}

int sw_tuned_start(struct sw_tuned_set *set, const struct sw_settings *settings,
		   const struct sw_limits *limits)
{
	int i;

	sw_tuned_free(set);
	set->original = *settings;
	set->limits = *limits;
	for (i = 0; i < SW_TUNED; i++)
		set->knob[i] = (struct sw_tuned){ .id = in_order[i],
						  .value = settings->value[in_order[i]] };
	return give_turn(set, first_of(set));
}

/* A knob with nothing to move, or without effect on this disk, is left alone. */
static bool has_evidence(const struct sw_tuned_set *set, const struct sw_tuned *k,
			 const struct sw_window *w)
{
	const struct sw_passed *pa = &w->sum.passed;

	if (!set->original.present[k->id] || k->hands_off)
		return false;
	if (k->id != SW_NR_SCHED_BATCH)
		return true;
	return w->passes != SW_PASSES_UNKNOWN && pa->passes &&
	       (double)pa->pass_sum > PASSES_MATTER * (double)pa->passes;
}

bool sw_tuned_next(struct sw_tuned_set *set, const struct sw_window *window)
{
	struct sw_tuned *before = set->turn, *k = before;
	bool searched;

	do {
		k = k + 1 < end_of(set) ? k + 1 : first_of(set);
	} while (k != before && !has_evidence(set, k, window));
	searched = k->controller;
	if (give_turn(set, k)) {
		set->turn = before;
		return false;
	}
	return !searched;
}

/* By decision it never changed, and it goes where nr_requests goes: the kernel's doing. */
static bool followed(const struct sw_tuned_set *set, const struct sw_tuned *k,
		     const struct sw_settings *now)
{
	const int64_t *original = set->original.value;

	return k->id == SW_NR_SCHED_BATCH && sw_tuned_decided(k) == original[k->id] &&
	       original[k->id] == original[SW_NR_REQUESTS] &&
	       now->value[k->id] == now->value[SW_NR_REQUESTS];
}

/* The bound of the batch moved, and perhaps the batch with it: its search begins anew. */
static bool pool_moved(struct sw_tuned_set *set, struct sw_tuned *k, const struct sw_settings *now)
{
	bool follows = followed(set, k, now);

	if (now->value[k->id] != k->value && !follows)
		return false;
	forget(k);
	k->value = now->value[k->id];
	if (follows)
		set->original.value[k->id] = k->value;
	set->original.value[SW_NR_REQUESTS] = now->value[SW_NR_REQUESTS];
	if (k == set->turn && give_turn(set, k))
		set->turn = first_of(set);
	return true;
}

enum sw_tuned_news sw_tuned_look(struct sw_tuned_set *set, const struct sw_settings *now,
				 struct sw_tuned **which)
{
	bool moved = now->value[SW_NR_REQUESTS] != set->original.value[SW_NR_REQUESTS];
	enum sw_tuned_news news = SW_TUNED_SAME;
	struct sw_tuned *k;

	for (k = first_of(set); k < end_of(set); k++) {
		if (k->hands_off)
			continue;
		if (moved && k->id == SW_NR_SCHED_BATCH && pool_moved(set, k, now)) {
			if (k == set->turn)
				news = SW_TUNED_ANEW;
			*which = k;
		} else if (now->value[k->id] != k->value) {
			*which = k;
			return SW_TUNED_FOREIGN;
		}
	}
	return news;
}

bool sw_tuned_leave(struct sw_tuned_set *set, struct sw_tuned *k, int64_t now)
{
	if (k == first_of(set))
		return false;
	forget(k);
	k->hands_off = true;
	k->value = now;
	set->turn = first_of(set);
	return true;
}

void sw_tuned_undone(struct sw_tuned_set *set)
{
	struct sw_tuned *k;

	for (k = first_of(set); k < end_of(set); k++)
		if (!k->hands_off)
			k->value = sw_tuned_found(set, k);
}

void sw_tuned_text(const struct sw_tuned_set *set, char *text, unsigned int size)
{
	const struct sw_tuned *k;
	unsigned int used = 0;
	int n;

	if (size)
		text[0] = '\0';
	for (k = set->knob; k < set->knob + SW_TUNED; k++) {
		if (!set->original.present[k->id] || used >= size)
			continue;
		n = snprintf(text + used, size - used, "%s%s %lld (found %lld)", used ? ", " : "",
			     sw_tuned_name(k), (long long)sw_tuned_decided(k),
			     (long long)sw_tuned_found(set, k));
		used += n > 0 ? (unsigned int)n : 0;
	}
}
