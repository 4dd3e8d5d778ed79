/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings as users name them: knob=value[,knob=value], and scheduler=name among them. */
#ifndef SEEKWISE_SETS_H
#define SEEKWISE_SETS_H

#include "seekwise/knobs.h"

struct sw_set {
	int64_t value[SW_KNOBS];
	bool named[SW_KNOBS]; /* the others keep what was found */
	char scheduler[32];
	bool named_scheduler;
};

/* Knobs by name or by file, values within their bounds. 0, or -EINVAL with one clause in `why`. */
int sw_set_parse(const char *text, struct sw_set *set, char *why, size_t why_size);
/*
 * Fits it to a disk that was found with the settings `found` and that scheduler: async_depth is
 * where this kernel has it, and what is not named is as it was found. What another scheduler has
 * shows only when it is in force. 0, or -ENOENT with one clause in `why`.
 */
int sw_set_fit(struct sw_set *set, const struct sw_settings *found, const char *scheduler,
	       char *why, size_t why_size);
bool sw_set_equal(const struct sw_set *a, const struct sw_set *b);
/* As it was named: "scheduler=mq-deadline,fifo_batch=16". */
void sw_set_text(const struct sw_set *set, char *text, size_t size);

#endif
