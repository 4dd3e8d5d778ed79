// SPDX-License-Identifier: GPL-2.0-or-later
/* A disk whose knobs we hold: lock, recovery, baseline, writes, and letting go. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "held_disk.h"
#include "seekwise/base.h"

/* More than clocks that are read one after the other differ by. */
#define SLEPT_NS 1000000000

static int64_t suspended_ns(void)
{
	struct timespec boot;

	if (clock_gettime(CLOCK_BOOTTIME, &boot))
		return 0;
	return (int64_t)(boot.tv_sec * 1000000000LL + boot.tv_nsec - (int64_t)sw_now_ns());
}

void sw_held_init(struct sw_held_disk *h, const struct sw_disk *disk, const struct sw_gate *gate,
		  int max_errors)
{
	*h = (struct sw_held_disk){
		.disk = *disk, .gate = *gate, .max_errors = max_errors, .lock = -1
	};
}

static int permission_or_failed(int err)
{
	return err == -EACCES || err == -EPERM ? SW_NOT_PERMITTED : SW_FAILED;
}

static int take_lock(struct sw_held_disk *h, char *why, unsigned int why_size)
{
	long holder = 0;

	h->lock = sw_disk_lock(&h->disk, &holder);
	if (h->lock >= 0)
		return SW_OK;
	if (h->lock == -EBUSY) {
		snprintf(why, why_size, "another tuner holds it (process %ld)", holder);
		return SW_BUSY;
	}
	snprintf(why, why_size, "%s/%s.lock: %s", sw_roots.run, h->disk.name,
		 sw_strerror(-h->lock));
	return permission_or_failed(h->lock);
}

/* Puts back what a tuner that died left. SW_OK, or an exit code. */
static int recover(struct sw_held_disk *h, char *why, unsigned int why_size)
{
	int n = sw_baseline_restore(&h->disk);

	if (n >= 0)
		return SW_OK;
	snprintf(why, why_size, "what an earlier tuner changed cannot be put back: %s",
		 sw_strerror(-n));
	return permission_or_failed(n);
}

int sw_held_take(struct sw_held_disk *h, char *why, unsigned int why_size)
{
	int code = take_lock(h, why, why_size);

	return code ? code : recover(h, why, why_size);
}

int sw_held_begin(struct sw_held_disk *h, struct sw_settings *now, char *why, unsigned int why_size)
{
	int err;

	if (sw_disk_refresh(&h->disk)) {
		snprintf(why, why_size, "it is gone");
		return SW_FAILED;
	}
	if (!sw_tunable(&h->disk, &h->gate, why, why_size))
		return SW_NOTHING_TO_TUNE;
	err = sw_knobs_read(&h->disk, now);
	if (err) {
		snprintf(why, why_size, "its knobs cannot be read: %s", sw_strerror(-err));
		return SW_FAILED;
	}
	h->saved = false;
	h->suspended_ns = suspended_ns();
	return SW_OK;
}

enum sw_held_state sw_held_look(struct sw_held_disk *h, bool *slept, char *why,
				unsigned int why_size)
{
	int64_t now = suspended_ns();

	*slept = now - h->suspended_ns > SLEPT_NS;
	h->suspended_ns = now;
	if (sw_disk_refresh(&h->disk) || !h->disk.sectors) {
		snprintf(why, why_size, "the disk is gone");
		return SW_HELD_GONE;
	}
	if (sw_tunable(&h->disk, &h->gate, why, why_size))
		return SW_HELD_OURS;
	/* A scheduler switch has set all its knobs anew: no baseline to put back. */
	if (!h->gate.any_scheduler && strcmp(h->disk.scheduler, "mq-deadline"))
		sw_baseline_drop(&h->disk);
	else
		sw_baseline_restore(&h->disk);
	return SW_HELD_BARRED;
}

/* Saves the baseline before the first write. 0 or -errno. */
static int save_first(struct sw_held_disk *h, const struct sw_settings *original)
{
	int err = h->saved ? 0 : sw_baseline_save(&h->disk, original);

	if (!err)
		h->saved = true;
	return err;
}

static enum sw_held_write write_failed(struct sw_held_disk *h, enum sw_write_result result,
				       char *why, unsigned int why_size)
{
	switch (result) {
	case SW_FOREIGN:
		return SW_HELD_FOREIGN;
	case SW_GONE:
		snprintf(why, why_size, "the disk is gone");
		return SW_HELD_NEVER;
	case SW_PASSING:
		return SW_HELD_LATER;
	default:
		return ++h->errors < h->max_errors ? SW_HELD_LATER : SW_HELD_NEVER;
	}
}

static enum sw_held_write not_saved(int err, char *why, unsigned int why_size)
{
	snprintf(why, why_size, "the baseline cannot be saved in %s: %s", sw_roots.run,
		 sw_strerror(-err));
	return SW_HELD_NEVER;
}

enum sw_held_write sw_held_put(struct sw_held_disk *h, enum sw_knob_id id, int64_t from, int64_t to,
			       const struct sw_settings *original, char *why, unsigned int why_size)
{
	int err = save_first(h, original);
	enum sw_write_result result;
	uint64_t took = 0;

	if (!err)
		err = sw_baseline_note(&h->disk, id, to);
	if (err)
		return not_saved(err, why, why_size);
	result = sw_knob_write(&h->disk, id, from, to, original, why, why_size, &took);
	if (result != SW_WRITTEN && result != SW_UNCHANGED) {
		sw_log(SW_WARN, "%s: %s %lld -> %lld not written: %s", h->disk.name,
		       sw_knobs[id].name, (long long)from, (long long)to, why);
		return write_failed(h, result, why, why_size);
	}
	sw_log(SW_DEBUG, "%s: %s = %lld, written in %llu us", h->disk.name, sw_knobs[id].name,
	       (long long)to, (unsigned long long)took / 1000);
	h->errors = 0;
	return SW_HELD_WRITTEN;
}

enum sw_held_write sw_held_switch(struct sw_held_disk *h, const char *scheduler,
				  const struct sw_settings *original, struct sw_settings *now,
				  char *why, unsigned int why_size)
{
	enum sw_write_result result;
	int err = save_first(h, original);

	if (!err)
		err = sw_baseline_note_switch(&h->disk, scheduler);
	if (err)
		return not_saved(err, why, why_size);
	result = sw_scheduler_write(&h->disk, h->disk.scheduler, scheduler, why, why_size);
	if (result != SW_WRITTEN && result != SW_UNCHANGED) {
		sw_log(SW_WARN, "%s: scheduler %s -> %s not written: %s", h->disk.name,
		       h->disk.scheduler, scheduler, why);
		return write_failed(h, result, why, why_size);
	}
	sw_log(SW_DEBUG, "%s: scheduler = %s", h->disk.name, scheduler);
	h->errors = 0;
	if (sw_disk_refresh(&h->disk) || sw_knobs_read(&h->disk, now)) {
		snprintf(why, why_size, "the disk is gone");
		return SW_HELD_NEVER;
	}
	err = sw_baseline_switched(&h->disk, now);
	return err ? not_saved(err, why, why_size) : SW_HELD_WRITTEN;
}

bool sw_held_restore(struct sw_held_disk *h)
{
	if (h->saved && sw_baseline_restore(&h->disk) >= 0)
		h->saved = false;
	return !h->saved;
}

int sw_held_close(struct sw_held_disk *h, bool restore)
{
	int err = restore ? sw_baseline_restore(&h->disk) : 0;

	if (err < 0)
		sw_log(SW_ERROR,
		       "%s: the baseline is not back: %s; 'seekwise restore %s' tries again",
		       h->disk.name, sw_strerror(-err), h->disk.name);
	if (h->lock >= 0)
		close(h->lock);
	h->lock = -1;
	return err < 0 ? SW_FAILED : SW_OK;
}
