/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One disk under tuning: windows go to its controller, steps go to its knob. */
#ifndef SEEKWISE_TUNER_H
#define SEEKWISE_TUNER_H

#include <stdbool.h>
#include <stdint.h>

#include "seekwise/controller.h"
#include "seekwise/disk.h"
#include "seekwise/gate.h"
#include "seekwise/knobs.h"
#include "seekwise/window.h"

struct sw_tuner;

struct sw_tuner_options {
	struct sw_gate gate;
	struct sw_limits limits;
	uint64_t window_ns; /* least length of a measuring window */
	bool dry_run;       /* say the first write of each disk instead of doing any */
	bool keep;          /* leave what was learned */
	bool patient;       /* a disk that cannot be tuned yet is waited for */
	/* Gets each line that is for the user, without a newline. */
	void (*say)(const char *line);
};

enum sw_tuner_state {
	SW_TUNING,
	SW_SETTLED, /* the search is over; it goes on when the load changes */
	SW_WAITING, /* cannot be tuned at the moment; tried again now and then */
	SW_ENDED,   /* gone, or hands off */
};

/*
 * Locks the disk and puts back what a crashed tuner left. Nothing is written
 * otherwise until the controller asks for it. SW_OK, or an exit code with one
 * sentence in `why` (SW_BUSY, SW_NOTHING_TO_TUNE, SW_NOT_PERMITTED, SW_FAILED).
 */
int sw_tuner_open(struct sw_tuner **tuner, const struct sw_disk *disk,
		  const struct sw_tuner_options *options, char *why, unsigned int why_size);

/* When the next window of this disk is to be taken, CLOCK_MONOTONIC. */
uint64_t sw_tuner_due(const struct sw_tuner *tuner);

/* To be called when it is due, with the disk's window since the last call. */
enum sw_tuner_state sw_tuner_step(struct sw_tuner *tuner, const struct sw_window *window);

/* Puts the baseline back (or keeps what was learned) and lets go. SW_OK or an exit code. */
int sw_tuner_close(struct sw_tuner *tuner);

/* The values by decision of the knobs that it tunes, as words: "fifo_batch 64 (found 16)". */
void sw_tuner_values(const struct sw_tuner *tuner, char *text, unsigned int size);
const char *sw_tuner_disk(const struct sw_tuner *tuner);
/* What holds it, or "": the last reason for not tuning. */
const char *sw_tuner_why(const struct sw_tuner *tuner);

/* What the controller of `knob` is told of a window under its `value` (sample.c). */
struct sw_sample sw_sample_of(const struct sw_window *window, enum sw_knob_id knob, int64_t value);

#endif
