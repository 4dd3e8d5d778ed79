/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The daemon's configuration file (packaging/seekwise.conf explains it). */
#ifndef SEEKWISE_CONFIG_H
#define SEEKWISE_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#define SW_CONFIG_DISKS 256

struct sw_config_disk {
	char section[64];
	char what[256]; /* name, path or mount point; "all" */
	bool tune, any_rotation, keep;
	uint64_t window_ns;
};

struct sw_config {
	struct sw_config_disk disks[SW_CONFIG_DISKS];
	int count;
};

/*
 * Reads the file. 0, or -errno with one sentence in `why`, which names the
 * file, the line and what is allowed (-EINVAL: what is written there).
 */
int sw_config_read(const char *path, struct sw_config *config, char *why, unsigned int why_size);

#endif
