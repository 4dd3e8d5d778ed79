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

#define SW_RECORD_VERSION 5

/* Detail groups of figures; the core is always on (sw_groups in bpf/maps.bpf.h). */
#define SW_GROUP_MERGES 1u
#define SW_GROUP_STREAMS 2u
#define SW_GROUP_DEPTH 4u
#define SW_GROUP_LOCALITY 8u
#define SW_GROUP_CLASSES 16u
#define SW_GROUPS_ALL 31u

enum sw_dir { SW_READ, SW_WRITE, SW_DIRS };
/* Directions come first; a kind below SW_DIRS is a direction. */
enum sw_kind { SW_DISCARD = SW_DIRS, SW_FLUSH, SW_ZEROES, SW_ZONE, SW_PASSTHROUGH, SW_KINDS };
enum sw_class { SW_RT, SW_BE, SW_IDLE, SW_CLASSES };
enum sw_wrap { SW_TO_HEAD, SW_TO_OLDEST, SW_EXPIRED, SW_UNKNOWN, SW_WRAPS };
/* What a request failed of: the kernel's BLK_STS_ values, by their errors. */
enum sw_error {
	SW_ERROR_IO,
	SW_ERROR_MEDIUM,
	SW_ERROR_TIMEOUT,
	SW_ERROR_TRANSPORT,
	SW_ERROR_TARGET,
	SW_ERROR_NOSPACE,
	SW_ERROR_PROTECTION,
	SW_ERROR_UNSUPPORTED,
	SW_ERROR_RESOURCE,
	SW_ERROR_OTHER,
	SW_ERRORS
};
/* Kyber's domains. */
enum sw_domain { SW_DOMAIN_READ, SW_DOMAIN_WRITE, SW_DOMAIN_DISCARD, SW_DOMAIN_OTHER, SW_DOMAINS };
/* Where a bio was merged: into a request that is held, or into one still in a plug. */
enum sw_join { SW_JOIN_BACK, SW_JOIN_FRONT, SW_JOIN_PLUG_BACK, SW_JOIN_PLUG_FRONT, SW_JOINS };
/* What requests are told apart by, beyond their direction: two ways, each complete. */
enum sw_apart { SW_APART_SYNC, SW_APART_ASYNC, SW_APART_RT, SW_APART_BE, SW_APART_IDLE, SW_APARTS };
/*
 * A request is counted once, in the cell of both: sync (0) or async (1), and above
 * that bit its class. In a window the first SW_APARTS cells are those of enum sw_apart.
 */
#define SW_APART_CELLS (2 * SW_CLASSES)
/* Whose number is followed over time. */
enum sw_kept { SW_KEPT_READ, SW_KEPT_SYNC, SW_KEPT_ASYNC, SW_KEPT_ALL, SW_KEPTS };
/* Where: in the scheduler, in the device, in either. */
enum sw_followed { SW_LEVEL_HELD, SW_LEVEL_DEVICE, SW_LEVEL_THERE, SW_LEVELS };

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

/* What nearly every issue writes comes first. */
struct sw_issued_dir {
	__u64 ios, bytes;
	__u64 located; /* issues whose position was known */
	__u64 backward, seek_sum, seek_max;
	__u64 waits, wait_sum, wait_max; /* ns */
	__u64 sweeps, wraps[SW_WRAPS];
	__u64 sequential;
	__u64 expired, late_sum, late_max; /* ns */
};

struct sw_issued {
	__u64 seq;
	struct sw_flow flow;
	__u64 device_max, switches, head_inserts;
	struct sw_issued_dir dir[SW_DIRS];
	__u64 kinds[SW_KINDS]; /* first issues of those that are no directions */
	__u64 no_insert, before, stale, table_miss, negative;
};

struct sw_completed_dir {
	__u64 ios, bytes, errors, partial;
	__u64 served, service_sum, service_max; /* ns */
	__u64 totals, total_sum, total_max;     /* ns */
};

/* Service of requests that are counted apart, ns. */
struct sw_served {
	__u64 count, sum, max;
};

struct sw_completed {
	__u64 seq;
	struct sw_flow flow;
	__u64 busy_ns; /* periods with something in the device that have ended */
	struct sw_completed_dir dir[SW_DIRS];
	__u64 kinds[SW_KINDS]; /* as above */
	__u64 unmatched, before, negative;
	struct sw_served flush, fua;
	__u64 failed[SW_DIRS][SW_ERRORS];
	__u64 pad[2];
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

/* Written by the programs on kyber's own tracepoints. */
struct sw_kyber {
	__u64 seq;
	__u64 throttled[SW_DOMAINS];
	__u64 adjusts[SW_DOMAINS];
	__u64 pad[7];
};

/* Requests in the device that were given up (bpf/close.bpf.h). */
struct sw_closed {
	__u64 seq;
	struct sw_flow flow;
	__u64 busy_ns; /* as of completed */
	__u64 stale;
	__u64 pad[1];
};

struct sw_issued_hist {
	__u32 seek[SW_DIRS][SW_HIST_BUCKETS];
	__u32 wait[SW_DIRS][SW_HIST_BUCKETS];
	__u32 late[SW_DIRS][SW_HIST_BUCKETS];
};

struct sw_completed_hist {
	__u32 service[SW_DIRS][SW_HIST_BUCKETS];
	__u32 total[SW_DIRS][SW_HIST_BUCKETS];
	__u32 flush[SW_HIST_BUCKETS];
	__u32 fua[SW_HIST_BUCKETS];
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
	struct sw_kyber kyber;
	struct sw_closed closed;
	struct sw_issued_hist issued_hist;
	struct sw_completed_hist completed_hist;
	struct sw_passed_hist passed_hist;
};

/* Sizes of requests: sums and maxima in bytes, histograms in sectors. */
struct sw_sizes {
	__u64 count[SW_DIRS], sum[SW_DIRS], max[SW_DIRS];
};

/* Times of requests told apart, ns. */
struct sw_apart_waits {
	__u64 waits, wait_sum, wait_max;
};

struct sw_apart_totals {
	__u64 ios, bytes;
	__u64 totals, total_sum, total_max;
};

/* Tasks that issued, as they came: a table that is full takes no more. */
#define SW_TASKS 16

struct sw_task {
	__u64 count; /* 0: free */
	__u32 tid, unused;
	char name[16];
};

/* Runs that went on: how far back in the list of the most recent ones, from 2. */
#define SW_STREAMS 32

struct sw_detail_inserted {
	struct sw_sizes sizes;
};

struct sw_detail_issued {
	struct sw_sizes sizes;
	__u64 resumed, resumed_sum, resumed_max;
	__u64 runs[SW_DIRS];
	__u64 run_ios[SW_DIRS], run_ios_max[SW_DIRS];
	__u64 run_bytes[SW_DIRS], run_bytes_max[SW_DIRS];
	__u64 starved_max[SW_DIRS]; /* ns */
	struct sw_apart_waits apart[SW_APART_CELLS][SW_DIRS];
	__u64 tasks_beyond; /* issues by tasks that had no room in the table */
	__u64 scratch;
	struct sw_task tasks[SW_TASKS];
};

/*
 * What requests cost a single arm, by the distance from the end of the request
 * that completed before: 0, then one for each power of two.
 */
#define SW_COSTS 48

struct sw_cost {
	__u64 count, ns, bytes;
};

struct sw_detail_completed {
	__u64 placed[SW_DIRS]; /* completions whose insert's CPU is known */
	__u64 other_cpu[SW_DIRS], other_llc[SW_DIRS];
	struct sw_apart_totals apart[SW_APART_CELLS][SW_DIRS];
	struct sw_cost costs[SW_COSTS];
};

/* Written by the programs on the bio merges. */
struct sw_detail_joined {
	__u64 seq;
	__u64 bios[SW_DIRS][SW_JOINS];
};

/* Written by the program on block_unplug. */
struct sw_detail_unplugged {
	__u64 seq;
	__u64 unplugs, explicit_ones, sum, max;
	__u64 pad[6];
};

struct sw_detail_hist {
	__u32 inserted[SW_DIRS][SW_HIST_BUCKETS];
	__u32 issued[SW_DIRS][SW_HIST_BUCKETS];
	__u32 resumed[SW_HIST_BUCKETS];
	__u32 run_ios[SW_DIRS][SW_HIST_BUCKETS];
	__u32 run_bytes[SW_DIRS][SW_HIST_BUCKETS];
	__u32 unplugs[SW_HIST_BUCKETS];
	__u32 wait[SW_APART_CELLS][SW_DIRS][SW_HIST_BUCKETS];
	__u32 total[SW_APART_CELLS][SW_DIRS][SW_HIST_BUCKETS];
};

/*
 * Time at a bucket's lowest number or above, in the histograms' buckets, up to 2^16;
 * in a window, time in the bucket, in ns. A word holds comings (+) and goings (-): their
 * count above bit 48, and the sum of their times below, in units of 64 ns since the slot's
 * base_ns. Every program adds to them, by one atomic add for each, so that a word is
 * never torn; the sum over the CPUs, all modulo 2^64, has N of 0 or 1 and N * t - S as
 * the time spent there up to t.
 */
#define SW_LEVEL_BUCKETS 112
#define SW_LEVEL_COUNT_SHIFT 48
#define SW_LEVEL_TIME_SHIFT 6

struct sw_levels {
	__u64 time[SW_LEVELS][SW_KEPTS][SW_LEVEL_BUCKETS];
	__u64 idle_with_work;
};

/*
 * The detail groups of one CPU of one disk. There are none when all groups are
 * off. Sections without a seq are written under that of the record's section of
 * the same name.
 */
struct sw_detail {
	struct sw_detail_inserted inserted;
	struct sw_detail_issued issued;
	struct sw_detail_completed completed;
	struct sw_detail_joined joined;
	struct sw_detail_unplugged unplugged;
	struct sw_levels levels;
	struct sw_detail_hist hist;
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
	__u64 base_ns;     /* of the times in sw_levels */
	__u64 pad[3];
};

#define SW_MAX_SLOTS 256
#define SW_MAX_QUEUES 4096 /* of request_queue.id, modulo */
#define SW_DEV(major, minor) ((__u32)(major) << 20 | (__u32)(minor))

_Static_assert(sizeof(struct sw_flow) == 32, "flow");
_Static_assert(sizeof(struct sw_issued_dir) == 144, "issued_dir");
_Static_assert((SW_KEPTS & (SW_KEPTS - 1)) == 0, "their numbers are masked");
_Static_assert(sizeof(struct sw_slot) == 64, "a slot is one cache line");
_Static_assert(sizeof(struct sw_inserted) == 128, "inserted");
_Static_assert(sizeof(struct sw_issued) == 448, "issued");
_Static_assert(sizeof(struct sw_completed) == 512, "completed");
_Static_assert(sizeof(struct sw_requeued) == 64, "requeued");
_Static_assert(sizeof(struct sw_merged) == 64, "merged");
_Static_assert(sizeof(struct sw_passed) == 128, "passed");
_Static_assert(sizeof(struct sw_kyber) == 128, "kyber");
_Static_assert(sizeof(struct sw_closed) == 64, "closed");
_Static_assert(sizeof(struct sw_record) % 64 == 0, "records are cache lines");
_Static_assert(sizeof(struct sw_issued_hist) == 6 * 4 * SW_HIST_BUCKETS, "issued_hist");
_Static_assert(sizeof(struct sw_detail) % 64 == 0, "details are cache lines");
/* Beside the kernel's maps there are copies from malloc. */
_Static_assert(_Alignof(struct sw_detail) <= 16, "details are aligned as malloc does it");

#endif
