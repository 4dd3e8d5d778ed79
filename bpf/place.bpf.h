/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where an event is counted. */
#ifndef SEEKWISE_PLACE_BPF_H
#define SEEKWISE_PLACE_BPF_H

/*
 * A section's seq is odd between these two. The reader on another CPU tries
 * again when it met an odd one or when it changed.
 */
static __always_inline void sw_begin(__u64 *seq)
{
	(*(volatile __u64 *)seq)++;
	barrier();
}

static __always_inline void sw_end(__u64 *seq)
{
	barrier();
	(*(volatile __u64 *)seq)++;
}

/*
 * A cache line that another CPU wrote is on its way from a store to it on, while the
 * program goes on; a load, or an atomic add, would wait for it. BPF has no prefetch.
 */
static __always_inline void sw_ask_for(void *in_line)
{
	*(volatile __u8 *)in_line = 1;
}

/* Where an event belongs; slot is 0 when the disk is not observed. */
struct sw_place {
	struct sw_slot *slot;
	struct sw_state *st;
	struct sw_record *rec;
	struct sw_head *head;
	struct sw_detail *det; /* 0 while all detail groups are off */
};

enum sw_event {
	SW_INSERT,
	SW_ISSUE,
	SW_COMPLETE,
	SW_REQUEUE,
	SW_MERGE,
	SW_DISPATCH,
	SW_BIO_BACK_MERGE,
	SW_BIO_FRONT_MERGE,
	SW_UNPLUG,
	SW_THROTTLED,
	SW_ADJUST,
	SW_LATENCY,
	SW_CLOSE,
	SW_EVENTS
};

#define SW_MARKS 1024
/* By event and CPU: the request of an event that the object that leaves has counted. */
__u64 sw_marks[SW_EVENTS * SW_MARKS];

/*
 * Another object takes over. At a tracepoint the one that leaves runs first, and
 * both run on one CPU without another event of the kind in between. So what the
 * first has counted it marks, and the second counts what is not marked: neither
 * loses nor counts twice the event during which the generation changes. On the
 * dispatch function the order may be the other one: then a pass that is handed over
 * in that very moment can be left out, and is never counted twice.
 */
static __always_inline bool sw_takes_over(__u32 generation, enum sw_event event, __u64 rq)
{
	__u32 cpu = bpf_get_smp_processor_id() & (SW_MARKS - 1);
	__u64 *mark = &sw_marks[event * SW_MARKS + cpu];

	if (generation == (sw_generation | SW_LEAVING)) {
		*mark = rq;
		return true;
	}
	if (generation == (sw_generation | SW_ARRIVING) && *mark != rq)
		return true;
	*mark = 0;
	return false;
}

static __always_inline struct sw_place sw_place_at(__u32 i, enum sw_event event, __u64 rq)
{
	struct sw_place p = {};
	__u32 generation;

	if (i >= SW_MAX_SLOTS)
		return p;
	generation = sw_slots[i].generation;
	if (generation != sw_generation &&
	    (!(generation >> 30) || !sw_takes_over(generation, event, rq)))
		return p;
	p.rec = sw_record_of(i);
	if (!p.rec)
		return p;
	if (sw_groups) {
		p.det = sw_detail_of(i);
		if (!p.det)
			return p;
	}
	p.head = &sw_heads[i];
	p.st = &sw_states[i];
	sw_ask_for(&p.st->asked);
	p.slot = &sw_slots[i];
	return p;
}

/* Whether a detail group is on; then p->det is there. */
static __always_inline bool sw_on(const struct sw_place *p, __u32 group)
{
	return (sw_groups & group) && p->det;
}

static __always_inline struct sw_place sw_place_of(struct request *rq, enum sw_event event,
						   const int direct)
{
	return sw_place_at(sw_slot_of(rq, direct), event, (__u64)rq);
}

#endif
