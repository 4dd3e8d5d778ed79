// SPDX-License-Identifier: GPL-2.0-or-later
/* Advice: each row on the window made for it, on none beside it, and never without evidence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/output/advice.h"

#define MS 1000 /* in us */
#define SECOND 1000000000ULL

static unsigned int bucket_of(uint64_t value)
{
	unsigned int b = 0;

	while (b < SW_HIST_BUCKETS - 1 && sw_hist_low(b + 1) <= value)
		b++;
	return b;
}

static uint64_t unit_of(double us)
{
	return (uint64_t)(us * 1000) >> SW_HIST_TIME_SHIFT;
}

static void waits(struct sw_window *w, int dir, uint64_t count, double us)
{
	struct sw_issued_dir *is = &w->sum.issued.dir[dir];

	is->waits += count;
	is->wait_sum += count * (uint64_t)(us * 1000);
	if (is->wait_max < us * 1000)
		is->wait_max = (uint64_t)(us * 1000);
	w->sum.issued_hist.wait[dir][bucket_of(unit_of(us))] += count;
}

/* Completed after that time in the device; the wait is counted apart. */
static void served(struct sw_window *w, int dir, uint64_t count, double us)
{
	struct sw_completed_dir *co = &w->sum.completed.dir[dir];

	co->ios += count;
	co->bytes += count * 4096;
	co->served += count;
	co->service_sum += count * (uint64_t)(us * 1000);
	if (co->service_max < us * 1000)
		co->service_max = (uint64_t)(us * 1000);
	w->sum.completed_hist.service[dir][bucket_of(unit_of(us))] += count;
}

static void total(struct sw_window *w, int dir, uint64_t count, double us)
{
	struct sw_completed_dir *co = &w->sum.completed.dir[dir];

	co->totals += count;
	co->total_sum += count * (uint64_t)(us * 1000);
	if (co->total_max < us * 1000)
		co->total_max = (uint64_t)(us * 1000);
	w->sum.completed_hist.total[dir][bucket_of(unit_of(us))] += count;
}

/* Random ones over `span` sectors. */
static void issued(struct sw_window *w, int dir, uint64_t count, uint64_t span)
{
	struct sw_issued_dir *is = &w->sum.issued.dir[dir];

	is->ios += count;
	is->located += count;
	is->seek_sum += count * span;
	is->seek_max = span;
	w->sum.issued_hist.seek[dir][bucket_of(span)] += count;
}

static void batches(struct sw_window *w, int dir, uint64_t count, uint64_t length)
{
	struct sw_passed_dir *pa = &w->sum.passed.dir[dir];

	pa->batches += count;
	pa->batch_sum += count * length;
	if (pa->batch_max < length)
		pa->batch_max = length;
	w->sum.passed_hist.batch[dir][bucket_of(length)] += count;
}

static void set(struct sw_report_disk *d, enum sw_knob_id id, int64_t value)
{
	d->knobs.present[id] = true;
	d->knobs.value[id] = value;
}

/* Ten seconds of a busy hard disk, without a request yet. */
static struct sw_report_disk disk(void)
{
	struct sw_report_disk d = {
		.disk = { .name = "sda",
			  .scheduler = "mq-deadline",
			  .zoned = "none",
			  .rotational = true,
			  .queues = 1 },
		.window = { .start_ns = SECOND,
			    .end_ns = 11 * SECOND,
			    .busy_ns = 10 * SECOND,
			    .deadline = true },
	};

	set(&d, SW_NR_REQUESTS, 256);
	set(&d, SW_FIFO_BATCH, 16);
	set(&d, SW_READ_EXPIRE, 500);
	set(&d, SW_WRITE_EXPIRE, 5000);
	set(&d, SW_WRITES_STARVED, 2);
	return d;
}

/* Random reads over the disk, held and served as said. */
static void reads(struct sw_report_disk *d, uint64_t count, double wait_us, double service_us)
{
	issued(&d->window, SW_READ, count, 1 << 24);
	waits(&d->window, SW_READ, count, wait_us);
	served(&d->window, SW_READ, count, service_us);
	total(&d->window, SW_READ, count, wait_us + service_us);
}

static void writes(struct sw_report_disk *d, uint64_t count, double wait_us, double service_us)
{
	issued(&d->window, SW_WRITE, count, 1 << 24);
	waits(&d->window, SW_WRITE, count, wait_us);
	served(&d->window, SW_WRITE, count, service_us);
	total(&d->window, SW_WRITE, count, wait_us + service_us);
}

static void levels(struct sw_report_disk *d, double held, double in_device)
{
	d->window.held_mean = held;
	d->window.device_mean = in_device;
}

/* Queue-bound, and nothing to complain of. */
static struct sw_report_disk plain(void)
{
	struct sw_report_disk d = disk();

	levels(&d, 20, 4);
	reads(&d, 1500, 120 * MS, 30 * MS);
	batches(&d.window, SW_READ, 300, 5);
	return d;
}

static struct sw_report_disk one_reader(void)
{
	struct sw_report_disk d = disk();

	levels(&d, 0, 1);
	reads(&d, 1000, 0.005 * MS, 8 * MS);
	batches(&d.window, SW_READ, 1000, 1);
	return d;
}

static struct sw_report_disk resync(void)
{
	struct sw_report_disk d = plain();

	strcpy(d.around.array, "md0");
	d.around.sync_speed = 90001;
	/* on top of what would be blamed on the pool */
	set(&d, SW_NR_REQUESTS, 24);
	return d;
}

static struct sw_report_disk shingled(void)
{
	struct sw_report_disk d = disk();

	strcpy(d.disk.zoned, "host-managed");
	strcpy(d.disk.scheduler, "none");
	d.window.deadline = false;
	levels(&d, 0, 20);
	writes(&d, 2000, 0, 20 * MS);
	return d;
}

static struct sw_report_disk stall(void)
{
	struct sw_report_disk d = plain();

	writes(&d, 4, 20 * MS, 12000 * MS);
	set(&d, SW_NR_REQUESTS, 24);
	return d;
}

static struct sw_report_disk no_arm(void)
{
	struct sw_report_disk d = disk();

	levels(&d, 0, 1);
	reads(&d, 30000, 0.005 * MS, 0.2 * MS);
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
	struct sw_report_disk d = disk();

	strcpy(d.disk.scheduler, "none");
	d.window.deadline = false;
	levels(&d, 0, 32);
	reads(&d, 1500, 0, 200 * MS);
	return d;
}

static struct sw_report_disk fast(void)
{
	struct sw_report_disk d = disk();

	d.disk.rotational = false;
	levels(&d, 0.1, 30);
	reads(&d, 1000000, 0.002 * MS, 0.2 * MS);
	return d;
}

static struct sw_report_disk passed_over(void)
{
	struct sw_report_disk d = disk();

	d.around.queue_depth = 32;
	levels(&d, 0.5, 20);
	reads(&d, 900, 1 * MS, 40 * MS);
	reads(&d, 50, 1 * MS, 2000 * MS);
	return d;
}

static struct sw_report_disk full_pool(void)
{
	struct sw_report_disk d = plain();

	levels(&d, 128, 127);
	return d;
}

static struct sw_report_disk write_wall(void)
{
	struct sw_report_disk d = disk();

	levels(&d, 90, 10);
	reads(&d, 200, 150 * MS, 100 * MS);
	writes(&d, 2000, 600 * MS, 100 * MS);
	batches(&d.window, SW_READ, 120, 2);
	batches(&d.window, SW_WRITE, 120, 16);
	return d;
}

static struct sw_report_disk write_drizzle(void)
{
	struct sw_report_disk d = write_wall();

	memset(&d.window.sum.passed, 0, sizeof(d.window.sum.passed));
	memset(&d.window.sum.passed_hist, 0, sizeof(d.window.sum.passed_hist));
	batches(&d.window, SW_WRITE, 1000, 2);
	return d;
}

static struct sw_report_disk reads_expire(void)
{
	struct sw_report_disk d = disk();

	levels(&d, 100, 32);
	reads(&d, 1500, 900 * MS, 200 * MS);
	d.window.sum.issued.dir[SW_READ].expired = 900;
	d.window.sum.issued.dir[SW_READ].wraps[SW_EXPIRED] = 60;
	return d;
}

static struct sw_report_disk writes_expire(void)
{
	struct sw_report_disk d = disk();

	levels(&d, 100, 32);
	writes(&d, 1500, 9000 * MS, 200 * MS);
	d.window.sum.issued.dir[SW_WRITE].expired = 900;
	d.window.sum.issued.dir[SW_WRITE].wraps[SW_EXPIRED] = 60;
	return d;
}

static struct sw_report_disk reads_overdue(void)
{
	struct sw_report_disk d = disk();

	levels(&d, 20, 4);
	reads(&d, 1400, 20 * MS, 30 * MS);
	reads(&d, 50, 400 * MS, 30 * MS);
	return d;
}

static struct sw_report_disk full_batches(void)
{
	struct sw_report_disk d = plain();

	batches(&d.window, SW_READ, 200, 16);
	return d;
}

static const struct {
	const char *name;
	struct sw_report_disk (*make)(void);
	const char *bound, *ids; /* exactly these */
	const char *command;     /* of the first */
} windows[] = {
	{ "plain", plain, "queue", "", 0 },
	{ "one reader", one_reader, "submitter", "", 0 },
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
};
#define WINDOWS (sizeof(windows) / sizeof(windows[0]))

/* The ids given, in order, with blanks between; and what the first one is. */
static const struct sw_advice *given(const struct sw_report_disk *d, char ids[512])
{
	const struct sw_advice *rows[SW_ADVICE_MAX];
	struct sw_facts facts = sw_facts_of_report(d);
	unsigned int i, n = sw_advise(&facts, rows);

	*ids = '\0';
	for (i = 0; i < n; i++)
		strcat(strcat(ids, i ? " " : ""), rows[i]->id);
	return n ? rows[0] : 0;
}

static void assert_given(const struct sw_report_disk *d, const char *name, const char *expected)
{
	char ids[512];

	given(d, ids);
	if (strcmp(ids, expected))
		fail_msg("%s: \"%s\" instead of \"%s\"", name, ids, expected);
}

static void test_each_window_its_row(void **unused)
{
	const struct sw_advice *row;
	struct sw_report_disk d;
	struct sw_facts facts;
	char ids[512], text[1024];
	size_t i;

	(void)unused;
	for (i = 0; i < WINDOWS; i++) {
		d = windows[i].make();
		assert_null(sw_unjudged(&d));
		facts = sw_facts_of_report(&d);
		assert_string_equal(sw_verdict_name(facts.verdict), windows[i].bound);
		assert_given(&d, windows[i].name, windows[i].ids);
		row = given(&d, ids);
		if (!windows[i].command)
			continue;
		sw_advice_words(row->commands[0], row, &facts, text, sizeof(text));
		assert_string_equal(text, windows[i].command);
	}
}

/* No row without a window of its own. */
static void test_each_row_has_its_window(void **unused)
{
	unsigned int row;
	size_t i;

	(void)unused;
	for (row = 0; row < sw_advice_count; row++) {
		for (i = 0; i < WINDOWS; i++)
			if (!strcmp(windows[i].ids, sw_advice[row].id))
				break;
		if (i == WINDOWS)
			fail_msg("%s has no window", sw_advice[row].id);
	}
}

static void test_idle_gives_none(void **unused)
{
	struct sw_report_disk d;
	size_t i;

	(void)unused;
	for (i = 0; i < WINDOWS; i++) {
		d = windows[i].make();
		d.window.busy_ns = SECOND / 2;
		assert_given(&d, windows[i].name, "");
		memset(&d.window.sum, 0, sizeof(d.window.sum));
		d.window.busy_ns = 10 * SECOND;
		assert_given(&d, windows[i].name, "");
	}
}

/* One thing changed, and the row does not hold any more. */
struct neighbour {
	const char *name;
	struct sw_report_disk (*make)(void);
	void (*change)(struct sw_report_disk *d);
};

static void not_mq_deadline(struct sw_report_disk *d)
{
	d->window.deadline = false;
}

static void is_zoned(struct sw_report_disk *d)
{
	strcpy(d->disk.zoned, "host-managed");
}

static void is_solid(struct sw_report_disk *d)
{
	d->disk.rotational = false;
}

static void is_switched(struct sw_report_disk *d)
{
	d->around.switched = true;
}

static void no_speed(struct sw_report_disk *d)
{
	d->around.sync_speed = 0;
	set(d, SW_NR_REQUESTS, 256);
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
	set(d, SW_NR_REQUESTS, 1024);
	levels(d, 900, 124);
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
	set(d, SW_WRITES_STARVED, 16);
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
	set(d, SW_READ_EXPIRE, 100);
}

static void late_expire(struct sw_report_disk *d)
{
	set(d, SW_READ_EXPIRE, 60000);
	set(d, SW_WRITE_EXPIRE, 60000);
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
	set(d, SW_NR_REQUESTS, 256);
}

static void served_long(struct sw_report_disk *d)
{
	total(&d->window, SW_READ, 200, 3000 * MS);
	d->disk.rotational = false; /* or the batches are too short */
}

static const struct neighbour neighbours[] = {
	{ "resync, hardly used", resync, hardly_used },
	{ "write wall, served long", write_wall, served_long },
	{ "resync of no speed", resync, no_speed },
	{ "no arm, near", no_arm, near_reads },
	{ "no arm, in a row", no_arm, in_a_row },
	{ "no arm, and it says so", no_arm, is_solid },
	{ "arm, near", arm, near_reads },
	{ "arm, several at a time", arm, several_at_a_time },
	{ "unsorted, switched", unsorted, is_switched },
	{ "unsorted, zoned", unsorted, is_zoned },
	{ "unsorted, in a row", unsorted, in_a_row },
	{ "unsorted, solid", unsorted, is_solid },
	{ "fast, zoned", fast, is_zoned },
	{ "fast, but slower", fast, slow },
	{ "fast, but much is held", fast, much_held },
	{ "fast, switched", fast, is_switched },
	{ "passed over at depth 1", passed_over, depth_of_one },
	{ "passed over, no depth", passed_over, depth_not_told },
	{ "passed over, solid", passed_over, is_solid },
	{ "full pool of two", full_pool, two_pools },
	{ "full pool, large", full_pool, large_pool },
	{ "full pool, zoned", full_pool, is_zoned },
	{ "full pool, no knobs", full_pool, no_knobs },
	{ "write wall, not read", write_wall, not_mq_deadline },
	{ "write wall, no knobs", write_wall, no_knobs },
	{ "write drizzle, starved", write_drizzle, much_starved },
	{ "reads expire, few", reads_expire, few_expired },
	{ "reads expire, not read", reads_expire, not_mq_deadline },
	{ "reads expire, late", reads_expire, late_expire },
	{ "reads expire, solid", reads_expire, is_solid },
	{ "writes expire, few", writes_expire, few_expired },
	{ "writes expire, late", writes_expire, late_expire },
	{ "reads overdue, one expired", reads_overdue, one_expired },
	{ "reads overdue, short", reads_overdue, short_expire },
	{ "full batches, no knob", full_batches, no_fifo_batch },
	{ "full batches, not read", full_batches, not_mq_deadline },
	{ "full batches, solid", full_batches, is_solid },
};

static void test_neighbours_give_none(void **unused)
{
	struct sw_report_disk d;
	size_t i;

	(void)unused;
	for (i = 0; i < sizeof(neighbours) / sizeof(neighbours[0]); i++) {
		d = neighbours[i].make();
		neighbours[i].change(&d);
		assert_given(&d, neighbours[i].name, "");
	}
}

static void test_no_scheduler_for_zoned(void **unused)
{
	const struct sw_advice *rows[SW_ADVICE_MAX];
	struct sw_report_disk d;
	struct sw_facts facts;
	unsigned int n, k;
	size_t i;

	(void)unused;
	for (i = 0; i < WINDOWS; i++) {
		d = windows[i].make();
		is_zoned(&d);
		facts = sw_facts_of_report(&d);
		n = sw_advise(&facts, rows);
		for (k = 0; k < n; k++)
			assert_true(!rows[k]->commands[0] ||
				    !strstr(rows[k]->commands[0], "queue/scheduler"));
	}
}

static uint64_t state = 88172645463325252ULL;

static uint64_t bits(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Of every size, 0 among them. */
static uint64_t number(void)
{
	return bits() % 4 ? bits() >> (bits() % 64) : 0;
}

/* Some words of the record, some buckets, some of what sysfs tells. */
static void shake(struct sw_report_disk *d)
{
	uint64_t *words = (uint64_t *)&d->window.sum;
	uint32_t *buckets = (uint32_t *)&d->window.sum.issued_hist;
	size_t counters = offsetof(struct sw_record, issued_hist) / sizeof(*words);
	size_t all = (sizeof(struct sw_record) - offsetof(struct sw_record, issued_hist)) /
		     sizeof(*buckets);
	unsigned int i, n = bits() % 12;

	for (i = 0; i < n; i++) {
		words[bits() % counters] = number();
		buckets[bits() % all] = (uint32_t)number();
		if (bits() % 8 == 0)
			memset(&buckets[bits() % (all - SW_HIST_BUCKETS)], 0,
			       SW_HIST_BUCKETS * sizeof(*buckets));
	}
	if (bits() % 2)
		set(d, bits() % SW_KNOBS, (int64_t)number());
	d->knobs.present[bits() % SW_KNOBS] ^= bits() % 4 == 0;
	d->window.deadline ^= bits() % 4 == 0;
	d->disk.rotational ^= bits() % 4 == 0;
	d->around.queue_depth = bits() % 2 ? d->around.queue_depth : number();
	if (bits() % 16 == 0)
		d->window.end_ns = d->window.start_ns;
}

static void assert_complete(const struct sw_advice *row, const struct sw_facts *facts)
{
	char path[SW_FACT_PATH], text[1024];
	unsigned int i;

	assert_true(sw_advice_evidence(row, 0, path));
	for (i = 0; sw_advice_evidence(row, i, path); i++)
		assert_true(sw_fact_number(facts, path) >= 0);
	sw_advice_words(row->text, row, facts, text, sizeof(text));
	assert_true(strlen(text) < sizeof(text) - 1);
	assert_null(strpbrk(text, "{}$"));
	assert_null(strstr(text, " - "));
	for (i = 0; i < SW_ADVICE_COMMANDS && row->commands[i]; i++) {
		sw_advice_words(row->commands[i], row, facts, text, sizeof(text));
		assert_null(strpbrk(text, "{}$"));
		assert_null(strstr(text, "echo -"));
	}
}

static void test_never_without_evidence(void **unused)
{
	const struct sw_advice *rows[SW_ADVICE_MAX];
	unsigned int fired[SW_ADVICE_MAX] = { 0 }, i, n, k;
	struct sw_report_disk d;
	struct sw_facts facts;

	(void)unused;
	for (i = 0; i < 40000; i++) {
		d = windows[bits() % WINDOWS].make();
		shake(&d);
		facts = sw_facts_of_report(&d);
		n = sw_advise(&facts, rows);
		for (k = 0; k < n; k++) {
			fired[rows[k] - sw_advice]++;
			assert_complete(rows[k], &facts);
		}
	}
	for (i = 0; i < sw_advice_count; i++)
		if (fired[i] < 50)
			fail_msg("%s was given %u times only", sw_advice[i].id, fired[i]);
}

/* A misspelt path would make a row that is never given. */
static void test_paths_lead_somewhere(void **unused)
{
	struct sw_report_disk d = plain();
	struct sw_facts facts = sw_facts_of_report(&d);
	char path[SW_FACT_PATH];
	struct sw_fact fact;
	unsigned int row, i;

	(void)unused;
	for (row = 0; row < sw_advice_count; row++)
		for (i = 0; sw_advice_evidence(&sw_advice[row], i, path); i++)
			if (!sw_fact_get(&facts, path, &fact))
				fail_msg("%s: %s", sw_advice[row].id, path);
	assert_false(sw_fact_get(&facts, "read.no_such_figure", &fact));
	assert_false(sw_fact_get(&facts, "read.wait_us.p98", &fact));
	assert_false(sw_fact_get(&facts, "read.held.mean", &fact));
	assert_false(sw_fact_get(&facts, "knobs.no_such_knob", &fact));
	assert_float_equal(sw_fact_number(&facts, "held.mean"), 20, 0);
	assert_float_equal(sw_fact_number(&facts, "read.ios"), 1500, 0);
	assert_float_equal(sw_fact_number(&facts, "write.wait_us.p99"), -1, 0);
	assert_float_equal(sw_fact_number(&facts, "knobs.read_expire"), 500, 0);
	assert_float_equal(sw_fact_number(&facts, "queue_depth"), -1, 0);
}

static void test_words(void **unused)
{
	struct sw_report_disk d = reads_expire();
	struct sw_facts facts;
	const struct sw_advice *row;
	char ids[512], text[1024];

	(void)unused;
	row = given(&d, ids);
	facts = sw_facts_of_report(&d);
	sw_advice_words(row->text, row, &facts, text, sizeof(text));
	assert_non_null(strstr(text, "900 of 1500 reads were issued after their deadline (500 ms; "
				     "95 % wait 900.0 ms at most), and 60 sweeps"));
	sw_advice_words(row->text, row, &facts, text, 12);
	assert_string_equal(text, "900 of 1500");
	/* sysfs has '!' where /dev has '/' */
	d = stall();
	strcpy(d.disk.name, "cciss!c0d0");
	facts = sw_facts_of_report(&d);
	row = given(&d, ids);
	sw_advice_words(row->commands[0], row, &facts, text, sizeof(text));
	assert_string_equal(text, "smartctl -x /dev/cciss/c0d0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_window_its_row),
		cmocka_unit_test(test_each_row_has_its_window),
		cmocka_unit_test(test_idle_gives_none),
		cmocka_unit_test(test_neighbours_give_none),
		cmocka_unit_test(test_no_scheduler_for_zoned),
		cmocka_unit_test(test_never_without_evidence),
		cmocka_unit_test(test_paths_lead_somewhere),
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, 0, 0);
}
