// SPDX-License-Identifier: GPL-2.0-or-later
/* Windows of a disk whose knobs change: until requests from before are gone, until there are
 * enough. */
#include "gather.h"

/* A window with too few requests goes on up to this many times its length. */
#define LONGEST_WINDOW 5
/* Settling ends at the latest after this, whatever is still held from before. */
#define SETTLE_MAX_NS (10ULL * 1000000000)

void sw_gather_add(struct sw_gather *gather, const struct sw_window *part)
{
	if (gather->begun)
		sw_window_add(&gather->window, part);
	else
		gather->window = *part;
	gather->begun = true;
}

uint64_t sw_gather_outstanding(const struct sw_gather *gather)
{
	return gather->window.held_now + gather->window.device_now;
}

uint64_t sw_gather_part_ns(uint64_t window_ns)
{
	return window_ns / 4;
}

static uint64_t done(const struct sw_gather *gather)
{
	const struct sw_completed_dir *co = gather->window.sum.completed.dir;

	return co[SW_READ].ios + co[SW_WRITE].ios;
}

static uint64_t length(const struct sw_gather *gather)
{
	return gather->window.end_ns - gather->window.start_ns;
}

bool sw_gather_settled(const struct sw_gather *gather)
{
	return done(gather) >= gather->to_leave || length(gather) >= SETTLE_MAX_NS;
}

bool sw_gather_measured(const struct sw_gather *gather, uint64_t window_ns, uint64_t min_ios)
{
	if (length(gather) + window_ns / 8 < window_ns)
		return false;
	return done(gather) >= min_ios || length(gather) >= LONGEST_WINDOW * window_ns;
}
