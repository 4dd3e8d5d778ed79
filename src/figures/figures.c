// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of figures: one row each. How a row is read is in take.c. */
#include "seekwise/figures.h"

#include <stddef.h>
#include <string.h>

#include "take.h"

/* clang-format off */
#define AT(field) { offsetof(struct sw_window, field), 0 }
#define EACH(first, type) { offsetof(struct sw_window, sum.first), sizeof(type) }
/* clang-format on */
#define ISSUED(field) EACH(issued.dir[0].field, struct sw_issued_dir)
#define PASSED(field) EACH(passed.dir[0].field, struct sw_passed_dir)
#define COMPLETED(field) EACH(completed.dir[0].field, struct sw_completed_dir)
#define HIST(field) EACH(field[0], __u32[SW_HIST_BUCKETS])

#define OF_DIRECTION .group = "core", .scope = SW_OF_DIRECTION
#define OF_DISK .group = "core", .scope = SW_OF_DISK
#define OF_LOSSES .group = "core", .scope = SW_OF_LOSSES, .shape = SW_SHAPE_COUNT
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

static const char *const wrap_kinds[] = { "to_head", "to_oldest", "expired", "unknown", 0 };
static const char *const other_kinds[] = { "discard", "flush", "zeroes", "zone", "passthrough", 0 };

const struct sw_figure sw_figures[] = {
	{ "ios", "completed", "requests", OF_DIRECTION, COUNT(COMPLETED(ios)), .rate = true,
	  .about = "requests that completed" },
	{ "bytes", "bytes", "bytes", OF_DIRECTION, COUNT(COMPLETED(bytes)), .rate = true,
	  .about = "bytes that completed" },
	{ "issued", "issued", "requests", OF_DIRECTION, COUNT(ISSUED(ios)),
	  .about = "requests issued to the driver, each at its first issue" },
	{ "errors", "errors", "requests", OF_DIRECTION, COUNT(COMPLETED(errors)),
	  .about = "requests that completed with an error" },
	{ "partial", "partial", "completions", OF_DIRECTION, COUNT(COMPLETED(partial)),
	  .about = "completions of a part of a request, the rest still being in the device" },
	{ "merges", "merges", "requests", OF_DIRECTION, COUNT(EACH(merged.merges[0], __u64)),
	  .about = "held requests that were merged into another request" },
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
		   "held and in_device" },
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
	{ "missed", "missed", "events", OF_LOSSES, .count = AT(missed),
	  .about = "events for which the kernel did not run our program" },
	{ "torn", "torn", "snapshots", OF_LOSSES, .count = AT(torn),
	  .about = "readings given up, since the counts would not hold still" },
	{ "requeues", "requeues", "requests", OF_LOSSES, .count = AT(sum.requeued.requeues),
	  .information = true,
	  .about = "requests that the driver gave back to be issued again; no loss, but their "
		   "service counts from the last issue" },
};

const unsigned int sw_figure_count = sizeof(sw_figures) / sizeof(sw_figures[0]);

const struct sw_figure *sw_figure_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < sw_figure_count; i++)
		if (!strcmp(sw_figures[i].name, name))
			return &sw_figures[i];
	return 0;
}
