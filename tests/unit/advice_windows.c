// SPDX-License-Identifier: GPL-2.0-or-later
/* Windows of the rows that rest on the core figures, and their neighbours. */
#include <string.h>

#include "advice_build.h"
#include "advice_windows.h"
#include "parts.h"

/* Queue-bound, and nothing to complain of. */
static struct sw_report_disk plain(void)
{
	struct sw_report_disk d = busy_disk();

	set_levels(&d, 20, 4);
	add_reads(&d, 1500, 120 * MS, 30 * MS);
	add_batches(&d.window, SW_READ, 300, 5);
	return d;
}

static struct sw_report_disk one_reader(void)
{
	struct sw_report_disk d = busy_disk();

	set_levels(&d, 0, 1);
	add_reads(&d, 1000, 0.005 * MS, 8 * MS);
	add_batches(&d.window, SW_READ, 1000, 1);
	return d;
}

static struct sw_report_disk failing(void)
{
	struct sw_report_disk d = plain();

	d.window.sum.completed.dir[SW_WRITE].errors = 3;
	return d;
}

static struct sw_report_disk one_fsyncs(void)
{
	struct sw_report_disk d = busy_disk();
	struct sw_completed *co = &d.window.sum.completed;

	set_levels(&d, 0, 1);
	add_writes(&d, 500, 0.005 * MS, 8 * MS);
	co->flush = (struct sw_served){ 400, 400 * 9000000ULL, 12000000 };
	d.window.sum.completed_hist.flush[100] = 400;
	return d;
}

static void flushes_now_and_then(struct sw_report_disk *d)
{
	d->window.sum.completed.flush.count = 99;
}

static void flushes_after_many(struct sw_report_disk *d)
{
	d->window.sum.completed.dir[SW_WRITE].ios = 2001;
}

static struct sw_report_disk resync(void)
{
	struct sw_report_disk d = plain();

	strcpy(d.around.array, "md0");
	d.around.sync_speed = 90001;
	/* on top of what would be blamed on the pool */
	set_knob(&d, SW_NR_REQUESTS, 24);
	return d;
}

static struct sw_report_disk shingled(void)
{
	struct sw_report_disk d = busy_disk();

	strcpy(d.disk.zoned, "host-managed");
	strcpy(d.disk.scheduler, "none");
	d.window.deadline = false;
	set_levels(&d, 0, 20);
	add_writes(&d, 2000, 0, 20 * MS);
	return d;
}

static struct sw_report_disk stall(void)
{
	struct sw_report_disk d = plain();

	add_writes(&d, 4, 20 * MS, 12000 * MS);
	set_knob(&d, SW_NR_REQUESTS, 24);
	return d;
}

static struct sw_report_disk no_arm(void)
{
	struct sw_report_disk d = busy_disk();

	set_levels(&d, 0, 1);
	add_reads(&d, 30000, 0.005 * MS, 0.2 * MS);
	return d;
}

static struct sw_report_disk arm(void)
{
	struct sw_report_disk d = one_reader();

	d.disk.rotational = false;
	return d;
}

static struct sw_report_disk unsorted(void)
{
	struct sw_report_disk d = busy_disk();

	strcpy(d.disk.scheduler, "none");
	d.window.deadline = false;
	set_levels(&d, 0, 32);
	add_reads(&d, 1500, 0, 200 * MS);
	return d;
}

static struct sw_report_disk fast(void)
{
	struct sw_report_disk d = busy_disk();

	d.disk.rotational = false;
	set_levels(&d, 0.1, 30);
	add_reads(&d, 1000000, 0.002 * MS, 0.2 * MS);
	return d;
}

static struct sw_report_disk passed_over(void)
{
	struct sw_report_disk d = busy_disk();

	d.around.queue_depth = 32;
	set_levels(&d, 0.5, 20);
	add_reads(&d, 900, 1 * MS, 40 * MS);
	add_reads(&d, 50, 1 * MS, 2000 * MS);
	return d;
}

static struct sw_report_disk full_pool(void)
{
	struct sw_report_disk d = plain();

	set_levels(&d, 128, 127);
	return d;
}

static struct sw_report_disk write_wall(void)
{
	struct sw_report_disk d = busy_disk();

	set_levels(&d, 90, 10);
	add_reads(&d, 200, 150 * MS, 100 * MS);
	add_writes(&d, 2000, 600 * MS, 100 * MS);
	add_batches(&d.window, SW_READ, 120, 2);
	add_batches(&d.window, SW_WRITE, 120, 16);
	return d;
}

static struct sw_report_disk write_drizzle(void)
{
	struct sw_report_disk d = write_wall();

	memset(&d.window.sum.passed, 0, sizeof(d.window.sum.passed));
	memset(&d.window.sum.passed_hist, 0, sizeof(d.window.sum.passed_hist));
	add_batches(&d.window, SW_WRITE, 1000, 2);
	return d;
}

static struct sw_report_disk reads_expire(void)
{
	struct sw_report_disk d = busy_disk();

	set_levels(&d, 100, 32);
	add_reads(&d, 1500, 900 * MS, 200 * MS);
	d.window.sum.issued.dir[SW_READ].expired = 900;
	d.window.sum.issued.dir[SW_READ].wraps[SW_EXPIRED] = 60;
	return d;
}

static struct sw_report_disk writes_expire(void)
{
	struct sw_report_disk d = busy_disk();

	set_levels(&d, 100, 32);
	add_writes(&d, 1500, 9000 * MS, 200 * MS);
	d.window.sum.issued.dir[SW_WRITE].expired = 900;
	d.window.sum.issued.dir[SW_WRITE].wraps[SW_EXPIRED] = 60;
	return d;
}

static struct sw_report_disk reads_overdue(void)
{
	struct sw_report_disk d = busy_disk();

	set_levels(&d, 20, 4);
	add_reads(&d, 1400, 20 * MS, 30 * MS);
	add_reads(&d, 50, 400 * MS, 30 * MS);
	return d;
}

static struct sw_report_disk full_batches(void)
{
	struct sw_report_disk d = plain();

	add_batches(&d.window, SW_READ, 200, 16);
	return d;
}

/* One thing changed, and the row does not hold any more. */
static void not_mq_deadline(struct sw_report_disk *d)
{
	d->window.deadline = false;
}

static void no_speed(struct sw_report_disk *d)
{
	d->around.sync_speed = 0;
	set_knob(d, SW_NR_REQUESTS, 256);
}

static void near_reads(struct sw_report_disk *d)
{
	memset(d->window.sum.issued_hist.seek, 0, sizeof(d->window.sum.issued_hist.seek));
	d->window.sum.issued_hist.seek[SW_READ][bucket_of(1000)] = 1000;
}

static void in_a_row(struct sw_report_disk *d)
{
	d->window.sum.issued.dir[SW_READ].sequential = d->window.sum.issued.dir[SW_READ].ios;
}

static void several_at_a_time(struct sw_report_disk *d)
{
	d->window.device_mean = 3;
}

static void depth_of_one(struct sw_report_disk *d)
{
	d->around.queue_depth = 1;
}

static void depth_not_told(struct sw_report_disk *d)
{
	d->around.queue_depth = 0;
}

static void two_pools(struct sw_report_disk *d)
{
	d->disk.queues = 2;
}

static void large_pool(struct sw_report_disk *d)
{
	set_knob(d, SW_NR_REQUESTS, 1024);
	set_levels(d, 900, 124);
}

static void no_fifo_batch(struct sw_report_disk *d)
{
	d->knobs.present[SW_FIFO_BATCH] = false;
}

static void no_knobs(struct sw_report_disk *d)
{
	memset(&d->knobs, 0, sizeof(d->knobs));
}

static void much_starved(struct sw_report_disk *d)
{
	set_knob(d, SW_WRITES_STARVED, 16);
}

static void few_expired(struct sw_report_disk *d)
{
	d->window.sum.issued.dir[SW_READ].expired /= 10;
	d->window.sum.issued.dir[SW_WRITE].expired /= 10;
}

static void one_expired(struct sw_report_disk *d)
{
	d->window.sum.issued.dir[SW_READ].expired = 1;
}

static void short_expire(struct sw_report_disk *d)
{
	set_knob(d, SW_READ_EXPIRE, 100);
}

static void late_expire(struct sw_report_disk *d)
{
	set_knob(d, SW_READ_EXPIRE, 60000);
	set_knob(d, SW_WRITE_EXPIRE, 60000);
}

static void slow(struct sw_report_disk *d)
{
	d->window.end_ns *= 3;
	d->window.busy_ns *= 3;
}

static void much_held(struct sw_report_disk *d)
{
	d->window.held_mean = 5;
}

static void hardly_used(struct sw_report_disk *d)
{
	d->window.sum.completed.dir[SW_READ].ios = 20;
	set_knob(d, SW_NR_REQUESTS, 256);
}

static void served_long(struct sw_report_disk *d)
{
	add_total(&d->window, SW_READ, 200, 3000 * MS);
	d->disk.rotational = false; /* or the batches are too short */
}

const struct advice_neighbour advice_core_neighbours[] = {
	{ "one fsyncs, now and then", one_fsyncs, flushes_now_and_then, "" },
	{ "one fsyncs, after many", one_fsyncs, flushes_after_many, "" },
	{ "resync, hardly used", resync, hardly_used, "" },
	{ "write wall, served long", write_wall, served_long, "" },
	{ "resync of no speed", resync, no_speed, "" },
	{ "no arm, near", no_arm, near_reads, "" },
	{ "no arm, in a row", no_arm, in_a_row, "" },
	{ "no arm, and it says so", no_arm, is_solid, "" },
	{ "arm, near", arm, near_reads, "" },
	{ "arm, several at a time", arm, several_at_a_time, "" },
	{ "unsorted, switched", unsorted, is_switched, "" },
	{ "unsorted, zoned", unsorted, is_zoned, "" },
	{ "unsorted, in a row", unsorted, in_a_row, "" },
	{ "unsorted, solid", unsorted, is_solid, "" },
	{ "fast, zoned", fast, is_zoned, "" },
	{ "fast, but slower", fast, slow, "" },
	{ "fast, but much is held", fast, much_held, "" },
	{ "fast, switched", fast, is_switched, "" },
	{ "passed over at depth 1", passed_over, depth_of_one, "" },
	{ "passed over, no depth", passed_over, depth_not_told, "" },
	{ "passed over, solid", passed_over, is_solid, "" },
	{ "full pool of two", full_pool, two_pools, "" },
	{ "full pool, large", full_pool, large_pool, "" },
	{ "full pool, zoned", full_pool, is_zoned, "" },
	{ "full pool, no knobs", full_pool, no_knobs, "" },
	{ "write wall, not read", write_wall, not_mq_deadline, "" },
	{ "write wall, no knobs", write_wall, no_knobs, "" },
	{ "write drizzle, starved", write_drizzle, much_starved, "" },
	{ "reads expire, few", reads_expire, few_expired, "" },
	{ "reads expire, not read", reads_expire, not_mq_deadline, "" },
	{ "reads expire, late", reads_expire, late_expire, "" },
	{ "reads expire, solid", reads_expire, is_solid, "" },
	{ "writes expire, few", writes_expire, few_expired, "" },
	{ "writes expire, late", writes_expire, late_expire, "" },
	{ "reads overdue, one expired", reads_overdue, one_expired, "" },
	{ "reads overdue, short", reads_overdue, short_expire, "" },
	{ "full batches, no knob", full_batches, no_fifo_batch, "" },
	{ "full batches, not read", full_batches, not_mq_deadline, "" },
	{ "full batches, solid", full_batches, is_solid, "" },
	{ 0 },
};

const struct advice_window advice_core_windows[] = {
	{ "plain", plain, "queue", "", 0 },
	{ "one reader", one_reader, "submitter", "", 0 },
	{ "failing", failing, "queue", "errors", "journalctl -k -g sda" },
	{ "one fsyncs", one_fsyncs, "submitter", "flushes", 0 },
	{ "resync", resync, "queue", "md-resync", "echo 45000 > /sys/block/md0/md/sync_speed_max" },
	{ "shingled", shingled, "device", "zoned", 0 },
	{ "stall", stall, "queue", "stall", "smartctl -x /dev/sda" },
	{ "no arm", no_arm, "submitter", "not-rotational",
	  "echo 0 > /sys/block/sda/queue/rotational" },
	{ "arm", arm, "submitter", "rotational", "echo 1 > /sys/block/sda/queue/rotational" },
	{ "unsorted", unsorted, "device", "scheduler-unsorted",
	  "echo mq-deadline > /sys/block/sda/queue/scheduler" },
	{ "fast", fast, "device", "scheduler-lock", "echo none > /sys/block/sda/queue/scheduler" },
	{ "passed over", passed_over, "device", "queue-depth",
	  "echo 1 > /sys/block/sda/device/queue_depth" },
	{ "full pool", full_pool, "queue", "pool-full",
	  "echo 512 > /sys/block/sda/queue/nr_requests" },
	{ "write wall", write_wall, "queue", "reads-behind-writes",
	  "echo 4 > /sys/block/sda/queue/iosched/fifo_batch" },
	{ "write drizzle", write_drizzle, "queue", "writes-starved",
	  "echo 4 > /sys/block/sda/queue/iosched/writes_starved" },
	{ "reads expire", reads_expire, "queue", "read-expire-short",
	  "echo 1000 > /sys/block/sda/queue/iosched/read_expire" },
	{ "writes expire", writes_expire, "queue", "write-expire-short",
	  "echo 10000 > /sys/block/sda/queue/iosched/write_expire" },
	{ "reads overdue", reads_overdue, "queue", "read-expire-long",
	  "echo 79 > /sys/block/sda/queue/iosched/read_expire" },
	{ "full batches", full_batches, "queue", "batches-full",
	  "echo 64 > /sys/block/sda/queue/iosched/fifo_batch" },
	{ 0 },
};

static size_t windows_of(const struct advice_window *table)
{
	size_t n = 0;

	while (table[n].name)
		n++;
	return n;
}

const struct advice_window *advice_window(size_t i)
{
	size_t core = windows_of(advice_core_windows);

	if (i < core)
		return &advice_core_windows[i];
	i -= core;
	return i < windows_of(advice_detail_windows) ? &advice_detail_windows[i] : 0;
}

static size_t neighbours_of(const struct advice_neighbour *table)
{
	size_t n = 0;

	while (table[n].name)
		n++;
	return n;
}

const struct advice_neighbour *advice_neighbour(size_t i)
{
	size_t core = neighbours_of(advice_core_neighbours);

	if (i < core)
		return &advice_core_neighbours[i];
	i -= core;
	return i < neighbours_of(advice_detail_neighbours) ? &advice_detail_neighbours[i] : 0;
}
