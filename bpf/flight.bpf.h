/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The request table: one entry for each tag of each hardware queue. A tag has
 * one owner at a time, so an entry is written by one CPU at a time. The flush
 * machinery's own request borrows the tag of the request that it serves, hence
 * the pointer.
 */
#ifndef SEEKWISE_FLIGHT_BPF_H
#define SEEKWISE_FLIGHT_BPF_H

static __always_inline struct sw_flight *sw_flight_of(struct request *rq,
						      const struct sw_slot *slot, const int direct)
{
	int tag = SW_LOAD(direct, rq, internal_tag);
	struct blk_mq_hw_ctx *hctx;
	struct sw_flight *f;
	__u32 i;

	/* Without a scheduler there is only the driver's tag. */
	if (tag < 0)
		tag = SW_LOAD(direct, rq, tag);
	i = (__u32)tag;
	if (i >= slot->queue_tags)
		return 0;
	/* With one hardware queue there is no need to touch it. */
	if (slot->flight_size != slot->queue_tags) {
		hctx = SW_LOAD(direct, rq, mq_hctx);
		if (!hctx)
			return 0;
		i += SW_LOAD(direct, hctx, queue_num) * slot->queue_tags;
	}
	i = slot->flight_base + (i & (slot->flight_size - 1));
	f = bpf_map_lookup_elem(&flights, &i);
	if (f)
		sw_ask_for(&f->asked);
	return f;
}

/* What the detail groups keep of a request from its first event on. */
static __always_inline void sw_flight_begin(const struct sw_place *p, struct sw_flight *f,
					    __u32 flags, const int direct)
{
	if (sw_depth_on(p, direct))
		f->kept = sw_kept_kind(flags);
	if (sw_on(p, SW_GROUP_LOCALITY))
		f->cpu = bpf_get_smp_processor_id();
}

/*
 * Takes what the entry stood for out of the scheduler or the device. Returns
 * the change for sw_there, so that an event makes one atomic add.
 */
static __always_inline __u64 sw_flight_leave(const struct sw_place *p, const struct sw_flight *f,
					     struct sw_flow *flow, __u64 now, const int direct)
{
	if (f->state == SW_IN_DEVICE) {
		flow->device--;
		flow->device_time -= now;
		if (sw_depth_on(p, direct))
			sw_kept_device(p, f->kept, false, now);
		return -SW_ONE_IN_DEVICE;
	}
	if (f->state == SW_FREE)
		return 0;
	flow->held--;
	flow->held_time -= now;
	if (sw_depth_on(p, direct))
		sw_kept_unheld(p, f->kept, now);
	return -SW_ONE_HELD;
}

/*
 * Of an entry in use whose request is no more: whether it is for the caller to take it out.
 * One in the device may have been given up meanwhile (close.bpf.h).
 */
static __always_inline bool sw_flight_claim(struct sw_flight *f, const int direct)
{
	if (f->state != SW_IN_DEVICE || !(direct & SW_FETCH))
		return true;
	return sw_fetch_clear(&f->issue_ns);
}

static __always_inline __u64 sw_enter_held(const struct sw_place *p, const struct sw_flight *f,
					   struct sw_flow *flow, __u64 now, const int direct)
{
	flow->held++;
	flow->held_time += now;
	if (sw_depth_on(p, direct))
		sw_kept_held(p, f->kept, now);
	return SW_ONE_HELD;
}

static __always_inline __u64 sw_enter_device(const struct sw_place *p, const struct sw_flight *f,
					     struct sw_flow *flow, __u64 now, const int direct)
{
	flow->device++;
	flow->device_time += now;
	if (sw_depth_on(p, direct))
		sw_kept_device(p, f->kept, true, now);
	return SW_ONE_IN_DEVICE;
}

/*
 * Adds to the numbers held and in device, and returns both as they are then; in
 * kernels whose add returns nothing, as they are a moment later.
 */
static __always_inline __u64 sw_there(const struct sw_place *p, __u64 change, __u64 now,
				      const int direct)
{
	__u64 before;

	if (!(direct & SW_FETCH)) {
		__sync_fetch_and_add(&p->st->now_there, change);
		return *(volatile __u64 *)&p->st->now_there;
	}
	before = sw_fetch_add(&p->st->now_there, change);
	if (sw_depth_on(p, direct))
		sw_levels_of_all(p, before, before + change, now);
	return before + change;
}

/* The request was allocated before the observation began. */
static __always_inline bool sw_from_before(struct request *rq, const struct sw_slot *slot,
					   const int direct)
{
	__u64 start = SW_LOAD(direct, rq, start_time_ns);

	return start && start < slot->start_ns;
}

#endif
