/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All disks under tuning, with their one observer. */
#ifndef SEEKWISE_FLEET_H
#define SEEKWISE_FLEET_H

#include "seekwise/tuner.h"

struct sw_fleet;

/*
 * Observes the disks and opens a tuner for each that can be tuned. With
 * `explain`, each that cannot is said with its reason (sw_log). SW_OK when at
 * least one can; else the exit code of the last that cannot.
 */
int sw_fleet_open(struct sw_fleet **fleet, const struct sw_disk *disks, int count,
		  const struct sw_tuner_options *options, bool explain);

/* When the next disk is due, CLOCK_MONOTONIC. */
uint64_t sw_fleet_due(const struct sw_fleet *fleet);

/* Steps every disk that is due. */
void sw_fleet_step(struct sw_fleet *fleet);

/* Disks that are still tuned; with `once`, those whose search is not over. */
int sw_fleet_active(const struct sw_fleet *fleet, bool once);

/* Have all disks ended by themselves (gone, taken over)? */
bool sw_fleet_gone(const struct sw_fleet *fleet);

int sw_fleet_count(const struct sw_fleet *fleet);
const struct sw_tuner *sw_fleet_tuner(const struct sw_fleet *fleet, int i);

/* Closes all tuners, which puts the baselines back. SW_OK or an exit code. */
int sw_fleet_close(struct sw_fleet *fleet);

#endif
