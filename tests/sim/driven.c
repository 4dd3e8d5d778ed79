// SPDX-License-Identifier: GPL-2.0-or-later
/* A simulated disk as the user side has it. */
#include "driven.h"

#include <string.h>

bool driven_begin(struct driven *d, const struct sim_disk *disk, const struct sim_knobs *knobs,
		  const struct sim_load *loads, unsigned int count, uint64_t seed)
{
	memset(d, 0, sizeof(*d));
	d->knobs = *knobs;
	d->window_ns = UINT64_C(2000000000);
	d->sim = sim_new(disk, knobs, loads, count, seed);
	return d->sim;
}

void driven_end(struct driven *d)
{
	sim_free(d->sim);
	d->sim = NULL;
}

void driven_write(struct driven *d, unsigned int fifo_batch)
{
	if (fifo_batch == d->knobs.fifo_batch)
		return;
	d->knobs.fifo_batch = fifo_batch;
	if (!d->deaf)
		sim_set(d->sim, &d->knobs);
}

/* Both directions' means together, by their numbers. */
static double both(double read, uint64_t reads, double write, uint64_t writes)
{
	double n = (double)(reads + writes);

	return n > 0 ? (read * (double)reads + write * (double)writes) / n : -1;
}

/* As sw_sample_of has it from a real window. */
static struct sw_sample sample_of(const struct driven *d, const struct sim_window *w)
{
	const struct sim_dir_window *r = &w->dir[SIM_READ], *wr = &w->dir[SIM_WRITE];
	struct sw_sample s = { .seconds = w->seconds, .busy_seconds = w->busy_share * w->seconds };
	double total = both(r->total_us, r->ios, wr->total_us, wr->ios);

	s.ios = r->ios + wr->ios;
	s.bytes = r->bytes + wr->bytes;
	s.sync_ios = r->ios;
	s.sync_p99_us = r->ios ? r->total_p99_us : -1;
	s.held_mean = s.held_max = w->held_mean;
	s.device_mean = w->device_mean;
	s.wait_mean_us = both(r->wait_us, r->issued, wr->wait_us, wr->issued);
	s.service_mean_us = total > s.wait_mean_us ? total - s.wait_mean_us : 0;
	s.batch_mean = w->batches ? (double)w->batched / (double)w->batches : -1;
	s.full_share = w->batched
			       ? (double)w->full_batches * d->knobs.fifo_batch / (double)w->batched
			       : -1;
	return s;
}

static struct sim_window run(struct driven *d, uint64_t ns)
{
	struct sw_window part = { .start_ns = d->now_ns, .end_ns = d->now_ns + ns };
	struct sim_window w;

	sim_run(d->sim, (double)ns / 1e9, &w);
	d->now_ns += ns;
	part.sum.completed.dir[SW_READ].ios = w.dir[SIM_READ].ios;
	part.sum.completed.dir[SW_WRITE].ios = w.dir[SIM_WRITE].ios;
	part.held_now = w.held_now;
	part.device_now = w.device_now;
	sw_gather_add(&d->gather, &part);
	return w;
}

struct sw_sample driven_settle(struct driven *d)
{
	struct sim_window w;

	d->gather.to_leave = sw_gather_outstanding(&d->gather);
	d->gather.begun = false;
	do
		w = run(d, sw_gather_part_ns(d->window_ns));
	while (!sw_gather_settled(&d->gather));
	return sample_of(d, &w);
}

struct sw_sample driven_window(struct driven *d)
{
	struct sim_window w;

	d->gather.begun = false;
	w = run(d, d->window_ns);
	return sample_of(d, &w);
}

struct sw_step driven_step(struct driven *d, struct sw_controller *c, const struct sw_step *step)
{
	struct sw_sample sample =
		step->kind == SW_STEP_SETTLE ? driven_settle(d) : driven_window(d);
	struct sw_step next = sw_controller_step(c, &sample);

	driven_write(d, (unsigned int)next.value);
	return next;
}
