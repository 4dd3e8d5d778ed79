/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings as users name them: knob=value[,knob=value]. */
#ifndef SEEKWISE_SETS_H
#define SEEKWISE_SETS_H

#include "seekwise/knobs.h"

struct sw_set {
	int64_t value[SW_KNOBS];
	bool named[SW_KNOBS]; /* the others keep what was found */
};

/* Knobs by name or by file, values within their bounds. 0, or -EINVAL with one clause in `why`. */
int sw_set_parse(const char *text, struct sw_set *set, char *why, size_t why_size);
/*
 * Fits it to a disk whose settings were found to be `found`: async_depth is where this kernel has
 * it, and each knob has a value then. 0, or -ENOENT with one clause in `why`.
 */
int sw_set_fit(struct sw_set *set, const struct sw_settings *found, char *why, size_t why_size);
bool sw_set_equal(const struct sw_set *a, const struct sw_set *b);
/* As it was named: "fifo_batch=16,read_expire=100". */
void sw_set_text(const struct sw_set *set, char *text, size_t size);

#endif
