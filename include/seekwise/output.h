/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Windows for people and programs: the report (text, JSON), the live view
 * (plain lines, full screen).
 *
 * What writes to a FILE composes first, then writes and flushes it at once:
 * 0, -ENOMEM, or the -errno of the write (-EPIPE, -ENOSPC...).
 */
#ifndef SEEKWISE_OUTPUT_H
#define SEEKWISE_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "seekwise/comparison.h"
#include "seekwise/disk.h"
#include "seekwise/sets.h"
#include "seekwise/window.h"

#define SW_COLUMNS 99 /* that text keeps within */

struct sw_report_disk {
	struct sw_disk disk;
	struct sw_settings knobs; /* in force at the end */
	struct sw_around around;  /* at the end */
	struct sw_window window;
	bool gone;      /* the disk went away while it was observed */
	char note[512]; /* sentences for people; "" none */
};

/* A device without requests of its own: what its members did together. */
struct sw_report_stack {
	const char *name;
	const struct sw_report_disk *disks; /* of the report */
	const int *members;                 /* which of them */
	int count;
	struct sw_window window; /* the sum (sw_window_join) */
};

struct sw_report {
	const struct sw_report_disk *disks;
	int count;
	const struct sw_report_stack *stacks;
	int stack_count;
	struct timespec start; /* CLOCK_REALTIME */
	double seconds;
	const char *version, *kernel; /* 0: not known */
	char *const *argv;            /* the command, ended by 0; 0: none was run */
	int exit_status;              /* of the command; -1: a signal ended it */
	int signal;                   /* that ended it; 0: none */
};

int sw_report_text(FILE *out, const struct sw_report *report);
/* One object on one line, schema "seekwise.report/1". */
int sw_report_json(FILE *out, const struct sw_report *report);
/* The JSON Schema (draft 2020-12) of that object. */
int sw_report_schema(FILE *out);
/* Every figure with its unit and explanation, for people. */
int sw_figures_explain(FILE *out);

/* What the live view shows of one disk in one interval. */
enum { SW_TOP_CELLS = 13 };
struct sw_top_row {
	char disk[SW_DISK_NAME], scheduler[32];
	bool gone;
	double cells[SW_TOP_CELLS];  /* in the order of the columns; -1: not measured */
	char losses[SW_COLUMNS + 1]; /* "losses 3: no_insert 2, torn 1"; "" when there were none */
};

/* disk: as in the window; window 0: the disk is gone. */
struct sw_top_row sw_top_row_from(const struct sw_disk *disk, const struct sw_window *window);

/* Plain lines. The row's losses, if any, follow on a line of their own. */
int sw_top_plain_header(FILE *out);
int sw_top_plain_row(FILE *out, const struct sw_top_row *row, time_t when);
/*
 * The rows of one interval. *lines counts those since the header (0 at the
 * start): it is written anew once `every` lines have passed, before the interval.
 */
int sw_top_plain(FILE *out, const struct sw_top_row *rows, int count, time_t when,
		 unsigned int *lines, unsigned int every);

enum sw_key {
	SW_KEY_NONE,   /* nothing within the time, or a signal came */
	SW_KEY_QUIT,   /* q, or the terminal went away */
	SW_KEY_PAUSE,  /* p, space */
	SW_KEY_REDRAW, /* resized, or help goes on or off: draw the rows again */
};

/*
 * Full screen. sw_screen_open: 0, or -ENOTSUP where stdin or stdout is no
 * terminal, or TERM is unset, dumb or unknown: plain lines then. It takes LC_CTYPE from the
 * environment, and registers sw_screen_close with atexit; closing a screen that is not open does
 * nothing.
 */
int sw_screen_open(void);
/* status: one line about what is seen ("every 2 s, paused"). The rows are not kept. */
void sw_screen_draw(const struct sw_top_row *rows, int count, const char *status);
/* Waits up to timeout_ms for a key. Keys without a meaning end the waiting too. */
enum sw_key sw_screen_key(int timeout_ms);
void sw_screen_close(void);

/* What came of "seekwise trial". */
struct sw_trial_report {
	const char *disk;
	const struct sw_comparison *comparison;
	const struct sw_set *sets;
	uint64_t window_ns;
	bool restored;   /* the baseline is back */
	const char *why; /* it ended before its end; "" */
};
/* A table of the sets, and a sentence for each comparison. 0 or -errno. */
int sw_trial_text(FILE *out, const struct sw_trial_report *report);
/* One object on one line, schema "seekwise.trial/1". 0 or -errno. */
int sw_trial_json(FILE *out, const struct sw_trial_report *report);

#endif
