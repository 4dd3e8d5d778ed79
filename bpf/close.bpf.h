/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests whose completion was not seen: some kernels run no program for a few of them
 * (README). Their entries would stand for requests in the device until their tags are
 * used again. The user side looks for old ones, and runs this for each of them.
 *
 * An entry is given up when the kernel itself calls the request idle: then its completion is
 * past, while one that a disk does not answer for minutes is still in flight. Taking issue_ns away
 * by one atomic step gives that to one of two: this, or the next request with the tag.
 */
#ifndef SEEKWISE_CLOSE_BPF_H
#define SEEKWISE_CLOSE_BPF_H

static __always_inline bool sw_is_idle(struct request *rq)
{
	enum mq_rq_state state;

	if (!bpf_core_field_exists(rq->state) ||
	    !bpf_core_enum_value_exists(enum mq_rq_state, MQ_RQ_IDLE))
		return false;
	/* Tags that are allocated anew take the requests' memory with them. */
	if (bpf_core_read(&state, sizeof(state), &rq->state))
		return true;
	return state == bpf_core_enum_value(enum mq_rq_state, MQ_RQ_IDLE);
}

/* Slot, number in the request table, and issue_ns as it was read; 1: it was given up. */
static __always_inline int sw_on_close(__u64 *ctx)
{
	const int direct = SW_COPY | SW_FETCH;
	__u64 issue_ns = ctx[2], now = bpf_ktime_get_ns();
	__u32 i = ctx[1];
	struct sw_closed *cl;
	struct sw_flight *f = bpf_map_lookup_elem(&flights, &i);
	struct sw_place p = {};

	if (f)
		p = sw_place_at(ctx[0], SW_CLOSE, f->rq);
	if (!f || !p.slot || f->state != SW_IN_DEVICE || !sw_is_idle((struct request *)f->rq))
		return 0;
	if (__sync_val_compare_and_swap(&f->issue_ns, issue_ns, 0) != issue_ns)
		return 0;
	cl = &p.rec->closed;
	sw_begin(&cl->seq);
	cl->stale++;
	sw_leave_there(&p, f, &cl->flow, &cl->busy_ns, now, direct);
	sw_end(&cl->seq);
	return 1;
}

#endif
