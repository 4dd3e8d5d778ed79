// SPDX-License-Identifier: GPL-2.0-or-later
/* All disks under tuning, with their one observer. */
#include <errno.h>
#include <stdlib.h>

#include "seekwise/base.h"
#include "seekwise/fleet.h"
#include "seekwise/observe.h"

struct member {
	struct sw_tuner *tuner;
	enum sw_tuner_state state;
};

struct sw_fleet {
	struct sw_observer *observer;
	struct member *members;
	struct sw_disk *disks;
	int count;
	bool dry_run;
};

static int open_tuners(struct sw_fleet *f, const struct sw_disk *disks, int count,
		       const struct sw_tuner_options *options, bool explain)
{
	int i, code, last = SW_NOTHING_TO_TUNE;
	char why[256];

	for (i = 0; i < count; i++) {
		code = sw_tuner_open(&f->members[f->count].tuner, &disks[i], options, why,
				     sizeof(why));
		if (!code) {
			f->disks[f->count++] = disks[i];
			continue;
		}
		last = code;
		sw_log(explain || code != SW_NOTHING_TO_TUNE ? SW_ERROR : SW_DEBUG,
		       "%s: not tuned: %s", disks[i].name, why);
	}
	if (!f->count && last == SW_NOTHING_TO_TUNE && !explain)
		sw_log(SW_ERROR, "nothing to tune: no rotational disk with mq-deadline here; "
				 "'seekwise check' tells more");
	return f->count ? SW_OK : last;
}

int sw_fleet_open(struct sw_fleet **fleet, const struct sw_disk *disks, int count,
		  const struct sw_tuner_options *options, bool explain)
{
	struct sw_fleet *f = calloc(1, sizeof(*f));
	char why[512];
	int code = SW_FAILED, err;

	*fleet = NULL;
	if (f) {
		f->members = calloc(count, sizeof(*f->members));
		f->disks = calloc(count, sizeof(*f->disks));
		f->dry_run = options->dry_run;
	}
	if (!f || !f->members || !f->disks) {
		sw_log(SW_ERROR, "%s", sw_strerror(ENOMEM));
		goto fail;
	}
	code = open_tuners(f, disks, count, options, explain);
	if (code)
		goto fail;
	err = sw_observer_open(&f->observer, f->disks, f->count, 0, why, sizeof(why));
	if (err) {
		sw_log(SW_ERROR, "cannot observe: %s", why);
		code = err == -EPERM ? SW_NOT_PERMITTED : SW_NO_OBSERVING;
		goto fail;
	}
	*fleet = f;
	return SW_OK;
fail:
	sw_fleet_close(f);
	return code;
}

uint64_t sw_fleet_due(const struct sw_fleet *f)
{
	uint64_t due = UINT64_MAX;
	int i;

	for (i = 0; i < f->count; i++)
		if (sw_tuner_due(f->members[i].tuner) < due)
			due = sw_tuner_due(f->members[i].tuner);
	return due;
}

void sw_fleet_step(struct sw_fleet *f)
{
	struct sw_window window;
	int i;

	for (i = 0; i < f->count; i++) {
		if (sw_tuner_due(f->members[i].tuner) > sw_now_ns())
			continue;
		if (!sw_observer_window(f->observer, i, &window))
			f->members[i].state = sw_tuner_step(f->members[i].tuner, &window);
	}
}

int sw_fleet_active(const struct sw_fleet *f, bool once)
{
	int i, active = 0;

	for (i = 0; i < f->count; i++)
		active += f->members[i].state != SW_ENDED &&
			  !(once && f->members[i].state == SW_SETTLED);
	return active;
}

bool sw_fleet_gone(const struct sw_fleet *f)
{
	return !f->dry_run && !sw_fleet_active(f, false);
}

int sw_fleet_count(const struct sw_fleet *f)
{
	return f->count;
}

const struct sw_tuner *sw_fleet_tuner(const struct sw_fleet *f, int i)
{
	return f->members[i].tuner;
}

int sw_fleet_close(struct sw_fleet *f)
{
	int i, code = SW_OK;

	if (!f)
		return SW_OK;
	for (i = 0; i < f->count; i++)
		if (sw_tuner_close(f->members[i].tuner))
			code = SW_FAILED;
	sw_observer_close(f->observer);
	free(f->members);
	free(f->disks);
	free(f);
	return code;
}
