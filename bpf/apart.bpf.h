/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The group classes: sync and async, RT, BE and IDLE apart. */
#ifndef SEEKWISE_APART_BPF_H
#define SEEKWISE_APART_BPF_H

/* As a request table's entry keeps it. */
static __always_inline __u8 sw_apart_of(__u32 flags, enum sw_class class)
{
	return !sw_is_sync(flags) | class << 1;
}

/* The two places of a request in arrays by enum sw_apart and direction. */
static __always_inline __u64 sw_apart_by_sync(__u8 apart, __u64 dir)
{
	return (apart & 1) * SW_DIRS + dir;
}

static __always_inline __u64 sw_apart_by_class(__u8 apart, __u64 dir)
{
	return (SW_APART_RT + (apart >> 1)) * SW_DIRS + dir;
}

#define SW_APART_PLACES (SW_APARTS * SW_DIRS)

/* Of an array of histograms: bounded as one number, next to its use (see sw_dir). */
static __always_inline void sw_apart_hist_add(__u32 (*hists)[SW_DIRS][SW_HIST_BUCKETS], __u64 place,
					      __u64 bucket)
{
	__u64 i = place * SW_HIST_BUCKETS + bucket;

	barrier_var(i);
	if (i < SW_APART_PLACES * SW_HIST_BUCKETS)
		((__u32 *)hists)[i]++;
}

static __always_inline __u64 sw_time_bucket(__u64 ns)
{
	__u64 bucket = sw_hist_bucket(ns >> SW_HIST_TIME_SHIFT);

	return bucket < SW_HIST_BUCKETS ? bucket : SW_HIST_BUCKETS - 1;
}

static __always_inline void sw_apart_wait_add(struct sw_detail *det, __u64 place, __u64 wait,
					      __u64 bucket)
{
	struct sw_apart_waits *a = det->issued.apart[0];

	barrier_var(place);
	if (place >= SW_APART_PLACES)
		return;
	a += place;
	a->waits++;
	a->wait_sum += wait;
	sw_max(&a->wait_max, wait);
	sw_apart_hist_add(det->hist.wait, place, bucket);
}

static __always_inline void sw_apart_wait(struct sw_detail *det, __u8 apart, __u64 dir, __u64 wait)
{
	__u64 bucket = sw_time_bucket(wait);

	sw_apart_wait_add(det, sw_apart_by_sync(apart, dir), wait, bucket);
	sw_apart_wait_add(det, sw_apart_by_class(apart, dir), wait, bucket);
}

static __always_inline void sw_apart_done_add(struct sw_detail *det, __u64 place, __u32 bytes,
					      bool whole)
{
	struct sw_apart_totals *a = det->completed.apart[0];

	barrier_var(place);
	if (place >= SW_APART_PLACES)
		return;
	a += place;
	a->bytes += bytes;
	a->ios += whole;
}

/* So many bytes came back; whole: and with them the request. */
static __always_inline void sw_apart_done(struct sw_detail *det, __u8 apart, __u64 dir, __u32 bytes,
					  bool whole)
{
	sw_apart_done_add(det, sw_apart_by_sync(apart, dir), bytes, whole);
	sw_apart_done_add(det, sw_apart_by_class(apart, dir), bytes, whole);
}

static __always_inline void sw_apart_total_add(struct sw_detail *det, __u64 place, __u64 total,
					       __u64 bucket)
{
	struct sw_apart_totals *a = det->completed.apart[0];

	barrier_var(place);
	if (place >= SW_APART_PLACES)
		return;
	a += place;
	a->totals++;
	a->total_sum += total;
	sw_max(&a->total_max, total);
	sw_apart_hist_add(det->hist.total, place, bucket);
}

static __always_inline void sw_apart_total(struct sw_detail *det, __u8 apart, __u64 dir,
					   __u64 total)
{
	__u64 bucket = sw_time_bucket(total);

	sw_apart_total_add(det, sw_apart_by_sync(apart, dir), total, bucket);
	sw_apart_total_add(det, sw_apart_by_class(apart, dir), total, bucket);
}

#endif
