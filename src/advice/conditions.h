/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the conditions of the rows of advice share. Thresholds of one row alone stand beside it. */
#ifndef SEEKWISE_ADVICE_CONDITIONS_H
#define SEEKWISE_ADVICE_CONDITIONS_H

#include <string.h>

#include "seekwise/advice.h"

#define MS 1000.0 /* in us */

/* Percentiles of fewer are single requests. */
#define REQUESTS 100
/* Below one positioning of a disk no reordering is felt. */
#define FELT_US (10 * MS)
/* Of the requests (the controller asks the same of batches at the limit: half). */
#define MANY 0.2
#define HALF 0.5

/*
 * Kept in the pool on average, of nr_requests: it is full most of the time
 * then, since it is never above.
 */
#define POOL_FULL 0.9

#define STALL_US (5000 * MS)
/* Half the requests within this: then the disk as such is no slower than any. */
#define USUAL_US (100 * MS)

/*
 * A full turn takes 4 ms at 15000 rpm, so of 20 random reads that an arm
 * serves hardly one is back in 1 ms. Beyond a GiB apart the disk's own cache
 * holds neither.
 */
#define NO_ARM_US (1 * MS)
#define FAR_SECTORS (1 << 21)
/* In the device on average. */
#define ONE_AT_A_TIME 1.5

#define FIFO_CEILING 256

static inline double n(const struct sw_facts *f, const char *path)
{
	return sw_fact_number(f, path);
}

static inline bool zoned(const struct sw_facts *f)
{
	return f->disk->zoned[0] && strcmp(f->disk->zoned, "none");
}

static inline bool scheduler_is(const struct sw_facts *f, const char *name)
{
	return !f->around->switched && !strcmp(f->disk->scheduler, name);
}

static inline bool stalls(const struct sw_facts *f)
{
	return f->disk->rotational && n(f, "service_us.max") >= STALL_US &&
	       n(f, "service_us.p50") <= USUAL_US;
}

/* The load of this window is neither the usual one nor the scheduler's to order. */
static inline bool unusual(const struct sw_facts *f)
{
	return f->around->array[0] || stalls(f);
}

static inline bool reads_far(const struct sw_facts *f)
{
	return n(f, "read.located") >= REQUESTS && n(f, "read.sequential_share") <= HALF &&
	       n(f, "read.seek_sectors.p50") >= FAR_SECTORS;
}

static inline bool has_no_arm(const struct sw_facts *f)
{
	return f->disk->rotational && reads_far(f) && n(f, "read.service_us.p95") >= 0 &&
	       n(f, "read.service_us.p95") <= NO_ARM_US;
}

static inline bool seeks(const struct sw_facts *f)
{
	return f->disk->rotational && !has_no_arm(f);
}

/* Whether the scheduler's own settings are to blame at all. */
static inline bool scheduler_bounds(const struct sw_facts *f)
{
	return f->verdict == SW_QUEUE_BOUND && !zoned(f) && !unusual(f);
}

/* Requests that there is room for, below 0: not known. Each hardware queue has a pool of its own.
 */
static inline double pools(const struct sw_facts *f, double of_each)
{
	return of_each * (f->disk->queues ? f->disk->queues : 1);
}

/* Conditions and values of rows that rest on the detail groups (detail.c). */
bool sw_streams_held(const struct sw_facts *f);
bool sw_flushes_often(const struct sw_facts *f);
bool sw_streams_not_held(const struct sw_facts *f);
bool sw_reads_ahead_little(const struct sw_facts *f);
bool sw_requests_split(const struct sw_facts *f);
bool sw_pool_splits(const struct sw_facts *f);
bool sw_async_crowds(const struct sw_facts *f);
bool sw_writes_crowd(const struct sw_facts *f);
bool sw_sync_behind_async(const struct sw_facts *f);
bool sw_ionice_ignored(const struct sw_facts *f);

int64_t sw_longer_read_ahead(const struct sw_facts *f);
int64_t sw_larger_requests(const struct sw_facts *f);
int64_t sw_usual_throttling(const struct sw_facts *f);
int64_t sw_depth_beside_reads(const struct sw_facts *f);
int64_t sw_half_async_depth(const struct sw_facts *f);

#endif
