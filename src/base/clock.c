// SPDX-License-Identifier: GPL-2.0-or-later
/* The clock that the kernel side uses as well. */
#include <time.h>

#include "seekwise/base.h"

uint64_t sw_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}
