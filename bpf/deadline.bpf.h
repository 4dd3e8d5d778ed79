/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading mq-deadline. Its structure changes inside stable series, so it is
 * found by BTF or not at all. Nothing is locked: what is read is a good guess
 * at worst, and each walk is bounded.
 */
#ifndef SEEKWISE_DEADLINE_BPF_H
#define SEEKWISE_DEADLINE_BPF_H

#ifndef SW_PLAIN
void *bpf_rdonly_cast(const void *obj, __u32 btf_id) __ksym __weak;
#define SW_CAST_TO(dd) bpf_rdonly_cast((dd), bpf_core_type_id_kernel(struct deadline_data))
#else
#define SW_CAST_TO(dd) (dd)
#endif

/* A field of deadline_data, whose type the verifier does not know from the way to it. */
#define SW_DD(direct, dd, field)                                                                   \
	({                                                                                         \
		struct deadline_data *__dd = (dd);                                                 \
		typeof(__dd->field) __f = 0;                                                       \
		if ((direct)&SW_CAST) {                                                            \
			__dd = SW_CAST_TO(__dd);                                                   \
			__f = __dd->field;                                                         \
		} else {                                                                           \
			bpf_core_read(&__f, sizeof(__f), &__dd->field);                            \
		}                                                                                  \
		__f;                                                                               \
	})

/* A red-black tree of n nodes is at most 2 log2(n + 1) deep; n is at most 2048. */
#define SW_TREE_DEPTH 24

/* The name, without its end, as a little- or big-endian word alike. */
static __always_inline bool sw_is_deadline_name(const char *name)
{
	char n[12] = {};

	bpf_probe_read_kernel(n, sizeof(n), name);
	return n[0] == 'm' && n[1] == 'q' && n[2] == '-' && n[3] == 'd' && n[4] == 'e' &&
	       n[5] == 'a' && n[6] == 'd' && n[7] == 'l' && n[8] == 'i' && n[9] == 'n' &&
	       n[10] == 'e' && n[11] == 0;
}

/* It counts what it hands out, for each class. */
static __always_inline bool sw_has_taken(void)
{
	return bpf_core_field_exists(((struct dd_per_prio *)0)->stats) &&
	       bpf_core_field_exists(((struct io_stats_per_prio *)0)->dispatched);
}

/* Forgets what was derived from the scheduler before. */
static __always_inline void sw_scheduler_changed(struct sw_state *st, struct elevator_type *type,
						 const int direct)
{
	st->is_deadline = type && sw_is_deadline_name(SW_LOAD(direct, type, elevator_name));
	st->has_taken = st->is_deadline && sw_has_taken();
	__builtin_memset(&st->batch, 0, sizeof(st->batch));
	/* Two CPUs may take the first look at once: that is no change. */
	st->changes = st->scheduler ? st->changes + 1 : 1;
	st->scheduler = (__u64)type;
}

/*
 * Returns the request's deadline_data, 0 if the scheduler is another or none.
 * elevator_data means something else to each scheduler: the name is checked
 * before, once for each change of elevator_type.
 */
static __always_inline struct deadline_data *sw_deadline_of(struct elevator_queue *e,
							    struct sw_state *st, const int direct)
{
	struct elevator_type *type;

	/* Known to the verifier, so that it leaves out all that reads it. */
	if (!bpf_core_type_exists(struct deadline_data))
		return 0;
	type = e ? SW_LOAD(direct, e, type) : 0;
	if (st->scheduler != (__u64)type)
		sw_scheduler_changed(st, type, direct);
	if (!st->is_deadline)
		return 0;
	return SW_LOAD(direct, e, elevator_data);
}

static __always_inline struct rb_root *sw_sort_list(struct deadline_data *dd, __u32 dir,
						    __u32 class)
{
	struct deadline_data___one_class *old = (void *)dd;
	char *list;

	if (bpf_core_field_exists(dd->per_prio)) {
		list = (char *)dd + bpf_core_field_offset(dd->per_prio);
		list += class * bpf_core_type_size(struct dd_per_prio);
		list += bpf_core_field_offset(struct dd_per_prio, sort_list);
	} else {
		list = (char *)dd + bpf_core_field_offset(old->sort_list);
	}
	return (struct rb_root *)(list + dir * bpf_core_type_size(struct rb_root));
}

/* Is a request pending below `start`? Called at wraps alone. */
static __always_inline bool sw_lower_pending(struct deadline_data *dd, __u32 dir, __u32 class,
					     __u64 start)
{
	struct rb_node *node = 0, *left;
	struct request *rq;
	__u64 sector = 0;
	struct rb_root *list = sw_sort_list(dd, dir, class);
	int i;

	bpf_core_read(&node, sizeof(node), &list->rb_node);
	if (!node)
		return false;
	for (i = 0; i < SW_TREE_DEPTH; i++) {
		left = 0;
		bpf_core_read(&left, sizeof(left), &node->rb_left);
		if (!left)
			break;
		node = left;
	}
	rq = (struct request *)((char *)node - bpf_core_field_offset(struct request, rb_node));
	if (bpf_core_read(&sector, sizeof(sector), &rq->__sector))
		return false;
	return sector < start;
}

static __always_inline int sw_fifo_expire(struct deadline_data *dd, __u32 dir, const int direct)
{
	return dir == SW_WRITE ? SW_DD(direct, dd, fifo_expire[1])
			       : SW_DD(direct, dd, fifo_expire[0]);
}

enum sw_deadline { SW_IN_TIME, SW_LATE, SW_HEAD_INSERT };

static __always_inline void sw_late_add(struct sw_record *rec, __u32 dir, __u64 ns)
{
	struct sw_issued_dir *d = &rec->issued.dir[dir];

	d->expired++;
	d->late_sum += ns;
	sw_max(&d->late_max, ns);
	sw_hist_add_time(rec->issued_hist.late[dir], ns);
}

/*
 * A request inserted at the head carries the time of its insert as its
 * deadline (commit 725f22a1477c), which tells it from one that expired: it is
 * late by all of its wait.
 */
static __always_inline enum sw_deadline sw_deadline_state(struct deadline_data *dd,
							  struct request *rq, __u32 dir, __u64 wait,
							  __u64 *late_ns, const int direct)
{
	__s64 late = bpf_jiffies64() - sw_fifo_time_of(rq, direct);

	*late_ns = late * sw_tick_ns;
	if (late < 0)
		return SW_IN_TIME;
	if ((late + 2) * sw_tick_ns >= wait && sw_fifo_expire(dd, dir, direct) > 3)
		return SW_HEAD_INSERT;
	return SW_LATE;
}

/* fifo_batch, read once in a tick at most: where it must be copied that is dear. */
static __always_inline __u32 sw_batch_limit(struct sw_batch *b, struct deadline_data *dd,
					    const int direct)
{
	__u32 tick = bpf_jiffies64();
	int limit;

	if (b->limit_tick == tick && b->limit)
		return b->limit;
	limit = SW_DD(direct, dd, fifo_batch);
	b->limit = limit < 1 ? 1 : limit;
	b->limit_tick = tick;
	return b->limit;
}

/* n batches of `length`. */
static __always_inline void sw_batches_add(struct sw_passed_dir *d, __u32 *hist, __u32 length,
					   __u32 n)
{
	d->batches += n;
	d->batch_sum += (__u64)length * n;
	sw_max(&d->batch_max, length);
	sw_hist_add(hist, length, n);
}

/*
 * A dispatch pass made `length` choices and left the counter at `value`: the
 * batch open before went on with the first of them, and `value` choices belong
 * to the batch that is open now. What lies between has ended, in full batches
 * but for the last. last_dir: direction of the issue before the pass, plus one.
 */
static __always_inline void sw_batches_of_pass(struct sw_record *rec, struct sw_batch *b,
					       struct deadline_data *dd, __u32 length, __u32 value,
					       __u32 last_dir, const int direct)
{
	__s32 ended = b->value + length - value;
	__u32 dir = (b->dir - 1) & 1, full, limit;
	bool known = b->dir;

	b->value = value;
	b->dir = last_dir;
	/* What came before the first pass that is seen is not counted. */
	if (!known || ended <= 0)
		return;
	limit = sw_batch_limit(b, dd, direct);
	if ((__u32)ended > limit) {
		full = (__u32)ended / limit;
		sw_batches_add(&rec->passed.dir[dir], rec->passed_hist.batch[dir], limit, full);
		ended -= full * limit;
	}
	if (ended)
		sw_batches_add(&rec->passed.dir[dir], rec->passed_hist.batch[dir], ended, 1);
}

#endif
