// SPDX-License-Identifier: GPL-2.0-or-later
/* What bears on a disk besides its knobs: the device's own depth, an array's resync. */
#include "sysfs.h"

void sw_around_read(const struct sw_disk *disk, struct sw_around *around)
{
	*around = (struct sw_around){ 0 };
	if (!sw_sys_name_ok(disk->name))
		return;
	around->queue_depth = sw_sys_number(0, "block/%s/device/queue_depth", disk->name);
	around->read_ahead_kb = sw_sys_number(0, "block/%s/queue/read_ahead_kb", disk->name);
	around->max_sectors_kb = sw_sys_number(0, "block/%s/queue/max_sectors_kb", disk->name);
	around->max_hw_sectors_kb =
		sw_sys_number(0, "block/%s/queue/max_hw_sectors_kb", disk->name);
	around->unthrottled = !sw_sys_number(1, "block/%s/queue/wbt_lat_usec", disk->name);
	if (sw_disk_resyncing(disk, around->array, sizeof(around->array)))
		around->sync_speed = sw_sys_number(0, "block/%s/md/sync_speed", around->array);
}
