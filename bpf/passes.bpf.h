/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Dispatch passes. Where the kernel lets a program run on its dispatch function,
 * the list handed over is counted: exact, at the cost of one program for each
 * pass. Where it does not, or when a pass is handed over in parts for several
 * hardware queues, the issue looks at how many requests mq-deadline has handed
 * out: they grow by a whole pass before the pass's first issue. Passes that two
 * CPUs make at once then look like one.
 */
#ifndef SEEKWISE_PASSES_BPF_H
#define SEEKWISE_PASSES_BPF_H

/* No scheduler has more requests (SCHEDULER_TAGS in src/observe/observer.c). */
#define SW_MAX_PASS 2048
#define SW_CPUS_APART 64

static __always_inline bool sw_passes_measured(const struct sw_slot *slot)
{
	return sw_dispatch_seen && slot->flight_size == slot->queue_tags;
}

static __always_inline void sw_pass_add(struct sw_record *rec, __u32 length)
{
	rec->passed.passes++;
	rec->passed.pass_sum += length;
	sw_max(&rec->passed.pass_max, length);
	sw_hist_add(rec->passed_hist.pass, length, 1);
}

/* Requests in the list; `scratch` hides the loop's count from the verifier. */
static __always_inline __u32 sw_list_length(struct list_head *list, __u32 *scratch)
{
	struct list_head *at = list->next;
	__u32 n;

	for (n = 0; n < SW_MAX_PASS; n++) {
		if (at == list)
			break;
		at = at->next;
	}
	*(volatile __u32 *)scratch = n;
	return *(volatile __u32 *)scratch;
}

/*
 * Where neither is to be had: requests of one pass all see the counter as the
 * pass's last choice left it, so a run of equal values is a pass, or a part of
 * one. `turn`: this issue changed direction or went back, so it cannot continue
 * the batch of the one before, which tells batches of one request from a pass.
 * Good enough for batches alone.
 */
static __always_inline void sw_run_issue(struct sw_record *rec, struct sw_state *st,
					 struct deadline_data *dd, __u32 dir, bool turn,
					 const int direct)
{
	__u32 value = SW_DD(direct, dd, batching);
	struct sw_batch *b = &st->batch;

	if (b->run && value == b->run_value &&
	    (value != 1 || (!turn && sw_batch_limit(b, dd, direct) > 1))) {
		b->run++;
		return;
	}
	if (b->run) {
		sw_begin(&rec->passed.seq);
		sw_batches_of_pass(rec, b, dd, b->run, b->run_value, dir + 1, direct);
		sw_end(&rec->passed.seq);
	}
	b->run_value = value;
	b->run = 1;
}

/* How many of this class mq-deadline has handed out since it was chosen. */
static __always_inline __u32 sw_taken(struct deadline_data *dd, __u32 class, const int direct)
{
	switch (class) {
	case SW_RT:
		return SW_DD(direct, dd, per_prio[0].stats.dispatched);
	case SW_IDLE:
		return SW_DD(direct, dd, per_prio[2].stats.dispatched);
	default:
		return SW_DD(direct, dd, per_prio[1].stats.dispatched);
	}
}

/* Before each issue from mq-deadline, also that of a request that comes again. */
static __always_inline void sw_counter_issue(struct sw_record *rec, struct sw_state *st,
					     struct deadline_data *dd, __u32 class,
					     const int direct)
{
	__u32 taken = sw_taken(dd, class, direct), before = st->batch.taken[class];
	__s32 length = taken - before;

	/* Another CPU may have looked later, and come here first; far back, it began anew. */
	if (before && length <= 0 && length > -SW_CPUS_APART)
		return;
	st->batch.taken[class] = taken;
	if (!before || length <= 0 || length > SW_MAX_PASS)
		return;
	sw_begin(&rec->passed.seq);
	sw_pass_add(rec, length);
	sw_batches_of_pass(rec, &st->batch, dd, length, SW_DD(direct, dd, batching), st->last_dir,
			   direct);
	sw_end(&rec->passed.seq);
}

/* Requests on their way to the driver, all of one hardware queue. */
static __always_inline int sw_on_dispatch(struct blk_mq_hw_ctx *hctx, struct list_head *list)
{
	struct request_queue *q = hctx->queue;
	struct elevator_queue *e = q->elevator;
	struct sw_place p = sw_place_at(sw_slot_of_queue(q, SW_DIRECT), SW_DISPATCH, (__u64)list);
	struct deadline_data *dd;
	__u32 length;

	if (!p.slot || !e || !sw_passes_measured(p.slot))
		return 0;
	length = sw_list_length(list, &p.st->scratch);
	dd = sw_deadline_of(e, p.st, SW_DIRECT);
	sw_begin(&p.rec->passed.seq);
	sw_pass_add(p.rec, length);
	if (dd)
		sw_batches_of_pass(p.rec, &p.st->batch, dd, length, SW_DD(SW_DIRECT, dd, batching),
				   p.st->last_dir, SW_DIRECT);
	sw_end(&p.rec->passed.seq);
	return 0;
}

#endif
