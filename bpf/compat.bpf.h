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
 * SW_FETCH besides where an atomic add can return what was there (commit
 * 5ffa25502b5a, 5.12): without it numbers are not followed over time.
 */
#ifndef SEEKWISE_COMPAT_BPF_H
#define SEEKWISE_COMPAT_BPF_H

enum { SW_COPY = 0, SW_DIRECT = 1, SW_CAST = 2, SW_FETCH = 4 };
#define SW_READS(direct) ((direct) & ~SW_FETCH)

#define SW_LOAD(direct, ptr, field)                                                                \
	({                                                                                         \
		typeof((ptr)->field) __v;                                                          \
		if (SW_READS(direct))                                                              \
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

/*
 * The first argument, or where `later` is set the one at that offset. The verifier
 * prunes the arm not taken, and wants constant offsets from the context: written
 * out, or clang computes one.
 */
#define SW_ARG(arg, ctx, later, offset)                                                            \
	do {                                                                                       \
		if (later)                                                                         \
			asm volatile("%0 = *(u64 *)(%1 + " #offset ")" : "=r"(arg) : "r"(ctx));    \
		else                                                                               \
			asm volatile("%0 = *(u64 *)(%1 + 0)" : "=r"(arg) : "r"(ctx));              \
	} while (0)

static __always_inline struct request *sw_arg_request(__u64 *ctx)
{
	struct request *rq;

	SW_ARG(rq, ctx, sw_rq_arg, 8);
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

/*
 * Adds, and returns what was there before. The instruction is spelt out, since
 * clang makes it for kernels alone that have all that came with it.
 */
static __always_inline __u64 sw_fetch_add(__u64 *to, __u64 v)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define SW_REGS_R1_R0 "0x01"
#else
#define SW_REGS_R1_R0 "0x10"
#endif
	asm volatile("r1 = %1\n"
		     "r0 = %0\n"
		     ".byte 0xdb, " SW_REGS_R1_R0 ", 0, 0\n"
		     ".long 1\n"
		     "%0 = r0"
		     : "+r"(v)
		     : "r"(to)
		     : "memory", "r0", "r1");
	return v;
}

/* Takes what is there and leaves 0; for programs with SW_FETCH alone, as the add above. */
static __always_inline __u64 sw_fetch_clear(__u64 *from)
{
	return __sync_lock_test_and_set(from, 0);
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

/* A request's flag in the running kernel. */
#define SW_FLAG(name) (1U << bpf_core_enum_value(enum req_flag_bits, __REQ_##name))

/* The kernel's op_is_sync. */
static __always_inline bool sw_is_sync(__u32 flags)
{
	__u32 sync = SW_FLAG(SYNC) | SW_FLAG(FUA) | SW_FLAG(PREFLUSH);

	return !(flags & 0xff) || (flags & sync);
}

static __always_inline bool sw_is_fua(__u32 flags)
{
	return flags & SW_FLAG(FUA);
}

/* Goes through the flush machinery, or may. */
static __always_inline bool sw_is_flushing(__u32 flags)
{
	return flags & (SW_FLAG(FUA) | SW_FLAG(PREFLUSH));
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
static __always_inline __u64 sw_op_of_flags(__u32 flags)
{
	__u64 op = flags & 0xff;

	barrier_var(op);
	return op;
}

static __always_inline __u64 sw_op_of(struct request *rq, const int direct)
{
	return sw_op_of_flags(SW_LOAD(direct, rq, cmd_flags));
}

/*
 * Why it failed. block_rq_complete tells the status of the block layer, or in older
 * kernels (seen in 5.10) the error that stands for it: sw_status_arg is set from BTF.
 * The pairs are those of the table in block/blk-core.c.
 */
const volatile __u32 sw_status_arg = 1;

static __always_inline enum sw_error sw_error_of_status(__u32 status)
{
	switch (status) {
	case 1:
		return SW_ERROR_UNSUPPORTED;
	case 2:
		return SW_ERROR_TIMEOUT;
	case 3:
		return SW_ERROR_NOSPACE;
	case 4:
		return SW_ERROR_TRANSPORT;
	case 5:
		return SW_ERROR_TARGET;
	case 7:
		return SW_ERROR_MEDIUM;
	case 8:
		return SW_ERROR_PROTECTION;
	case 9:
		return SW_ERROR_RESOURCE;
	case 10:
		return SW_ERROR_IO;
	default:
		return SW_ERROR_OTHER;
	}
}

static __always_inline enum sw_error sw_error_of_errno(__s32 error)
{
	switch (-error) {
	case 95: /* EOPNOTSUPP */
		return SW_ERROR_UNSUPPORTED;
	case 110: /* ETIMEDOUT */
		return SW_ERROR_TIMEOUT;
	case 28: /* ENOSPC */
		return SW_ERROR_NOSPACE;
	case 67: /* ENOLINK */
		return SW_ERROR_TRANSPORT;
	case 121: /* EREMOTEIO */
		return SW_ERROR_TARGET;
	case 61: /* ENODATA */
		return SW_ERROR_MEDIUM;
	case 84: /* EILSEQ */
		return SW_ERROR_PROTECTION;
	case 12: /* ENOMEM */
		return SW_ERROR_RESOURCE;
	case 5: /* EIO */
		return SW_ERROR_IO;
	default:
		return SW_ERROR_OTHER;
	}
}

static __always_inline __u64 sw_error_of(__u32 error)
{
	return sw_status_arg ? sw_error_of_status(error & 0xff) : sw_error_of_errno(error);
}

#endif
