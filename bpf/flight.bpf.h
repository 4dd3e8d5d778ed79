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
	return bpf_map_lookup_elem(&flights, &i);
}

/*
 * Takes what the entry stood for out of the scheduler or the device. Returns
 * the change for sw_there, so that an event makes one atomic add.
 */
static __always_inline __u64 sw_flight_leave(const struct sw_flight *f, struct sw_flow *flow,
					     __u64 now)
{
	if (f->state == SW_IN_DEVICE) {
		flow->device--;
		flow->device_time -= now;
		return -SW_ONE_IN_DEVICE;
	}
	if (f->state == SW_FREE)
		return 0;
	flow->held--;
	flow->held_time -= now;
	return -SW_ONE_HELD;
}

static __always_inline __u64 sw_enter_held(struct sw_flow *flow, __u64 now)
{
	flow->held++;
	flow->held_time += now;
	return SW_ONE_HELD;
}

static __always_inline __u64 sw_enter_device(struct sw_flow *flow, __u64 now)
{
	flow->device++;
	flow->device_time += now;
	return SW_ONE_IN_DEVICE;
}

/*
 * Adds to the numbers held and in device, and returns both as they are then, or
 * a moment later: an add that returns the sum needs a kernel of 5.12.
 */
static __always_inline __u64 sw_there(struct sw_state *st, __u64 change)
{
	__sync_fetch_and_add(&st->now_there, change);
	return *(volatile __u64 *)&st->now_there;
}

/* The request was allocated before the observation began. */
static __always_inline bool sw_from_before(struct request *rq, const struct sw_slot *slot,
					   const int direct)
{
	__u64 start = SW_LOAD(direct, rq, start_time_ns);

	return start && start < slot->start_ns;
}

#endif
