// SPDX-License-Identifier: GPL-2.0-or-later
/* The service's loop: observes all disks, tunes those that it may. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <systemd/sd-daemon.h>

#include "seekwise/base.h"
#include "seekwise/daemon.h"
#include "seekwise/observe.h"
#include "seekwise/wait.h"

#define SECOND 1000000000ULL
/* Observed disks are looked at this often: for the state in words, and for losses. */
#define OBSERVE_NS (10 * SECOND)

struct member {
	struct sw_disk disk;
	struct sw_tuner *tuner; /* 0: observed only */
	enum sw_tuner_state state;
	uint64_t due_ns;
	uint64_t losses; /* said so far */
	bool gone;
	char verdict[256];
};

struct daemon {
	struct sw_observer *observer;
	struct member *members;
	int count;
	uint64_t watchdog_ns; /* half of what the service manager allows; 0: no watchdog */
	char status[512];     /* told last */
};

static uint64_t due_of(const struct member *m)
{
	if (m->tuner && m->state != SW_ENDED)
		return sw_tuner_due(m->tuner);
	return m->gone ? UINT64_MAX : m->due_ns;
}

/* One that is observed only: what bounds it, and losses once more each time they double. */
static void observe(struct member *m, const struct sw_window *w)
{
	struct sw_sample sample = sw_sample_of(w, SW_FIFO_BATCH, 0);
	uint64_t losses = sw_window_losses(w);

	m->due_ns = sw_now_ns() + OBSERVE_NS;
	if (sw_disk_refresh(&m->disk)) {
		sw_log(SW_WARN, "%s: the disk is gone", m->disk.name);
		m->gone = true;
		return;
	}
	sw_verdict_text(&sample, m->verdict, sizeof(m->verdict));
	if (losses && losses + m->losses >= 2 * m->losses)
		sw_log(sw_window_lossy(w) ? SW_WARN : SW_INFO,
		       "%s: %llu events were lost to the observer", m->disk.name,
		       (unsigned long long)losses);
	m->losses += losses;
}

static void step(struct daemon *d)
{
	struct sw_window window;
	struct member *m;
	int i;

	for (i = 0; i < d->count; i++) {
		m = &d->members[i];
		if (due_of(m) > sw_now_ns() || sw_observer_window(d->observer, i, &window))
			continue;
		if (m->tuner && m->state != SW_ENDED)
			m->state = sw_tuner_step(m->tuner, &window);
		else
			observe(m, &window);
	}
}

static int add_member_text(const struct member *m, char *text, size_t size)
{
	char values[128];

	if (m->gone)
		return snprintf(text, size, "%s gone", m->disk.name);
	if (!m->tuner)
		return snprintf(text, size, "%s observed%s%s", m->disk.name,
				m->verdict[0] ? ": " : "", m->verdict);
	if (sw_tuner_why(m->tuner)[0])
		return snprintf(text, size, "%s: %s", m->disk.name, sw_tuner_why(m->tuner));
	sw_tuner_values(m->tuner, values, sizeof(values));
	return snprintf(text, size, "%s %s%s", m->disk.name, values,
			m->state == SW_TUNING ? ", trying others" : "");
}

/* The state in words, when it changed. */
static void tell_status(struct daemon *d)
{
	char text[512] = "";
	size_t used = 0;
	int i, n;

	for (i = 0; i < d->count && used < sizeof(text); i++) {
		n = snprintf(text + used, sizeof(text) - used, "%s", i ? "; " : "");
		used += n > 0 ? n : 0;
		if (used >= sizeof(text))
			break;
		n = add_member_text(&d->members[i], text + used, sizeof(text) - used);
		used += n > 0 ? n : 0;
	}
	if (!strcmp(text, d->status))
		return;
	snprintf(d->status, sizeof(d->status), "%s", text);
	sd_notifyf(0, "STATUS=%s", d->status);
}

static uint64_t next_due(const struct daemon *d)
{
	uint64_t due = UINT64_MAX;
	int i;

	for (i = 0; i < d->count; i++)
		if (due_of(&d->members[i]) < due)
			due = due_of(&d->members[i]);
	if (d->watchdog_ns && sw_now_ns() + d->watchdog_ns < due)
		due = sw_now_ns() + d->watchdog_ns;
	return due;
}

static void loop(struct daemon *d)
{
	uint64_t usec = 0;

	if (sd_watchdog_enabled(0, &usec) > 0)
		d->watchdog_ns = usec * 1000 / 2;
	sd_notify(0, "READY=1");
	do {
		step(d);
		tell_status(d);
		if (d->watchdog_ns)
			sd_notify(0, "WATCHDOG=1");
	} while (!sw_is_end(sw_wait(next_due(d), -1)));
	sd_notify(0, "STOPPING=1");
}

/* Opens one disk's tuner. An exit code, after saying what is wrong. */
static int add_member(struct daemon *d, const struct sw_daemon_disk *disk)
{
	struct member *m = &d->members[d->count];
	char why[256];
	int code;

	m->disk = disk->disk;
	m->due_ns = sw_now_ns() + OBSERVE_NS;
	if (disk->tune) {
		code = sw_tuner_open(&m->tuner, &disk->disk, &disk->options, why, sizeof(why));
		if (code) {
			sw_log(SW_ERROR, "%s: %s", disk->disk.name, why);
			return code;
		}
	}
	d->count++;
	return SW_OK;
}

static int open_all(struct daemon *d, const struct sw_daemon_disk *disks, int count)
{
	struct sw_disk *observed = calloc(count, sizeof(*observed));
	char why[512];
	int i, code = SW_OK, err;

	d->members = calloc(count, sizeof(*d->members));
	if (!d->members || !observed) {
		sw_log(SW_ERROR, "%s", sw_strerror(ENOMEM));
		code = SW_FAILED;
	}
	for (i = 0; i < count && !code; i++) {
		observed[i] = disks[i].disk;
		code = add_member(d, &disks[i]);
	}
	if (!code) {
		err = sw_observer_open(&d->observer, observed, count, 0, why, sizeof(why));
		if (err) {
			sw_log(SW_ERROR, "cannot observe: %s", why);
			code = err == -EPERM ? SW_NOT_PERMITTED : SW_NO_OBSERVING;
		}
	}
	free(observed);
	return code;
}

int sw_daemon_run(struct sw_daemon_disk *disks, int count)
{
	struct daemon d = {};
	int i, code = open_all(&d, disks, count);

	if (!code)
		loop(&d);
	for (i = 0; i < d.count; i++)
		if (sw_tuner_close(d.members[i].tuner))
			code = SW_FAILED;
	sw_observer_close(d.observer);
	free(d.members);
	return code;
}
