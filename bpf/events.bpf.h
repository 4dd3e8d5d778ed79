/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One handler for each event, inlined into its tp_btf and its raw_tp program. */
#ifndef SEEKWISE_EVENTS_BPF_H
#define SEEKWISE_EVENTS_BPF_H

static __always_inline int sw_on_insert(struct request *rq, const int direct)
{
	struct sw_place p = sw_place_of(rq, SW_INSERT, direct);
	struct sw_inserted *in;
	struct sw_flight *f;
	__u64 now, change = 0;
	__u32 flags;

	if (!p.slot)
		return 0;
	in = &p.rec->inserted;
	f = sw_flight_of(rq, p.slot, direct);
	flags = SW_LOAD(direct, rq, cmd_flags);
	now = bpf_ktime_get_ns();
	if (f && f->rq == (__u64)rq && f->state == SW_REQUEUED)
		return 0;
	sw_begin(&in->seq);
	if (f) {
		if (f->state != SW_FREE && sw_flight_claim(f, direct)) {
			in->stale++;
			change = sw_flight_leave(&p, f, &in->flow, now, direct);
		}
		f->rq = (__u64)rq;
		f->insert_ns = now;
		sw_flight_begin(&p, f, flags, direct);
		f->state = SW_HELD;
		change += sw_enter_held(&p, f, &in->flow, now, direct);
		sw_max(&in->held_max, (__u32)sw_there(&p, change, now, direct));
	} else {
		in->table_miss++;
	}
	in->inserts++;
	if (sw_on(&p, SW_GROUP_MERGES))
		sw_merges_insert(&p, rq, flags, direct);
	sw_end(&in->seq);
	return 0;
}

/* A count for each kind; the bounds are spelt out for the verifier of 5.10. */
static __always_inline void sw_count_kind(__u64 *kinds, __u64 kind)
{
	barrier_var(kind);
	if (kind < SW_KINDS)
		kinds[kind]++;
}

/*
 * The wait ends with the first issue. Returns it in ns, ~0 if it is unknown; its bucket in
 * histograms goes to `bucket`.
 */
static __always_inline __u64 sw_wait_ends(struct sw_record *rec, const struct sw_flight *f,
					  __u32 dir, __u64 now, __u64 *bucket)
{
	struct sw_issued_dir *d = &rec->issued.dir[dir];
	__u64 wait = now - f->insert_ns;

	if ((__s64)wait < 0) {
		rec->issued.negative++;
		return ~0ULL;
	}
	d->waits++;
	d->wait_sum += wait;
	sw_max(&d->wait_max, wait);
	*bucket = sw_hist_time_bucket(wait);
	sw_hist_count(rec->issued_hist.wait[dir], *bucket, 1);
	return wait;
}

/* What the detail groups make of the first issue of a read or a write. */
static __always_inline void sw_detail_issue(const struct sw_place *p, const struct sw_flight *f,
					    __u32 dir, __u64 start, __u32 bytes, __u64 wait,
					    __u64 bucket, __u64 now, const int direct)
{
	struct sw_detail *det = p->det;

	if (sw_on(p, SW_GROUP_CLASSES) && f && wait != ~0ULL)
		sw_apart_wait(det, f->apart, dir, wait, bucket);
	if (bytes && sw_on(p, SW_GROUP_MERGES))
		sw_size_add(&det->issued.sizes, det->hist.issued[sw_dir(dir)], sw_dir(dir), bytes);
	if (f && wait != ~0ULL && sw_depth_on(p, direct))
		sw_starved_ends(p, f->kept, now);
	if (bytes && sw_on(p, SW_GROUP_STREAMS))
		sw_streams_issue(p, dir, start, bytes);
	if (sw_on(p, SW_GROUP_LOCALITY))
		sw_locality_issue(det);
}

/*
 * First issue of a read or a write: what the scheduler decided. Requests that
 * bypassed it, or were put at its head, were not its choice.
 */
static __always_inline void sw_decision(struct request *rq, const struct sw_place *p, __u32 dir,
					enum sw_class class, __u64 start, __u64 wait,
					struct deadline_data *dd, const int direct)
{
	struct sw_issued *is = &p->rec->issued;
	enum sw_deadline deadline = SW_IN_TIME;
	struct sw_issued_dir *d = &is->dir[dir];
	enum sw_step step;
	__u64 late;
	bool turn;

	if (dd && wait != ~0ULL) {
		deadline = sw_deadline_state(dd, rq, dir, wait, &late, direct);
		if (deadline == SW_HEAD_INSERT) {
			is->head_inserts++;
			return;
		}
		if (deadline == SW_LATE)
			sw_late_add(p->rec, dir, late);
	}
	turn = p->st->last_dir != dir + 1;
	is->switches += turn && p->st->last_dir;
	p->st->last_dir = dir + 1;
	step = sw_sweep_step(&p->st->sweeps[dir][class], start);
	d->sweeps += step != SW_ONWARD;
	if (step == SW_BACK)
		d->wraps[sw_wrap_kind(p->st, dd, deadline, dir, class, start)]++;
	if (dd && wait != ~0ULL && !sw_has_taken() && !sw_passes_measured(p->slot))
		sw_run_issue(p->rec, p->st, dd, dir, turn || step == SW_BACK, direct);
}

static __always_inline void sw_first_issue(struct request *rq, const struct sw_place *p, __u64 op,
					   __u32 flags, enum sw_class class,
					   const struct sw_flight *f, __u64 now,
					   struct elevator_queue *e, struct deadline_data *dd,
					   const int direct)
{
	struct sw_issued *is = &p->rec->issued;
	__u64 start, wait = ~0ULL, bucket = 0;
	__u32 bytes;

	if (op >= SW_DIRS) {
		sw_count_kind(is->kinds, sw_special_kind(op));
		return;
	}
	bytes = SW_LOAD(direct, rq, __data_len);
	start = SW_LOAD(direct, rq, __sector);
	is->dir[op].ios++;
	is->dir[op].bytes += bytes;
	if (f && f->insert_ns)
		wait = sw_wait_ends(p->rec, f, op, now, &bucket);
	else if (sw_from_before(rq, p->slot, direct)) {
		/* It was held all the window long, unseen: its share of the integral. */
		is->before++;
		is->flow.held_time += p->slot->since_ns - now;
	} else if (e && !SW_LOAD(direct, rq, end_io) && !sw_is_flushing(flags)) {
		/*
		 * One with an end_io (a clone of dm's, a flush's step) bypasses the scheduler; in
		 * older kernels (seen in 5.10 and 6.1) one that needs no flush step after all does
		 * too.
		 */
		is->no_insert++;
	}
	/* A flush step's empty request moves no head. */
	if (bytes) {
		sw_position_issue(p->rec, p->st, op, start, bytes >> 9);
		sw_decision(rq, p, op, class, start, wait, dd, direct);
	}
	if (p->det)
		sw_detail_issue(p, f, op, start, bytes, wait, bucket, now, direct);
}

/* Returns whether it is the request's first issue. */
static __always_inline bool sw_flight_issue(struct request *rq, const struct sw_place *p,
					    struct sw_flight *f, enum sw_class class, __u64 now,
					    const int direct)
{
	struct sw_issued *is = &p->rec->issued;
	/*
	 * Back from the driver it is SW_REQUEUED: one that is in the device still is a
	 * request before it, with the same tag, whose completion was not seen. Without
	 * a scheduler there is no insert to find that out.
	 */
	bool known = f->rq == (__u64)rq && (f->state == SW_HELD || f->state == SW_REQUEUED);
	bool first = !known || f->state == SW_HELD;
	__u64 change, in_device;

	if (!known) {
		if (f->state != SW_FREE && sw_flight_claim(f, direct))
			is->stale++;
		else
			f->state = SW_FREE;
		f->insert_ns = 0;
		f->rq = (__u64)rq;
	}
	change = sw_flight_leave(p, f, &is->flow, now, direct);
	if (!known)
		sw_flight_begin(p, f, SW_LOAD(direct, rq, cmd_flags), direct);
	if (sw_on(p, SW_GROUP_CLASSES))
		f->apart = sw_apart_of(SW_LOAD(direct, rq, cmd_flags), class);
	/* In this order: who looks for those that are to be given up reads the state first. */
	f->issue_ns = now;
	barrier();
	f->state = SW_IN_DEVICE;
	change += sw_enter_device(p, f, &is->flow, now, direct);
	in_device = sw_there(p, change, now, direct) >> 32;
	if (in_device == 1)
		p->st->busy_since = now;
	sw_max(&is->device_max, in_device);
	return first;
}

static __always_inline int sw_on_issue(struct request *rq, const int direct)
{
	struct sw_place p = sw_place_of(rq, SW_ISSUE, direct);
	struct deadline_data *dd;
	struct request_queue *q;
	struct elevator_queue *e;
	struct sw_issued *is;
	struct sw_flight *f;
	enum sw_class class;
	bool first = true;
	__u32 flags;
	__u64 op;
	__u64 now;

	if (!p.slot)
		return 0;
	is = &p.rec->issued;
	f = sw_flight_of(rq, p.slot, direct);
	now = bpf_ktime_get_ns();
	class = sw_class_of(rq, direct);
	sw_begin(&is->seq);
	if (f)
		first = sw_flight_issue(rq, &p, f, class, now, direct);
	else
		is->table_miss++;
	q = SW_LOAD(direct, rq, q);
	e = SW_LOAD(direct, q, elevator);
	dd = sw_deadline_of(e, p.st, direct);
	if (dd && sw_has_taken() && !sw_passes_measured(p.slot))
		sw_counter_issue(p.rec, p.st, dd, class, direct);
	if (first) {
		flags = SW_LOAD(direct, rq, cmd_flags);
		op = sw_op_of_flags(flags);
		sw_first_issue(rq, &p, op, flags, class, f, now, e, dd, direct);
	}
	sw_end(&is->seq);
	return 0;
}

static __always_inline void sw_served_add(struct sw_served *served, __u32 *hist, __u64 service)
{
	served->count++;
	served->sum += service;
	sw_max(&served->max, service);
	sw_hist_add_time(hist, service);
}

static __always_inline void sw_times_end(const struct sw_place *p, const struct sw_flight *f,
					 __u32 dir, __u32 flags, __u64 now)
{
	struct sw_record *rec = p->rec;
	struct sw_completed_dir *d = &rec->completed.dir[sw_dir(dir)];
	__u64 service = now - f->issue_ns, total = now - f->insert_ns, bucket;

	if ((__s64)service < 0) {
		rec->completed.negative++;
		return;
	}
	d->served++;
	d->service_sum += service;
	sw_max(&d->service_max, service);
	sw_hist_add_time(rec->completed_hist.service[sw_dir(dir)], service);
	if (sw_is_fua(flags))
		sw_served_add(&rec->completed.fua, rec->completed_hist.fua, service);
	if (!f->insert_ns)
		return;
	d->totals++;
	d->total_sum += total;
	sw_max(&d->total_max, total);
	bucket = sw_hist_time_bucket(total);
	sw_hist_count(rec->completed_hist.total[sw_dir(dir)], bucket, 1);
	if (sw_on(p, SW_GROUP_CLASSES))
		sw_apart_total(p->det, f->apart, dir, total, bucket);
}

/* Counts what has come back of a read or a write; false: only a part of it has. */
static __always_inline bool sw_count_done(struct request *rq, struct sw_completed *co, __u64 dir,
					  __u32 error, __u32 bytes, const int direct)
{
	struct sw_completed_dir *d = &co->dir[sw_dir(dir)];
	__u64 why;

	d->bytes += bytes;
	if (bytes < SW_LOAD(direct, rq, __data_len)) {
		d->partial++;
		return false;
	}
	d->ios++;
	if (error) {
		d->errors++;
		why = sw_error_of(error);
		barrier_var(why);
		if (why < SW_ERRORS)
			co->failed[sw_dir(dir)][why]++;
	}
	return true;
}

/* What the detail groups make of the completion of a read or a write in the device. */
static __always_inline void sw_detail_complete(struct request *rq, const struct sw_place *p,
					       const struct sw_flight *f, __u64 dir, __u32 bytes,
					       __u64 now, const int direct)
{
	if (bytes && sw_on(p, SW_GROUP_STREAMS))
		sw_streams_complete(p, f, SW_LOAD(direct, rq, __sector), bytes, now);
	if (sw_on(p, SW_GROUP_LOCALITY))
		sw_locality_complete(p->det, f, dir);
}

/* Of the classes: what came back, be it a part. */
static __always_inline void sw_apart_complete(struct request *rq, const struct sw_place *p,
					      const struct sw_flight *f, __u64 dir, __u32 flags,
					      __u32 bytes, bool whole, const int direct)
{
	__u8 apart = f ? f->apart : sw_apart_of(flags, sw_class_of(rq, direct));

	sw_apart_done(p->det, apart, dir, bytes, whole);
}

/* A read or a write, or a part of it; f: 0 if it is not known. Returns whether it is done. */
static __always_inline bool sw_complete_dir(struct request *rq, const struct sw_place *p,
					    const struct sw_flight *f, __u64 dir, __u32 flags,
					    __u32 error, __u32 bytes, __u64 now, const int direct)
{
	bool whole = sw_count_done(rq, &p->rec->completed, dir, error, bytes, direct);

	if (sw_on(p, SW_GROUP_CLASSES))
		sw_apart_complete(rq, p, f, dir, flags, bytes, whole, direct);
	if (whole && f && f->state == SW_IN_DEVICE) {
		sw_times_end(p, f, dir, flags, now);
		sw_detail_complete(rq, p, f, dir, bytes, now, direct);
	}
	return whole;
}

static __always_inline void sw_complete_special(const struct sw_place *p, const struct sw_flight *f,
						__u64 op, __u64 now)
{
	struct sw_completed *co = &p->rec->completed;
	enum sw_kind kind = sw_special_kind(op);

	sw_count_kind(co->kinds, kind);
	if (kind == SW_FLUSH && f && f->state == SW_IN_DEVICE && (__s64)(now - f->issue_ns) >= 0)
		sw_served_add(&co->flush, p->rec->completed_hist.flush, now - f->issue_ns);
}

/* Takes a request out; the busy period that ends with it is added to *busy_ns. */
static __always_inline void sw_leave_there(const struct sw_place *p, const struct sw_flight *f,
					   struct sw_flow *flow, __u64 *busy_ns, __u64 now,
					   const int direct)
{
	__u64 change = sw_flight_leave(p, f, flow, now, direct);

	if (!(sw_there(p, change, now, direct) >> 32)) {
		/* Set anew, so that a racing issue that saw 1 adds no idle time. */
		*busy_ns += now - p->st->busy_since;
		p->st->busy_since = now;
	}
}

static __always_inline void sw_complete_known(const struct sw_place *p, struct sw_flight *f,
					      __u64 now, const int direct)
{
	struct sw_completed *co = &p->rec->completed;

	sw_leave_there(p, f, &co->flow, &co->busy_ns, now, direct);
	f->state = SW_FREE;
}

static __always_inline bool sw_given_up(const struct sw_flight *f)
{
	return f->state == SW_IN_DEVICE && !f->issue_ns;
}

/* In the device when the observation began, and unseen in this window so far. */
static __always_inline void sw_complete_before(struct sw_completed *co, const struct sw_place *p,
					       __u64 now)
{
	co->before++;
	co->flow.device_time += p->slot->since_ns - now;
}

static __always_inline int sw_on_complete(struct request *rq, __u32 error, __u32 bytes,
					  const int direct)
{
	struct sw_place p = sw_place_of(rq, SW_COMPLETE, direct);
	struct sw_completed *co;
	struct sw_flight *f;
	bool whole = true;
	__u64 op, now;
	__u32 flags;

	if (!p.slot || sw_drop())
		return 0;
	co = &p.rec->completed;
	f = sw_flight_of(rq, p.slot, direct);
	flags = SW_LOAD(direct, rq, cmd_flags);
	op = sw_op_of_flags(flags);
	now = bpf_ktime_get_ns();
	if (f && (f->rq != (__u64)rq || f->state == SW_FREE || sw_given_up(f)))
		f = 0;
	/*
	 * The kernel announces a request that carried a flush once more, with no
	 * bytes, when all its steps are done; its data completed before.
	 */
	if (!f && !bytes && op < SW_DIRS)
		return 0;
	sw_begin(&co->seq);
	/* Asked once: the verifier of 5.10 loses the bounds of a number that is asked again. */
	if (op < SW_DIRS)
		whole = sw_complete_dir(rq, &p, f, op, flags, error, bytes, now, direct);
	else
		sw_complete_special(&p, f, op, now);
	if (whole) {
		if (f) {
			/* Its issue was not seen; one that fails need not have any. */
			co->unmatched += f->state == SW_HELD && !error;
			sw_complete_known(&p, f, now, direct);
		} else if (sw_from_before(rq, p.slot, direct)) {
			sw_complete_before(co, &p, now);
		} else {
			co->unmatched++;
		}
	}
	sw_end(&co->seq);
	return 0;
}

/* Back from the driver, or from the way to it: it is held again. */
static __always_inline int sw_on_requeue(struct request *rq, const int direct)
{
	struct sw_place p = sw_place_of(rq, SW_REQUEUE, direct);
	struct sw_requeued *re;
	struct sw_flight *f;
	__u64 now, change;

	if (!p.slot)
		return 0;
	re = &p.rec->requeued;
	f = sw_flight_of(rq, p.slot, direct);
	now = bpf_ktime_get_ns();
	sw_begin(&re->seq);
	re->requeues++;
	if (f && f->rq == (__u64)rq && f->state == SW_IN_DEVICE && !sw_given_up(f)) {
		change = sw_flight_leave(&p, f, &re->flow, now, direct);
		change += sw_enter_held(&p, f, &re->flow, now, direct);
		sw_there(&p, change, now, direct);
		f->state = SW_REQUEUED;
	}
	sw_end(&re->seq);
	return 0;
}

/* `rq` went into another request and will neither be issued nor complete. */
static __always_inline int sw_on_merge(struct request *rq, const int direct)
{
	struct sw_place p = sw_place_of(rq, SW_MERGE, direct);
	struct sw_merged *me;
	struct sw_flight *f;
	__u64 op, now;

	if (!p.slot)
		return 0;
	me = &p.rec->merged;
	f = sw_flight_of(rq, p.slot, direct);
	op = sw_op_of(rq, direct);
	sw_begin(&me->seq);
	if (op < SW_DIRS)
		me->merges[op]++;
	if (f && f->rq == (__u64)rq) {
		now = bpf_ktime_get_ns();
		if (sw_flight_claim(f, direct))
			sw_there(&p, sw_flight_leave(&p, f, &me->flow, now, direct), now, direct);
		f->state = SW_FREE;
	}
	sw_end(&me->seq);
	return 0;
}

#endif
