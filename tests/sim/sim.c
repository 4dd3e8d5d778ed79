// SPDX-License-Identifier: GPL-2.0-or-later
/* Time, tasks and the driver around the scheduler; sim.h tells what is modelled. */
#include "sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "deadline.h"

#define NO_TIME UINT64_MAX
/* Totals by their logarithm, a step of 1 %, from a microsecond on. */
#define STEPS 2048
#define STEP 1.01

struct piece {
	struct md_piece md;
	struct sim_request *rq;
};

struct arm {
	struct md_arm md;
	struct piece *busy; /* with this one, until its end */
};

struct task {
	struct sim_load load;
	uint64_t place;              /* of the next request of a sequential one */
	unsigned int want;           /* requests that it would submit now */
	bool waits;                  /* for room in the pool, in the line below */
	uint64_t arrival;            /* of the next one, of an open loop */
	struct sim_request *in_hand; /* not let in yet */
};

/* A completion that its task has not heard of yet. */
struct word {
	uint64_t at;
	unsigned int task, load;
};

struct tally {
	uint64_t ios, bytes, issued;
	double wait_ns, total_ns;
	unsigned int totals[STEPS];
};

struct sim {
	struct sim_disk disk;
	struct sim_knobs knobs;
	struct sim_deadline dd;
	struct arm *arms;
	struct task *tasks;
	unsigned int count, load;
	unsigned int *line, line_length; /* of tasks that wait for room */
	struct word *words;              /* the next one last */
	unsigned int words_count;
	struct sim_request *pool, **free;
	struct piece *pieces;
	unsigned int room, free_count;
	unsigned int held, device;
	uint64_t now, since;
	uint64_t random;
	/* of the window under way */
	struct tally tally[SIM_DIRS];
	double held_ns, device_ns, busy_ns, full_ns;
};

/* No scheduler lets more in (the kernel's MAX_SCHED_RQ). */
#define ROOM 4096

static uint64_t bits(struct sim *s)
{
	s->random ^= s->random << 13;
	s->random ^= s->random >> 7;
	s->random ^= s->random << 17;
	return s->random * UINT64_C(0x2545f4914f6cdd1d);
}

static double uniform(struct sim *s)
{
	return (double)(bits(s) >> 11) * 0x1p-53;
}

void sim_knobs_default(struct sim_knobs *knobs)
{
	*knobs = (struct sim_knobs){
		.fifo_batch = 16,
		.writes_starved = 2,
		.nr_requests = 256,
		.async_depth = 256,
		.expire_ms = { 500, 5000 },
	};
}

static uint64_t any_place(struct sim *s, const struct sim_load *load)
{
	uint64_t places = (load->to - load->from) / load->size;

	return load->from + (uint64_t)(uniform(s) * (double)places) * load->size;
}

static void draw(struct sim *s, unsigned int number, struct sim_request *rq)
{
	struct task *task = &s->tasks[number];
	const struct sim_load *load = &task->load;

	rq->task = number;
	rq->load = s->load;
	rq->len = load->size;
	rq->dir = uniform(s) < load->reads ? SIM_READ : SIM_WRITE;
	rq->start = load->sequential ? task->place : any_place(s, load);
	task->place = rq->start + load->size;
	if (task->place + load->size > load->to)
		task->place = load->from;
}

/* In the kernel a shallow depth keeps writes from the last part of the pool. */
static bool is_let_in(const struct sim *s, unsigned int dir)
{
	unsigned int used = s->held + s->device;

	return used < s->knobs.nr_requests && (dir == SIM_READ || used < s->knobs.async_depth);
}

/* What was drawn stays in hand until it is let in; the task submits nothing else till then. */
static void submit(struct sim *s, unsigned int number)
{
	struct task *task = &s->tasks[number];

	while (task->want) {
		if (!task->in_hand) {
			if (!s->free_count)
				return;
			task->in_hand = s->free[--s->free_count];
			draw(s, number, task->in_hand);
		}
		if (!is_let_in(s, task->in_hand->dir)) {
			if (!task->waits)
				s->line[s->line_length++] = number;
			task->waits = true;
			return;
		}
		sim_deadline_insert(&s->dd, &s->knobs, task->in_hand, s->now);
		task->in_hand = NULL;
		task->want--;
		s->held++;
	}
}

static void let_in(struct sim *s)
{
	unsigned int i, number;

	for (i = 0; i < s->line_length;) {
		number = s->line[i];
		if (!is_let_in(s, s->tasks[number].in_hand->dir)) {
			i++;
			continue;
		}
		s->line_length--;
		memmove(s->line + i, s->line + i + 1, (s->line_length - i) * sizeof(*s->line));
		s->tasks[number].waits = false;
		submit(s, number);
	}
}

static void to_device(struct sim *s, struct sim_request *rq)
{
	unsigned int arms = s->disk.model.arms, i;
	struct piece *pieces = s->pieces + (size_t)(rq - s->pool) * arms;
	struct md_piece cut[arms];

	rq->issue_ns = s->now;
	rq->pieces_left = md_split(&s->disk.model, rq->start, rq->len, cut);
	s->tally[rq->dir].issued++;
	s->tally[rq->dir].wait_ns += (double)(s->now - rq->insert_ns);
	for (i = 0; i < rq->pieces_left; i++) {
		pieces[i] = (struct piece){ .md = cut[i], .rq = rq };
		pieces[i].md.arrival = s->now;
		pieces[i].md.owner = &pieces[i];
		md_arm_push(&s->arms[cut[i].arm].md, &pieces[i].md);
	}
}

static void dispatch(struct sim *s)
{
	struct sim_request *rq;
	struct md_piece *next;
	unsigned int i;

	while (s->device < s->disk.tags) {
		rq = sim_deadline_choose(&s->dd, &s->knobs, s->now);
		if (!rq)
			break;
		s->held--;
		s->device++;
		to_device(s, rq);
	}
	for (i = 0; i < s->disk.model.arms; i++) {
		if (s->arms[i].busy)
			continue;
		next = md_arm_take(&s->arms[i].md);
		s->arms[i].busy = next ? next->owner : NULL;
	}
}

static void total_add(struct tally *t, double ns)
{
	int i = (int)(log(fmax(ns / 1e3, 1)) / log(STEP));

	t->totals[i < STEPS ? i : STEPS - 1]++;
	t->total_ns += ns;
}

static void say_to_task(struct sim *s, const struct sim_request *rq)
{
	double lag = -log(1 - uniform(s)) * s->disk.lag_us * 1e3;
	struct word word = { s->now + (uint64_t)lag, rq->task, rq->load };
	unsigned int i = s->words_count++;

	for (; i && s->words[i - 1].at < word.at; i--)
		s->words[i] = s->words[i - 1];
	s->words[i] = word;
}

static void complete(struct sim *s, struct arm *arm)
{
	struct sim_request *rq = arm->busy->rq;
	struct tally *t = &s->tally[rq->dir];

	arm->busy = NULL;
	if (--rq->pieces_left)
		return;
	t->ios++;
	t->bytes += rq->len;
	total_add(t, (double)(s->now - rq->insert_ns));
	s->device--;
	say_to_task(s, rq);
	s->free[s->free_count++] = rq;
}

static void arrive(struct sim *s, struct task *task)
{
	task->want++;
	task->arrival += (uint64_t)(-log(1 - uniform(s)) / task->load.rate * 1e9) + 1;
}

/* When the next thing happens. */
static uint64_t next_ns(const struct sim *s)
{
	uint64_t next = s->words_count ? s->words[s->words_count - 1].at : NO_TIME;
	unsigned int i;

	for (i = 0; i < s->disk.model.arms; i++)
		if (s->arms[i].busy && s->arms[i].busy->md.end < next)
			next = s->arms[i].busy->md.end;
	for (i = 0; i < s->count; i++)
		if (s->tasks[i].arrival < next)
			next = s->tasks[i].arrival;
	return next;
}

static void advance(struct sim *s, uint64_t to)
{
	double ns = (double)(to - s->now);

	s->held_ns += ns * s->held;
	s->device_ns += ns * s->device;
	s->busy_ns += s->device ? ns : 0;
	s->full_ns += s->held + s->device >= s->knobs.nr_requests ? ns : 0;
	s->now = to;
}

/* A task of a load that is over submits no more. */
static void hear(struct sim *s, const struct word *word)
{
	if (word->load == s->load && !(s->tasks[word->task].load.rate > 0))
		s->tasks[word->task].want++;
}

static void happen(struct sim *s)
{
	unsigned int i;

	for (i = 0; i < s->disk.model.arms; i++)
		if (s->arms[i].busy && s->arms[i].busy->md.end <= s->now)
			complete(s, &s->arms[i]);
	while (s->words_count && s->words[s->words_count - 1].at <= s->now)
		hear(s, &s->words[--s->words_count]);
	let_in(s);
	for (i = 0; i < s->count; i++) {
		while (s->tasks[i].arrival <= s->now)
			arrive(s, &s->tasks[i]);
		if (s->tasks[i].want && !s->tasks[i].waits)
			submit(s, i);
	}
	dispatch(s);
}

static double percentile_us(const struct tally *t, double percent)
{
	double seen = 0;
	int i;

	for (i = 0; i < STEPS; i++) {
		seen += t->totals[i];
		if (seen * 100 >= (double)t->ios * percent)
			break;
	}
	return t->ios ? pow(STEP, i + 0.5) : 0;
}

static void window_of(const struct sim *s, struct sim_window *w)
{
	double ns = (double)(s->now - s->since);
	unsigned int dir;

	memset(w, 0, sizeof(*w));
	w->seconds = ns / 1e9;
	w->busy_share = s->busy_ns / ns;
	w->held_mean = s->held_ns / ns;
	w->device_mean = s->device_ns / ns;
	w->held_now = s->held;
	w->device_now = s->device;
	w->full_share = s->full_ns / ns;
	w->batches = s->dd.batches;
	w->batched = s->dd.batched;
	w->full_batches = s->dd.full_batches;
	w->expired = s->dd.expired;
	w->wraps = s->dd.wraps;
	for (dir = 0; dir < SIM_DIRS; dir++) {
		const struct tally *t = &s->tally[dir];
		struct sim_dir_window *d = &w->dir[dir];

		d->ios = t->ios;
		d->bytes = t->bytes;
		d->issued = t->issued;
		d->wait_us = t->issued ? t->wait_ns / (double)t->issued / 1e3 : 0;
		d->total_us = t->ios ? t->total_ns / (double)t->ios / 1e3 : 0;
		d->total_p99_us = percentile_us(t, 99);
	}
}

static void window_begins(struct sim *s)
{
	memset(s->tally, 0, sizeof(s->tally));
	s->held_ns = s->device_ns = s->busy_ns = s->full_ns = 0;
	s->dd.batches = s->dd.batched = s->dd.full_batches = s->dd.expired = s->dd.wraps = 0;
	s->since = s->now;
}

void sim_run(struct sim *s, double seconds, struct sim_window *window)
{
	uint64_t end = s->now + (uint64_t)(seconds * 1e9), next;

	window_begins(s);
	happen(s);
	for (next = next_ns(s); next < end; next = next_ns(s)) {
		advance(s, next);
		happen(s);
	}
	advance(s, end);
	window_of(s, window);
}

void sim_set(struct sim *s, const struct sim_knobs *knobs)
{
	s->knobs = *knobs;
}

void sim_load_set(struct sim *s, const struct sim_load *loads, unsigned int count)
{
	unsigned int i;

	s->load++;
	s->line_length = 0;
	for (i = 0; i < s->count; i++)
		if (s->tasks[i].in_hand)
			s->free[s->free_count++] = s->tasks[i].in_hand;
	for (i = 0; i < count; i++) {
		s->tasks[i] = (struct task){ .load = loads[i], .arrival = NO_TIME };
		s->tasks[i].place = any_place(s, &loads[i]);
		s->tasks[i].want = loads[i].rate > 0 ? 0 : loads[i].depth;
		if (loads[i].rate > 0)
			s->tasks[i].arrival = s->now;
	}
	s->count = count;
}

static bool allocate(struct sim *s)
{
	unsigned int arms = s->disk.model.arms, i;

	s->arms = calloc(arms, sizeof(*s->arms));
	s->tasks = calloc(ROOM, sizeof(*s->tasks));
	s->line = calloc(ROOM, sizeof(*s->line));
	s->words = calloc(ROOM, sizeof(*s->words));
	s->pool = calloc(2 * ROOM, sizeof(*s->pool));
	s->free = calloc(2 * ROOM, sizeof(struct sim_request *));
	s->pieces = calloc(2 * ROOM * (size_t)arms, sizeof(*s->pieces));
	if (!s->arms || !s->tasks || !s->line || !s->words || !s->pool || !s->free || !s->pieces ||
	    !sim_deadline_init(&s->dd, ROOM))
		return false;
	for (i = 0; i < 2 * ROOM; i++)
		s->free[s->free_count++] = &s->pool[i];
	for (i = 0; i < arms; i++)
		md_arm_init(&s->arms[i].md, &s->disk.model, i);
	return true;
}

struct sim *sim_new(const struct sim_disk *disk, const struct sim_knobs *knobs,
		    const struct sim_load *loads, unsigned int count, uint64_t seed)
{
	struct sim *s;

	if (md_config_problem(&disk->model) || count > ROOM || knobs->nr_requests > ROOM)
		return NULL;
	s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->disk = *disk;
	s->knobs = *knobs;
	s->random = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
	if (!allocate(s)) {
		sim_free(s);
		return NULL;
	}
	sim_load_set(s, loads, count);
	return s;
}

void sim_free(struct sim *s)
{
	if (!s)
		return;
	sim_deadline_free(&s->dd);
	free(s->arms);
	free(s->tasks);
	free(s->line);
	free(s->words);
	free(s->pool);
	free(s->free);
	free(s->pieces);
	free(s);
}
