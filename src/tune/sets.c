// SPDX-License-Identifier: GPL-2.0-or-later
/* Settings as users name them. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "seekwise/base.h"
#include "seekwise/sets.h"

/* Names of all knobs; async_depth has two places, and is named once. */
static void known_knobs(char *text, size_t size)
{
	size_t used = 0;
	int i;

	text[0] = '\0';
	for (i = 0; i < SW_KNOBS; i++)
		if (i != SW_ASYNC_DEPTH_OLD && used < size)
			used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
						 sw_knobs[i].name);
}

static int parse_scheduler(const char *name, struct sw_set *set, char *why, size_t why_size)
{
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_");

	if (set->named_scheduler)
		snprintf(why, why_size, "scheduler is named twice");
	else if (!n || name[n] || n >= sizeof(set->scheduler))
		snprintf(why, why_size, "scheduler '%s': not a scheduler's name", name);
	else {
		set->named_scheduler = true;
		memcpy(set->scheduler, name, n + 1);
		return 0;
	}
	return -EINVAL;
}

static int parse_one(const char *item, struct sw_set *set, char *why, size_t why_size)
{
	const char *equals = strchr(item, '=');
	char name[64], known[256];
	uint64_t value;
	int id = -1;

	if (!strncmp(item, "scheduler=", 10))
		return parse_scheduler(item + 10, set, why, why_size);
	if (equals && (size_t)(equals - item) < sizeof(name)) {
		snprintf(name, sizeof(name), "%.*s", (int)(equals - item), item);
		id = sw_knob_find(name);
	}
	if (!equals) {
		snprintf(why, why_size, "'%s' is not of the form knob=value", item);
	} else if (id < 0) {
		known_knobs(known, sizeof(known));
		snprintf(why, why_size, "'%.*s' is no knob; there are scheduler, %s",
			 (int)(equals - item), item, known);
	} else if (set->named[id]) {
		snprintf(why, why_size, "%s is named twice", sw_knobs[id].name);
	} else if (sw_parse_u64(equals + 1, (uint64_t)sw_knobs[id].min, (uint64_t)sw_knobs[id].max,
				&value)) {
		snprintf(why, why_size, "%s '%s': not a whole number from %" PRId64 " to %" PRId64,
			 sw_knobs[id].name, equals + 1, sw_knobs[id].min, sw_knobs[id].max);
	} else {
		set->named[id] = true;
		set->value[id] = (int64_t)value;
		return 0;
	}
	return -EINVAL;
}

/* Its own knobs exist under no other scheduler. */
static int check_knobs(const struct sw_set *set, char *why, size_t why_size)
{
	int i;

	if (!set->named_scheduler || !strcmp(set->scheduler, "mq-deadline"))
		return 0;
	for (i = 0; i < SW_KNOBS; i++)
		if (set->named[i] && sw_knob_is_schedulers(i)) {
			snprintf(why, why_size, "%s is of mq-deadline, not of %s", sw_knobs[i].name,
				 set->scheduler);
			return -EINVAL;
		}
	return 0;
}

int sw_set_parse(const char *text, struct sw_set *set, char *why, size_t why_size)
{
	char item[256];
	size_t n;
	int err;

	memset(set, 0, sizeof(*set));
	do {
		n = strcspn(text, ",");
		if (n >= sizeof(item)) {
			snprintf(why, why_size, "it is too long");
			return -EINVAL;
		}
		memcpy(item, text, n);
		item[n] = '\0';
		err = parse_one(item, set, why, why_size);
		text += n;
	} while (!err && *text++ == ',');
	return err ? err : check_knobs(set, why, why_size);
}

/* The other place of async_depth, where it is named and not there. */
static void move_depth(struct sw_set *set, const struct sw_settings *found, enum sw_knob_id from,
		       enum sw_knob_id to)
{
	if (!set->named[from] || found->present[from] || !found->present[to])
		return;
	set->named[from] = false;
	set->named[to] = true;
	set->value[to] = set->value[from];
}

int sw_set_fit(struct sw_set *set, const struct sw_settings *found, const char *scheduler,
	       char *why, size_t why_size)
{
	bool other = set->named_scheduler && strcmp(set->scheduler, scheduler);
	int i;

	if (!set->named_scheduler)
		snprintf(set->scheduler, sizeof(set->scheduler), "%s", scheduler);
	if (other)
		return 0;
	move_depth(set, found, SW_ASYNC_DEPTH, SW_ASYNC_DEPTH_OLD);
	move_depth(set, found, SW_ASYNC_DEPTH_OLD, SW_ASYNC_DEPTH);
	for (i = 0; i < SW_KNOBS; i++) {
		if (!set->named[i]) {
			set->value[i] = found->value[i];
		} else if (!found->present[i]) {
			snprintf(why, why_size, "it has no %s", sw_knobs[i].name);
			return -ENOENT;
		}
	}
	return 0;
}

bool sw_set_equal(const struct sw_set *a, const struct sw_set *b)
{
	int i;

	if (a->named_scheduler != b->named_scheduler ||
	    (a->named_scheduler && strcmp(a->scheduler, b->scheduler)))
		return false;
	for (i = 0; i < SW_KNOBS; i++)
		if (a->named[i] != b->named[i] || (a->named[i] && a->value[i] != b->value[i]))
			return false;
	return true;
}

void sw_set_text(const struct sw_set *set, char *text, size_t size)
{
	size_t used = 0;
	int i;

	text[0] = '\0';
	if (set->named_scheduler)
		used = (size_t)snprintf(text, size, "scheduler=%s", set->scheduler);
	for (i = 0; i < SW_KNOBS; i++)
		if (set->named[i] && used < size)
			used += (size_t)snprintf(text + used, size - used, "%s%s=%" PRId64,
						 used ? "," : "", sw_knobs[i].name, set->value[i]);
}
