// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the trees are that are read and written. */
#include <stdlib.h>

#include "seekwise/base.h"

struct sw_roots sw_roots = {
	.sys = "/sys",
	.dev = "/dev",
	.proc = "/proc",
	.run = "/run/seekwise",
};

/* secure_getenv: whoever starts a setuid copy must not choose what root writes. */
static void take(const char *variable, const char **root)
{
	const char *value = secure_getenv(variable);

	if (value && *value)
		*root = value;
}

void sw_roots_init(void)
{
	take("SEEKWISE_SYSFS", &sw_roots.sys);
	take("SEEKWISE_DEV", &sw_roots.dev);
	take("SEEKWISE_PROC", &sw_roots.proc);
	take("SEEKWISE_RUN", &sw_roots.run);
}
