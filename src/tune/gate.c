// SPDX-License-Identifier: GPL-2.0-or-later
/* Disks that are left alone whatever their load. */
#include <stdio.h>
#include <string.h>

#include "seekwise/gate.h"
#include "seekwise/knobs.h"

bool sw_tunable(const struct sw_disk *disk, const struct sw_gate *gate, char *why,
		unsigned int why_size)
{
	struct sw_settings settings;
	char array[SW_DISK_NAME];

	if (!disk->sectors)
		snprintf(why, why_size, "it has no medium");
	else if (strcmp(disk->zoned, "none") && disk->zoned[0])
		/* Before the scheduler: no other one would change it. */
		snprintf(why, why_size, "it is zoned (%s): observed only", disk->zoned);
	else if (!(gate && gate->any_scheduler) && strcmp(disk->scheduler, "mq-deadline"))
		snprintf(why, why_size, "its scheduler is %s, and only mq-deadline is tuned",
			 disk->scheduler);
	else if (!disk->rotational && !(gate && gate->any_rotation))
		snprintf(why, why_size,
			 "there are no seeks to save on a non-rotational disk (--any-rotation "
			 "overrules that)");
	else if (sw_disk_resyncing(disk, array, sizeof(array)) > 0)
		snprintf(why, why_size, "%s, of which it is a member, is being resynchronised",
			 array);
	else if (!(gate && gate->any_scheduler) &&
		 (sw_knobs_read(disk, &settings) || !settings.present[SW_FIFO_BATCH]))
		snprintf(why, why_size, "its knob fifo_batch cannot be read");
	else
		return true;
	return false;
}
