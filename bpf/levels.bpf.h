/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The group depth: how long which number of requests was held or in the device.
 * An atomic add that returns what was there gives each step from one number to
 * the next to exactly one event, on whatever CPU; that event tells its time.
 */
#ifndef SEEKWISE_LEVELS_BPF_H
#define SEEKWISE_LEVELS_BPF_H

static __always_inline bool sw_depth_on(const struct sw_place *p, const int direct)
{
	return (direct & SW_FETCH) && sw_on(p, SW_GROUP_DEPTH);
}

/* A coming (record.h) at that moment. */
static __always_inline __u64 sw_level_mark(const struct sw_place *p, __u64 now)
{
	__s64 since = now - p->slot->base_ns;

	return (1ULL << SW_LEVEL_COUNT_SHIFT) + (since >> SW_LEVEL_TIME_SHIFT);
}

/* The number went from high - 1 to high, or back. */
static __always_inline void sw_level_step(__u64 *time, __u64 high, bool up, __u64 mark)
{
	__u64 exp, i;

	/* No more fit into a request table; the verifier has no bound for them. */
	exp = sw_highest_bit_of_16((high & 0xffff) | 1 << SW_HIST_SUB_BITS) - SW_HIST_SUB_BITS;
	i = (exp << SW_HIST_SUB_BITS) + (high >> exp);
	/* Both are in one bucket, unless high is the lowest of its. */
	if (high & ((1ULL << exp) - 1))
		return;
	barrier_var(i);
	if (i < SW_LEVEL_BUCKETS)
		__sync_fetch_and_add(&time[i], up ? mark : -mark);
}

static __always_inline void sw_level_move(const struct sw_place *p, enum sw_followed level,
					  enum sw_kept kept, __u32 from, __u32 to, __u64 mark)
{
	__u64 *time = p->det->levels.time[level][kept];

	if (from < to)
		sw_level_step(time, to, true, mark);
	else if (from > to)
		sw_level_step(time, from, false, mark);
}

static __always_inline bool sw_idles(__u64 there)
{
	return there && !(there >> 32);
}

/* Of all requests; both words: in device << 32 | held. */
static __always_inline void sw_levels_of_all(const struct sw_place *p, __u64 before, __u64 after,
					     __u64 now)
{
	__u64 mark = sw_level_mark(p, now);
	__u32 held = before, device = before >> 32;

	sw_level_move(p, SW_LEVEL_HELD, SW_KEPT_ALL, held, after, mark);
	sw_level_move(p, SW_LEVEL_DEVICE, SW_KEPT_ALL, device, after >> 32, mark);
	sw_level_move(p, SW_LEVEL_THERE, SW_KEPT_ALL, held + device,
		      (__u32)after + (__u32)(after >> 32), mark);
	if (sw_idles(before) != sw_idles(after))
		__sync_fetch_and_add(&p->det->levels.idle_with_work,
				     sw_idles(after) ? mark : -mark);
}

#define SW_KEPT_MASK ((1U << SW_KEPT_BITS) - 1)

static __always_inline __u32 sw_kept_of(__u64 word, __u32 kept)
{
	return (word >> kept * SW_KEPT_BITS) & SW_KEPT_MASK;
}

/* One request of that kind comes or goes; returns the word as it was before. */
static __always_inline __u64 sw_kept_step(const struct sw_place *p, __u64 *word,
					  enum sw_followed level, __u32 kept, bool up, __u64 now)
{
	__u64 one = 1ULL << kept * SW_KEPT_BITS;
	__u64 before = sw_fetch_add(word, up ? one : -one);
	__u32 n = sw_kept_of(before, kept) + up;

	/* Callers have looked, but the verifier of 6.1 forgets it of a number kept on the stack. */
	barrier_var(kept);
	kept &= SW_KEPTS - 1;
	sw_level_step(p->det->levels.time[level][kept], n, up, sw_level_mark(p, now));
	return before;
}

static __always_inline __u32 sw_held_of_dir(__u64 word, __u32 dir)
{
	if (dir == SW_READ)
		return sw_kept_of(word, SW_KEPT_READ);
	return sw_kept_of(word, SW_KEPT_SYNC) + sw_kept_of(word, SW_KEPT_ASYNC);
}

/* Comes to be held: from then on its direction waits, if nothing of it did. */
static __always_inline void sw_kept_held(const struct sw_place *p, __u32 kept, __u64 now)
{
	__u32 dir = kept != SW_KEPT_READ;
	__u64 before;

	if (kept >= SW_KEPT_ALL)
		return;
	before = sw_kept_step(p, &p->st->held_by, SW_LEVEL_HELD, kept, true, now);
	if (!sw_held_of_dir(before, dir))
		p->st->pending_since[dir] = now;
}

static __always_inline void sw_kept_unheld(const struct sw_place *p, __u32 kept, __u64 now)
{
	if (kept < SW_KEPT_ALL)
		sw_kept_step(p, &p->st->held_by, SW_LEVEL_HELD, kept, false, now);
}

static __always_inline void sw_kept_device(const struct sw_place *p, __u32 kept, bool up, __u64 now)
{
	if (kept < SW_KEPT_ALL)
		sw_kept_step(p, &p->st->device_by, SW_LEVEL_DEVICE, kept, up, now);
}

/* A request of the direction that waited is issued: how long was it passed over? */
static __always_inline void sw_starved_ends(const struct sw_place *p, __u32 kept, __u64 now)
{
	__u32 dir = kept != SW_KEPT_READ;
	__u64 passed = now - p->st->pending_since[dir];

	if (kept >= SW_KEPT_ALL || (__s64)passed < 0)
		return;
	sw_max(&p->det->issued.starved_max[dir], passed);
	p->st->pending_since[dir] = now;
}

/* What is followed of a request with these flags. */
static __always_inline __u8 sw_kept_kind(__u32 flags)
{
	__u64 op = sw_op_of_flags(flags);

	if (op >= SW_DIRS)
		return SW_KEPT_ALL;
	if (op == SW_READ)
		return SW_KEPT_READ;
	return sw_is_sync(flags) ? SW_KEPT_SYNC : SW_KEPT_ASYNC;
}

#endif
