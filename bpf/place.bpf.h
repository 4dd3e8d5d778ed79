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

/* Where an event belongs; slot is 0 when the disk is not observed. */
struct sw_place {
	struct sw_slot *slot;
	struct sw_state *st;
	struct sw_record *rec;
};

static __always_inline struct sw_place sw_place_at(__u32 i)
{
	struct sw_place p = {};

	if (i >= SW_MAX_SLOTS || sw_slots[i].generation != sw_generation)
		return p;
	p.rec = sw_record_of(i);
	if (!p.rec)
		return p;
	p.st = &sw_states[i];
	p.slot = &sw_slots[i];
	return p;
}

static __always_inline struct sw_place sw_place_of(struct request *rq, const int direct)
{
	return sw_place_at(sw_slot_of(rq, direct));
}

#endif
