/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Log-linear histograms; include/seekwise/record.h tells their layout. */
#ifndef SEEKWISE_HIST_BPF_H
#define SEEKWISE_HIST_BPF_H

/*
 * A direction, bounded anew: the verifier of 5.10 forgets the bounds of a number that clang
 * keeps on the stack for a while.
 */
static __always_inline __u64 sw_dir(__u64 dir)
{
	barrier_var(dir);
	return dir & (SW_DIRS - 1);
}

/* 1 if v is above limit, without a branch: the verifier would follow each. Both below 2^63. */
static __always_inline __u64 sw_above(__u64 v, __u64 limit)
{
	__u64 difference = limit - v;

	barrier_var(difference);
	return difference >> 63;
}

/* Index of the highest bit of each number below 16, two bits each. */
#define SW_HIGHEST_OF_16 0xffffaa50U

/* Index of the highest bit set. BPF has no instruction for it. v is not 0 and below 2^16. */
static __always_inline __u64 sw_highest_bit_of_16(__u64 v)
{
	__u64 bit, half;

	bit = sw_above(v, 0xff) << 3;
	v >>= bit;
	half = sw_above(v, 0xf) << 2;
	v >>= half;
	return bit | half | (SW_HIGHEST_OF_16 >> (v << 1) & 3);
}

/* The same of any v but 0. */
static __always_inline __u64 sw_highest_bit(__u64 v)
{
	__u64 bit, half;

	bit = sw_above(v, 0xffffffff) << 5;
	v >>= bit;
	half = sw_above(v, 0xffff) << 4;
	v >>= half;
	return bit | half | sw_highest_bit_of_16(v);
}

/* How often the width of v's bucket doubles. Bit 3 set: a value below 8 is its own bucket. */
static __always_inline __u64 sw_hist_exponent(__u64 v)
{
	return sw_highest_bit(v | 1 << SW_HIST_SUB_BITS) - SW_HIST_SUB_BITS;
}

static __always_inline __u64 sw_hist_bucket(__u64 v)
{
	__u64 exp = sw_hist_exponent(v);

	return (exp << SW_HIST_SUB_BITS) + (v >> exp);
}

static __always_inline void sw_hist_count(__u32 *hist, __u64 bucket, __u32 n)
{
	/* Keeps clang from comparing a copy, which older verifiers cannot follow. */
	barrier_var(bucket);
	if (bucket >= SW_HIST_BUCKETS)
		bucket = SW_HIST_BUCKETS - 1;
	hist[bucket] += n;
}

static __always_inline void sw_hist_add(__u32 *hist, __u64 v, __u32 n)
{
	sw_hist_count(hist, sw_hist_bucket(v), n);
}

static __always_inline __u64 sw_hist_time_bucket(__u64 ns)
{
	return sw_hist_bucket(ns >> SW_HIST_TIME_SHIFT);
}

static __always_inline void sw_hist_add_time(__u32 *hist, __u64 ns)
{
	sw_hist_count(hist, sw_hist_time_bucket(ns), 1);
}

static __always_inline void sw_max(__u64 *max, __u64 v)
{
	if (v > *max)
		*max = v;
}

#endif
