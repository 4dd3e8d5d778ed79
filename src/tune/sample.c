// SPDX-License-Identifier: GPL-2.0-or-later
/* From a window to what the controller is told of it. */
#include "seekwise/tuner.h"

static double mean_us(uint64_t sum_ns, uint64_t n)
{
	return n ? (double)sum_ns / (double)n / 1000 : -1;
}

/* Of `all` requests, how many came in runs of `limit`: those in its bucket or above. */
static double at_limit(uint64_t runs, uint64_t all, int64_t limit)
{
	double full = (double)runs * (double)limit;

	if (!all)
		return -1;
	return full >= (double)all ? 1 : full / (double)all;
}

static uint64_t runs_of(const uint32_t hist[SW_HIST_BUCKETS], int64_t limit)
{
	uint64_t runs = 0;
	unsigned int b;

	/* None is longer than the limit. */
	for (b = 0; b < SW_HIST_BUCKETS; b++)
		if (sw_hist_low(b + 1) > (uint64_t)limit)
			runs += hist[b];
	return runs;
}

/* Share of the requests that came in batches, or passes, as long as the knob allows. */
static double full_share(const struct sw_window *w, enum sw_knob_id knob, int64_t limit)
{
	const struct sw_passed *pa = &w->sum.passed;
	const struct sw_passed_hist *hist = &w->sum.passed_hist;

	if (knob == SW_NR_SCHED_BATCH)
		return w->passes == SW_PASSES_UNKNOWN
			       ? -1
			       : at_limit(runs_of(hist->pass, limit), pa->pass_sum, limit);
	return at_limit(runs_of(hist->batch[SW_READ], limit) +
				runs_of(hist->batch[SW_WRITE], limit),
			pa->dir[SW_READ].batch_sum + pa->dir[SW_WRITE].batch_sum, limit);
}

struct sw_sample sw_sample_of(const struct sw_window *w, enum sw_knob_id knob, int64_t value)
{
	const struct sw_issued_dir *is = w->sum.issued.dir;
	const struct sw_passed_dir *pa = w->sum.passed.dir;
	const struct sw_completed_dir *co = w->sum.completed.dir;
	uint64_t batches = pa[SW_READ].batches + pa[SW_WRITE].batches;
	struct sw_sample s = {};
	double p99 = sw_hist_percentile(w->sum.completed_hist.total[SW_READ], 99);

	s.seconds = sw_window_seconds(w);
	s.busy_seconds = (double)w->busy_ns / 1e9;
	s.ios = co[SW_READ].ios + co[SW_WRITE].ios;
	s.bytes = co[SW_READ].bytes + co[SW_WRITE].bytes;
	s.sync_ios = co[SW_READ].totals;
	s.sync_p99_us = p99 < 0 ? -1 : p99 * (1 << SW_HIST_TIME_SHIFT) / 1000;
	s.held_mean = w->held_mean;
	s.held_max = w->sum.inserted.held_max;
	s.device_mean = w->device_mean;
	s.wait_mean_us = mean_us(is[SW_READ].wait_sum + is[SW_WRITE].wait_sum,
				 is[SW_READ].waits + is[SW_WRITE].waits);
	s.service_mean_us = mean_us(co[SW_READ].service_sum + co[SW_WRITE].service_sum,
				    co[SW_READ].served + co[SW_WRITE].served);
	s.batch_mean =
		batches ? (double)(pa[SW_READ].batch_sum + pa[SW_WRITE].batch_sum) / (double)batches
			: -1;
	s.full_share = full_share(w, knob, value);
	s.lossy = sw_window_lossy(w);
	return s;
}
