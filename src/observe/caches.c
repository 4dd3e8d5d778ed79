// SPDX-License-Identifier: GPL-2.0-or-later
/* Which CPUs share a last-level cache, from sysfs. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "seekwise/base.h"
#include "observer.h"

#define CACHES 8 /* of one CPU: no machine has more */

/* The lowest CPU that shares the CPU's largest cache, -1 if that is not told. */
static int cache_of(int cpu)
{
	char path[PATH_MAX], text[256];
	int i;

	for (i = CACHES - 1; i >= 0; i--) {
		snprintf(path, sizeof(path),
			 "%s/devices/system/cpu/cpu%d/cache/index%d/shared_cpu_list", sw_roots.sys,
			 cpu, i);
		if (sw_read_file(path, text, sizeof(text)) > 0)
			return atoi(text);
	}
	return -1;
}

bool sw_caches_read(uint16_t caches[SW_LLC_CPUS], int cpus)
{
	bool known = false;
	int cpu, cache;

	for (cpu = 0; cpu < SW_LLC_CPUS; cpu++) {
		cache = cpu < cpus ? cache_of(cpu) : -1;
		known |= cache >= 0;
		/* One that is off, or does not tell, shares with nobody. */
		caches[cpu] = cache >= 0 ? cache : cpu;
	}
	return known;
}
