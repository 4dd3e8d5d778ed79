/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where kernels differ. Nothing here asks for a version: the user side looks
 * the tracepoints up in BTF, and the rest is decided by relocations.
 *
 * Handlers take `direct`, a constant: SW_COPY in raw_tp programs, which copy
 * each field; SW_DIRECT in tp_btf ones, where the verifier lets a request and
 * what it points at be read like plain structures; SW_CAST where the kernel
 * lets the scheduler's data, a void pointer, be read so as well
 * (bpf_rdonly_cast, commit a35b9af4ec2c, 6.2). A copy costs 30 to 60 ns.
 */
#ifndef SEEKWISE_COMPAT_BPF_H
#define SEEKWISE_COMPAT_BPF_H

enum { SW_COPY, SW_DIRECT, SW_CAST };

#define SW_LOAD(direct, ptr, field)                                                                \
	({                                                                                         \
		typeof((ptr)->field) __v;                                                          \
		if (direct)                                                                        \
			__v = (ptr)->field;                                                        \
		else                                                                               \
			bpf_core_read(&__v, sizeof(__v), &(ptr)->field);                           \
		__v;                                                                               \
	})

/*
 * Commit a54895fa057c (5.11, and 5.10.137 of the stable series) dropped the
 * queue from the arguments of insert, issue, requeue and merge. Set from BTF.
 */
const volatile __u32 sw_rq_arg = 0;

static __always_inline struct request *sw_arg_request(__u64 *ctx)
{
	struct request *rq;

	/*
	 * The verifier prunes the arm not taken, and wants constant offsets from
	 * the context: written out, or clang computes one.
	 */
	if (sw_rq_arg)
		asm volatile("%0 = *(u64 *)(%1 + 8)" : "=r"(rq) : "r"(ctx));
	else
		asm volatile("%0 = *(u64 *)(%1 + 0)" : "=r"(rq) : "r"(ctx));
	return rq;
}

/*
 * The third argument of blk_mq_dispatch_rq_list is the number of budgets that
 * the requests hold, or, in newer kernels (seen in 6.18), whether budgets are yet to be
 * got. What comes from the scheduler holds its budgets; what waits in a
 * hardware queue's own list for another try does not. Set from BTF.
 */
const volatile __u32 sw_get_budget = 0;

static __always_inline bool sw_is_pass(__u64 third)
{
	return sw_get_budget ? !(third & 1) : (__u32)third;
}

/* Commit f3fa33acca9f (5.17) removed request.rq_disk; the queue has the disk since 5.15. */
static __always_inline struct gendisk *sw_disk_of(struct request *rq, struct request_queue *q,
						  const int direct)
{
	struct request___rq_disk *old = (void *)rq;

	if (bpf_core_field_exists(old->rq_disk))
		return SW_LOAD(direct, old, rq_disk);
	return SW_LOAD(direct, q, disk);
}

/*
 * The request's deadline. Where it shares its place with a structure that
 * begins with a pointer, the verifier takes what is loaded for that pointer:
 * then it is copied.
 */
static __always_inline __u64 sw_fifo_time_of(struct request *rq, const int direct)
{
	struct request___csd *old = (void *)rq;

	if (bpf_core_field_exists(old->csd))
		return SW_LOAD(SW_COPY, rq, fifo_time);
	return SW_LOAD(direct, rq, fifo_time);
}

/* Newer kernels keep the I/O priority in the bio alone. */
static __always_inline __u32 sw_ioprio_of(struct request *rq, const int direct)
{
	struct request___ioprio *old = (void *)rq;
	struct bio *bio;

	if (bpf_core_field_exists(old->ioprio))
		return SW_LOAD(direct, old, ioprio);
	bio = SW_LOAD(direct, rq, bio);
	return bio ? SW_LOAD(direct, bio, bi_ioprio) : 0;
}

/* As mq-deadline maps them: no class counts as best effort. */
static __always_inline enum sw_class sw_class_of(struct request *rq, const int direct)
{
	switch (sw_ioprio_of(rq, direct) >> 13) {
	case 1:
		return SW_RT;
	case 3:
		return SW_IDLE;
	default:
		return SW_BE;
	}
}

/* An operation's number in the running kernel, under either name of the enum. */
#define SW_OP(name)                                                                                \
	(bpf_core_enum_value_exists(enum req_op, name)                                             \
		 ? bpf_core_enum_value(enum req_op, name)                                          \
		 : bpf_core_enum_value(enum req_opf, name##___opf))

/* Operations apart from read and write, which are 0 and 1 everywhere. */
static __always_inline enum sw_kind sw_special_kind(__u32 op)
{
	if (op == SW_OP(REQ_OP_FLUSH))
		return SW_FLUSH;
	if (op == SW_OP(REQ_OP_DISCARD) || op == SW_OP(REQ_OP_SECURE_ERASE))
		return SW_DISCARD;
	if (op == SW_OP(REQ_OP_WRITE_ZEROES))
		return SW_ZEROES;
	/* WRITE SAME went in 5.18. */
	if (bpf_core_enum_value_exists(enum req_opf, REQ_OP_WRITE_SAME___opf) &&
	    op == bpf_core_enum_value(enum req_opf, REQ_OP_WRITE_SAME___opf))
		return SW_ZEROES;
	/* SCSI_IN and SCSI_OUT, gone since 5.17, are 32 and 33; DRV_IN is 34. */
	if (op >= 32)
		return SW_PASSTHROUGH;
	return SW_ZONE;
}

/*
 * The operation's number; below SW_DIRS it is the direction. What is none is told
 * apart by sw_special_kind, in an arm of its own: the verifier of 5.10 loses the
 * bounds of a number that comes from both arms.
 */
static __always_inline __u64 sw_op_of(struct request *rq, const int direct)
{
	__u64 op = SW_LOAD(direct, rq, cmd_flags) & 0xff;

	barrier_var(op);
	return op;
}

#endif
