// SPDX-License-Identifier: GPL-2.0-or-later
/* Windows of the rows that rest on the detail groups, and their neighbours. */
#include <string.h>

#include "advice_build.h"
#include "advice_windows.h"

#define KIB 1024u
#define MIB (1024u * 1024)

/* So many of a direction's issues do not seek. */
static void sequential(struct sw_report_disk *d, int dir, uint64_t count)
{
	d->window.sum.issued.dir[dir].sequential = count;
}

static void size_of_each(struct sw_report_disk *d, int dir, uint64_t bytes)
{
	struct sw_completed_dir *co = &d->window.sum.completed.dir[dir];

	co->bytes = co->ios * bytes;
}

/* One stream of reads and one of writes, each with a lot in the scheduler. */
static struct sw_report_disk by_batches(void)
{
	struct sw_report_disk d = busy_disk();
	struct sw_detail *det = add_detail(&d);

	set_levels(&d, 100, 100);
	add_reads(&d, 6000, 15 * MS, 35 * MS);
	add_writes(&d, 3000, 60 * MS, 35 * MS);
	sequential(&d, SW_READ, 5750);
	sequential(&d, SW_WRITE, 2750);
	add_batches(&d.window, SW_READ, 400, 15);
	add_batches(&d.window, SW_WRITE, 200, 15);
	add_runs(det, SW_READ, 250, 24, 3 * MIB / 2);
	add_runs(det, SW_WRITE, 250, 12, 3 * MIB / 4);
	add_returns(det, 490, 2);
	set_seek_cost(det, 0.5);
	return d;
}

/* Four readers, one request each at a time. */
static struct sw_report_disk by_turns(void)
{
	struct sw_report_disk d = busy_disk();
	struct sw_detail *det = add_detail(&d);

	set_levels(&d, 0, 3.8);
	d.around.read_ahead_kb = 128;
	add_reads(&d, 2000, 0.005 * MS, 18 * MS);
	size_of_each(&d, SW_READ, 16 * KIB);
	sequential(&d, SW_READ, 20);
	add_runs(det, SW_READ, 1980, 1, 16 * KIB);
	add_returns(det, 1970, 4);
	return d;
}

static struct sw_report_disk read_ahead(void)
{
	struct sw_report_disk d = by_turns();

	size_of_each(&d, SW_READ, 128 * KIB);
	sequential(&d, SW_READ, 900);
	add_runs(d.window.detail, SW_READ, 0, 2, 256 * KIB);
	return d;
}

/* Large reads here and there, which come in pieces. */
static struct sw_report_disk pieces(void)
{
	struct sw_report_disk d = busy_disk();
	struct sw_detail *det = add_detail(&d);

	set_levels(&d, 110, 110);
	set_pool_full(&d, 0.8);
	d.around.max_sectors_kb = 128;
	d.around.max_hw_sectors_kb = 32767;
	add_reads(&d, 6000, 90 * MS, 90 * MS);
	size_of_each(&d, SW_READ, 128 * KIB);
	sequential(&d, SW_READ, 4200);
	add_runs(det, SW_READ, 1800, 3, 432 * KIB);
	add_returns(det, 500, 12);
	set_seek_cost(det, 0.6);
	return d;
}

static struct sw_report_disk largest_pieces(void)
{
	struct sw_report_disk d = pieces();

	d.around.max_hw_sectors_kb = 128;
	set_knob(&d, SW_ASYNC_DEPTH_OLD, 256);
	return d;
}

/* The page cache's writes, some sync ones, and some reads. */
static struct sw_report_disk async_wall(void)
{
	struct sw_report_disk d = busy_disk();
	struct sw_detail *det = add_detail(&d);

	d.around.unthrottled = true;
	set_levels(&d, 112, 112);
	set_level(&d, SW_LEVEL_HELD, SW_KEPT_READ, 0);
	set_level(&d, SW_LEVEL_HELD, SW_KEPT_SYNC, 4);
	set_level(&d, SW_LEVEL_HELD, SW_KEPT_ASYNC, 108);
	set_level(&d, SW_LEVEL_DEVICE, SW_KEPT_READ, 4);
	set_level(&d, SW_LEVEL_DEVICE, SW_KEPT_SYNC, 4);
	set_level(&d, SW_LEVEL_DEVICE, SW_KEPT_ASYNC, 104);
	set_pool_full(&d, 0.1);
	add_reads(&d, 60, 5 * MS, 80 * MS);
	add_writes(&d, 4800, 75 * MS, 75 * MS);
	add_apart(det, SW_APART_SYNC, SW_WRITE, 200, 70 * MS, 250 * MS);
	add_apart(det, SW_APART_ASYNC, SW_WRITE, 4600, 75 * MS, 150 * MS);
	return d;
}

/* Writes of any kind, and nothing is left to reads. */
static struct sw_report_disk full_of_writes(void)
{
	struct sw_report_disk d = async_wall();

	d.around.unthrottled = false;
	set_knob(&d, SW_ASYNC_DEPTH_OLD, 256);
	set_level(&d, SW_LEVEL_HELD, SW_KEPT_SYNC, 104);
	set_level(&d, SW_LEVEL_HELD, SW_KEPT_ASYNC, 4);
	set_pool_full(&d, 0.7);
	return d;
}

static struct sw_report_disk sync_behind(void)
{
	struct sw_report_disk d = async_wall();

	d.around.unthrottled = false;
	set_knob(&d, SW_ASYNC_DEPTH_OLD, 256);
	return d;
}

/* Of two priority classes, under a scheduler that does not know any. */
static struct sw_report_disk classes(void)
{
	struct sw_report_disk d = busy_disk();
	struct sw_detail *det = add_detail(&d);

	strcpy(d.disk.scheduler, "none");
	d.window.deadline = false;
	set_levels(&d, 0, 3);
	add_reads(&d, 1000, 0, 25 * MS);
	add_apart(det, SW_APART_BE, SW_READ, 600, 0, 25 * MS);
	add_apart(det, SW_APART_IDLE, SW_READ, 400, 0, 25 * MS);
	return d;
}

const struct advice_window advice_detail_windows[] = {
	{ "by batches", by_batches, "queue", "streams-held",
	  "echo 64 > /sys/block/sda/queue/iosched/fifo_batch" },
	{ "by turns", by_turns, "device", "streams-not-held", 0 },
	{ "read ahead", read_ahead, "device", "read-ahead",
	  "echo 1024 > /sys/block/sda/queue/read_ahead_kb" },
	{ "pieces", pieces, "queue", "requests-split",
	  "echo 1280 > /sys/block/sda/queue/max_sectors_kb" },
	{ "largest pieces", largest_pieces, "queue", "pool-splits", 0 },
	{ "async wall", async_wall, "queue", "async-crowds",
	  "echo 75000 > /sys/block/sda/queue/wbt_lat_usec" },
	{ "full of writes", full_of_writes, "queue", "writes-crowd",
	  "echo 192 > /sys/block/sda/queue/iosched/async_depth" },
	{ "sync behind", sync_behind, "queue", "sync-behind-async",
	  "echo 128 > /sys/block/sda/queue/iosched/async_depth" },
	{ "classes", classes, "device", "ionice-ignored",
	  "echo mq-deadline > /sys/block/sda/queue/scheduler" },
	{ 0 },
};

static void no_groups(struct sw_report_disk *d)
{
	d->window.groups = 0;
}

static void no_detail(struct sw_report_disk *d)
{
	d->window.detail = 0;
	d->window.groups = 0;
}

static void seeks_elsewhere(struct sw_report_disk *d)
{
	add_issued(&d->window, SW_READ, 3000, 1 << 24);
}

static void seeks_are_cheap(struct sw_report_disk *d)
{
	set_seek_cost(d->window.detail, 0.1);
}

static void reads_come_singly(struct sw_report_disk *d)
{
	memset(&d->window.sum.passed.dir[SW_READ], 0, sizeof(d->window.sum.passed.dir[SW_READ]));
	add_batches(&d->window, SW_READ, 6000, 1);
}

static void writes_come_singly(struct sw_report_disk *d)
{
	memset(&d->window.sum.passed.dir[SW_WRITE], 0, sizeof(d->window.sum.passed.dir[SW_WRITE]));
	memset(d->window.sum.passed_hist.batch[SW_WRITE], 0,
	       sizeof(d->window.sum.passed_hist.batch[SW_WRITE]));
	add_batches(&d->window, SW_WRITE, 3000, 1);
}

static void runs_of_reads(struct sw_report_disk *d)
{
	d->window.detail->issued.runs[SW_WRITE] = 10;
}

static void runs_of_writes(struct sw_report_disk *d)
{
	d->window.detail->issued.runs[SW_READ] = 10;
}

static void largest_batches(struct sw_report_disk *d)
{
	set_knob(d, SW_FIFO_BATCH, 256);
	add_batches(&d->window, SW_READ, 1000, 256);
	add_batches(&d->window, SW_WRITE, 1000, 256);
}

static void no_batches(struct sw_report_disk *d)
{
	set_knob(d, SW_FIFO_BATCH, 0);
}

/* Less than one cannot be asked for. */
static void pool_of_one(struct sw_report_disk *d)
{
	set_knob(d, SW_NR_REQUESTS, 1);
	set_knob(d, SW_ASYNC_DEPTH_OLD, 1);
}

static void some_held(struct sw_report_disk *d)
{
	d->window.held_mean = 2;
}

static void many_of_each(struct sw_report_disk *d)
{
	d->window.device_mean = 30;
}

static void long_runs(struct sw_report_disk *d)
{
	d->window.detail->issued.run_bytes[SW_READ] *= 200;
}

static void few_returns(struct sw_report_disk *d)
{
	d->window.detail->issued.resumed = 90;
}

static void few_seeks(struct sw_report_disk *d)
{
	few_returns(d);
	sequential(d, SW_READ, d->window.sum.issued.dir[SW_READ].located - 100);
}

/* Then it is not the scheduler's settings that matter. */
static void nothing_held(struct sw_report_disk *d)
{
	d->window.held_mean = 0.5;
}

static void resyncs(struct sw_report_disk *d)
{
	strcpy(d->around.array, "md0");
}

static void reads_ahead_much(struct sw_report_disk *d)
{
	d->around.read_ahead_kb = 1024;
	size_of_each(d, SW_READ, 1024 * KIB);
}

static void reads_not_ahead(struct sw_report_disk *d)
{
	d->around.read_ahead_kb = 0;
}

static void reads_more(struct sw_report_disk *d)
{
	size_of_each(d, SW_READ, 512 * KIB);
}

static void more_runs_of_writes(struct sw_report_disk *d)
{
	add_runs(d->window.detail, SW_WRITE, 4000, 1, 16 * KIB);
}

static void half_size(struct sw_report_disk *d)
{
	size_of_each(d, SW_READ, 64 * KIB);
}

static void has_room(struct sw_report_disk *d)
{
	set_pool_full(d, 0.1);
}

static void size_not_told(struct sw_report_disk *d)
{
	d->around.max_sectors_kb = 0;
}

static void device_takes_no_more(struct sw_report_disk *d)
{
	d->around.max_hw_sectors_kb = 128;
}

static void takes_usual_size(struct sw_report_disk *d)
{
	d->around.max_sectors_kb = 1280;
	size_of_each(d, SW_READ, 1280 * KIB);
}

static void depth_of_newer_kernels(struct sw_report_disk *d)
{
	d->knobs.present[SW_ASYNC_DEPTH_OLD] = false;
	set_knob(d, SW_ASYNC_DEPTH, 256);
}

static void depth_of_pool(struct sw_report_disk *d)
{
	set_knob(d, SW_ASYNC_DEPTH_OLD, 256);
}

static void depth_below_pool(struct sw_report_disk *d)
{
	set_knob(d, SW_ASYNC_DEPTH_OLD, 192);
}

static void no_depth(struct sw_report_disk *d)
{
	d->knobs.present[SW_ASYNC_DEPTH_OLD] = false;
}

static void is_bfq(struct sw_report_disk *d)
{
	strcpy(d->disk.scheduler, "bfq");
}

static void is_throttled(struct sw_report_disk *d)
{
	d->around.unthrottled = false;
}

static void depth_and_full(struct sw_report_disk *d)
{
	depth_of_pool(d);
	set_pool_full(d, 0.7);
}

/* Rather than sync ones. */
static void async_ones(struct sw_report_disk *d)
{
	set_level(d, SW_LEVEL_HELD, SW_KEPT_SYNC, 4);
	set_level(d, SW_LEVEL_HELD, SW_KEPT_ASYNC, 104);
}

static void fewer_async(struct sw_report_disk *d)
{
	set_level(d, SW_LEVEL_HELD, SW_KEPT_ASYNC, 15);
}

static void nobody_else(struct sw_report_disk *d)
{
	d->window.sum.completed.dir[SW_READ].ios = 10;
	d->window.detail->completed.apart[SW_APART_SYNC][SW_WRITE].ios = 5;
}

static void not_felt(struct sw_report_disk *d)
{
	struct sw_detail *det = d->window.detail;

	memset(d->window.sum.completed_hist.total, 0, sizeof(d->window.sum.completed_hist.total));
	add_total(&d->window, SW_READ, 60, 5 * MS);
	memset(det->hist.total, 0, sizeof(det->hist.total));
	add_apart(det, SW_APART_SYNC, SW_WRITE, 200, 1 * MS, 5 * MS);
}

static void no_reads(struct sw_report_disk *d)
{
	d->window.sum.completed.dir[SW_READ].ios = 10;
	d->window.detail->completed.apart[SW_APART_SYNC][SW_WRITE].ios = 50;
}

static void device_takes_most(struct sw_report_disk *d)
{
	set_levels(d, 20, 200);
	set_level(d, SW_LEVEL_DEVICE, SW_KEPT_ASYNC, 200);
}

static void fewer_writes(struct sw_report_disk *d)
{
	set_level(d, SW_LEVEL_HELD, SW_KEPT_SYNC, 15);
}

static void two_pools(struct sw_report_disk *d)
{
	d->disk.queues = 2;
}

static void sync_waits_little(struct sw_report_disk *d)
{
	struct sw_detail *det = d->window.detail;

	memset(det->hist.wait, 0, sizeof(det->hist.wait));
	add_apart(det, SW_APART_SYNC, SW_WRITE, 200, 15 * MS, 250 * MS);
}

static void sync_waits_unfelt(struct sw_report_disk *d)
{
	struct sw_detail *det = d->window.detail;

	memset(det->hist.wait, 0, sizeof(det->hist.wait));
	memset(det->hist.total, 0, sizeof(det->hist.total));
	add_apart(det, SW_APART_SYNC, SW_WRITE, 200, 8 * MS, 20 * MS);
}

static void more_sync_than_async(struct sw_report_disk *d)
{
	set_level(d, SW_LEVEL_HELD, SW_KEPT_SYNC, 60);
	set_level(d, SW_LEVEL_HELD, SW_KEPT_ASYNC, 56);
}

static void fewer_than_half(struct sw_report_disk *d)
{
	set_level(d, SW_LEVEL_HELD, SW_KEPT_ASYNC, 15);
	set_level(d, SW_LEVEL_DEVICE, SW_KEPT_ASYNC, 60);
}

/* As kernels do it that compare the number with a part of the pool. */
static void depth_not_kept(struct sw_report_disk *d)
{
	set_knob(d, SW_ASYNC_DEPTH_OLD, 192);
}

static void depth_kept(struct sw_report_disk *d)
{
	set_knob(d, SW_ASYNC_DEPTH_OLD, 220);
}

static void one_class(struct sw_report_disk *d)
{
	d->window.detail->completed.apart[SW_APART_BE][SW_READ].ios = 950;
	d->window.detail->completed.apart[SW_APART_IDLE][SW_READ].ios = 50;
}

static void one_at_a_time(struct sw_report_disk *d)
{
	d->window.device_mean = 1;
}

static void knows_classes(struct sw_report_disk *d)
{
	strcpy(d->disk.scheduler, "mq-deadline");
}

const struct advice_neighbour advice_detail_neighbours[] = {
	{ "by batches, no groups", by_batches, no_groups, "reads-behind-writes" },
	{ "by batches, no detail", by_batches, no_detail, "reads-behind-writes" },
	{ "by batches, switched", by_batches, is_switched, "reads-behind-writes" },
	{ "by batches, seeks elsewhere", by_batches, seeks_elsewhere, "reads-behind-writes" },
	{ "by batches, cheap", by_batches, seeks_are_cheap, "reads-behind-writes" },
	{ "by batches, reads singly", by_batches, reads_come_singly, "reads-behind-writes" },
	{ "by batches, runs of writes", by_batches, runs_of_writes, "reads-behind-writes" },
	{ "by batches, runs of reads", by_batches, runs_of_reads, "reads-behind-writes" },
	{ "by batches, writes singly", by_batches, writes_come_singly, "writes-starved" },
	{ "by batches, the largest", by_batches, largest_batches, "reads-behind-writes" },
	{ "by batches, zoned", by_batches, is_zoned, "zoned" },
	{ "by batches, no batches", by_batches, no_batches, "writes-starved" },
	{ "by turns, no groups", by_turns, no_groups, "" },
	{ "by turns, solid", by_turns, is_solid, "" },
	{ "by turns, some held", by_turns, some_held, "" },
	{ "by turns, many of each", by_turns, many_of_each, "" },
	{ "by turns, long runs", by_turns, long_runs, "" },
	{ "by turns, seldom", by_turns, few_returns, "" },
	{ "by turns, hardly", by_turns, few_seeks, "" },
	{ "by turns, beside a resync", by_turns, resyncs, "" },
	{ "read ahead, much", read_ahead, reads_ahead_much, "streams-not-held" },
	{ "read ahead, not", read_ahead, reads_not_ahead, "streams-not-held" },
	{ "read ahead, larger", read_ahead, reads_more, "streams-not-held" },
	{ "read ahead, more writes", read_ahead, more_runs_of_writes, "streams-not-held" },
	{ "read ahead, no detail", read_ahead, no_detail, "" },
	{ "read ahead, some held", read_ahead, some_held, "" },
	{ "pieces, half size", pieces, half_size, "" },
	{ "pieces, nothing held", pieces, nothing_held, "" },
	{ "pieces, older kernel", pieces, depth_of_pool, "requests-split" },
	{ "pieces, room", pieces, has_room, "" },
	{ "pieces, long runs", pieces, long_runs, "" },
	{ "pieces, seldom", pieces, few_returns, "" },
	{ "pieces, solid", pieces, is_solid, "" },
	{ "pieces, size not told", pieces, size_not_told, "" },
	{ "pieces, no larger ones", pieces, device_takes_no_more, "" },
	{ "pieces, of the usual size", pieces, takes_usual_size, "" },
	{ "pieces, no groups", pieces, no_groups, "" },
	{ "largest pieces, newer kernel", largest_pieces, depth_of_newer_kernels, "" },
	{ "largest pieces, depth set", largest_pieces, depth_below_pool, "" },
	{ "largest pieces, no depth", largest_pieces, no_depth, "" },
	{ "largest pieces, bfq", largest_pieces, is_bfq, "" },
	{ "largest pieces, half size", largest_pieces, half_size, "" },
	{ "async wall, throttled", async_wall, is_throttled, "" },
	{ "async wall, fewer", async_wall, fewer_async, "" },
	{ "async wall, nobody else", async_wall, nobody_else, "" },
	{ "async wall, not felt", async_wall, not_felt, "" },
	{ "async wall, bfq", async_wall, is_bfq, "" },
	{ "async wall, nothing held", async_wall, nothing_held, "" },
	{ "async wall, full", async_wall, depth_and_full, "async-crowds" },
	{ "async wall, solid", async_wall, is_solid, "" },
	{ "async wall, two pools", async_wall, two_pools, "" },
	{ "async wall, no groups", async_wall, no_groups, "" },
	{ "full of writes, below", full_of_writes, depth_below_pool, "" },
	{ "full of writes, no depth", full_of_writes, no_depth, "" },
	{ "full of writes, no reads", full_of_writes, no_reads, "" },
	{ "full of writes, fewer", full_of_writes, fewer_writes, "" },
	{ "full of writes, room", full_of_writes, has_room, "" },
	{ "full of writes, nothing held", full_of_writes, nothing_held, "" },
	{ "full of writes, async ones", full_of_writes, async_ones, "writes-crowd" },
	{ "full of writes, deep device", full_of_writes, device_takes_most, "" },
	{ "full of writes, switched", full_of_writes, is_switched, "" },
	{ "full of writes, pool of one", full_of_writes, pool_of_one, "pool-full" },
	{ "full of writes, no groups", full_of_writes, no_groups, "" },
	{ "full of writes, newer kernel", full_of_writes, depth_of_newer_kernels, "writes-crowd" },
	{ "sync behind, little", sync_behind, sync_waits_little, "" },
	{ "sync behind, unfelt", sync_behind, sync_waits_unfelt, "" },
	{ "sync behind, nothing held", sync_behind, nothing_held, "" },
	{ "sync behind, switched", sync_behind, is_switched, "" },
	{ "sync behind, pool of one", sync_behind, pool_of_one, "pool-full" },
	{ "sync behind, more sync", sync_behind, more_sync_than_async, "" },
	{ "sync behind, fewer", sync_behind, fewer_than_half, "" },
	{ "sync behind, seldom", sync_behind, no_reads, "" },
	{ "sync behind, depth not kept", sync_behind, depth_not_kept, "" },
	{ "sync behind, depth kept", sync_behind, depth_kept, "sync-behind-async" },
	{ "sync behind, no depth", sync_behind, no_depth, "" },
	{ "sync behind, no groups", sync_behind, no_groups, "" },
	{ "classes, one", classes, one_class, "" },
	{ "classes, one at a time", classes, one_at_a_time, "" },
	{ "classes, known", classes, knows_classes, "" },
	{ "classes, solid", classes, is_solid, "" },
	{ "classes, zoned", classes, is_zoned, "" },
	{ "classes, switched", classes, is_switched, "" },
	{ "classes, no groups", classes, no_groups, "" },
	{ 0 },
};
