// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of figures: one row each. How a row is read is in take.c. */
#include "seekwise/figures.h"

#include <stddef.h>
#include <string.h>

#include "take.h"

/* clang-format off */
#define AT(field) { offsetof(struct sw_window, field), 0, false }
#define EACH(first, type) { offsetof(struct sw_window, sum.first), sizeof(type), false }
#define DETAIL(field) { offsetof(struct sw_detail, field), 0, true }
#define EACH_DETAIL(first, type) { offsetof(struct sw_detail, first), sizeof(type), true }
/* clang-format on */
#define ISSUED(field) EACH(issued.dir[0].field, struct sw_issued_dir)
#define PASSED(field) EACH(passed.dir[0].field, struct sw_passed_dir)
#define COMPLETED(field) EACH(completed.dir[0].field, struct sw_completed_dir)
#define HIST(field) EACH(field[0], __u32[SW_HIST_BUCKETS])
#define DETAILS(field) EACH_DETAIL(field[0], __u64)
#define DETAIL_HIST(field) EACH_DETAIL(hist.field[0], __u32[SW_HIST_BUCKETS])
#define WAITS(field) EACH_DETAIL(issued.apart[0][0].field, struct sw_apart_waits)
#define TOTALS(field) EACH_DETAIL(completed.apart[0][0].field, struct sw_apart_totals)
#define APART_HIST(field) EACH_DETAIL(hist.field[0][0], __u32[SW_HIST_BUCKETS])

#define OF_DIRECTION .scope = SW_OF_DIRECTION
#define OF_DISK .scope = SW_OF_DISK
#define OF_LOSSES .scope = SW_OF_LOSSES, .shape = SW_SHAPE_COUNT
#define OF_APART .scope = SW_OF_APART, .group = SW_GROUP_CLASSES
#define MERGES .group = SW_GROUP_MERGES
#define STREAMS .group = SW_GROUP_STREAMS
#define DEPTH .group = SW_GROUP_DEPTH
#define LOCALITY .group = SW_GROUP_LOCALITY
#define COUNT(at) .shape = SW_SHAPE_COUNT, .count = at
#define RATIO(of, to) .shape = SW_SHAPE_RATIO, .count = of, .base = to
#define LEVEL(average, highest, last)                                                              \
	.shape = SW_SHAPE_LEVEL, .mean = average, .max = highest, .now = last
#define MAP(first, names) .shape = SW_SHAPE_MAP, .count = first, .kinds = names
#define SPREAD(n, total, largest, buckets)                                                         \
	.shape = SW_SHAPE_SPREAD, .count = n, .sum = total, .max = largest, .hist = buckets
#define TIMES                                                                                      \
	.unit = "us", .time = true,                                                                \
	.parts = SW_PART_P50 | SW_PART_P95 | SW_PART_P99 | SW_PART_MAX | SW_PART_MEAN
#define COUNTED_TIMES                                                                              \
	.unit = "us", .time = true,                                                                \
	.parts = SW_PART_COUNT | SW_PART_P50 | SW_PART_P95 | SW_PART_P99 | SW_PART_MAX |           \
		 SW_PART_MEAN
#define LENGTHS .parts = SW_PART_COUNT | SW_PART_P50 | SW_PART_P95 | SW_PART_MAX | SW_PART_MEAN
#define OVER_TIME(level, kept, largest)                                                            \
	OF_DISK, DEPTH, .shape = SW_SHAPE_SPREAD, .take = sw_take_levels,                          \
			.count = DETAIL(levels.time[level][kept][0]), .max = AT(largest),          \
			.parts = SW_PART_P50 | SW_PART_P95 | SW_PART_P99 | SW_PART_MEAN

static const char *const wrap_kinds[] = { "to_head", "to_oldest", "expired", "unknown", 0 };
static const char *const other_kinds[] = { "discard", "flush", "zeroes", "zone", "passthrough", 0 };
static const char *const error_kinds[] = {
	"io",         "medium",      "timeout",  "transport", "target", "nospace",
	"protection", "unsupported", "resource", "other",     0
};
static const char *const join_kinds[] = { "back", "front", "plug_back", "plug_front", 0 };
static const char *const domains[] = { "read", "write", "discard", "other", 0 };
static const char *const seek_costs[] = { "each_us", "total_us", "share", 0 };
static const char *const busiest_cpus[] = { "cpu", "issued", "share", 0 };
static const char *const busiest_tasks[] = { "tid", "issued", "share", 0 };
static const char *const latencies[] = { "read_total", "read_io", "write_total", "write_io", 0 };

const char *const sw_apart_names[] = { "sync", "async", "rt", "be", "idle" };
const char *const sw_group_names[] = { "merges", "streams", "depth", "locality", "classes" };
_Static_assert(sizeof(sw_apart_names) / sizeof(sw_apart_names[0]) == SW_APARTS, "a name for each");
_Static_assert(sizeof(sw_group_names) / sizeof(sw_group_names[0]) == SW_GROUPS, "a name for each");
_Static_assert(SW_GROUPS_ALL == (1u << SW_GROUPS) - 1, "a bit for each");

const struct sw_figure sw_figures[] = {
	{ "ios", "completed", "requests", OF_DIRECTION, COUNT(COMPLETED(ios)), .rate = true,
	  .about = "requests that completed" },
	{ "bytes", "bytes", "bytes", OF_DIRECTION, COUNT(COMPLETED(bytes)), .rate = true,
	  .about = "bytes that completed" },
	{ "issued", "issued", "requests", OF_DIRECTION, COUNT(ISSUED(ios)),
	  .about = "requests issued to the driver, each at its first issue" },
	{ "errors", "errors", "requests", OF_DIRECTION, COUNT(COMPLETED(errors)),
	  .about = "requests that completed with an error" },
	{ "error_kinds", "failed", "requests", OF_DIRECTION, .quiet = true,
	  MAP(EACH(completed.failed[0][0], __u64[SW_ERRORS]), error_kinds),
	  .about = "requests that completed with an error, by the status that the driver gave it" },
	{ "partial", "partial", "completions", OF_DIRECTION, COUNT(COMPLETED(partial)),
	  .about = "completions of a part of a request, the rest still being in the device" },
	{ "merges", "merges", "requests", OF_DIRECTION, COUNT(EACH(merged.merges[0], __u64)),
	  .about = "requests that were merged into another one, held or just about to be" },
	{ "bio_merges", "bio merge", "bios", OF_DIRECTION, MERGES,
	  MAP(EACH_DETAIL(joined.bios[0][0], __u64[SW_JOINS]), join_kinds),
	  .about =
		  "bios that joined a held request at its end (back) or start (front), or one that "
		  "was still in the submitting task's plug and not inserted yet (plug_back, "
		  "plug_front)" },
	{ "insert_bytes", "insert", "bytes", OF_DIRECTION, MERGES, .size = true,
	  SPREAD(DETAILS(inserted.sizes.count), DETAILS(inserted.sizes.sum),
		 DETAILS(inserted.sizes.max), DETAIL_HIST(inserted)),
	  LENGTHS, .about = "size of requests when they were inserted" },
	{ "issue_bytes", "issue", "bytes", OF_DIRECTION, MERGES, .size = true,
	  SPREAD(DETAILS(issued.sizes.count), DETAILS(issued.sizes.sum), DETAILS(issued.sizes.max),
		 DETAIL_HIST(issued)),
	  LENGTHS, .about = "size of requests when they were issued: what merging made of them" },
	{ "located", "located", "requests", OF_DIRECTION, COUNT(ISSUED(located)),
	  .about = "issues whose seek distance is known: all but the first after the start" },
	{ "sequential", "sequential", "requests", OF_DIRECTION, COUNT(ISSUED(sequential)),
	  .about = "issues that start where the previous issue ended" },
	{ "sequential_share", "sequential share", "share", OF_DIRECTION,
	  RATIO(ISSUED(sequential), ISSUED(located)),
	  .about = "sequential issues as a share of the located ones" },
	{ "backward", "backward", "requests", OF_DIRECTION, COUNT(ISSUED(backward)),
	  .about = "issues that start below the end of the previous issue" },
	{ "seek_sectors", "seek", "sectors", OF_DIRECTION,
	  SPREAD(ISSUED(located), ISSUED(seek_sum), ISSUED(seek_max), HIST(issued_hist.seek)),
	  .parts = SW_PART_P50 | SW_PART_P95 | SW_PART_MAX | SW_PART_MEAN,
	  .about = "distance from the end of the previous issue to the start of this one" },
	{ "travel_sectors", "travel", "sectors", OF_DIRECTION, COUNT(ISSUED(seek_sum)),
	  .rate = true, .about = "sum of all seek distances: the way that the head was sent" },
	{ "run_requests", "run", "requests", OF_DIRECTION, STREAMS, LENGTHS,
	  SPREAD(DETAILS(issued.runs), DETAILS(issued.run_ios), DETAILS(issued.run_ios_max),
		 DETAIL_HIST(run_ios)),
	  .about =
		  "requests between two seeks: issues in a row, each of which starts where the one "
		  "before ended; counted when another issue ends it, for the direction of its first" },
	{ "run_bytes", "run size", "bytes", OF_DIRECTION, STREAMS, LENGTHS, .size = true,
	  SPREAD(DETAILS(issued.runs), DETAILS(issued.run_bytes), DETAILS(issued.run_bytes_max),
		 DETAIL_HIST(run_bytes)),
	  .about = "bytes between two seeks, of the same runs" },
	{ "sweeps", "sweeps", "sweeps", OF_DIRECTION, COUNT(ISSUED(sweeps)),
	  .about = "runs of issues whose start sectors do not go down, begun in the window" },
	{ "wraps", "wraps", "wraps", OF_DIRECTION, MAP(ISSUED(wraps[0]), wrap_kinds),
	  .take = sw_take_wraps, .rate = true,
	  .about =
		  "sweeps ended by a lower sector: none lower was pending (to_head), one was and the "
		  "oldest request came first (to_oldest), a deadline had passed (expired), or the "
		  "scheduler's lists cannot be read (unknown)" },
	{ "batches", "batch", "requests", OF_DIRECTION, .deadline = true,
	  SPREAD(PASSED(batches), PASSED(batch_sum), PASSED(batch_max), HIST(passed_hist.batch)),
	  .parts = SW_PART_COUNT | SW_PART_P95 | SW_PART_MAX | SW_PART_MEAN,
	  .about =
		  "direction batches of mq-deadline: requests chosen in a row, at most fifo_batch" },
	{ "expired", "expired", "requests", OF_DIRECTION, COUNT(ISSUED(expired)), .rate = true,
	  .deadline = true, .about = "requests issued after their own deadline" },
	{ "late_us", "late", OF_DIRECTION, TIMES, .deadline = true, .quiet = true,
	  SPREAD(ISSUED(expired), ISSUED(late_sum), ISSUED(late_max), HIST(issued_hist.late)),
	  .about = "how long after its deadline an expired request was issued, in steps of the "
		   "kernel's tick" },
	{ "starved_us", "starved", "us", OF_DIRECTION, DEPTH, .shape = SW_SHAPE_COUNT, .time = true,
	  .count = DETAILS(issued.starved_max), .take = sw_take_starved,
	  .about =
		  "longest time that a direction with requests held was passed over: from its first "
		  "insert, or from its issue before, to its next issue, or to the end of the "
		  "window" },
	{ "other_cpu", "other CPU", "requests", OF_DIRECTION, LOCALITY,
	  COUNT(DETAILS(completed.other_cpu)),
	  .about =
		  "requests that completed on another CPU than that of their insert (of their issue "
		  "where there was none)" },
	{ "other_cpu_share", "other CPU share", "share", OF_DIRECTION, LOCALITY,
	  RATIO(DETAILS(completed.other_cpu), DETAILS(completed.placed)),
	  .about = "these as a share of the completions whose first CPU is known" },
	{ "other_llc", "other cache", "requests", OF_DIRECTION, LOCALITY, .caches = true,
	  COUNT(DETAILS(completed.other_llc)),
	  .about = "requests that completed on a CPU that shares no last-level cache with that of "
		   "their insert" },
	{ "other_llc_share", "other cache share", "share", OF_DIRECTION, LOCALITY, .caches = true,
	  RATIO(DETAILS(completed.other_llc), DETAILS(completed.placed)),
	  .about = "these as a share of the completions whose first CPU is known" },
	{ "wait_us", "wait", OF_DIRECTION, TIMES,
	  SPREAD(ISSUED(waits), ISSUED(wait_sum), ISSUED(wait_max), HIST(issued_hist.wait)),
	  .about = "time in the scheduler: insert to first issue" },
	{ "service_us", "service", OF_DIRECTION, TIMES,
	  SPREAD(COMPLETED(served), COMPLETED(service_sum), COMPLETED(service_max),
		 HIST(completed_hist.service)),
	  .about = "time in driver and device: last issue to completion" },
	{ "total_us", "total", OF_DIRECTION, TIMES,
	  SPREAD(COMPLETED(totals), COMPLETED(total_sum), COMPLETED(total_max),
		 HIST(completed_hist.total)),
	  .about = "insert to completion" },

	{ "ios", "completed", "requests", OF_APART, COUNT(TOTALS(ios)),
	  .about = "requests that completed" },
	{ "bytes", "bytes", "bytes", OF_APART, COUNT(TOTALS(bytes)),
	  .about = "bytes that completed" },
	{ "wait_us", "wait", OF_APART, TIMES,
	  SPREAD(WAITS(waits), WAITS(wait_sum), WAITS(wait_max), APART_HIST(wait)),
	  .about = "time in the scheduler: insert to first issue" },
	{ "total_us", "total", OF_APART, TIMES,
	  SPREAD(TOTALS(totals), TOTALS(total_sum), TOTALS(total_max), APART_HIST(total)),
	  .about = "insert to completion" },

	{ "switches", "switches", "switches", OF_DISK, COUNT(AT(sum.issued.switches)),
	  .about = "issues whose direction is not that of the previous issue" },
	{ "held", "held", "requests", OF_DISK,
	  LEVEL(AT(held_mean), AT(sum.inserted.held_max), AT(held_now)),
	  .about = "requests in the scheduler, inserted and not yet issued" },
	{ "in_device", "in device", "requests", OF_DISK,
	  LEVEL(AT(device_mean), AT(sum.issued.device_max), AT(device_now)),
	  .about = "requests issued and not yet completed" },
	{ "busy", "busy", "share", OF_DISK, .shape = SW_SHAPE_RATIO, .count = AT(busy_ns),
	  .take = sw_take_busy,
	  .about =
		  "share of the time with something in the device; of a stacked device the mean of "
		  "its members" },
	{ "others", "others", "requests", OF_DISK,
	  MAP(AT(sum.completed.kinds[SW_DIRS]), other_kinds),
	  .about = "completed requests that are no reads or writes; they enter no other figure but "
		   "flush_us and those of all that is held or in the device" },
	{ "passes", "pass", "requests", OF_DISK, .passes = true,
	  SPREAD(AT(sum.passed.passes), AT(sum.passed.pass_sum), AT(sum.passed.pass_max),
		 AT(sum.passed_hist.pass[0])),
	  .parts = SW_PART_COUNT | SW_PART_P50 | SW_PART_P95 | SW_PART_MAX | SW_PART_MEAN,
	  .about =
		  "dispatch passes: requests taken from the scheduler in one go before the "
		  "driver gets them, at most nr_requests, or nr_sched_batch where the kernel has "
		  "it; a pass may hold several direction batches, or a part of one. Measured where "
		  "a program may run on the kernel's dispatch function; else estimated "
		  "(passes_estimated in JSON) from mq-deadline's count of what it handed out; null "
		  "where neither can be, and without a scheduler" },
	{ "streams", "streams", "runs", OF_DISK, STREAMS, LENGTHS,
	  SPREAD(DETAIL(issued.resumed), DETAIL(issued.resumed_sum), DETAIL(issued.resumed_max),
		 DETAIL(hist.resumed[0])),
	  .about =
		  "sequential streams that are interleaved. Each issue that goes on where an issue "
		  "before the last ended counts with its place among the 32 most recent ends: 2 "
		  "where two streams take turns, 16 where 16 do; a request of no stream takes a place "
		  "as well" },
	{ "seek_cost", "seek cost", "us", OF_DISK, STREAMS, .shape = SW_SHAPE_MAP,
	  .take = sw_take_seek_cost, .kinds = seek_costs,
	  .about =
		  "estimate of what seeks cost: what requests took beyond the time of sequential ones "
		  "of their size, as if the disk did one thing at a time (each_us: for each that is "
		  "not sequential, total_us: all, share: of the busy time); null while fewer than 16 "
		  "sequential ones tell what that is" },
	{ "held_levels", "held levels", "requests",
	  OVER_TIME(SW_LEVEL_HELD, SW_KEPT_ALL, sum.inserted.held_max), .mean = AT(held_mean),
	  .about = "number held in the scheduler as a distribution over the time of the window" },
	{ "held_levels_read", "held read", "requests",
	  OVER_TIME(SW_LEVEL_HELD, SW_KEPT_READ, sum.inserted.held_max),
	  .about = "of these the reads" },
	{ "held_levels_sync_write", "held sync w", "requests",
	  OVER_TIME(SW_LEVEL_HELD, SW_KEPT_SYNC, sum.inserted.held_max),
	  .about = "of these the sync writes (op_is_sync): direct ones, and those of an fsync" },
	{ "held_levels_async_write", "held async w", "requests",
	  OVER_TIME(SW_LEVEL_HELD, SW_KEPT_ASYNC, sum.inserted.held_max),
	  .about = "of these the async writes: write-back that nobody waits for" },
	{ "device_levels", "device levels", "requests",
	  OVER_TIME(SW_LEVEL_DEVICE, SW_KEPT_ALL, sum.issued.device_max), .mean = AT(device_mean),
	  .about = "number in the device as a distribution over the time of the window" },
	{ "device_levels_read", "device read", "requests",
	  OVER_TIME(SW_LEVEL_DEVICE, SW_KEPT_READ, sum.issued.device_max),
	  .about = "of these the reads" },
	{ "device_levels_sync_write", "device sync w", "requests",
	  OVER_TIME(SW_LEVEL_DEVICE, SW_KEPT_SYNC, sum.issued.device_max),
	  .about = "of these the sync writes (op_is_sync): direct ones, and those of an fsync" },
	{ "device_levels_async_write", "device async w", "requests",
	  OVER_TIME(SW_LEVEL_DEVICE, SW_KEPT_ASYNC, sum.issued.device_max),
	  .about = "of these the async writes: write-back that nobody waits for" },
	{ "pool_full", "pool full", "share", OF_DISK, DEPTH, .shape = SW_SHAPE_RATIO,
	  .count = DETAIL(levels.time[SW_LEVEL_THERE][SW_KEPT_ALL][0]), .take = sw_take_pool,
	  .about =
		  "share of the time with held + in device at nr_requests, or up to an eighth below "
		  "it: at that number submitters block" },
	{ "idle_with_work", "idle with work", "share", OF_DISK, DEPTH, .shape = SW_SHAPE_RATIO,
	  .count = DETAIL(levels.idle_with_work), .take = sw_take_time_share,
	  .about =
		  "share of the time with nothing in the device while the scheduler held something" },
	{ "device_idle", "device idle", "share", OF_DISK, DEPTH, .shape = SW_SHAPE_RATIO,
	  .count = AT(busy_ns), .take = sw_take_idle,
	  .about = "share of the time with nothing in the device" },
	{ "unplugs", "unplug", "requests", OF_DISK, LOCALITY, LENGTHS,
	  SPREAD(DETAIL(unplugged.unplugs), DETAIL(unplugged.sum), DETAIL(unplugged.max),
		 DETAIL(hist.unplugs[0])),
	  .about = "requests that left a task's plug together, for one hardware queue" },
	{ "unplugs_explicit", "explicit", "flushes", OF_DISK, LOCALITY,
	  COUNT(DETAIL(unplugged.explicit_ones)),
	  .about =
		  "flushes of a plug because the task ended it or it was full, not because the task "
		  "went to sleep" },
	{ "busiest_cpu", "busiest CPU", "", OF_DISK, LOCALITY, .shape = SW_SHAPE_MAP,
	  .take = sw_take_busiest_cpu, .kinds = busiest_cpus,
	  .about = "the CPU with the most issues (first ones, of reads and writes), how many, and "
		   "their share" },
	{ "busiest_task", "busiest task", "", OF_DISK, LOCALITY, .shape = SW_SHAPE_MAP,
	  .take = sw_take_busiest_task, .kinds = busiest_tasks,
	  .about =
		  "the same of tasks: a thread of a program, or of the kernel where that dispatches "
		  "(tid 0: an idle CPU's interrupt); null where those that found no room in the "
		  "tables, 16 for each CPU, issued more than the busiest in them" },
	{ "flush_us", "flush", OF_DISK, COUNTED_TIMES, .quiet = true,
	  SPREAD(AT(sum.completed.flush.count), AT(sum.completed.flush.sum),
		 AT(sum.completed.flush.max), AT(sum.completed_hist.flush[0])),
	  .about = "service of flushes of the device's cache" },
	{ "fua_us", "FUA write", OF_DISK, COUNTED_TIMES, .quiet = true,
	  SPREAD(AT(sum.completed.fua.count), AT(sum.completed.fua.sum), AT(sum.completed.fua.max),
		 AT(sum.completed_hist.fua[0])),
	  .about =
		  "service of writes that had to reach the medium (FUA); they are writes as well" },
	{ "kyber_throttled", "kyber throttled", "requests", OF_DISK, .kyber = true, .quiet = true,
	  MAP(AT(sum.kyber.throttled), domains),
	  .about = "times that kyber, asked for a request, had no token for one of the domain" },
	{ "kyber_adjusts", "kyber adjusted", "times", OF_DISK, .kyber = true, .quiet = true,
	  MAP(AT(sum.kyber.adjusts), domains),
	  .about = "times that kyber changed the number of the domain's tokens" },
	{ "kyber_depth", "kyber depth", "requests", OF_DISK, .kyber = true, .quiet = true,
	  .shape = SW_SHAPE_MAP, .take = sw_take_kyber_depth, .kinds = domains,
	  .about = "tokens of the domain as kyber set them last; null while it left them alone" },
	{ "kyber_latency", "kyber latency", "of target", OF_DISK, .kyber = true, .quiet = true,
	  .shape = SW_SHAPE_MAP, .take = sw_take_kyber_latency, .kinds = latencies,
	  .about =
		  "the percentile of latency that kyber judged by last, as a multiple of its target, in "
		  "its own steps of a quarter; 2 stands for all above 1.75" },
	{ "head_inserts", "head inserts", "requests", OF_DISK, COUNT(AT(sum.issued.head_inserts)),
	  .deadline = true,
	  .about = "requests put at the scheduler's head, which it did not choose; they enter no "
		   "sweep and no batch" },
	{ "before", "from before", "requests", OF_DISK, COUNT(AT(sum.issued.before)),
	  .also = AT(sum.completed.before),
	  .about = "requests on their way when observing began: their times are not known" },

	{ "no_insert", "no_insert", "requests", OF_LOSSES, .count = AT(sum.issued.no_insert),
	  .about = "issues, with a scheduler, whose insert was not seen" },
	{ "unmatched", "unmatched", "requests", OF_LOSSES, .count = AT(sum.completed.unmatched),
	  .about = "completions whose issue was not seen" },
	{ "negative", "negative", "requests", OF_LOSSES, .count = AT(sum.issued.negative),
	  .also = AT(sum.completed.negative),
	  .about = "times that came out below zero, left out of all figures" },
	{ "table_miss", "table_miss", "requests", OF_LOSSES, .count = AT(sum.inserted.table_miss),
	  .also = AT(sum.issued.table_miss),
	  .about = "requests with a tag for which the request table has no entry" },
	{ "stale", "stale", "requests", OF_LOSSES, .count = AT(sum.inserted.stale),
	  .also = AT(sum.issued.stale),
	  .about = "requests whose tag was used anew before they were seen to complete" },
	{ "torn", "torn", "snapshots", OF_LOSSES, .count = AT(torn),
	  .about = "readings given up, since the counts would not hold still" },
	{ "missed", "missed", "events", OF_LOSSES, .count = AT(missed), .information = true,
	  .about = "events of all disks together for which the kernel did not run our program; "
		   "where a request of this disk lacks one, the losses above tell" },
	{ "requeues", "requeues", "requests", OF_LOSSES, .count = AT(sum.requeued.requeues),
	  .information = true,
	  .about = "requests that the driver gave back to be issued again; no loss, but their "
		   "service counts from the last issue" },
};

const unsigned int sw_figure_count = sizeof(sw_figures) / sizeof(sw_figures[0]);

const char *sw_group_name(uint32_t group)
{
	int i;

	for (i = 0; i < SW_GROUPS; i++)
		if (group == 1u << i)
			return sw_group_names[i];
	return "core";
}

static const struct sw_figure *find(const char *name, bool apart)
{
	unsigned int i;

	for (i = 0; i < sw_figure_count; i++)
		if ((sw_figures[i].scope == SW_OF_APART) == apart &&
		    !strcmp(sw_figures[i].name, name))
			return &sw_figures[i];
	return 0;
}

const struct sw_figure *sw_figure_find(const char *name)
{
	return find(name, false);
}

const struct sw_figure *sw_figure_find_apart(const char *name)
{
	return find(name, true);
}
