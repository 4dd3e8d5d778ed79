// SPDX-License-Identifier: GPL-2.0-or-later
/* Windows and histograms: what can be computed of them, wherever they came from. */
#include "seekwise/window.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

uint64_t sw_hist_low(unsigned int bucket)
{
	unsigned int sub = 1u << SW_HIST_SUB_BITS, exp;

	if (bucket < sub)
		return bucket;
	exp = (bucket >> SW_HIST_SUB_BITS) - 1;
	return (uint64_t)(bucket - exp * sub) << exp;
}

/* Of the integers in it: a bucket of one value has that value for its middle. */
double sw_hist_middle(unsigned int bucket)
{
	return ((double)sw_hist_low(bucket) + (double)(sw_hist_low(bucket + 1) - 1)) / 2;
}

double sw_hist_percentile(const uint32_t hist[SW_HIST_BUCKETS], double percent)
{
	uint64_t total = 0, seen = 0;
	double rank;
	unsigned int i;

	for (i = 0; i < SW_HIST_BUCKETS; i++)
		total += hist[i];
	if (!total)
		return -1;
	/* Multiplied first: a whole percentage of a whole number stays exact. */
	rank = fmin(fmax(ceil(percent * (double)total / 100), 1), (double)total);
	for (i = 0; i < SW_HIST_BUCKETS; i++) {
		seen += hist[i];
		if ((double)seen >= rank)
			break;
	}
	return sw_hist_middle(i);
}

uint64_t sw_window_losses(const struct sw_window *w)
{
	const struct sw_record *r = &w->sum;

	return r->issued.no_insert + r->completed.unmatched + r->issued.negative +
	       r->completed.negative + r->inserted.table_miss + r->issued.table_miss +
	       r->inserted.stale + r->issued.stale + w->torn;
}

static uint64_t requests(const struct sw_completed *co)
{
	uint64_t sum = co->dir[SW_READ].ios + co->dir[SW_WRITE].ios;
	int kind;

	for (kind = SW_DIRS; kind < SW_KINDS; kind++)
		sum += co->kinds[kind];
	return sum;
}

bool sw_window_lossy(const struct sw_window *w)
{
	uint64_t allowed = requests(&w->sum.completed) / SW_LOSSES_ONE_IN;

	return w->torn || sw_window_losses(w) > (allowed ? allowed : 1);
}

double sw_window_seconds(const struct sw_window *w)
{
	return w->end_ns > w->start_ns ? (double)(w->end_ns - w->start_ns) / 1e9 : 0;
}

#define WORD(field) (offsetof(struct sw_record, field) / sizeof(uint64_t))

const size_t sw_record_maxima[SW_RECORD_MAXIMA] = {
	WORD(inserted.held_max),
	WORD(issued.device_max),
	WORD(issued.dir[0].seek_max),
	WORD(issued.dir[1].seek_max),
	WORD(issued.dir[0].wait_max),
	WORD(issued.dir[1].wait_max),
	WORD(issued.dir[0].late_max),
	WORD(issued.dir[1].late_max),
	WORD(completed.flush.max),
	WORD(completed.fua.max),
	WORD(completed.dir[0].service_max),
	WORD(completed.dir[1].service_max),
	WORD(completed.dir[0].total_max),
	WORD(completed.dir[1].total_max),
	WORD(passed.pass_max),
	WORD(passed.dir[0].batch_max),
	WORD(passed.dir[1].batch_max),
};

#define DETAIL_WORD(field) (offsetof(struct sw_detail, field) / sizeof(uint64_t))
#define OF_CELL(a)                                                                                 \
	DETAIL_WORD(issued.apart[a][0].wait_max), DETAIL_WORD(issued.apart[a][1].wait_max),        \
		DETAIL_WORD(completed.apart[a][0].total_max),                                      \
		DETAIL_WORD(completed.apart[a][1].total_max)
#define EACH_DIR(field) DETAIL_WORD(field[0]), DETAIL_WORD(field[1])

const size_t sw_detail_maxima[SW_DETAIL_MAXIMA] = {
	EACH_DIR(inserted.sizes.max),
	EACH_DIR(issued.sizes.max),
	DETAIL_WORD(issued.resumed_max),
	EACH_DIR(issued.run_ios_max),
	EACH_DIR(issued.run_bytes_max),
	EACH_DIR(issued.starved_max),
	OF_CELL(0),
	OF_CELL(1),
	OF_CELL(2),
	OF_CELL(3),
	OF_CELL(4),
	OF_CELL(5),
	DETAIL_WORD(unplugged.max),
};

static bool is_one_of(const size_t *words, size_t n, size_t word)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (words[i] == word)
			return true;
	return false;
}

/* The first n words of a record or of details. */
static void words_join(__u64 *to, const __u64 *from, size_t n, const size_t *maxima, size_t count)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (!is_one_of(maxima, count, i))
			to[i] += from[i];
		else if (to[i] < from[i])
			to[i] = from[i];
	}
}

/* A bucket that is full stays full: starting over would make it look empty. */
static void counts_join(__u32 *to, const __u32 *from, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		to[i] = from[i] > UINT32_MAX - to[i] ? UINT32_MAX : to[i] + from[i];
}

static void record_join(struct sw_record *sum, const struct sw_record *more)
{
	words_join((__u64 *)sum, (const __u64 *)more, WORD(issued_hist), sw_record_maxima,
		   SW_RECORD_MAXIMA);
	counts_join((__u32 *)&sum->issued_hist, (const __u32 *)&more->issued_hist,
		    (sizeof(*sum) - offsetof(struct sw_record, issued_hist)) / sizeof(__u32));
}

/* Two tables of tasks have no sum: which is the busiest of all is not known then. */
static void details_join(struct sw_detail *sum, const struct sw_detail *more)
{
	words_join((__u64 *)sum, (const __u64 *)more, DETAIL_WORD(hist), sw_detail_maxima,
		   SW_DETAIL_MAXIMA);
	memset(sum->issued.tasks, 0, sizeof(sum->issued.tasks));
	counts_join((__u32 *)&sum->hist, (const __u32 *)&more->hist,
		    sizeof(sum->hist) / sizeof(__u32));
}

static double weighted(double a, double a_seconds, double b, double b_seconds)
{
	double seconds = a_seconds + b_seconds;

	return seconds > 0 ? (a * a_seconds + b * b_seconds) / seconds : b;
}

void sw_window_add(struct sw_window *sum, const struct sw_window *more)
{
	double before = sw_window_seconds(sum), after = sw_window_seconds(more);

	if (!sum->end_ns) {
		*sum = *more;
		/* They are the observer's, and of one window. */
		sum->detail = NULL;
		sum->groups = 0;
		return;
	}
	sum->held_mean = weighted(sum->held_mean, before, more->held_mean, after);
	sum->device_mean = weighted(sum->device_mean, before, more->device_mean, after);
	record_join(&sum->sum, &more->sum);
	sum->end_ns = more->end_ns;
	sum->busy_ns += more->busy_ns;
	sum->held_now = more->held_now;
	sum->device_now = more->device_now;
	sum->missed += more->missed;
	sum->torn += more->torn;
	/* Half a count of expired requests would pass for a whole one. */
	sum->deadline = sum->deadline && more->deadline;
	sum->kyber = sum->kyber && more->kyber;
	sum->kyber_state = more->kyber_state;
	if (more->passes < sum->passes)
		sum->passes = more->passes;
}

/* Both were taken at nearly the same time. */
static void span(struct sw_window *sum, const struct sw_window *member)
{
	if (member->start_ns < sum->start_ns)
		sum->start_ns = member->start_ns;
	if (member->end_ns > sum->end_ns)
		sum->end_ns = member->end_ns;
}

static void join_first(struct sw_window *sum, const struct sw_window *member)
{
	struct sw_detail *own = sum->detail;

	*sum = *member;
	sum->members = 1;
	sum->detail = member->detail ? own : NULL;
	if (sum->detail)
		*sum->detail = *member->detail;
	else
		sum->groups = 0;
}

void sw_window_join(struct sw_window *sum, const struct sw_window *member)
{
	if (!sum->members) {
		join_first(sum, member);
		return;
	}
	sum->members++;
	span(sum, member);
	record_join(&sum->sum, &member->sum);
	if (sum->detail && member->detail)
		details_join(sum->detail, member->detail);
	sum->groups &= member->groups;
	sum->pool = sum->pool && member->pool ? sum->pool + member->pool : 0;
	sum->kyber = false;
	sum->caches = sum->caches && member->caches;
	sum->held_mean += member->held_mean;
	sum->device_mean += member->device_mean;
	sum->held_now += member->held_now;
	sum->device_now += member->device_now;
	sum->busy_ns += member->busy_ns;
	sum->torn += member->torn;
	/* The kernel counts what it missed for all disks together. */
	if (sum->missed < member->missed)
		sum->missed = member->missed;
	sum->deadline = sum->deadline && member->deadline;
	if (member->passes < sum->passes)
		sum->passes = member->passes;
}
