/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Log-linear histograms; include/seekwise/record.h tells their layout. */
#ifndef SEEKWISE_HIST_BPF_H
#define SEEKWISE_HIST_BPF_H

/* 1 if v is above limit, without a branch: the verifier would follow each. Both below 2^63. */
static __always_inline __u64 sw_above(__u64 v, __u64 limit)
{
	__u64 difference = limit - v;

	barrier_var(difference);
	return difference >> 63;
}

/* Index of the highest bit set. BPF has no instruction for it; v is not 0. */
static __always_inline __u64 sw_highest_bit(__u64 v)
{
	__u64 bit, half;

	bit = sw_above(v, 0xffffffff) << 5;
	v >>= bit;
	half = sw_above(v, 0xffff) << 4;
	v >>= half;
	bit |= half;
	half = sw_above(v, 0xff) << 3;
	v >>= half;
	bit |= half;
	half = sw_above(v, 0xf) << 2;
	v >>= half;
	bit |= half;
	half = sw_above(v, 0x3) << 1;
	v >>= half;
	bit |= half;
	return bit | (v >> 1);
}

static __always_inline void sw_hist_add(__u32 *hist, __u64 v, __u32 n)
{
	/* Bit 3 set: a value below 8 takes no shift and is its own bucket. */
	__u64 exp = sw_highest_bit(v | 1 << SW_HIST_SUB_BITS) - SW_HIST_SUB_BITS;
	__u64 i = (exp << SW_HIST_SUB_BITS) + (v >> exp);

	/* Keeps clang from comparing a copy, which older verifiers cannot follow. */
	barrier_var(i);
	if (i >= SW_HIST_BUCKETS)
		i = SW_HIST_BUCKETS - 1;
	hist[i] += n;
}

static __always_inline void sw_hist_add_time(__u32 *hist, __u64 ns)
{
	sw_hist_add(hist, ns >> SW_HIST_TIME_SHIFT, 1);
}

static __always_inline void sw_max(__u64 *max, __u64 v)
{
	if (v > *max)
		*max = v;
}

#endif
