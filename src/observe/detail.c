// SPDX-License-Identifier: GPL-2.0-or-later
/* What the detail groups saw between two snapshots. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "seekwise/base.h"
#include "observer.h"

#define WORD_AT(member) (offsetof(struct sw_detail, member) / sizeof(uint64_t))
#define HIST_COUNTS (sizeof(struct sw_detail_hist) / sizeof(__u32))
#define SEQ_OF_RECORD(member) offsetof(struct sw_record, member.seq)
#define SEQ_OF_DETAIL(member) offsetof(struct sw_detail, member.seq)

#define SECTION(member, in_record, offset)                                                         \
	{                                                                                          \
		WORD_AT(member), sizeof(((struct sw_detail *)0)->member) / sizeof(uint64_t),       \
			in_record, offset                                                          \
	}

/* And where the seq is that the section is written under. */
static const struct {
	size_t word, words;
	bool in_record;
	size_t seq;
} sections[] = {
	SECTION(inserted, true, SEQ_OF_RECORD(inserted)),
	SECTION(issued, true, SEQ_OF_RECORD(issued)),
	SECTION(completed, true, SEQ_OF_RECORD(completed)),
	SECTION(joined, false, SEQ_OF_DETAIL(joined)),
	SECTION(unplugged, false, SEQ_OF_DETAIL(unplugged)),
};

#define SECTIONS (sizeof(sections) / sizeof(sections[0]))

/* What is counted by cells. */
struct sw_cells {
	struct sw_apart_waits waits[SW_APART_CELLS][SW_DIRS];
	struct sw_apart_totals totals[SW_APART_CELLS][SW_DIRS];
	__u32 wait[SW_APART_CELLS][SW_DIRS][SW_HIST_BUCKETS];
	__u32 total[SW_APART_CELLS][SW_DIRS][SW_HIST_BUCKETS];
};

static uint64_t copy_sections(__u64 *copy, const struct sw_detail *d, const struct sw_record *r)
{
	const char *base;
	uint64_t torn = 0;
	size_t i;

	for (i = 0; i < SECTIONS; i++) {
		base = sections[i].in_record ? (const char *)r : (const char *)d;
		if (!sw_section_copy(copy + sections[i].word, (const __u64 *)d + sections[i].word,
				     sections[i].words, (const __u64 *)(base + sections[i].seq)))
			torn++;
	}
	return torn;
}

/* Adds one CPU's details, but for the tasks, to the sum; returns the sections that were torn. */
static uint64_t add_cpu(struct sw_detail *sum, const struct sw_detail *d, const struct sw_record *r,
			struct sw_task tasks[SW_TASKS])
{
	static struct sw_detail copy;
	uint64_t torn = copy_sections((__u64 *)&copy, d, r);

	memcpy(tasks, copy.issued.tasks, sizeof(copy.issued.tasks));
	memset(copy.issued.tasks, 0, sizeof(copy.issued.tasks));
	sw_words_add((__u64 *)sum, (const __u64 *)&copy, WORD_AT(levels));
	sw_words_add((__u64 *)&sum->levels, (const __u64 *)&d->levels,
		     sizeof(d->levels) / sizeof(uint64_t));
	sw_counts_add((__u32 *)&sum->hist, (const __u32 *)&d->hist, HIST_COUNTS);
	return torn;
}

/*
 * Sums of all CPUs, with the largest values as they are; the tasks apart. Called at
 * the end of a window, so that the times that the levels are counted up to are its own.
 */
static uint64_t take(struct sw_observer *o, int i, struct sw_detail *sum, struct sw_task *tasks)
{
	struct sw_detail *details = o->details + (size_t)i * o->cpus;
	struct sw_record *records = o->records + (size_t)i * o->cpus;
	__u64 largest[SW_DETAIL_MAXIMA] = {};
	uint64_t torn = 0;
	int cpu;

	memset(sum, 0, sizeof(*sum));
	for (cpu = 0; cpu < o->cpus; cpu++) {
		torn += add_cpu(sum, &details[cpu], &records[cpu], tasks + cpu * SW_TASKS);
		sw_maxima_take(largest, (__u64 *)&details[cpu], sw_detail_maxima, SW_DETAIL_MAXIMA);
	}
	sw_maxima_put((__u64 *)sum, largest, sw_detail_maxima, SW_DETAIL_MAXIMA);
	return torn;
}

/* The time that a word of levels stands for up to t, both since the start (record.h). */
static int64_t level_time(uint64_t word, int64_t t)
{
	/* The low part, with its sign. */
	int64_t sum = (int64_t)(word << (64 - SW_LEVEL_COUNT_SHIFT)) >> (64 - SW_LEVEL_COUNT_SHIFT);
	int64_t count = (int64_t)(word - (uint64_t)sum) >> SW_LEVEL_COUNT_SHIFT;

	return (count * t - sum) * (1 << SW_LEVEL_TIME_SHIFT);
}

static uint64_t level_window(uint64_t from, uint64_t to, int64_t t0, int64_t t1)
{
	int64_t ns = level_time(to, t1) - level_time(from, t0);

	return ns > 0 ? ns : 0;
}

/* From times at a number or above to times in buckets; at 0 or above it is the whole window. */
static void level_buckets(__u64 times[SW_LEVEL_BUCKETS], uint64_t ns)
{
	int i;

	times[0] = ns;
	for (i = 0; i + 1 < SW_LEVEL_BUCKETS; i++)
		times[i] = times[i] > times[i + 1] ? times[i] - times[i + 1] : 0;
}

static void levels_window(const struct sw_levels *from, const struct sw_levels *to,
			  struct sw_levels *out, const struct sw_window *w, uint64_t start_ns)
{
	/* A program on another CPU may have read its clock a moment before the base. */
	int64_t t0 = (int64_t)(w->start_ns - start_ns) >> SW_LEVEL_TIME_SHIFT;
	int64_t t1 = (int64_t)(w->end_ns - start_ns) >> SW_LEVEL_TIME_SHIFT;
	const __u64 *a = (const __u64 *)from, *b = (const __u64 *)to;
	size_t i, level, kept;

	for (i = 0; i < sizeof(*out) / sizeof(__u64); i++)
		((__u64 *)out)[i] = level_window(a[i], b[i], t0, t1);
	for (level = 0; level < SW_LEVELS; level++)
		for (kept = 0; kept < SW_KEPTS; kept++)
			level_buckets(out->time[level][kept], w->end_ns - w->start_ns);
}

/* Adds what one CPU's table gained to a common one, which has room for all of them. */
static void add_task(struct sw_task *all, const struct sw_task *task, uint64_t gained)
{
	while (all->count && all->tid != task->tid)
		all++;
	if (!all->count)
		*all = *task, all->count = 0;
	all->count += gained;
}

/*
 * Leaves the busiest first; none, where the second might be busier with what had no
 * room: a task that is in one CPU's table need not be in another's.
 */
static void tasks_window(struct sw_detail *out, const struct sw_task *before,
			 const struct sw_task *after, int cpus)
{
	size_t i, n = (size_t)cpus * SW_TASKS;
	struct sw_task *all = calloc(n, sizeof(*all)), busiest = {};
	uint64_t gained, second = 0;

	for (i = 0; all && i < n; i++) {
		gained = after[i].count - before[i].count;
		if (gained)
			add_task(all, &after[i], gained);
	}
	for (i = 0; all && i < n; i++)
		if (all[i].count > busiest.count) {
			second = busiest.count;
			busiest = all[i];
		} else if (all[i].count > second) {
			second = all[i].count;
		}
	if (busiest.count >= second + out->issued.tasks_beyond)
		out->issued.tasks[0] = busiest;
	free(all);
}

static void counters_window(const struct sw_detail *from, const struct sw_detail *to,
			    struct sw_detail *out)
{
	sw_words_between((__u64 *)out, (const __u64 *)from, (const __u64 *)to, WORD_AT(levels));
	sw_maxima_keep((__u64 *)out, (const __u64 *)to, sw_detail_maxima, SW_DETAIL_MAXIMA);
	sw_counts_between((__u32 *)&out->hist, (const __u32 *)&from->hist, (const __u32 *)&to->hist,
			  HIST_COUNTS);
	out->joined.seq = out->unplugged.seq = out->issued.scratch = 0;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void waits_add(struct sw_apart_waits *to, const struct sw_apart_waits *cell)
{
	to->waits += cell->waits;
	to->wait_sum += cell->wait_sum;
	to->wait_max = larger(to->wait_max, cell->wait_max);
}

static void totals_add(struct sw_apart_totals *to, const struct sw_apart_totals *cell)
{
	to->ios += cell->ios;
	to->bytes += cell->bytes;
	to->totals += cell->totals;
	to->total_sum += cell->total_sum;
	to->total_max = larger(to->total_max, cell->total_max);
}

/* What was counted in one cell (record.h) of a direction belongs to that class. */
static void cell_add(struct sw_detail *out, const struct sw_cells *cells, unsigned int cell,
		     unsigned int dir, enum sw_apart apart)
{
	waits_add(&out->issued.apart[apart][dir], &cells->waits[cell][dir]);
	totals_add(&out->completed.apart[apart][dir], &cells->totals[cell][dir]);
	sw_counts_add(out->hist.wait[apart][dir], cells->wait[cell][dir], SW_HIST_BUCKETS);
	sw_counts_add(out->hist.total[apart][dir], cells->total[cell][dir], SW_HIST_BUCKETS);
}

/* From cells, each of them sync or async and of one class, to both ways of telling apart. */
static void apart_window(struct sw_detail *out)
{
	static struct sw_cells cells;
	unsigned int cell, dir;

	memcpy(cells.waits, out->issued.apart, sizeof(cells.waits));
	memcpy(cells.totals, out->completed.apart, sizeof(cells.totals));
	memcpy(cells.wait, out->hist.wait, sizeof(cells.wait));
	memcpy(cells.total, out->hist.total, sizeof(cells.total));
	memset(out->issued.apart, 0, sizeof(cells.waits));
	memset(out->completed.apart, 0, sizeof(cells.totals));
	memset(out->hist.wait, 0, sizeof(cells.wait));
	memset(out->hist.total, 0, sizeof(cells.total));
	for (cell = 0; cell < SW_APART_CELLS; cell++)
		for (dir = 0; dir < SW_DIRS; dir++) {
			cell_add(out, &cells, cell, dir, cell & 1 ? SW_APART_ASYNC : SW_APART_SYNC);
			cell_add(out, &cells, cell, dir, SW_APART_RT + (cell >> 1));
		}
}

/* A direction that is passed over still has been for so long at least. */
static void starved_window(const struct sw_state *st, struct sw_detail *out, uint64_t now)
{
	uint64_t since, held = __atomic_load_n(&st->held_by, __ATOMIC_RELAXED);
	uint64_t reads = held & ((1u << SW_KEPT_BITS) - 1);
	int dir;

	for (dir = 0; dir < SW_DIRS; dir++) {
		since = __atomic_load_n(&st->pending_since[dir], __ATOMIC_RELAXED);
		if (!(dir == SW_READ ? reads : held >> SW_KEPT_BITS) || !since || since > now)
			continue;
		if (now - since > out->issued.starved_max[dir])
			out->issued.starved_max[dir] = now - since;
	}
}

void sw_details_window(struct sw_observer *o, int i, struct sw_window *w)
{
	struct sw_details *d = &o->disks[i].details;
	size_t tasks = (size_t)o->cpus * SW_TASKS;
	struct sw_detail *old = d->last;
	struct sw_task *after;

	w->groups = o->groups;
	if (!o->details)
		return;
	after = calloc(tasks, sizeof(*after));
	if (!after)
		return;
	w->torn += take(o, i, d->now, after);
	counters_window(d->last, d->now, d->window);
	apart_window(d->window);
	levels_window(&d->last->levels, &d->now->levels, &d->window->levels, w,
		      o->side.slots[i].base_ns);
	tasks_window(d->window, d->tasks, after, o->cpus);
	starved_window(&o->side.states[i], d->window, w->end_ns);
	memcpy(d->tasks, after, tasks * sizeof(*after));
	free(after);
	d->last = d->now;
	d->now = old;
	w->detail = d->window;
}

void sw_details_start(struct sw_observer *o, int i)
{
	struct sw_details *d = &o->disks[i].details;

	if (o->details)
		take(o, i, d->last, d->tasks);
}

int sw_details_allocate(struct sw_observer *o)
{
	struct sw_details *d;
	int i;

	for (i = 0; i < o->count && o->groups; i++) {
		d = &o->disks[i].details;
		d->last = calloc(1, sizeof(*d->last));
		d->now = calloc(1, sizeof(*d->now));
		d->window = calloc(1, sizeof(*d->window));
		d->tasks = calloc((size_t)o->cpus * SW_TASKS, sizeof(*d->tasks));
		if (!d->last || !d->now || !d->window || !d->tasks)
			return -ENOMEM;
	}
	return 0;
}

void sw_details_free(struct sw_observer *o)
{
	struct sw_details *d;
	int i;

	for (i = 0; o->disks && i < o->count; i++) {
		d = &o->disks[i].details;
		free(d->last);
		free(d->now);
		free(d->window);
		free(d->tasks);
	}
}
