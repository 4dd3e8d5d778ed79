// SPDX-License-Identifier: GPL-2.0-or-later
/* Taking a figure out of a window, as its row says. */
#include "take.h"

#include <math.h>
#include <string.h>

const struct sw_detail *sw_take_detail(const struct sw_window *w)
{
	static const struct sw_detail none;

	return w->detail ? w->detail : &none;
}

const char *sw_take_at(const struct sw_window *w, struct sw_at at, unsigned int dir)
{
	const char *base = at.detail ? (const char *)sw_take_detail(w) : (const char *)w;

	return base + at.offset + (size_t)at.stride * dir;
}

static uint64_t counter(const struct sw_window *w, struct sw_at at, unsigned int dir)
{
	uint64_t value;

	memcpy(&value, sw_take_at(w, at, dir), sizeof(value));
	return value;
}

static uint64_t total(const struct sw_window *w, struct sw_at at, unsigned int dir)
{
	if (!at.offset && !at.detail)
		return 0;
	if (!at.stride)
		return counter(w, at, 0);
	if (dir < SW_DIRS)
		return counter(w, at, dir);
	return counter(w, at, SW_READ) + counter(w, at, SW_WRITE);
}

static uint64_t highest(const struct sw_window *w, struct sw_at at, unsigned int dir)
{
	uint64_t reads, writes;

	if (!at.stride || dir < SW_DIRS)
		return counter(w, at, at.stride ? dir : 0);
	reads = counter(w, at, SW_READ);
	writes = counter(w, at, SW_WRITE);
	return reads > writes ? reads : writes;
}

static void hist_of(const struct sw_window *w, struct sw_at at, unsigned int dir,
		    uint32_t hist[SW_HIST_BUCKETS])
{
	uint32_t more[SW_HIST_BUCKETS];
	unsigned int i;

	if (dir < SW_DIRS) {
		memcpy(hist, sw_take_at(w, at, dir), sizeof(more));
		return;
	}
	memcpy(hist, sw_take_at(w, at, 0), sizeof(more));
	if (!at.stride)
		return;
	memcpy(more, sw_take_at(w, at, 1), sizeof(more));
	for (i = 0; i < SW_HIST_BUCKETS; i++)
		hist[i] = more[i] > UINT32_MAX - hist[i] ? UINT32_MAX : hist[i] + more[i];
}

struct sw_value sw_whole(const char *part, bool known, uint64_t count)
{
	return (struct sw_value){ .part = part, .known = known, .whole = true, .count = count };
}

struct sw_value sw_fraction(const char *part, bool known, double number)
{
	known = known && isfinite(number);
	return (struct sw_value){ .part = part, .known = known, .number = known ? number : 0 };
}

static unsigned int take_count(const struct sw_figure *f, const struct sw_window *w,
			       unsigned int dir, struct sw_value *v)
{
	v[0] = sw_whole("", true, total(w, f->count, dir) + total(w, f->also, dir));
	return 1;
}

static unsigned int take_ratio(const struct sw_figure *f, const struct sw_window *w,
			       unsigned int dir, struct sw_value *v)
{
	uint64_t base = total(w, f->base, dir);

	v[0] = sw_fraction("", base, base ? (double)total(w, f->count, dir) / (double)base : 0);
	return 1;
}

static unsigned int take_level(const struct sw_figure *f, const struct sw_window *w,
			       unsigned int dir, struct sw_value *v)
{
	double mean;

	memcpy(&mean, sw_take_at(w, f->mean, 0), sizeof(mean));
	/* Rounding can leave it a hair below 0. */
	v[0] = sw_fraction("mean", w->end_ns > w->start_ns && mean > -1e-3, fmax(mean, 0));
	/* The members' largest need not have been at one time. */
	v[1] = sw_whole("max", w->members < 2, highest(w, f->max, dir));
	v[2] = sw_whole("now", true, counter(w, f->now, 0));
	return 3;
}

static unsigned int take_map(const struct sw_figure *f, const struct sw_window *w, unsigned int dir,
			     struct sw_value *v)
{
	struct sw_at at = f->count;
	unsigned int n;

	for (n = 0; f->kinds[n]; n++) {
		v[n] = sw_whole(f->kinds[n], true, total(w, at, dir));
		at.offset += sizeof(uint64_t);
	}
	return n;
}

/* What a spread is made of, both directions already together if so asked. */
struct spread {
	uint32_t hist[SW_HIST_BUCKETS];
	uint64_t count, sum, max;
	double unit; /* of sum and max in the figure's */
	bool time, size;
};

static double percentile(const struct spread *s, double percent)
{
	double p = sw_hist_percentile(s->hist, percent);

	if (p < 0)
		return NAN;
	/* Times were cut to whole units: the middle of what they may have been. */
	if (s->time)
		p = (p + 0.5) * (1 << SW_HIST_TIME_SHIFT);
	if (s->size)
		p *= 512;
	if (s->count)
		p = fmin(p, (double)s->max);
	return p * s->unit;
}

static struct sw_value spread_part(const struct spread *s, unsigned int part)
{
	bool any = s->count;

	switch (part) {
	case SW_PART_COUNT:
		return sw_whole("count", true, s->count);
	case SW_PART_P50:
		return sw_fraction("p50", true, percentile(s, 50));
	case SW_PART_P95:
		return sw_fraction("p95", true, percentile(s, 95));
	case SW_PART_P99:
		return sw_fraction("p99", true, percentile(s, 99));
	case SW_PART_MAX:
		return s->time ? sw_fraction("max", any, (double)s->max * s->unit)
			       : sw_whole("max", any, s->max);
	default:
		return sw_fraction("mean", any,
				   any ? (double)s->sum / (double)s->count * s->unit : 0);
	}
}

static unsigned int take_spread(const struct sw_figure *f, const struct sw_window *w,
				unsigned int dir, struct sw_value *v)
{
	struct spread s = { .time = f->time, .size = f->size, .unit = f->time ? 1e-3 : 1 };
	unsigned int n = 0, part;

	hist_of(w, f->hist, dir, s.hist);
	s.count = total(w, f->count, dir);
	s.sum = total(w, f->sum, dir);
	s.max = highest(w, f->max, dir);
	for (part = SW_PART_COUNT; part <= SW_PART_MEAN; part <<= 1)
		if (f->parts & part)
			v[n++] = spread_part(&s, part);
	return n;
}

unsigned int sw_take_wraps(const struct sw_figure *f, const struct sw_window *w, unsigned int dir,
			   struct sw_value *v)
{
	unsigned int i, n = take_map(f, w, dir, v);

	if (w->deadline)
		return n;
	for (i = 0; i < SW_UNKNOWN; i++) {
		v[SW_UNKNOWN].count += v[i].count;
		v[i] = sw_whole(v[i].part, false, 0);
	}
	return n;
}

double sw_take_seconds(const struct sw_window *w)
{
	return sw_window_seconds(w) * (w->members ? w->members : 1);
}

unsigned int sw_take_busy(const struct sw_figure *f, const struct sw_window *w, unsigned int dir,
			  struct sw_value *v)
{
	double seconds = sw_take_seconds(w);

	v[0] = sw_fraction("", seconds > 0, (double)counter(w, f->count, 0) / 1e9 / seconds);
	(void)dir;
	return 1;
}

static sw_take *const takers[] = {
	[SW_SHAPE_COUNT] = take_count,   [SW_SHAPE_RATIO] = take_ratio,
	[SW_SHAPE_SPREAD] = take_spread, [SW_SHAPE_LEVEL] = take_level,
	[SW_SHAPE_MAP] = take_map,
};

bool sw_figure_measured(const struct sw_figure *figure, const struct sw_window *w)
{
	if (figure->group && (!w->detail || !(w->groups & figure->group)))
		return false;
	return (w->deadline || !figure->deadline) &&
	       (w->passes != SW_PASSES_UNKNOWN || !figure->passes) &&
	       (w->kyber || !figure->kyber) && (w->caches || !figure->caches);
}

const char *sw_figure_why_not(const struct sw_figure *figure, const struct sw_window *w)
{
	if (sw_figure_measured(figure, w))
		return 0;
	if (figure->group && !w->detail)
		return 0;
	if (figure->group & w->refused)
		return "this kernel's BPF has no atomic add that returns (5.12)";
	if (figure->group && !(w->groups & figure->group))
		return 0;
	if (figure->deadline)
		return "only mq-deadline has this, and its state must be readable";
	if (figure->kyber)
		return "only kyber has this, in force from the start on";
	if (figure->caches)
		return "the machine does not tell which CPUs share a cache";
	return "no pass was seen: nothing came, there is no scheduler, or passes cannot be told apart "
	       "here";
}

static struct sw_at shifted(struct sw_at at, enum sw_apart apart)
{
	at.offset += at.stride * SW_DIRS * apart;
	return at;
}

unsigned int sw_figure_get_apart(const struct sw_figure *figure, const struct sw_window *w,
				 unsigned int dir, enum sw_apart apart,
				 struct sw_value values[SW_PARTS])
{
	struct sw_figure one = *figure;

	one.count = shifted(one.count, apart);
	one.sum = shifted(one.sum, apart);
	one.max = shifted(one.max, apart);
	one.hist = shifted(one.hist, apart);
	return sw_figure_get(&one, w, dir, values);
}

unsigned int sw_figure_get(const struct sw_figure *figure, const struct sw_window *w,
			   unsigned int dir, struct sw_value values[SW_PARTS])
{
	sw_take *take = figure->take ? figure->take : takers[figure->shape];
	unsigned int i, n = take(figure, w, dir, values);

	if (!sw_figure_measured(figure, w))
		for (i = 0; i < n; i++)
			values[i].known = false;
	return n;
}

double sw_figure_number(const struct sw_figure *figure, const struct sw_window *w, unsigned int dir,
			const char *part)
{
	struct sw_value v[SW_PARTS];
	unsigned int i, n = sw_figure_get(figure, w, dir, v);
	bool all = !*part;
	double sum = -1;

	for (i = 0; i < n; i++) {
		if (!v[i].known || (!all && strcmp(v[i].part, part)))
			continue;
		sum = (sum < 0 ? 0 : sum) + (v[i].whole ? (double)v[i].count : v[i].number);
	}
	return sum;
}

double sw_figure_rate(const struct sw_figure *figure, const struct sw_window *w, unsigned int dir,
		      const char *part)
{
	double number = sw_figure_number(figure, w, dir, part), seconds = sw_window_seconds(w);

	return number < 0 || seconds <= 0 ? -1 : number / seconds;
}
