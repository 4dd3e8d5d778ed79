// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice_build.h"

#include <string.h>

#include "parts.h"

static uint64_t unit_of(double us)
{
	return (uint64_t)(us * 1000) >> SW_HIST_TIME_SHIFT;
}

void add_waits(struct sw_window *w, int dir, uint64_t count, double us)
{
	struct sw_issued_dir *is = &w->sum.issued.dir[dir];

	is->waits += count;
	is->wait_sum += count * (uint64_t)(us * 1000);
	if (is->wait_max < us * 1000)
		is->wait_max = (uint64_t)(us * 1000);
	w->sum.issued_hist.wait[dir][bucket_of(unit_of(us))] += count;
}

void add_served(struct sw_window *w, int dir, uint64_t count, double us)
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

void add_total(struct sw_window *w, int dir, uint64_t count, double us)
{
	struct sw_completed_dir *co = &w->sum.completed.dir[dir];

	co->totals += count;
	co->total_sum += count * (uint64_t)(us * 1000);
	if (co->total_max < us * 1000)
		co->total_max = (uint64_t)(us * 1000);
	w->sum.completed_hist.total[dir][bucket_of(unit_of(us))] += count;
}

void add_issued(struct sw_window *w, int dir, uint64_t count, uint64_t span)
{
	struct sw_issued_dir *is = &w->sum.issued.dir[dir];

	is->ios += count;
	is->located += count;
	is->seek_sum += count * span;
	is->seek_max = span;
	w->sum.issued_hist.seek[dir][bucket_of(span)] += count;
}

void add_batches(struct sw_window *w, int dir, uint64_t count, uint64_t length)
{
	struct sw_passed_dir *pa = &w->sum.passed.dir[dir];

	pa->batches += count;
	pa->batch_sum += count * length;
	if (pa->batch_max < length)
		pa->batch_max = length;
	w->sum.passed_hist.batch[dir][bucket_of(length)] += count;
}

void set_knob(struct sw_report_disk *d, enum sw_knob_id id, int64_t value)
{
	d->knobs.present[id] = true;
	d->knobs.value[id] = value;
}

struct sw_report_disk busy_disk(void)
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

	set_knob(&d, SW_NR_REQUESTS, 256);
	set_knob(&d, SW_FIFO_BATCH, 16);
	set_knob(&d, SW_READ_EXPIRE, 500);
	set_knob(&d, SW_WRITE_EXPIRE, 5000);
	set_knob(&d, SW_WRITES_STARVED, 2);
	return d;
}

void add_reads(struct sw_report_disk *d, uint64_t count, double wait_us, double service_us)
{
	add_issued(&d->window, SW_READ, count, 1 << 24);
	add_waits(&d->window, SW_READ, count, wait_us);
	add_served(&d->window, SW_READ, count, service_us);
	add_total(&d->window, SW_READ, count, wait_us + service_us);
}

void add_writes(struct sw_report_disk *d, uint64_t count, double wait_us, double service_us)
{
	add_issued(&d->window, SW_WRITE, count, 1 << 24);
	add_waits(&d->window, SW_WRITE, count, wait_us);
	add_served(&d->window, SW_WRITE, count, service_us);
	add_total(&d->window, SW_WRITE, count, wait_us + service_us);
}

void set_levels(struct sw_report_disk *d, double held, double in_device)
{
	d->window.held_mean = held;
	d->window.device_mean = in_device;
}

struct sw_detail *add_detail(struct sw_report_disk *d)
{
	static struct sw_detail detail;

	memset(&detail, 0, sizeof(detail));
	d->window.detail = &detail;
	d->window.groups = SW_GROUPS_ALL;
	d->window.pool = (uint64_t)d->knobs.value[SW_NR_REQUESTS];
	return &detail;
}

void add_returns(struct sw_detail *det, uint64_t count, uint64_t streams)
{
	det->issued.resumed += count;
	det->issued.resumed_sum += count * streams;
	det->issued.resumed_max = streams;
	det->hist.resumed[bucket_of(streams)] += (uint32_t)count;
}

void add_runs(struct sw_detail *det, int dir, uint64_t count, uint64_t ios, uint64_t bytes)
{
	struct sw_detail_issued *is = &det->issued;

	is->runs[dir] += count;
	is->run_ios[dir] += count * ios;
	is->run_bytes[dir] += count * bytes;
	is->run_ios_max[dir] = ios;
	is->run_bytes_max[dir] = bytes;
	det->hist.run_ios[dir][bucket_of(ios)] += (uint32_t)count;
	det->hist.run_bytes[dir][bucket_of(bytes >> 9)] += (uint32_t)count;
}

void set_seek_cost(struct sw_detail *det, double share)
{
	/* a thousand sequential ones that took nothing to speak of, and one seek for the rest */
	det->completed.costs[0] = (struct sw_cost){ 1000, 1000, 1000 << 16 };
	det->completed.costs[20] = (struct sw_cost){ 100, (uint64_t)(share * 10 * SECOND), 1 };
}

void set_level(struct sw_report_disk *d, enum sw_followed where, enum sw_kept whose,
	       uint64_t number)
{
	__u64 *time = d->window.detail->levels.time[where][whose];

	memset(time, 0, SW_LEVEL_BUCKETS * sizeof(*time));
	time[bucket_of(number)] = 10 * SECOND;
	d->window.sum.inserted.held_max = d->window.sum.issued.device_max = 4096;
}

void set_pool_full(struct sw_report_disk *d, double share)
{
	__u64 *time = d->window.detail->levels.time[SW_LEVEL_THERE][SW_KEPT_ALL];

	memset(time, 0, SW_LEVEL_BUCKETS * sizeof(*time));
	time[bucket_of(d->window.pool)] = (uint64_t)(share * 10 * SECOND);
	time[1] = 10 * SECOND - time[bucket_of(d->window.pool)];
}

void add_apart(struct sw_detail *det, enum sw_apart apart, int dir, uint64_t count, double wait_us,
	       double total_us)
{
	struct sw_apart_waits *waits = &det->issued.apart[apart][dir];
	struct sw_apart_totals *totals = &det->completed.apart[apart][dir];

	waits->waits += count;
	waits->wait_sum += count * (uint64_t)(wait_us * 1000);
	waits->wait_max = (uint64_t)(wait_us * 1000);
	totals->ios += count;
	totals->bytes += count * 4096;
	totals->totals += count;
	totals->total_sum += count * (uint64_t)(total_us * 1000);
	totals->total_max = (uint64_t)(total_us * 1000);
	det->hist.wait[apart][dir][bucket_of(unit_of(wait_us))] += (uint32_t)count;
	det->hist.total[apart][dir][bucket_of(unit_of(total_us))] += (uint32_t)count;
}

void is_zoned(struct sw_report_disk *d)
{
	strcpy(d->disk.zoned, "host-managed");
}

void is_solid(struct sw_report_disk *d)
{
	d->disk.rotational = false;
}

void is_switched(struct sw_report_disk *d)
{
	d->around.switched = true;
}
