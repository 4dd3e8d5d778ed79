/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A disk whose knobs we hold: its lock, its baseline, and writing so that both
 * a clean end and a kill -9 can be made good.
 */
#ifndef SEEKWISE_HELD_DISK_H
#define SEEKWISE_HELD_DISK_H

#include "seekwise/disk.h"
#include "seekwise/gate.h"
#include "seekwise/knobs.h"

struct sw_held_disk {
	struct sw_disk disk;
	struct sw_gate gate;
	int max_errors;       /* lasting errors of writes in a row that end it */
	int lock;             /* -1: none */
	int errors;           /* so far */
	bool saved;           /* the baseline is on disk */
	int64_t suspended_ns; /* CLOCK_BOOTTIME ahead of CLOCK_MONOTONIC, at the last look */
};

/* Nothing is done to it yet. */
void sw_held_init(struct sw_held_disk *held, const struct sw_disk *disk, const struct sw_gate *gate,
		  int max_errors);

/*
 * Takes the lock and puts back what a tuner that died left. SW_OK, or an exit
 * code with one clause in `why` (SW_BUSY, SW_NOT_PERMITTED, SW_FAILED).
 */
int sw_held_take(struct sw_held_disk *held, char *why, unsigned int why_size);

/*
 * Begins (anew) with the settings in force, in *now, as the baseline to come.
 * SW_OK, or SW_NOTHING_TO_TUNE or SW_FAILED with one clause in `why`.
 */
int sw_held_begin(struct sw_held_disk *held, struct sw_settings *now, char *why,
		  unsigned int why_size);

enum sw_held_state {
	SW_HELD_OURS,
	SW_HELD_GONE,
	SW_HELD_BARRED, /* it may not be tuned any more; the baseline is back, or void */
};

/*
 * Is it still the same disk, and may it be tuned? If not, one clause in `why`.
 * *slept: the machine was suspended since the last look.
 */
enum sw_held_state sw_held_look(struct sw_held_disk *held, bool *slept, char *why,
				unsigned int why_size);

enum sw_held_write {
	SW_HELD_WRITTEN, /* it has the value */
	SW_HELD_LATER,   /* not for now; a line is in the log */
	SW_HELD_FOREIGN, /* somebody else's value is in force */
	SW_HELD_NEVER,   /* gone, too many lasting errors, or the baseline cannot be kept */
};

/*
 * Gives a knob the value `to` in place of `from`. The baseline, `original`, is
 * saved before the first write and each write noted in it before it is done.
 * `why`: one clause, but after SW_HELD_WRITTEN.
 */
enum sw_held_write sw_held_put(struct sw_held_disk *held, enum sw_knob_id id, int64_t from,
			       int64_t to, const struct sw_settings *original, char *why,
			       unsigned int why_size);

/*
 * Puts another scheduler in force, with the baseline as above. *now: the knobs as the kernel set
 * them then.
 */
enum sw_held_write sw_held_switch(struct sw_held_disk *held, const char *scheduler,
				  const struct sw_settings *original, struct sw_settings *now,
				  char *why, unsigned int why_size);

/* Puts the baseline back while the disk stays held: true when it is (or nothing was saved). */
bool sw_held_restore(struct sw_held_disk *held);

/*
 * Puts the baseline back, if `restore` is set, and lets go of the lock. SW_OK, or
 * SW_FAILED with a line in the log.
 */
int sw_held_close(struct sw_held_disk *held, bool restore);

#endif
