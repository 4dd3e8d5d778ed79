/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The group streams: runs of sequential issues, and what leaving one for another costs. */
#ifndef SEEKWISE_STREAMS_BPF_H
#define SEEKWISE_STREAMS_BPF_H

static __always_inline void sw_run_ends(struct sw_detail *det, struct sw_head *h)
{
	struct sw_detail_issued *is = &det->issued;
	__u32 dir = h->run_dir & 1;

	is->runs[dir]++;
	is->run_ios[dir] += h->run_ios;
	is->run_bytes[dir] += h->run_bytes;
	sw_max(&is->run_ios_max[dir], h->run_ios);
	sw_max(&is->run_bytes_max[dir], h->run_bytes);
	sw_hist_add(det->hist.run_ios[dir], h->run_ios, 1);
	sw_hist_add(det->hist.run_bytes[dir], h->run_bytes >> 9, 1);
}

static __always_inline __u64 *sw_run_end(struct sw_head *h, __u64 place)
{
	return &h->ends[(h->front + place) & (SW_ENDS - 1)];
}

/*
 * The place, from 0, of the run that ended where this issue starts; SW_STREAMS if there
 * is none. It goes through memory, so that the verifier does not follow each of them on.
 */
static __always_inline __u64 sw_run_find(struct sw_detail *det, struct sw_head *h, __u64 start)
{
	__u64 i;

	for (i = 0; i < SW_STREAMS; i++)
		if (*sw_run_end(h, i) == start)
			break;
	*(volatile __u64 *)&det->issued.scratch = i;
	return *(volatile __u64 *)&det->issued.scratch;
}

/* Moves the run at that place, with its new end, to the front; a new one comes before it. */
static __always_inline void sw_run_to_front(struct sw_head *h, __u64 place, __u64 end)
{
	__u64 carried = end, at, i;

	if (place >= SW_STREAMS) {
		h->front--;
		*sw_run_end(h, 0) = end;
		return;
	}
	for (i = 0; i < SW_STREAMS; i++) {
		at = *sw_run_end(h, i);
		*sw_run_end(h, i) = carried;
		if (i == place)
			break;
		carried = at;
	}
}

static __always_inline void sw_streams_issue(const struct sw_place *p, __u32 dir, __u64 sector,
					     __u32 bytes)
{
	struct sw_detail_issued *is = &p->det->issued;
	struct sw_head *h = p->head;
	__u64 place = sw_run_find(p->det, h, sector + 1);

	sw_run_to_front(h, place, sector + (bytes >> 9) + 1);
	if (place && h->run_ios) {
		sw_run_ends(p->det, h);
		h->run_ios = h->run_bytes = 0;
	}
	if (!h->run_ios)
		h->run_dir = dir;
	h->run_ios++;
	h->run_bytes += bytes;
	if (!place || place >= SW_STREAMS)
		return;
	is->resumed++;
	is->resumed_sum += place + 1;
	sw_max(&is->resumed_max, place + 1);
	sw_hist_add(p->det->hist.resumed, place + 1, 1);
}

/*
 * One arm does one thing at a time: what it took for a request is the time since
 * its issue or since the completion before, whichever came later.
 */
static __always_inline void sw_streams_complete(const struct sw_place *p, const struct sw_flight *f,
						__u64 sector, __u32 bytes, __u64 now)
{
	struct sw_state *st = p->st;
	__u64 start = sector + 1, end = st->done_end, i = 0;
	__u64 since = f->issue_ns > st->done_ns ? f->issue_ns : st->done_ns;
	struct sw_cost *cost;

	st->done_end = start + (bytes >> 9);
	st->done_ns = now;
	if (!end || (__s64)(now - since) < 0)
		return;
	if (start != end)
		i = sw_highest_bit(start > end ? start - end : end - start) + 1;
	barrier_var(i);
	if (i >= SW_COSTS)
		return;
	cost = &p->det->completed.costs[i];
	cost->count++;
	cost->ns += now - since;
	cost->bytes += bytes;
}

#endif
