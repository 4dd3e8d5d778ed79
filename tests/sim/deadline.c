// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The choice of block/mq-deadline.c, __dd_dispatch_request(), as it is since 6.5: a batch
 * goes on from the start of the request chosen last, and a new one begins with the oldest
 * request if that has expired or nothing lies above.
 */
#include "deadline.h"

#include <stdlib.h>
#include <string.h>

bool sim_deadline_init(struct sim_deadline *dd, unsigned int room)
{
	unsigned int dir;

	memset(dd, 0, sizeof(*dd));
	/* As dd_init_sched() leaves it. */
	dd->last_dir = SIM_WRITE;
	for (dir = 0; dir < SIM_DIRS; dir++) {
		dd->side[dir].sorted = calloc(room, sizeof(*dd->side[dir].sorted));
		if (!dd->side[dir].sorted)
			return false;
	}
	return true;
}

void sim_deadline_free(struct sim_deadline *dd)
{
	unsigned int dir;

	for (dir = 0; dir < SIM_DIRS; dir++)
		free(dd->side[dir].sorted);
}

/* The place among the sorted of the first that starts at or above `start`. */
static unsigned int place_of(const struct sim_side *side, uint64_t start)
{
	unsigned int low = 0, high = side->count, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (side->sorted[middle]->start < start)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void sim_deadline_insert(struct sim_deadline *dd, const struct sim_knobs *knobs,
			 struct sim_request *rq, uint64_t now)
{
	struct sim_side *side = &dd->side[rq->dir];
	/* Behind its equals, as in the kernel's tree. */
	unsigned int at = place_of(side, rq->start + 1);

	memmove(side->sorted + at + 1, side->sorted + at,
		(side->count - at) * sizeof(*side->sorted));
	side->sorted[at] = rq;
	side->count++;
	rq->insert_ns = now;
	rq->deadline_ns = now + (uint64_t)(knobs->expire_ms[rq->dir] * 1e6);
	rq->newer = NULL;
	rq->older = side->newest;
	if (side->newest)
		side->newest->newer = rq;
	else
		side->oldest = rq;
	side->newest = rq;
}

static void take_out(struct sim_side *side, struct sim_request *rq)
{
	unsigned int at = place_of(side, rq->start);

	while (side->sorted[at] != rq)
		at++;
	side->count--;
	memmove(side->sorted + at, side->sorted + at + 1,
		(side->count - at) * sizeof(*side->sorted));
	*(rq->older ? &rq->older->newer : &side->oldest) = rq->newer;
	*(rq->newer ? &rq->newer->older : &side->newest) = rq->older;
}

static struct sim_request *next_above(const struct sim_side *side)
{
	unsigned int at = place_of(side, side->position);

	return at < side->count ? side->sorted[at] : NULL;
}

static void batch_ends(struct sim_deadline *dd, const struct sim_knobs *knobs)
{
	if (!dd->batching)
		return;
	dd->batches++;
	dd->batched += dd->batching;
	dd->full_batches += dd->batching >= knobs->fifo_batch;
	dd->batching = 0;
}

/* Reads come first, unless that has passed over writes often enough. */
static unsigned int choose_dir(struct sim_deadline *dd, const struct sim_knobs *knobs)
{
	bool reads = dd->side[SIM_READ].count, writes = dd->side[SIM_WRITE].count;

	if (reads && !(writes && dd->starved++ >= knobs->writes_starved))
		return SIM_READ;
	dd->starved = 0;
	return SIM_WRITE;
}

static struct sim_request *batch_begins(struct sim_deadline *dd, const struct sim_knobs *knobs,
					uint64_t now)
{
	struct sim_side *side;
	struct sim_request *rq;
	bool late;

	batch_ends(dd, knobs);
	dd->last_dir = choose_dir(dd, knobs);
	side = &dd->side[dd->last_dir];
	rq = next_above(side);
	late = now >= side->oldest->deadline_ns;
	return late || !rq ? side->oldest : rq;
}

struct sim_request *sim_deadline_choose(struct sim_deadline *dd, const struct sim_knobs *knobs,
					uint64_t now)
{
	struct sim_request *rq = next_above(&dd->side[dd->last_dir]);
	struct sim_side *side;

	if (!dd->side[SIM_READ].count && !dd->side[SIM_WRITE].count)
		return NULL;
	if (!rq || dd->batching >= knobs->fifo_batch)
		rq = batch_begins(dd, knobs, now);
	side = &dd->side[rq->dir];
	dd->wraps += rq->start < side->position;
	dd->expired += now >= rq->deadline_ns;
	dd->batching++;
	side->position = rq->start;
	take_out(side, rq);
	return rq;
}
