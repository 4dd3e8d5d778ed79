/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What windows for the tests of advice are made of. */
#ifndef SEEKWISE_TESTS_ADVICE_BUILD_H
#define SEEKWISE_TESTS_ADVICE_BUILD_H

#include "seekwise/output.h"

#define MS 1000 /* in us */
#define SECOND 1000000000ULL

void add_waits(struct sw_window *w, int dir, uint64_t count, double us);
/* Completed after that time in the device, 4 KiB each; the wait is counted apart. */
void add_served(struct sw_window *w, int dir, uint64_t count, double us);
void add_total(struct sw_window *w, int dir, uint64_t count, double us);
/* Random ones over `span` sectors. */
void add_issued(struct sw_window *w, int dir, uint64_t count, uint64_t span);
void add_batches(struct sw_window *w, int dir, uint64_t count, uint64_t length);
void set_knob(struct sw_report_disk *d, enum sw_knob_id id, int64_t value);
void set_levels(struct sw_report_disk *d, double held, double in_device);

/* Ten seconds of a busy hard disk, without a request yet. */
struct sw_report_disk busy_disk(void);
/* Random ones over the disk, held and served as said. */
void add_reads(struct sw_report_disk *d, uint64_t count, double wait_us, double service_us);
void add_writes(struct sw_report_disk *d, uint64_t count, double wait_us, double service_us);

/*
 * Gives the disk details, all groups on and nothing seen yet. There are those
 * of one disk only: whoever makes the next one takes them away.
 */
struct sw_detail *add_detail(struct sw_report_disk *d);
/* So many issues went on with a run that was left, one of `streams`. */
void add_returns(struct sw_detail *det, uint64_t count, uint64_t streams);
void add_runs(struct sw_detail *det, int dir, uint64_t count, uint64_t ios, uint64_t bytes);
/* Seeks take that share of the window. */
void set_seek_cost(struct sw_detail *det, double share);
/* About that number all the time (the middle of its bucket). */
void set_level(struct sw_report_disk *d, enum sw_followed where, enum sw_kept whose,
	       uint64_t number);
void set_pool_full(struct sw_report_disk *d, double share);
void add_apart(struct sw_detail *det, enum sw_apart apart, int dir, uint64_t count, double wait_us,
	       double total_us);

void is_zoned(struct sw_report_disk *d);
void is_solid(struct sw_report_disk *d);
void is_switched(struct sw_report_disk *d);

#endif
