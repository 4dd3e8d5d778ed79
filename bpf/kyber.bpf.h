/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What kyber's own tracepoints tell: tokens that were not to be had, and why. */
#ifndef SEEKWISE_KYBER_BPF_H
#define SEEKWISE_KYBER_BPF_H

/* They name the disk by its number; in older kernels (seen in 5.10) they give the queue. */
const volatile __u32 sw_kyber_queue = 0;

static __always_inline struct sw_place sw_place_of_kyber(__u64 arg, enum sw_event event)
{
	__u32 slot;

	if (sw_kyber_queue)
		slot = sw_slot_of_queue((struct request_queue *)arg, SW_COPY);
	else
		slot = (__u32)sw_look_up_dev(arg) - 1;
	return sw_place_at(slot, event, arg);
}

static __always_inline char sw_first_letter(__u64 text)
{
	char c = 0;

	bpf_probe_read_kernel(&c, sizeof(c), (const void *)text);
	return c;
}

static __always_inline enum sw_domain sw_domain_of(__u64 name)
{
	switch (sw_first_letter(name)) {
	case 'R':
		return SW_DOMAIN_READ;
	case 'W':
		return SW_DOMAIN_WRITE;
	case 'D':
		return SW_DOMAIN_DISCARD;
	default:
		return SW_DOMAIN_OTHER;
	}
}

static __always_inline int sw_on_throttled(__u64 *ctx)
{
	struct sw_place p = sw_place_of_kyber(ctx[0], SW_THROTTLED);

	if (!p.slot)
		return 0;
	sw_begin(&p.rec->kyber.seq);
	p.rec->kyber.throttled[sw_domain_of(ctx[1])]++;
	sw_end(&p.rec->kyber.seq);
	return 0;
}

static __always_inline int sw_on_adjust(__u64 *ctx)
{
	struct sw_place p = sw_place_of_kyber(ctx[0], SW_ADJUST);
	enum sw_domain domain;

	if (!p.slot)
		return 0;
	domain = sw_domain_of(ctx[1]);
	/* The seq is the other program's, which this one may interrupt: one step instead. */
	__sync_fetch_and_add(&p.rec->kyber.adjusts[domain], 1);
	p.head->kyber.depth[domain] = (__u32)ctx[2] + 1;
	return 0;
}

static __always_inline int sw_on_latency(__u64 *ctx)
{
	struct sw_place p = sw_place_of_kyber(ctx[0], SW_LATENCY);
	enum sw_domain domain;
	__u32 io;

	if (!p.slot)
		return 0;
	domain = sw_domain_of(ctx[1]);
	io = sw_first_letter(ctx[2]) == 'I';
	p.head->kyber.numerator[domain][io] = ctx[4];
	p.head->kyber.denominator[domain][io] = ctx[5];
	return 0;
}

#endif
