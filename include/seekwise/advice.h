/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advice: what to do about what bounds a disk. A pure function from what is
 * known of it to rows of a table; like the controller it includes no libbpf,
 * no stdio and no clock. The words are in src/output/advice.c.
 */
#ifndef SEEKWISE_ADVICE_H
#define SEEKWISE_ADVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "seekwise/controller.h"
#include "seekwise/disk.h"
#include "seekwise/figures.h"
#include "seekwise/knobs.h"
#include "seekwise/window.h"

/* What is known of a disk and one window of it. */
struct sw_facts {
	const struct sw_disk *disk;
	const struct sw_settings *knobs;
	const struct sw_around *around;
	const struct sw_window *window;
	struct sw_sample sample;
	enum sw_verdict verdict;
};

struct sw_facts sw_facts_of(const struct sw_disk *disk, const struct sw_settings *knobs,
			    const struct sw_around *around, const struct sw_window *window);

/*
 * One number by its path in the JSON report: "held.mean", "read.wait_us.p99",
 * "knobs.fifo_batch", "write.classes.sync.total_us.p99"; a figure of both
 * directions together has neither in front: "service_us.max". And some that the
 * report has nowhere else: "queue_depth", "read_ahead_kb", "max_sectors_kb",
 * "max_hw_sectors_kb", "sync_speed".
 */
struct sw_fact {
	const struct sw_figure *figure; /* that it is a part of; 0: of none */
	const char *unit, *about;
	struct sw_value value;
};

#define SW_FACT_PATH 48 /* room for any path */

/* False where the path leads to nothing. */
bool sw_fact_get(const struct sw_facts *facts, const char *path, struct sw_fact *fact);
/* The number itself, -1 when it is not known. */
double sw_fact_number(const struct sw_facts *facts, const char *path);

/* The file of async_depth below queue/: it has two places. */
const char *sw_facts_async_file(const struct sw_facts *facts);

#define SW_ADVICE_COMMANDS 2

struct sw_advice {
	const char *id;
	bool (*applies)(const struct sw_facts *facts);
	/* $value in the commands; 0: they have none */
	int64_t (*value)(const struct sw_facts *facts);
	/*
	 * {path} stands for a number; these are the evidence. $disk, $dev,
	 * $array, $scheduler and $zoned stand for names, $async for the file of async_depth.
	 */
	const char *text;
	const char *commands[SW_ADVICE_COMMANDS];
};

extern const struct sw_advice sw_advice[];
extern const unsigned int sw_advice_count;

#define SW_ADVICE_MAX 32 /* more rows than there are */

/* The rows that apply, all numbers of their texts known: how many. */
unsigned int sw_advise(const struct sw_facts *facts, const struct sw_advice *rows[SW_ADVICE_MAX]);

/* Evidence number i of a row, as a path; false: there are no more. */
bool sw_advice_evidence(const struct sw_advice *row, unsigned int i, char path[SW_FACT_PATH]);

#endif
