/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A window: what one disk did between two snapshots, all CPUs together. */
#ifndef SEEKWISE_WINDOW_H
#define SEEKWISE_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "seekwise/record.h"
#include "seekwise/state.h"

struct sw_window {
	uint64_t start_ns, end_ns; /* CLOCK_MONOTONIC */
	struct sw_record sum;      /* differences; *_max fields: largest in the window; seq: 0 */
	uint64_t busy_ns;          /* time with something in the device */
	double held_mean, device_mean;
	uint64_t held_now, device_now; /* at the end */
	uint64_t missed;               /* events that the kernel did not run a program for */
	uint64_t torn;                 /* snapshots given up after tries */
	uint64_t cpu_issues;           /* first issues of reads and writes by the busiest CPU */
	unsigned int cpu;              /* that is */
	unsigned int members;          /* disks that it is the sum of; 0: it is one disk's */
	bool deadline;                 /* mq-deadline's own state could be read */
	bool kyber;                    /* kyber's tracepoints were read */
	bool caches;                   /* it is known which CPUs share a last-level cache */
	enum sw_passes passes;         /* how dispatch passes are known */
	struct sw_kyber_state kyber_state;
	uint64_t pool; /* nr_requests of all hardware queues; 0: not known */
	/*
	 * What the detail groups saw: in `detail->levels` ns spent at each number; tasks[0] is
	 * the busiest, whose count is 0 where it is not known. 0: no group is on. It is
	 * the observer's, and goes with its next window.
	 */
	struct sw_detail *detail;
	uint32_t groups;  /* that are on and that this kernel can give */
	uint32_t refused; /* that were asked for and that it cannot give */
};

/* Words of the record that are largest values; up to issued_hist the others are sums. */
#define SW_RECORD_MAXIMA 17
extern const size_t sw_record_maxima[SW_RECORD_MAXIMA];
/* The same of the details: up to hist the others are sums. */
#define SW_DETAIL_MAXIMA 36
extern const size_t sw_detail_maxima[SW_DETAIL_MAXIMA];

/* Percentile (0...100) of a histogram in its own unit (times: 64 ns); -1 when it is empty. */
double sw_hist_percentile(const uint32_t hist[SW_HIST_BUCKETS], double percent);
/* Middle of a bucket, and its lowest value and the lowest of the next. */
double sw_hist_middle(unsigned int bucket);
uint64_t sw_hist_low(unsigned int bucket);

/* Sum of all losses of the window. */
uint64_t sw_window_losses(const struct sw_window *w);

/*
 * Losses of one in so many requests, and a single one of fewer, are a blemish. Some kernels
 * run no program for some completions (up to 1 in 3000 was seen), so there hardly a window
 * is without. What is judged by has steps far above it: percentiles are right to 6 %, the
 * least gain that counts is 3 %.
 */
#define SW_LOSSES_ONE_IN 1000
/* More than that are lost, or the record could not be read in one piece: nothing is judged by it.
 */
bool sw_window_lossy(const struct sw_window *w);
double sw_window_seconds(const struct sw_window *w);

/* Adds a later window to an earlier, adjoining one. */
void sw_window_add(struct sw_window *sum, const struct sw_window *more);
/*
 * Adds one member's window to that of a stacked device, which starts all zero.
 * Counts, histograms, means and numbers add; of maxima the largest stays, but
 * the largest number held or in device at one time is not known then. Where the sum has
 * room for details (sum->detail, all zero), they add as well.
 */
void sw_window_join(struct sw_window *sum, const struct sw_window *member);

#endif
