// SPDX-License-Identifier: GPL-2.0-or-later
/* Figures of the detail groups, and of kyber, that do not have a common shape. */
#include <math.h>
#include <string.h>

#include "take.h"

/* Sequential completions that tell what a request costs without a seek. */
#define ENOUGH_SEQUENTIAL 16

static uint64_t of_word(const char *at)
{
	uint64_t v;

	memcpy(&v, at, sizeof(v));
	return v;
}

static uint64_t time_at(const char *levels, unsigned int bucket)
{
	return of_word(levels + bucket * sizeof(uint64_t));
}

static double time_above(const char *levels, unsigned int bucket)
{
	double ns = 0;

	for (; bucket < SW_LEVEL_BUCKETS; bucket++)
		ns += (double)time_at(levels, bucket);
	return ns;
}

/* What a bucket stands for: its middle may lie above what was there at most. */
static double level_number(unsigned int bucket, double max)
{
	return fmin(sw_hist_middle(bucket), max);
}

/* The number that is not exceeded for that much of the time; max: the largest that there was. */
static double level_percentile(const char *levels, double percent, double max)
{
	double all = time_above(levels, 0), seen = 0;
	unsigned int i;

	for (i = 0; i + 1 < SW_LEVEL_BUCKETS; i++) {
		seen += (double)time_at(levels, i);
		if (seen * 100 >= all * percent)
			break;
	}
	return level_number(i, max);
}

/* Of all requests it is known exactly, of the classes as well as the buckets tell. */
static double level_mean(const struct sw_figure *f, const struct sw_window *w, const char *levels,
			 double max)
{
	double all = time_above(levels, 0), sum = 0;
	unsigned int i;

	if (f->mean.offset) {
		memcpy(&sum, sw_take_at(w, f->mean, 0), sizeof(sum));
		return sum;
	}
	for (i = 1; i < SW_LEVEL_BUCKETS; i++)
		sum += (double)time_at(levels, i) * level_number(i, max);
	return all > 0 ? sum / all : 0;
}

unsigned int sw_take_levels(const struct sw_figure *f, const struct sw_window *w, unsigned int dir,
			    struct sw_value *v)
{
	const char *levels = sw_take_at(w, f->count, 0);
	double max = w->members < 2 ? (double)of_word(sw_take_at(w, f->max, 0)) : INFINITY;
	bool any = time_above(levels, 0) > 0;

	(void)dir;
	v[0] = sw_fraction("p50", any, level_percentile(levels, 50, max));
	v[1] = sw_fraction("p95", any, level_percentile(levels, 95, max));
	v[2] = sw_fraction("p99", any, level_percentile(levels, 99, max));
	v[3] = sw_fraction("mean", any, level_mean(f, w, levels, max));
	return 4;
}

/*
 * Times are read a moment after the window's end, and an event of that moment may
 * make one of them longer than the window.
 */
static struct sw_value time_share(double ns, bool known, const struct sw_window *w)
{
	double seconds = sw_take_seconds(w);

	return sw_fraction("", known && seconds > 0, fmin(ns / 1e9 / seconds, 1));
}

/* The bucket that the pool's size lies in counts: it is within an eighth of it. */
unsigned int sw_take_pool(const struct sw_figure *f, const struct sw_window *w, unsigned int dir,
			  struct sw_value *v)
{
	unsigned int i = 0;

	(void)dir;
	while (i + 1 < SW_LEVEL_BUCKETS && sw_hist_low(i + 1) <= w->pool)
		i++;
	/* Of several members each has a pool of its own. */
	v[0] = time_share(time_above(sw_take_at(w, f->count, 0), i), w->pool && w->members < 2, w);
	return 1;
}

unsigned int sw_take_time_share(const struct sw_figure *f, const struct sw_window *w,
				unsigned int dir, struct sw_value *v)
{
	(void)dir;
	v[0] = time_share((double)of_word(sw_take_at(w, f->count, 0)), true, w);
	return 1;
}

unsigned int sw_take_idle(const struct sw_figure *f, const struct sw_window *w, unsigned int dir,
			  struct sw_value *v)
{
	unsigned int n = sw_take_busy(f, w, dir, v);

	v[0].number = fmax(1 - v[0].number, 0);
	return n;
}

unsigned int sw_take_starved(const struct sw_figure *f, const struct sw_window *w, unsigned int dir,
			     struct sw_value *v)
{
	uint64_t reads = of_word(sw_take_at(w, f->count, SW_READ));
	uint64_t writes = of_word(sw_take_at(w, f->count, SW_WRITE));
	uint64_t ns = dir == SW_READ ? reads : writes;

	if (dir >= SW_DIRS)
		ns = reads > writes ? reads : writes;
	v[0] = sw_fraction("", true, (double)ns / 1e3);
	return 1;
}

unsigned int sw_take_seek_cost(const struct sw_figure *f, const struct sw_window *w,
			       unsigned int dir, struct sw_value *v)
{
	const struct sw_cost *costs = sw_take_detail(w)->completed.costs;
	bool known = costs[0].count >= ENOUGH_SEQUENTIAL && costs[0].bytes;
	double ns_per_byte = known ? (double)costs[0].ns / (double)costs[0].bytes : 0;
	double total = 0, seeks = 0, beyond;
	unsigned int i;

	(void)dir;
	for (i = 1; i < SW_COSTS; i++) {
		beyond = (double)costs[i].ns - ns_per_byte * (double)costs[i].bytes;
		seeks += (double)costs[i].count;
		total += beyond > 0 ? beyond / 1e3 : 0;
	}
	v[0] = sw_fraction(f->kinds[0], known && seeks > 0, total / seeks);
	v[1] = sw_fraction(f->kinds[1], known, total);
	v[2] = sw_fraction(f->kinds[2], known && w->busy_ns,
			   fmin(total * 1e3 / (double)w->busy_ns, 1));
	return 3;
}

static unsigned int take_busiest(const struct sw_figure *f, const struct sw_window *w,
				 uint64_t which, uint64_t issued, struct sw_value *v)
{
	const struct sw_issued *is = &w->sum.issued;
	uint64_t all = is->dir[SW_READ].ios + is->dir[SW_WRITE].ios;
	bool known = issued && all && w->members < 2;

	v[0] = sw_whole(f->kinds[0], known, which);
	v[1] = sw_whole(f->kinds[1], known, issued);
	v[2] = sw_fraction(f->kinds[2], known, fmin((double)issued / (double)all, 1));
	return 3;
}

unsigned int sw_take_busiest_cpu(const struct sw_figure *f, const struct sw_window *w,
				 unsigned int dir, struct sw_value *v)
{
	(void)dir;
	return take_busiest(f, w, w->cpu, w->cpu_issues, v);
}

unsigned int sw_take_busiest_task(const struct sw_figure *f, const struct sw_window *w,
				  unsigned int dir, struct sw_value *v)
{
	const struct sw_task *task = &sw_take_detail(w)->issued.tasks[0];

	(void)dir;
	return take_busiest(f, w, task->tid, task->count, v);
}

unsigned int sw_take_kyber_depth(const struct sw_figure *f, const struct sw_window *w,
				 unsigned int dir, struct sw_value *v)
{
	unsigned int i;
	uint32_t depth;

	(void)dir;
	for (i = 0; i < SW_DOMAINS; i++) {
		depth = w->kyber_state.depth[i];
		v[i] = sw_whole(f->kinds[i], depth, depth ? depth - 1 : 0);
	}
	return SW_DOMAINS;
}

/* Reads and writes, each its total and its I/O alone. */
unsigned int sw_take_kyber_latency(const struct sw_figure *f, const struct sw_window *w,
				   unsigned int dir, struct sw_value *v)
{
	const struct sw_kyber_state *k = &w->kyber_state;
	unsigned int i, base;

	(void)dir;
	for (i = 0; f->kinds[i]; i++) {
		base = k->denominator[i / 2][i % 2];
		v[i] = sw_fraction(f->kinds[i], base,
				   base ? (double)k->numerator[i / 2][i % 2] / base : 0);
	}
	return i;
}
