/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A simulated disk as the user side has it: windows with what it measures, settling after writes.
 */
#ifndef SEEKWISE_SIM_DRIVEN_H
#define SEEKWISE_SIM_DRIVEN_H

#include "../../src/tune/gather.h"
#include "seekwise/controller.h"
#include "sim.h"

struct driven {
	struct sim *sim;
	struct sim_knobs knobs;
	uint64_t window_ns;
	uint64_t now_ns;
	struct sw_gather gather; /* of the settling under way, and what it has to wait for */
	bool deaf;               /* fifo_batch has no effect: what differs is chance */
};

/* False without memory. */
bool driven_begin(struct driven *d, const struct sim_disk *disk, const struct sim_knobs *knobs,
		  const struct sim_load *loads, unsigned int count, uint64_t seed);
void driven_end(struct driven *d);

/* Writes fifo_batch, where it is another one. */
void driven_write(struct driven *d, unsigned int fifo_batch);
/* Until what was there at the last write is gone. */
struct sw_sample driven_settle(struct driven *d);
struct sw_sample driven_window(struct driven *d);

/* A step of the controller: its window, and the next step with its write. */
struct sw_step driven_step(struct driven *d, struct sw_controller *c, const struct sw_step *step);

#endif
