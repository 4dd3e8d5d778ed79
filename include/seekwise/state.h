/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel side remembers of one request and of one disk between their
 * events. The user side only looks at now_there, busy_since, is_deadline,
 * changes, has_taken, held_by, pending_since and kyber, and of a request at its state and
 * issue_ns.
 */
#ifndef SEEKWISE_STATE_H
#define SEEKWISE_STATE_H

#include "seekwise/record.h"

struct sw_queue {
	__u64 q; /* address of the request_queue */
	__u64 slot;
};

/* An entry of the request table (flight.bpf.h). */
enum sw_flight_state { SW_FREE, SW_HELD, SW_IN_DEVICE, SW_REQUEUED };

struct sw_flight {
	__u64 rq;
	__u64 insert_ns; /* 0: no insert seen */
	__u64 issue_ns;  /* of one in the device: 0 when it was given up (close.bpf.h) */
	__u8 state;
	__u8 kept;  /* enum sw_kept, while state is not SW_FREE */
	__u8 apart; /* SW_APART_ASYNC of it in bit 0, its priority class above */
	__u8 asked; /* sw_ask_for */
	__u16 cpu;  /* of its insert, or of its issue where none was seen */
	__u16 unused;
};

/* A sweep under way, one for each direction and priority class. */
struct sw_sweep {
	__u64 last, before_last; /* start sectors plus one; 0: none yet */
	__u32 cpu;
	__u32 unused;
};

/* Direction batches, from the length of each dispatch pass and mq-deadline's own counter. */
struct sw_batch {
	__u32 value; /* of the counter after the last pass: the length of the batch then open */
	__u32 dir;   /* of that batch, plus one; 0: none known */
	__u32 limit; /* fifo_batch, read at most once in a tick */
	__u32 limit_tick;
	__u32 run_value; /* where passes cannot be told: issues in a row that saw this value */
	__u32 run;
	__u32 taken[SW_CLASSES]; /* of each class, by mq-deadline's count, at the last issue */
	__u32 unused;
};

/* How the lengths of a disk's dispatch passes are known. */
enum sw_passes { SW_PASSES_UNKNOWN, SW_PASSES_ESTIMATED, SW_PASSES_MEASURED };

/* Reads, sync writes and async writes have so many bits each of one word. */
#define SW_KEPT_BITS 20

/*
 * Of one disk. Requests are issued and complete on different CPUs: what the completions
 * write is in one cache line, which an event takes from another CPU once.
 */
struct sw_state {
	__u64 now_there;  /* in device << 32 | held: both move in one atomic add */
	__u64 busy_since; /* holds while something is in the device */
	/* Of detail groups: */
	__u64 device_by;         /* by enum sw_kept */
	__u64 done_end, done_ns; /* of the request that completed last: end sector plus one */
	__u64 asked;             /* sw_ask_for */
	__u64 pad[2];

	/* What issues alone write: a line of what each needs. */
	__u64 position;    /* end sector of the previous issue plus one; 0: none yet */
	__u64 scheduler;   /* elevator_type that is_deadline was found for */
	__u32 is_deadline; /* mq-deadline, and its structure is in BTF */
	__u32 last_dir;    /* plus one; 0: none yet */
	struct sw_batch batch;

	struct sw_sweep sweeps[SW_DIRS][SW_CLASSES];
	/* Of detail groups: */
	__u64 held_by; /* by enum sw_kept */
	__u64 pending_since[SW_DIRS];
	__u32 changes;   /* of scheduler; the first look counts */
	__u32 has_taken; /* mq-deadline counts what it hands out */
	__u32 scratch, unused;
	__u64 unused_too; /* whole cache lines: another disk has its own */
};

/* Kyber's last words on a disk; all 0 before the first. */
struct sw_kyber_state {
	__u32 depth[SW_DOMAINS]; /* plus one */
	/* Of the latency's last percentile to its target: of the total, of the I/O alone. */
	__u32 numerator[SW_DOMAINS][2], denominator[SW_DOMAINS][2];
};

#define SW_ENDS (2 * SW_STREAMS) /* a power of two */

/* What else the detail groups remember of a disk. */
struct sw_head {
	__u64 run_ios, run_bytes;
	__u32 run_dir, unused;
	/*
	 * Ends of the most recent runs, plus one, in a ring, the last run at `front`; 0: free.
	 * It has more room than runs are looked for, so that what another CPU puts at the
	 * front meanwhile is not taken for the last of them.
	 */
	__u32 front, unused_too;
	__u64 ends[SW_ENDS];
	struct sw_kyber_state kyber;
	__u64 pad[2];
};

_Static_assert(sizeof(struct sw_state) % 64 == 0, "states are cache lines");
_Static_assert(__builtin_offsetof(struct sw_state, position) == 64,
	       "what completions write is one of them");
_Static_assert(sizeof(struct sw_head) % 64 == 0, "heads are cache lines");

#define SW_ONE_HELD 1ULL
#define SW_ONE_IN_DEVICE (1ULL << 32)

#endif
