/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The service's loop. */
#ifndef SEEKWISE_DAEMON_H
#define SEEKWISE_DAEMON_H

#include "seekwise/disk.h"
#include "seekwise/tuner.h"

/* A disk of the service: observed, or tuned with these options. */
struct sw_daemon_disk {
	struct sw_disk disk;
	bool tune;
	struct sw_tuner_options options;
};

/*
 * Observes and tunes until a signal ends it; tells the service manager when it
 * is ready, that it is alive, and its state in words. An exit code.
 */
int sw_daemon_run(struct sw_daemon_disk *disks, int count);

#endif
