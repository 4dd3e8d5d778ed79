/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A disk with mq-deadline before it, simulated: loads come, the scheduler chooses, the
 * model of tests/disk serves. Thousands of seconds of disk time in one of ours, and the
 * same ones for the same seed.
 *
 * Left out: merging, priorities, requests put at the head, and the time that the kernel
 * itself takes, but for one lag. A pass takes requests one by one, as a driver
 * with free tags does.
 */
#ifndef SEEKWISE_SIM_H
#define SEEKWISE_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "../disk/model.h"

enum { SIM_READ, SIM_WRITE, SIM_DIRS };

/* The kernel's defaults: sim_knobs_default. */
struct sim_knobs {
	unsigned int fifo_batch, writes_starved;
	unsigned int nr_requests; /* in the scheduler and in the device together */
	unsigned int async_depth; /* beyond it no write comes in */
	double expire_ms[SIM_DIRS];
};

struct sim_disk {
	struct md_config model;
	unsigned int tags; /* requests that the driver takes at once */
	double lag_us;     /* from a completion to what its task submits next, on average */
};

/* One task. */
struct sim_load {
	unsigned int depth; /* requests on their way at once: a closed loop */
	double rate;        /* or that many a second, whatever the disk does; 0: closed */
	uint64_t size;      /* bytes of each request */
	uint64_t from, to;  /* where, in bytes */
	double reads;       /* their share of the requests */
	bool sequential;    /* from a random place on, round and round */
};

struct sim_dir_window {
	uint64_t ios, bytes;
	uint64_t issued;
	double wait_us; /* mean, insert to issue */
	double total_us, total_p99_us;
};

/* What came to pass between two calls of sim_run. */
struct sim_window {
	double seconds;
	double busy_share; /* of the time with something in the device */
	double held_mean, device_mean;
	unsigned int held_now, device_now; /* at its end */
	double full_share;                 /* of the time with nr_requests there */
	uint64_t batches, batched;         /* direction batches that ended, and their requests */
	uint64_t full_batches;             /* that ended with fifo_batch requests */
	uint64_t expired, wraps;
	struct sim_dir_window dir[SIM_DIRS];
};

void sim_knobs_default(struct sim_knobs *knobs);

struct sim;

/* Copies all of it. NULL without memory, or where the model contradicts itself. */
struct sim *sim_new(const struct sim_disk *disk, const struct sim_knobs *knobs,
		    const struct sim_load *loads, unsigned int count, uint64_t seed);
void sim_free(struct sim *sim);

/* As a write to sysfs: for what is chosen, or comes in, from then on. */
void sim_set(struct sim *sim, const struct sim_knobs *knobs);

/* The load becomes another one: what is on its way stays so. */
void sim_load_set(struct sim *sim, const struct sim_load *loads, unsigned int count);

/* That many seconds of disk time on. */
void sim_run(struct sim *sim, double seconds, struct sim_window *window);

#endif
