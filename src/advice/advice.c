// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of advice: one row each, with the case that it comes from. A row
 * is given when its condition holds and every number of its text was measured.
 */
#include "conditions.h"

/* Of a percentile, against another: beyond the spread that a fair order has. */
#define FAR_APART 8
/* More has locked up machines, and sorts no better on one arm. */
#define POOL_CEILING 1024

/* A disk that holds 32 and is fair takes 0.3 s for the last of them. */
#define PASSED_OVER_US (500 * MS)
/* Half a turn and a seek, one request at a time: fast disks and slow ones. */
#define ARM_LEAST_US (3 * MS)
#define ARM_MOST_US (30 * MS)
/* In the device on average: so many there is an order for. */
#define UNSORTED 4

/* 20 us for each: at fewer, a lock held for about one is not what costs. */
#define LOCK_IOPS 50000

#define STARVED_CEILING 16
/* Nobody waits longer for a request on purpose. */
#define EXPIRE_CEILING 60000 /* ms */
#define EXPIRE_STEPS 3       /* doublings at once */
/* md's own least (speed_limit_min), KiB/s */
#define SYNC_LEAST 1000

static bool has_errors(const struct sw_facts *f)
{
	return n(f, "errors") >= 1;
}

static bool resyncs(const struct sw_facts *f)
{
	return f->around->array[0] && n(f, "ios") >= REQUESTS;
}

static int64_t half_sync_speed(const struct sw_facts *f)
{
	int64_t half = (int64_t)(f->around->sync_speed / 2);

	return half > SYNC_LEAST ? half : SYNC_LEAST;
}

static bool writes_to_zones(const struct sw_facts *f)
{
	return zoned(f) && n(f, "write.ios") >= REQUESTS;
}

static bool may_have_arm(const struct sw_facts *f)
{
	double p50 = n(f, "read.service_us.p50");

	return !f->disk->rotational && !unusual(f) && reads_far(f) && p50 >= ARM_LEAST_US &&
	       p50 <= ARM_MOST_US && n(f, "in_device.mean") <= ONE_AT_A_TIME;
}

static bool unsorted(const struct sw_facts *f)
{
	return seeks(f) && !zoned(f) && !unusual(f) &&
	       (scheduler_is(f, "none") || scheduler_is(f, "kyber")) &&
	       n(f, "located") >= REQUESTS && n(f, "sequential_share") <= HALF &&
	       n(f, "in_device.mean") >= UNSORTED;
}

static bool lock_costs(const struct sw_facts *f)
{
	return !f->disk->rotational && !zoned(f) &&
	       (scheduler_is(f, "mq-deadline") || scheduler_is(f, "bfq")) &&
	       n(f, "ios") >= LOCK_IOPS * n(f, "seconds") && n(f, "held.mean") < 1;
}

/* Passed over by the device, not by the scheduler. */
static bool passed_over_inside(const struct sw_facts *f)
{
	double p99 = n(f, "read.service_us.p99");

	return seeks(f) && !unusual(f) && n(f, "queue_depth") > 1 && n(f, "in_device.mean") > 1 &&
	       n(f, "read.ios") >= REQUESTS && p99 >= PASSED_OVER_US &&
	       p99 >= FAR_APART * n(f, "read.service_us.p50") && n(f, "read.wait_us.p99") < p99;
}

static int64_t one(const struct sw_facts *f)
{
	(void)f;
	return 1;
}

/* Others are in trouble since so much is let in: more of it, or more at a time, is no help. */
static bool writes_are_too_many(const struct sw_facts *f)
{
	return sw_async_crowds(f) || sw_writes_crowd(f);
}

static bool pool_is_full(const struct sw_facts *f)
{
	double pool = pools(f, n(f, "knobs.nr_requests"));

	return scheduler_bounds(f) && !writes_are_too_many(f) && n(f, "knobs.nr_requests") > 0 &&
	       n(f, "knobs.nr_requests") < POOL_CEILING &&
	       n(f, "held.mean") + n(f, "in_device.mean") >= POOL_FULL * pool;
}

static int64_t double_pool(const struct sw_facts *f)
{
	int64_t twice = 2 * f->knobs->value[SW_NR_REQUESTS];

	return twice < POOL_CEILING ? twice : POOL_CEILING;
}

/* What waits is mostly writes, and reads spend a good part of their time behind them. */
static bool behind_writes(const struct sw_facts *f)
{
	return scheduler_bounds(f) && n(f, "read.ios") >= REQUESTS &&
	       n(f, "write.batches.p95") > 0 && n(f, "read.wait_us.p95") >= FELT_US &&
	       n(f, "read.wait_us.p95") >= MANY * n(f, "read.total_us.p95") &&
	       n(f, "read.issued") * n(f, "read.wait_us.mean") <
		       n(f, "write.issued") * n(f, "write.wait_us.mean");
}

static int64_t quarter_fifo_batch(const struct sw_facts *f)
{
	int64_t quarter = f->knobs->value[SW_FIFO_BATCH] / 4;

	return quarter > 1 ? quarter : 1;
}

/* A limit that the batches do not reach takes nothing off them. Streams want longer ones. */
static bool write_batches_long(const struct sw_facts *f)
{
	return behind_writes(f) && !sw_streams_held(f) && n(f, "knobs.fifo_batch") > 1 &&
	       n(f, "write.batches.p95") > (double)quarter_fifo_batch(f);
}

static bool write_batches_short(const struct sw_facts *f)
{
	return behind_writes(f) && !sw_streams_held(f) && !write_batches_long(f) &&
	       n(f, "knobs.writes_starved") >= 1 && n(f, "knobs.writes_starved") < STARVED_CEILING;
}

static int64_t double_writes_starved(const struct sw_facts *f)
{
	int64_t twice = 2 * f->knobs->value[SW_WRITES_STARVED];

	return twice < STARVED_CEILING ? twice : STARVED_CEILING;
}

static bool may_expire_later(const struct sw_facts *f, const char *knob)
{
	return scheduler_bounds(f) && seeks(f) && n(f, knob) > 0 && n(f, knob) < EXPIRE_CEILING;
}

static bool reads_expire_early(const struct sw_facts *f)
{
	return may_expire_later(f, "knobs.read_expire") && n(f, "read.issued") >= REQUESTS &&
	       n(f, "read.wraps.expired") > 0 && n(f, "read.expired") >= MANY * n(f, "read.issued");
}

static bool writes_expire_early(const struct sw_facts *f)
{
	return may_expire_later(f, "knobs.write_expire") && n(f, "write.issued") >= REQUESTS &&
	       n(f, "write.wraps.expired") > 0 &&
	       n(f, "write.expired") >= MANY * n(f, "write.issued");
}

/* Doubled until most waits are within it. */
static int64_t longer(int64_t expire, double wait_us)
{
	int i;

	for (i = 0; i < EXPIRE_STEPS; i++) {
		expire *= 2;
		if ((double)expire * MS >= wait_us)
			break;
	}
	return expire < EXPIRE_CEILING ? expire : EXPIRE_CEILING;
}

static int64_t longer_read_expire(const struct sw_facts *f)
{
	return longer(f->knobs->value[SW_READ_EXPIRE], n(f, "read.wait_us.p95"));
}

static int64_t longer_write_expire(const struct sw_facts *f)
{
	return longer(f->knobs->value[SW_WRITE_EXPIRE], n(f, "write.wait_us.p95"));
}

/* Beyond what half the reads wait, short of what the last one in a hundred does. */
static int64_t shorter_read_expire(const struct sw_facts *f)
{
	int64_t ms = (int64_t)(n(f, "read.wait_us.p50") * FAR_APART / 2 / MS);

	return ms > 1 ? ms : 1;
}

/* Behind writes it would not help: deadlines are looked at between batches of one direction. */
static bool reads_expire_late(const struct sw_facts *f)
{
	double p99 = n(f, "read.wait_us.p99");

	return scheduler_bounds(f) && !behind_writes(f) && n(f, "read.ios") >= REQUESTS &&
	       n(f, "read.expired") == 0 && p99 >= FELT_US && n(f, "read.wait_us.p50") >= 0 &&
	       p99 >= FAR_APART * n(f, "read.wait_us.p50") &&
	       n(f, "knobs.read_expire") >= 2 * (double)shorter_read_expire(f);
}

static bool batches_are_full(const struct sw_facts *f)
{
	return scheduler_bounds(f) && seeks(f) && !behind_writes(f) && !sw_streams_held(f) &&
	       !writes_are_too_many(f) && n(f, "issued") >= REQUESTS &&
	       f->sample.full_share >= HALF && n(f, "knobs.fifo_batch") >= 1 &&
	       n(f, "knobs.fifo_batch") < FIFO_CEILING;
}

static int64_t larger_fifo_batch(const struct sw_facts *f)
{
	int64_t larger = 4 * f->knobs->value[SW_FIFO_BATCH];

	return larger < FIFO_CEILING ? larger : FIFO_CEILING;
}

#define SET(file) "echo $value > /sys/block/$disk/" file
#define ASYNC_DEPTH "echo $value > /sys/block/$disk/queue/$async"
#define SCHEDULER(name) "echo " name " > /sys/block/$disk/queue/scheduler"

const struct sw_advice sw_advice[] = {
	{ "errors",
	  has_errors,
	  0,
	  "{errors} of {ios} requests failed. The kernel's log tells of what; until that is mended, no "
	  "other figure here is worth a change.",
	  { "journalctl -k -g $disk", "smartctl -x /dev/$dev" } },
	/* case 37 */
	{ "md-resync",
	  resyncs,
	  half_sync_speed,
	  "$array, of which it is a member, is being resynchronised or checked at {sync_speed}; that "
	  "is part of the {ios} requests here. Let it end, or slow it down where others wait for it "
	  "(\"system\" instead of the number takes that back), before any knob is judged.",
	  { "echo $value > /sys/block/$array/md/sync_speed_max" } },
	/* case 35 */
	{ "zoned",
	  writes_to_zones,
	  0,
	  "It is zoned ($zoned): keep its scheduler ($scheduler). Newer kernels hold writes to a zone "
	  "back before they reach the scheduler, so the times of its {write.ios} writes may lack that "
	  "wait.",
	  { 0 } },
	/* case 36 */
	{ "stall",
	  stalls,
	  0,
	  "A request took {service_us.max} in the device, where half of them take {service_us.p50} at "
	  "most. Shingled disks stop like that to clean up, damaged ones to recover; no knob cures "
	  "it, and none should be judged by this window.",
	  { "smartctl -x /dev/$dev" } },
	/* case 40, the flag of USB bridges and virtual disks */
	{ "not-rotational",
	  has_no_arm,
	  0,
	  "It is said to be rotational, but of {read.located} reads, half of them "
	  "{read.seek_sectors.p50} or more from where the last request ended and "
	  "{read.sequential_share} sequential, 95 % took {read.service_us.p95} at most: no arm moves "
	  "that fast.",
	  { "echo 0 > /sys/block/$disk/queue/rotational" } },
	/* case 40, the other way round */
	{ "rotational",
	  may_have_arm,
	  0,
	  "It is said not to be rotational, but with {in_device.mean} in the device on average half "
	  "of its {read.located} reads ({read.sequential_share} sequential, half of them "
	  "{read.seek_sectors.p50} or more away) take {read.service_us.p50} or more. If it is a hard "
	  "disk (behind USB or in a virtual machine), say so.",
	  { "echo 1 > /sys/block/$disk/queue/rotational" } },
	/* case 38 */
	{ "scheduler-unsorted",
	  unsorted,
	  0,
	  "Its scheduler ($scheduler) does not sort, and the disk has {in_device.mean} requests to "
	  "seek for on average, {sequential_share} of {located} sequential: mq-deadline would send "
	  "them in the order of their sectors.",
	  { SCHEDULER("mq-deadline") } },
	/* case 40, one lock for all CPUs */
	{ "scheduler-lock",
	  lock_costs,
	  0,
	  "{ios} requests in {seconds}, of which the scheduler holds {held.mean} on average: it has "
	  "nothing to choose from, and each request takes its one lock.",
	  { SCHEDULER("none") } },
	/* case 33 */
	{ "queue-depth",
	  passed_over_inside,
	  one,
	  "Reads are passed over inside the device, which holds {in_device.mean} on average (at most "
	  "{queue_depth}): one of {read.ios} in a hundred takes {read.service_us.p99} there, half of "
	  "them {read.service_us.p50} at most, against a wait in the scheduler of "
	  "{read.wait_us.p99} (p99). With a depth of 1 the scheduler alone decides the order, at some "
	  "cost in throughput.",
	  { SET("device/queue_depth") } },
	/* argued over in 2019: streams on one disk, and a seek between them each time */
	{ "streams-held",
	  sw_streams_held,
	  larger_fifo_batch,
	  "Sequential reads and writes take turns on the disk in full batches of {knobs.fifo_batch}: "
	  "{streams.count} times it went back to a stream that it had left. A run is "
	  "{run_requests.mean} requests and {run_bytes.mean} long on average, and the seeks cost "
	  "{seek_cost.total_us}, {seek_cost.share} of the busy time. Longer batches keep the disk "
	  "longer with each, and let the other one wait longer.",
	  { SET("queue/iosched/fifo_batch"), "seekwise tune $disk" } },
	{ "flushes",
	  sw_flushes_often,
	  0,
	  "{flush_us.count} flushes of its cache beside {write.ios} writes, {flush_us.mean} each: who "
	  "calls fsync waits for the disk each time. Fewer or grouped fsyncs help, or a journal on "
	  "another device; no knob here does.",
	  { 0 } },
	{ "streams-not-held",
	  sw_streams_not_held,
	  0,
	  "Sequential streams take turns on the disk: {streams.count} times it went back to one that it "
	  "had left, for {run_requests.mean} requests and {run_bytes.mean} on average; a disk "
	  "transfers about 1 MiB in the time of a seek. The scheduler holds {held.mean} and has nothing to join: "
	  "larger requests would help, or more of each stream at a time.",
	  { 0 } },
	{ "read-ahead",
	  sw_reads_ahead_little,
	  sw_longer_read_ahead,
	  "Sequential readers take turns on the disk: {streams.count} times it went back to one that it "
	  "had left, for {read.run_requests.mean} reads and {read.run_bytes.mean} on average; a "
	  "disk transfers about 1 MiB in the time of a seek. Their size is within a factor of two of "
	  "the read-ahead ({read_ahead_kb}): if that makes them, a longer one keeps the disk longer "
	  "with each.",
	  { SET("queue/read_ahead_kb") } },
	/* case 30 */
	{ "requests-split",
	  sw_requests_split,
	  sw_larger_requests,
	  "Large I/O is cut into requests of {max_sectors_kb} (max_sectors_kb; the device would take "
	  "{max_hw_sectors_kb}), and others come between them, since the pool is full {pool_full} of "
	  "the time: the disk stays for {run_requests.mean} of them, {run_bytes.mean}, on average, and "
	  "came back at least {streams.count} times to go on. Larger requests stay in one piece.",
	  { SET("queue/max_sectors_kb") } },
	/* case 30, where they are as large as the device takes */
	{ "pool-splits",
	  sw_pool_splits,
	  0,
	  "Large I/O is cut into requests of {max_sectors_kb}, and others come between them, since the "
	  "pool is full {pool_full} of the time: the disk stays for {run_requests.mean} of them, "
	  "{run_bytes.mean}, on average, and came back at least {streams.count} times to go on. This "
	  "kernel wakes one waiting submitter at a time, for one request; those that have "
	  "queue/async_depth let several requests follow each other. No knob here cures it.",
	  { 0 } },
	/* cases 26 and 34 */
	{ "async-crowds",
	  sw_async_crowds,
	  sw_usual_throttling,
	  "Async writes crowd the pool: {held_levels_async_write.mean} are held and "
	  "{device_levels_async_write.mean} in the device on average, of {knobs.nr_requests} "
	  "(nr_requests), and {read.ios} reads and {write.classes.sync.ios} sync writes had to get past "
	  "them. Write-back throttling, which keeps what the page cache writes far below that, is off; "
	  "it costs some of its throughput.",
	  { SET("queue/wbt_lat_usec") } },
	/* cases 26 and 28 */
	{ "writes-crowd",
	  sw_writes_crowd,
	  sw_depth_beside_reads,
	  "Writes fill the pool: it is full {pool_full} of the time, and of {held.mean} held and "
	  "{in_device.mean} in the device on average only {held_levels_read.mean} and "
	  "{device_levels_read.mean} are reads. {read.ios} reads waited for room before they were "
	  "inserted, a wait that is none of those here. async_depth ({knobs.async_depth} of "
	  "{knobs.nr_requests}) bounds writes, sync and async ones, and leaves the rest to reads.",
	  { ASYNC_DEPTH } },
	/* case 34 */
	{ "sync-behind-async",
	  sw_sync_behind_async,
	  sw_half_async_depth,
	  "Sync writes wait behind async ones: {write.classes.sync.ios} of them up to "
	  "{write.classes.sync.wait_us.p95} (p95, of a total of {write.classes.sync.total_us.p95}), "
	  "while {held_levels_async_write.mean} async and {held_levels_sync_write.mean} sync writes "
	  "are held on average. mq-deadline tells them apart by priority class only (ionice -c 1). "
	  "async_depth ({knobs.async_depth}) bounds both: the fewer are let in, the sooner each is "
	  "served, and the less is sorted.",
	  { ASYNC_DEPTH } },
	/* case 32 */
	{ "ionice-ignored",
	  sw_ionice_ignored,
	  0,
	  "{classes.rt.ios} requests came with the priority class RT, {classes.be.ios} with BE and "
	  "{classes.idle.ios} with IDLE (ionice), {in_device.mean} in the device on average, and "
	  "$scheduler treats them alike. mq-deadline serves by class, from Linux 5.14 on, though not "
	  "by the levels within one.",
	  { SCHEDULER("mq-deadline") } },
	/* cases 28 and 29 */
	{ "pool-full",
	  pool_is_full,
	  double_pool,
	  "The pool is full: {held.mean} held and {in_device.mean} in the device on average, of "
	  "{knobs.nr_requests} (nr_requests), so submitters block. A larger pool gives more to sort "
	  "and longer waits. Writing it stops the queue until the device is empty: better not while "
	  "the system's own disk is busy.",
	  { SET("queue/nr_requests") } },
	/* case 26 */
	{ "reads-behind-writes",
	  write_batches_long,
	  quarter_fifo_batch,
	  "Reads wait behind batches of writes: {read.issued} reads for {read.wait_us.mean} on "
	  "average and {read.wait_us.p95} at the 95th percentile (of a total of {read.total_us.p95}), "
	  "{write.issued} writes for {write.wait_us.mean}, in batches of {write.batches.p95} (p95) "
	  "where {knobs.fifo_batch} are allowed. Shorter batches let reads in sooner, at some cost in "
	  "throughput.",
	  { SET("queue/iosched/fifo_batch") } },
	/* case 26, where the batches are short already */
	{ "writes-starved",
	  write_batches_short,
	  double_writes_starved,
	  "Reads wait behind writes: {read.issued} reads for {read.wait_us.mean} on average and "
	  "{read.wait_us.p95} at the 95th percentile (of a total of {read.total_us.p95}), "
	  "{write.issued} writes for {write.wait_us.mean}, though in short batches "
	  "({write.batches.p95} at the 95th percentile). More than {knobs.writes_starved} batches of "
	  "reads may pass a waiting write.",
	  { SET("queue/iosched/writes_starved") } },
	/* case 27, too short for the service time */
	{ "read-expire-short",
	  reads_expire_early,
	  longer_read_expire,
	  "{read.expired} of {read.issued} reads were issued after their deadline "
	  "({knobs.read_expire}; 95 % wait {read.wait_us.p95} at most), and {read.wraps.expired} "
	  "sweeps were cut short for them: the oldest come first, whatever the seek. A later deadline "
	  "sorts more of them and lets the last ones wait longer.",
	  { SET("queue/iosched/read_expire") } },
	{ "write-expire-short",
	  writes_expire_early,
	  longer_write_expire,
	  "{write.expired} of {write.issued} writes were issued after their deadline "
	  "({knobs.write_expire}; 95 % wait {write.wait_us.p95} at most), and {write.wraps.expired} "
	  "sweeps were cut short for them: the oldest come first, whatever the seek. A later deadline "
	  "sorts more of them and lets the last ones wait longer.",
	  { SET("queue/iosched/write_expire") } },
	/* case 27, too long for the service time */
	{ "read-expire-long",
	  reads_expire_late,
	  shorter_read_expire,
	  "Some reads are passed over: one of {read.ios} in a hundred waits {read.wait_us.p99}, half "
	  "of them {read.wait_us.p50} at most, and with a deadline of {knobs.read_expire} "
	  "{read.expired} expired. An earlier one brings them forward.",
	  { SET("queue/iosched/read_expire") } },
	/* what the controller would try first: rule 16, the exact commands */
	{ "batches-full",
	  batches_are_full,
	  larger_fifo_batch,
	  "Batches end at the limit of {knobs.fifo_batch} ({issued} requests in batches of "
	  "{batches.mean} on average, {batches.max} at most): a larger fifo_batch may save seeks. "
	  "Set it, or have it found by measuring.",
	  { SET("queue/iosched/fifo_batch"), "seekwise tune $disk" } },
};

const unsigned int sw_advice_count = sizeof(sw_advice) / sizeof(sw_advice[0]);
_Static_assert(sizeof(sw_advice) / sizeof(sw_advice[0]) <= SW_ADVICE_MAX, "room for all rows");

bool sw_advice_evidence(const struct sw_advice *row, unsigned int i, char path[SW_FACT_PATH])
{
	const char *at = strchr(row->text, '{');
	size_t length;

	for (; at && i; i--)
		at = strchr(at + 1, '{');
	if (!at)
		return false;
	length = strcspn(++at, "}");
	if (length >= SW_FACT_PATH)
		return false;
	memcpy(path, at, length);
	path[length] = '\0';
	return true;
}

static bool evidence_is_known(const struct sw_advice *row, const struct sw_facts *facts)
{
	char path[SW_FACT_PATH];
	unsigned int i;

	for (i = 0; sw_advice_evidence(row, i, path); i++)
		if (sw_fact_number(facts, path) < 0)
			return false;
	return true;
}

unsigned int sw_advise(const struct sw_facts *facts, const struct sw_advice *rows[SW_ADVICE_MAX])
{
	unsigned int i, count = 0;

	if (facts->verdict == SW_IDLE_DISK)
		return 0;
	for (i = 0; i < sw_advice_count; i++)
		if (sw_advice[i].applies(facts) && evidence_is_known(&sw_advice[i], facts))
			rows[count++] = &sw_advice[i];
	return count;
}
