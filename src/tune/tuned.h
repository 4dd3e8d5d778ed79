/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The knobs of one disk that are tuned, one after the other, each with its controller. */
#ifndef SEEKWISE_TUNED_H
#define SEEKWISE_TUNED_H

#include "seekwise/controller.h"
#include "seekwise/knobs.h"
#include "seekwise/window.h"

#define SW_TUNED 2

struct sw_tuned {
	enum sw_knob_id id;
	struct sw_controller *controller; /* 0: it had no turn yet */
	int64_t value;                    /* as far as we know */
	bool hands_off;                   /* somebody else wrote it */
};

struct sw_tuned_set {
	struct sw_tuned knob[SW_TUNED];
	struct sw_tuned *turn; /* whose turn it is */
	struct sw_settings original;
	struct sw_limits limits;
};

/* Begins anew with the settings in force as the originals. 0 or -ENOMEM. */
int sw_tuned_start(struct sw_tuned_set *set, const struct sw_settings *settings,
		   const struct sw_limits *limits);
void sw_tuned_free(struct sw_tuned_set *set);

/*
 * Gives the turn to the next knob that the window has evidence for. Returns
 * whether that one was never searched: the originals' search is not over then.
 */
bool sw_tuned_next(struct sw_tuned_set *set, const struct sw_window *window);

enum sw_tuned_news {
	SW_TUNED_SAME,
	SW_TUNED_ANEW, /* nr_requests moved: the search over *which, whose turn it is, begins anew
			*/
	SW_TUNED_FOREIGN, /* somebody else wrote *which */
};

/* Whether the knobs are as we left them. What only followed nr_requests is nobody's writing. */
enum sw_tuned_news sw_tuned_look(struct sw_tuned_set *set, const struct sw_settings *now,
				 struct sw_tuned **which);

/* Leaves a knob to whom it belongs now. False: it is the first, and nothing is left to tune. */
bool sw_tuned_leave(struct sw_tuned_set *set, struct sw_tuned *k, int64_t now);

/* The originals are in force again. */
void sw_tuned_undone(struct sw_tuned_set *set);

/* The value by decision, not that of a candidate under trial. */
int64_t sw_tuned_decided(const struct sw_tuned *k);
int64_t sw_tuned_found(const struct sw_tuned_set *set, const struct sw_tuned *k);
const char *sw_tuned_name(const struct sw_tuned *k);

/* "fifo_batch 64 (found 16)", for each that this disk has. */
void sw_tuned_text(const struct sw_tuned_set *set, char *text, unsigned int size);

#endif
