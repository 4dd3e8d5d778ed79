/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The record that bpf/ writes and src/observe/ reads. Both sides include
 * this header: fixed-width fields only, sizes asserted at the end.
 *
 * There is one record for each CPU of each observed disk. Its sections belong
 * to one program each, which the kernel never nests on a CPU, so plain adds
 * suffice; a section's seq is odd while its program writes.
 */
#ifndef SEEKWISE_RECORD_H
#define SEEKWISE_RECORD_H

#ifndef __bpf__
#include <linux/types.h>
#endif

#define SW_RECORD_VERSION 2

enum sw_dir { SW_READ, SW_WRITE, SW_DIRS };
/* Directions come first; a kind below SW_DIRS is a direction. */
enum sw_kind { SW_DISCARD = SW_DIRS, SW_FLUSH, SW_ZEROES, SW_ZONE, SW_PASSTHROUGH, SW_KINDS };
enum sw_class { SW_RT, SW_BE, SW_IDLE, SW_CLASSES };
enum sw_wrap { SW_TO_HEAD, SW_TO_OLDEST, SW_EXPIRED, SW_UNKNOWN, SW_WRAPS };

/*
 * Log-linear histogram: values below 8 exactly, then 8 buckets for each power
 * of two, so that a bucket's middle is within 6.25 % of every value in it.
 * Times are counted in units of 64 ns, lengths and distances as they are.
 */
#define SW_HIST_SUB_BITS 3
#define SW_HIST_BUCKETS 288
#define SW_HIST_TIME_SHIFT 6

/*
 * What entered and left the scheduler and the device: counts, and the sums of
 * the times of these events (both signed, modulo 2^64). With N and S of all
 * CPUs, N * t - S is the integral of the number over time up to t.
 */
struct sw_flow {
	__u64 held, held_time, device, device_time;
};

/* Sections are whole cache lines: the programs' cost is mostly lines touched. */
struct sw_inserted {
	__u64 seq;
	struct sw_flow flow;
	__u64 inserts;
	__u64 held_max;
	__u64 stale;      /* entries whose completion was never seen */
	__u64 table_miss; /* requests with a tag beyond the table */
	__u64 pad[7];
};

struct sw_issued_dir {
	__u64 ios, bytes;
	__u64 located; /* issues whose position was known */
	__u64 sequential, backward, seek_sum, seek_max;
	__u64 sweeps, wraps[SW_WRAPS];
	__u64 expired;
	__u64 waits, wait_sum, wait_max; /* ns */
};

struct sw_issued {
	__u64 seq;
	struct sw_flow flow;
	__u64 device_max, switches;
	struct sw_issued_dir dir[SW_DIRS];
	__u64 kinds[SW_KINDS]; /* first issues of those that are no directions */
	__u64 head_inserts;
	__u64 no_insert, before, stale, table_miss, negative;
	__u64 pad[4];
};

struct sw_completed_dir {
	__u64 ios, bytes, errors, partial;
	__u64 served, service_sum, service_max; /* ns */
	__u64 totals, total_sum, total_max;     /* ns */
};

struct sw_completed {
	__u64 seq;
	struct sw_flow flow;
	__u64 busy_ns; /* periods with something in the device that have ended */
	struct sw_completed_dir dir[SW_DIRS];
	__u64 kinds[SW_KINDS]; /* as above */
	__u64 unmatched, before, negative;
	__u64 pad[4];
};

struct sw_requeued {
	__u64 seq;
	struct sw_flow flow;
	__u64 requeues;
	__u64 pad[2];
};

struct sw_merged {
	__u64 seq;
	struct sw_flow flow;
	__u64 merges[SW_DIRS];
	__u64 pad[1];
};

struct sw_passed_dir {
	__u64 batches, batch_sum, batch_max;
};

/*
 * Dispatch passes, and the direction batches that ended in them. Written by the
 * program on the kernel's dispatch function; for a disk for which it does not
 * run, by that of the issue.
 */
struct sw_passed {
	__u64 seq;
	__u64 passes, pass_sum, pass_max;
	struct sw_passed_dir dir[SW_DIRS];
	__u64 pad[6];
};

struct sw_issued_hist {
	__u32 seek[SW_DIRS][SW_HIST_BUCKETS];
	__u32 wait[SW_DIRS][SW_HIST_BUCKETS];
};

struct sw_completed_hist {
	__u32 service[SW_DIRS][SW_HIST_BUCKETS];
	__u32 total[SW_DIRS][SW_HIST_BUCKETS];
};

struct sw_passed_hist {
	__u32 pass[SW_HIST_BUCKETS];
	__u32 batch[SW_DIRS][SW_HIST_BUCKETS];
};

struct sw_record {
	struct sw_inserted inserted;
	struct sw_issued issued;
	struct sw_completed completed;
	struct sw_requeued requeued;
	struct sw_merged merged;
	struct sw_passed passed;
	struct sw_issued_hist issued_hist;
	struct sw_completed_hist completed_hist;
	struct sw_passed_hist passed_hist;
};

/*
 * One observed disk, written by the user side. The generation is stored last: from
 * then on the object that has it counts, and no other. While another object takes
 * over, it goes old, old | LEAVING, new | ARRIVING, new.
 */
#define SW_LEAVING (1u << 30)
#define SW_ARRIVING (1u << 31)

struct sw_slot {
	__u32 generation;  /* of the object that observes it; 0: none */
	__u32 flight_base; /* first entry in the request table */
	__u32 flight_size; /* entries, a power of two */
	__u32 queue_tags;  /* entries that one hardware queue is given */
	__u64 start_ns;    /* observation began, CLOCK_MONOTONIC */
	__u64 since_ns;    /* the window under way began */
};

#define SW_MAX_SLOTS 256
#define SW_MAX_QUEUES 4096 /* of request_queue.id, modulo */
#define SW_DEV(major, minor) ((__u32)(major) << 20 | (__u32)(minor))

_Static_assert(sizeof(struct sw_flow) == 32, "flow");
_Static_assert(sizeof(struct sw_issued_dir) == 128, "issued_dir");
_Static_assert(sizeof(struct sw_slot) == 32, "slot");
_Static_assert(sizeof(struct sw_inserted) == 128, "inserted");
_Static_assert(sizeof(struct sw_issued) == 448, "issued");
_Static_assert(sizeof(struct sw_completed) == 320, "completed");
_Static_assert(sizeof(struct sw_requeued) == 64, "requeued");
_Static_assert(sizeof(struct sw_merged) == 64, "merged");
_Static_assert(sizeof(struct sw_passed) == 128, "passed");
_Static_assert(sizeof(struct sw_record) % 64 == 0, "records are cache lines");
_Static_assert(sizeof(struct sw_issued_hist) == 4 * 4 * SW_HIST_BUCKETS, "issued_hist");

#endif
