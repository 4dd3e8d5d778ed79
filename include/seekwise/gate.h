/* SPDX-License-Identifier: GPL-2.0-or-later */
/* May a disk be tuned at all? The verdict on its load comes later (controller.h). */
#ifndef SEEKWISE_GATE_H
#define SEEKWISE_GATE_H

#include <stdbool.h>

#include "seekwise/disk.h"

struct sw_gate {
	bool any_rotation;  /* tune disks that call themselves non-rotational as well */
	bool any_scheduler; /* schedulers are compared: mq-deadline need not be in force */
};

/* `gate` may be 0. If not, one clause of why not in `why`. */
bool sw_tunable(const struct sw_disk *disk, const struct sw_gate *gate, char *why,
		unsigned int why_size);

#endif
