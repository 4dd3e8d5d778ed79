/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings compared on a live disk: steps as of the tuner (tuner.h), and no decision. */
#ifndef SEEKWISE_LIVE_TRIAL_H
#define SEEKWISE_LIVE_TRIAL_H

#include "seekwise/comparison.h"
#include "seekwise/disk.h"
#include "seekwise/sets.h"
#include "seekwise/window.h"

struct sw_live_trial;

struct sw_live_options {
	struct sw_set set[SW_COMPARED];
	int sets;
	enum sw_metric metric;
	int pairs;          /* as of sw_comparison_begin */
	uint64_t window_ns; /* length of a measuring window, at least */
	/* Gets each line on the way, without a newline. */
	void (*say)(const char *line);
};

/*
 * Locks the disk and puts back what a tuner that died left. SW_OK, or an exit code with one
 * sentence in `why` (SW_BUSY, SW_NOTHING_TO_TUNE, SW_NOT_PERMITTED, SW_FAILED).
 */
int sw_live_open(struct sw_live_trial **trial, const struct sw_disk *disk,
		 const struct sw_live_options *options, char *why, unsigned int why_size);
/* When the next window is to be taken, CLOCK_MONOTONIC. */
uint64_t sw_live_due(const struct sw_live_trial *trial);
/* To be called when it is due, with the window since the last call. False: it is over. */
bool sw_live_step(struct sw_live_trial *trial, const struct sw_window *window);
/* Puts the baseline back, and lets go of the disk. SW_OK or an exit code. */
int sw_live_release(struct sw_live_trial *trial);
/* Why it ended before its end; "": it did not. */
const char *sw_live_why(const struct sw_live_trial *trial);
/*
 * After sw_live_release. Under the scheduler that was found, knobs that a set does not
 * name have the value that was found.
 */
const struct sw_comparison *sw_live_result(const struct sw_live_trial *trial);
const struct sw_set *sw_live_set(const struct sw_live_trial *trial, int i);
void sw_live_free(struct sw_live_trial *trial);

#endif
