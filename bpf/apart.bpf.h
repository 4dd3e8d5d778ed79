/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The group classes: sync and async, RT, BE and IDLE apart. */
#ifndef SEEKWISE_APART_BPF_H
#define SEEKWISE_APART_BPF_H

/* A request's cell (record.h). */
static __always_inline __u8 sw_apart_of(__u32 flags, enum sw_class class)
{
	return !sw_is_sync(flags) | class << 1;
}

/* Its place in arrays by cell and direction. */
static __always_inline __u64 sw_apart_place(__u8 apart, __u64 dir)
{
	return apart * SW_DIRS + dir;
}

#define SW_APART_PLACES (SW_APART_CELLS * SW_DIRS)

/* Of an array of histograms: bounded as one number, next to its use (see sw_dir). */
static __always_inline void sw_apart_hist_add(__u32 (*hists)[SW_DIRS][SW_HIST_BUCKETS], __u64 place,
					      __u64 bucket)
{
	__u64 i;

	i = place * SW_HIST_BUCKETS + (bucket < SW_HIST_BUCKETS ? bucket : SW_HIST_BUCKETS - 1);
	barrier_var(i);
	if (i < SW_APART_PLACES * SW_HIST_BUCKETS)
		((__u32 *)hists)[i]++;
}

static __always_inline void sw_apart_wait(struct sw_detail *det, __u8 apart, __u64 dir, __u64 wait,
					  __u64 bucket)
{
	struct sw_apart_waits *a = det->issued.apart[0];
	__u64 place = sw_apart_place(apart, dir);

	barrier_var(place);
	if (place >= SW_APART_PLACES)
		return;
	a += place;
	a->waits++;
	a->wait_sum += wait;
	sw_max(&a->wait_max, wait);
	sw_apart_hist_add(det->hist.wait, place, bucket);
}

/* So many bytes came back; whole: and with them the request. */
static __always_inline void sw_apart_done(struct sw_detail *det, __u8 apart, __u64 dir, __u32 bytes,
					  bool whole)
{
	struct sw_apart_totals *a = det->completed.apart[0];
	__u64 place = sw_apart_place(apart, dir);

	barrier_var(place);
	if (place >= SW_APART_PLACES)
		return;
	a += place;
	a->bytes += bytes;
	a->ios += whole;
}

static __always_inline void sw_apart_total(struct sw_detail *det, __u8 apart, __u64 dir,
					   __u64 total, __u64 bucket)
{
	struct sw_apart_totals *a = det->completed.apart[0];
	__u64 place = sw_apart_place(apart, dir);

	barrier_var(place);
	if (place >= SW_APART_PLACES)
		return;
	a += place;
	a->totals++;
	a->total_sum += total;
	sw_max(&a->total_max, total);
	sw_apart_hist_add(det->hist.total, place, bucket);
}

#endif
