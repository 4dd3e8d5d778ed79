/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the head goes: positions, seek distances, sweeps and wraps. */
#ifndef SEEKWISE_GEOMETRY_BPF_H
#define SEEKWISE_GEOMETRY_BPF_H

static __always_inline void sw_position_issue(struct sw_record *rec, struct sw_state *st, __u32 dir,
					      __u64 start, __u32 sectors)
{
	struct sw_issued_dir *d = &rec->issued.dir[dir];
	__u64 position = st->position, distance;

	st->position = start + sectors + 1;
	if (!position)
		return;
	position--;
	d->located++;
	if (start < position) {
		distance = position - start;
		d->backward++;
	} else {
		distance = start - position;
		d->sequential += distance == 0;
	}
	d->seek_sum += distance;
	sw_max(&d->seek_max, distance);
	sw_hist_add(rec->issued_hist.seek[dir], distance, 1);
}

enum sw_step { SW_ONWARD, SW_FIRST, SW_BACK };

/*
 * Two CPUs that dispatch at once can swap neighbours on the way to the driver:
 * a request from another CPU that lies between the last two is no step back.
 */
static __always_inline enum sw_step sw_sweep_step(struct sw_sweep *s, __u64 start)
{
	__u32 cpu = bpf_get_smp_processor_id();
	__u64 mark = start + 1;
	enum sw_step step = SW_ONWARD;

	if (s->last && mark < s->last) {
		if (cpu != s->cpu && mark >= s->before_last)
			return SW_ONWARD;
		step = SW_BACK;
		s->before_last = mark;
	} else {
		step = s->last ? SW_ONWARD : SW_FIRST;
		s->before_last = s->last;
	}
	s->last = mark;
	s->cpu = cpu;
	return step;
}

static __always_inline enum sw_wrap sw_wrap_kind(const struct sw_state *st,
						 struct deadline_data *dd,
						 enum sw_deadline deadline, __u32 dir, __u32 class,
						 __u64 start)
{
	if (!dd)
		return SW_UNKNOWN;
	if (deadline == SW_LATE)
		return SW_EXPIRED;
	/* With nothing held there is no tree to look into. */
	if (!(__u32)st->now_there)
		return SW_TO_HEAD;
	return sw_lower_pending(dd, dir, class, start) ? SW_TO_OLDEST : SW_TO_HEAD;
}

#endif
