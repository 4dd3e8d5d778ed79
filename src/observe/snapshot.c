// SPDX-License-Identifier: GPL-2.0-or-later
/* Snapshots of the kernel side's records, and the window between two. */
#include <math.h>
#include <string.h>

#include "seekwise/base.h"
#include "observer.h"

#define WORD_AT(member) (offsetof(struct sw_record, member) / sizeof(uint64_t))
#define SECTION(member)                                                                            \
	{                                                                                          \
		WORD_AT(member), sizeof(((struct sw_record *)0)->member) / sizeof(uint64_t)        \
	}

/* Each section begins with its seq. */
static const struct {
	size_t word, words;
} sections[] = {
	SECTION(inserted), SECTION(issued), SECTION(completed), SECTION(requeued),
	SECTION(merged),   SECTION(passed), SECTION(kyber),     SECTION(closed),
};

/* How old the count of what the kernel missed may be: disks in a row are read within it. */
#define MISSED_NS 2000000

#define SECTIONS (sizeof(sections) / sizeof(sections[0]))
#define HIST_WORD WORD_AT(issued_hist)
#define HIST_COUNTS ((sizeof(struct sw_record) - offsetof(struct sw_record, issued_hist)) / 4)

static uint64_t add_cpu(struct sw_record *sum, const struct sw_record *record)
{
	__u64 copy[HIST_WORD];
	const __u64 *from;
	uint64_t torn = 0;
	size_t i;

	for (i = 0; i < SECTIONS; i++) {
		from = (const __u64 *)record + sections[i].word;
		if (!sw_section_copy(copy + sections[i].word, from, sections[i].words, from))
			torn++;
	}
	sw_words_add((__u64 *)sum, copy, HIST_WORD);
	sw_counts_add((__u32 *)&sum->issued_hist, (const __u32 *)&record->issued_hist, HIST_COUNTS);
	return torn;
}

/* Grows with every event of the disk. */
static uint64_t written(const struct sw_observer *o, int i)
{
	const struct sw_record *records = o->records + (size_t)i * o->cpus;
	uint64_t sum = 0;
	size_t k;
	int cpu;

	for (cpu = 0; cpu < o->cpus; cpu++) {
		/* These are added to without a sequence. */
		for (k = 0; k < SW_DOMAINS; k++)
			sum += records[cpu].kyber.adjusts[k];
		for (k = 0; k < SECTIONS; k++)
			sum += __atomic_load_n((const __u64 *)&records[cpu] + sections[k].word,
					       __ATOMIC_ACQUIRE);
	}
	return sum;
}

/* For all disks together: asked once for the disks that are looked at in a row. */
static uint64_t missed(struct sw_observer *o)
{
	uint64_t now = sw_now_ns();

	if (!o->missed_ns || now - o->missed_ns > MISSED_NS) {
		o->missed = o->missed_before + sw_kernel_side_missed(&o->side);
		o->missed_ns = now;
	}
	return o->missed;
}

static void take_sums(struct sw_observer *o, int i, struct sw_snapshot *s)
{
	struct sw_record *records = o->records + (size_t)i * o->cpus;
	__u64 largest[SW_RECORD_MAXIMA] = {};
	int cpu;

	memset(s, 0, sizeof(*s));
	for (cpu = 0; cpu < o->cpus; cpu++) {
		s->torn += add_cpu(&s->sum, &records[cpu]);
		sw_maxima_take(largest, (__u64 *)&records[cpu], sw_record_maxima, SW_RECORD_MAXIMA);
	}
	sw_maxima_put((__u64 *)&s->sum, largest, sw_record_maxima, SW_RECORD_MAXIMA);
}

void sw_snapshot_take(struct sw_observer *o, int i, struct sw_snapshot *s)
{
	const struct sw_state *st = &o->side.states[i];
	struct sw_slot *slot = &o->side.slots[i];
	uint64_t since, by_now = written(o, i);

	/* Of many disks most are idle: nothing was added since. */
	if (by_now && by_now == o->disks[i].written) {
		memcpy(s, &o->disks[i].last, sizeof(*s));
		sw_maxima_put((__u64 *)&s->sum, (const __u64[SW_RECORD_MAXIMA]){}, sw_record_maxima,
			      SW_RECORD_MAXIMA);
		s->torn = 0;
	} else {
		take_sums(o, i, s);
	}
	o->disks[i].written = by_now;
	s->missed = missed(o);
	__atomic_store_n(&slot->since_ns, sw_now_ns(), __ATOMIC_RELAXED);
	since = __atomic_load_n(&st->busy_since, __ATOMIC_RELAXED);
	s->time_ns = sw_now_ns();
	s->busy_ns = s->sum.completed.busy_ns + s->sum.closed.busy_ns;
	if (__atomic_load_n(&st->now_there, __ATOMIC_RELAXED) >> 32 && since < s->time_ns)
		s->busy_ns += s->time_ns - since;
}

static struct sw_flow all_flows(const struct sw_record *r)
{
	const struct sw_flow *flows[] = { &r->inserted.flow, &r->issued.flow, &r->completed.flow,
					  &r->requeued.flow, &r->merged.flow, &r->closed.flow };
	struct sw_flow sum = {};
	size_t i;

	for (i = 0; i < sizeof(flows) / sizeof(flows[0]); i++)
		sw_words_add((__u64 *)&sum, (const __u64 *)flows[i],
			     sizeof(sum) / sizeof(uint64_t));
	return sum;
}

/* Mean number over the window, from the integrals up to both ends (record.h). */
static double mean_number(uint64_t n0, uint64_t s0, uint64_t t0, uint64_t n1, uint64_t s1,
			  uint64_t t1)
{
	int64_t integral = (int64_t)((n1 * t1 - s1) - (n0 * t0 - s0));

	return t1 > t0 && integral > 0 ? (double)integral / (double)(t1 - t0) : 0;
}

static uint64_t not_negative(uint64_t n)
{
	return (int64_t)n < 0 ? 0 : n;
}

static void raise(__u64 *max, uint64_t v)
{
	if (v > *max)
		*max = v;
}

void sw_snapshot_window(const struct sw_snapshot *from, const struct sw_snapshot *to,
			struct sw_window *w)
{
	struct sw_flow a = all_flows(&from->sum), b = all_flows(&to->sum);
	__u64 *sum = (__u64 *)&w->sum;
	size_t i;

	memset(w, 0, sizeof(*w));
	w->start_ns = from->time_ns;
	w->end_ns = to->time_ns;
	sw_words_between(sum, (const __u64 *)&from->sum, (const __u64 *)&to->sum, HIST_WORD);
	sw_maxima_keep(sum, (const __u64 *)&to->sum, sw_record_maxima, SW_RECORD_MAXIMA);
	sw_counts_between((__u32 *)&w->sum.issued_hist, (const __u32 *)&from->sum.issued_hist,
			  (const __u32 *)&to->sum.issued_hist, HIST_COUNTS);
	for (i = 0; i < SECTIONS; i++)
		sum[sections[i].word] = 0;
	/* By whatever it was found out. */
	w->sum.inserted.stale += w->sum.closed.stale;
	w->busy_ns = not_negative(to->busy_ns - from->busy_ns);
	if (w->busy_ns > w->end_ns - w->start_ns)
		w->busy_ns = w->end_ns - w->start_ns;
	w->held_mean =
		mean_number(a.held, a.held_time, from->time_ns, b.held, b.held_time, to->time_ns);
	w->device_mean = mean_number(a.device, a.device_time, from->time_ns, b.device,
				     b.device_time, to->time_ns);
	w->held_now = not_negative(b.held);
	w->device_now = not_negative(b.device);
	/*
	 * Both ends count as well: there need not be any event above. And requests from
	 * before observing began are seen only when they leave: all of them were there
	 * at its start.
	 */
	raise(&w->sum.inserted.held_max, not_negative(a.held));
	raise(&w->sum.inserted.held_max, w->held_now);
	raise(&w->sum.inserted.held_max, w->sum.issued.before);
	raise(&w->sum.inserted.held_max, (uint64_t)ceil(w->held_mean));
	raise(&w->sum.issued.device_max, not_negative(a.device));
	raise(&w->sum.issued.device_max, w->device_now);
	raise(&w->sum.issued.device_max, w->sum.completed.before);
	raise(&w->sum.issued.device_max, (uint64_t)ceil(w->device_mean));
	w->missed = to->missed - from->missed;
	w->torn = to->torn;
}
