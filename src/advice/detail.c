// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * When the rows that rest on the detail groups are given. Without the groups
 * their figures are below 0, not measured, and none is given.
 */
#include "conditions.h"

/*
 * What a disk transfers while it could seek and wait for half a turn: 10 ms
 * at 100 MB/s. Shorter runs take more time to get to than to serve.
 */
#define RUN_SHORT (1 << 20) /* bytes */
/* Of each stream, asked for at a time: with the next one ready a scheduler has nothing to join. */
#define OF_EACH 2
#define READ_AHEAD 1024 /* KiB, then a run is not short any more */
/* What the kernel itself uses of a device that takes larger requests, KiB. */
#define REQUEST_CEILING 1280
/* Of the largest size: all but the last piece of what was cut. */
#define LARGEST 0.9

/* Someone is there to be hurt: no percentile is asked, and it is few that get through. */
#define SOME 20
/* Kernels that leave reads some room by themselves leave them a quarter. */
#define BESIDE_READS 0.75
/* The numbers over time are within 6.25 % (SW_HIST_SUB_BITS). */
#define ROUNDED 1.07
#define THROTTLING_US 75000 /* the kernel's own for rotational disks */

/* Most seeks lead back to a run that was left: streams, not requests here and there. */
static bool streams_interleave(const struct sw_facts *f)
{
	return seeks(f) && !unusual(f) && n(f, "streams.count") >= REQUESTS &&
	       n(f, "streams.count") >= HALF * (n(f, "located") - n(f, "sequential"));
}

/*
 * Reads and writes are both there for more than a batch, so it is the limit of
 * the batches that sends the head to and fro. Streams of one direction are
 * not left at that limit: the next batch goes on where the last one ended.
 */
bool sw_streams_held(const struct sw_facts *f)
{
	double runs = MANY * n(f, "run_requests.count");
	double full = HALF * n(f, "knobs.fifo_batch");

	return streams_interleave(f) && scheduler_bounds(f) && scheduler_is(f, "mq-deadline") &&
	       n(f, "read.run_requests.count") >= runs &&
	       n(f, "write.run_requests.count") >= runs && full > 0 &&
	       n(f, "read.batches.mean") >= full && n(f, "write.batches.mean") >= full &&
	       n(f, "knobs.fifo_batch") < FIFO_CEILING && n(f, "seek_cost.share") >= MANY;
}

/* The journal's and the data's places are no streams. */
bool sw_flushes_often(const struct sw_facts *f)
{
	return n(f, "flush_us.count") >= REQUESTS &&
	       n(f, "flush_us.count") >= MANY * n(f, "write.ios") && n(f, "write.ios") > 0 &&
	       f->verdict != SW_QUEUE_BOUND;
}

/*
 * Each is asked for little at a time, and the other ones come between. What
 * seeks cost is not asked: where streams take turns at every request, there
 * are no sequential ones to compare with.
 */
static bool streams_alone(const struct sw_facts *f)
{
	return streams_interleave(f) && !sw_flushes_often(f) && n(f, "held.mean") < 1 &&
	       n(f, "run_bytes.mean") <= RUN_SHORT &&
	       n(f, "in_device.mean") <= OF_EACH * n(f, "streams.p95");
}

/*
 * Reads of about the size of the read-ahead are most likely made by it: a program
 * that says that it reads in sequence is given twice as much.
 */
bool sw_reads_ahead_little(const struct sw_facts *f)
{
	double ahead = n(f, "read_ahead_kb") * 1024 * n(f, "read.ios");

	return streams_alone(f) && n(f, "read_ahead_kb") < READ_AHEAD &&
	       n(f, "read.run_requests.count") > n(f, "write.run_requests.count") &&
	       n(f, "read.bytes") >= HALF * ahead && n(f, "read.bytes") <= 2 * ahead;
}

int64_t sw_longer_read_ahead(const struct sw_facts *f)
{
	(void)f;
	return READ_AHEAD;
}

bool sw_streams_not_held(const struct sw_facts *f)
{
	return streams_alone(f) && !sw_reads_ahead_little(f);
}

/* Requests as large as they may be are pieces of something larger; others come between these. */
static bool pieces_part(const struct sw_facts *f)
{
	double largest = LARGEST * n(f, "max_sectors_kb") * 1024 * n(f, "ios");

	return scheduler_bounds(f) && seeks(f) && n(f, "bytes") >= largest &&
	       n(f, "pool_full") >= HALF && n(f, "streams.count") >= REQUESTS &&
	       n(f, "run_bytes.mean") <= RUN_SHORT;
}

int64_t sw_larger_requests(const struct sw_facts *f)
{
	int64_t device = (int64_t)n(f, "max_hw_sectors_kb");

	return device < REQUEST_CEILING ? device : REQUEST_CEILING;
}

bool sw_requests_split(const struct sw_facts *f)
{
	return pieces_part(f) && n(f, "max_sectors_kb") < (double)sw_larger_requests(f);
}

/*
 * Kernels whose mq-deadline has async_depth of its own, at nr_requests unless
 * it was set, wake for each request that completes one of those who wait for
 * room (commit 39823b47bbd4): a piece at a time.
 */
bool sw_pool_splits(const struct sw_facts *f)
{
	return pieces_part(f) && !sw_requests_split(f) && scheduler_is(f, "mq-deadline") &&
	       f->knobs->present[SW_ASYNC_DEPTH_OLD] &&
	       n(f, "knobs.async_depth") == n(f, "knobs.nr_requests");
}

/* Held and in the device, on average. */
static double async_writes(const struct sw_facts *f)
{
	return n(f, "held_levels_async_write.mean") + n(f, "device_levels_async_write.mean");
}

static double writes(const struct sw_facts *f)
{
	return async_writes(f) + n(f, "held_levels_sync_write.mean") +
	       n(f, "device_levels_sync_write.mean");
}

/* The kernel can keep the page cache's writes short, and was told not to. */
bool sw_async_crowds(const struct sw_facts *f)
{
	double pool = pools(f, n(f, "knobs.nr_requests"));

	return scheduler_bounds(f) && scheduler_is(f, "mq-deadline") && seeks(f) &&
	       f->around->unthrottled && async_writes(f) >= HALF * pool &&
	       n(f, "read.ios") + n(f, "write.classes.sync.ios") >= SOME &&
	       (n(f, "read.total_us.p95") >= FELT_US ||
		n(f, "write.classes.sync.total_us.p95") >= FELT_US);
}

int64_t sw_usual_throttling(const struct sw_facts *f)
{
	(void)f;
	return THROTTLING_US;
}

int64_t sw_depth_beside_reads(const struct sw_facts *f)
{
	return (int64_t)(BESIDE_READS * n(f, "knobs.nr_requests"));
}

/*
 * mq-deadline's async_depth bounds all that is no read. At nr_requests nothing
 * is left to reads: where the device takes less than three quarters of that,
 * the rest can be.
 */
bool sw_writes_crowd(const struct sw_facts *f)
{
	double beside = pools(f, (double)sw_depth_beside_reads(f));

	return scheduler_bounds(f) && scheduler_is(f, "mq-deadline") && !sw_async_crowds(f) &&
	       n(f, "pool_full") >= MANY && writes(f) >= beside &&
	       n(f, "in_device.mean") < beside && n(f, "read.ios") >= SOME &&
	       n(f, "knobs.async_depth") >= n(f, "knobs.nr_requests");
}

/*
 * Older kernels compare async_depth with a part of the pool, so that it bounds
 * nothing. It does where writes keep to it; those that begin with nr_requests are newer.
 */
static bool async_depth_bounds(const struct sw_facts *f)
{
	double bound = pools(f, n(f, "knobs.async_depth"));

	return n(f, "knobs.async_depth") >= n(f, "knobs.nr_requests") ||
	       (writes(f) >= POOL_FULL * bound && writes(f) <= ROUNDED * bound);
}

int64_t sw_half_async_depth(const struct sw_facts *f)
{
	return (int64_t)(n(f, "knobs.async_depth") / 2);
}

/*
 * Who waits for room waits by turns of tasks, and the page cache's writes come
 * from few: the fewer writes are let in, the sooner a sync one is.
 */
bool sw_sync_behind_async(const struct sw_facts *f)
{
	double half = pools(f, (double)sw_half_async_depth(f));

	return scheduler_bounds(f) && scheduler_is(f, "mq-deadline") && !sw_async_crowds(f) &&
	       !sw_writes_crowd(f) && n(f, "write.classes.sync.ios") >= REQUESTS &&
	       n(f, "write.classes.sync.wait_us.p95") >= FELT_US &&
	       n(f, "write.classes.sync.wait_us.p95") >=
		       MANY * n(f, "write.classes.sync.total_us.p95") &&
	       n(f, "held_levels_async_write.mean") > n(f, "held_levels_sync_write.mean") &&
	       half > 0 && writes(f) > half && async_depth_bounds(f);
}

/* Requests of two classes at least, and several at a time: an order would have made a difference.
 */
bool sw_ionice_ignored(const struct sw_facts *f)
{
	double rt = n(f, "classes.rt.ios"), idle = n(f, "classes.idle.ios");
	double be = n(f, "classes.be.ios"), most = rt > idle ? rt : idle;

	most = most > be ? most : be;
	return (scheduler_is(f, "none") || scheduler_is(f, "kyber")) && seeks(f) && !zoned(f) &&
	       rt + be + idle - most >= REQUESTS &&
	       n(f, "held.mean") + n(f, "in_device.mean") > ONE_AT_A_TIME;
}
