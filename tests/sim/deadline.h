/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How mq-deadline chooses, of one priority class. */
#ifndef SEEKWISE_SIM_DEADLINE_H
#define SEEKWISE_SIM_DEADLINE_H

#include "sim.h"

struct sim_request {
	uint64_t start, len; /* bytes */
	unsigned int dir, task;
	unsigned int load; /* of which load it is, counted up */
	uint64_t insert_ns, issue_ns, deadline_ns;
	struct sim_request *older, *newer; /* of its direction, while held */
	unsigned int pieces_left;
};

/* Held requests of a direction, by age and by place. */
struct sim_side {
	struct sim_request *oldest, *newest;
	struct sim_request **sorted;
	unsigned int count;
	uint64_t position; /* start of the one chosen last */
};

struct sim_deadline {
	struct sim_side side[SIM_DIRS];
	unsigned int last_dir, batching, starved;
	/* counted */
	uint64_t batches, batched, full_batches, expired, wraps;
};

/* Room for that many requests; false without memory. */
bool sim_deadline_init(struct sim_deadline *dd, unsigned int room);
void sim_deadline_free(struct sim_deadline *dd);

void sim_deadline_insert(struct sim_deadline *dd, const struct sim_knobs *knobs,
			 struct sim_request *rq, uint64_t now);

/* The next request for the driver, taken out; NULL if nothing is held. */
struct sim_request *sim_deadline_choose(struct sim_deadline *dd, const struct sim_knobs *knobs,
					uint64_t now);

#endif
