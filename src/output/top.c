// SPDX-License-Identifier: GPL-2.0-or-later
/* The rows of the live view, as lines of text. */
#include "top.h"

#include <stdarg.h>
#include <string.h>

#include "format.h"

enum cell { NUMBER, MEGABYTES, PERCENT, TIME };

/* Which part of which figure a column shows; rate: per second. */
static const struct column {
	const char *over; /* title above those of this column and of the `span` - 1 next */
	int span;
	const char *title;
	int width;
	enum cell cell;
	const char *figure, *part;
	unsigned int dir;
	bool rate;
} columns[SW_TOP_CELLS] = {
	{ "", 1, "r/s", 4, NUMBER, "ios", "", SW_READ, true },
	{ "", 1, "w/s", 4, NUMBER, "ios", "", SW_WRITE, true },
	{ "", 1, "MB/s", 4, MEGABYTES, "bytes", "", SW_DIRS, true },
	{ "wait", 2, "p50", 5, TIME, "wait_us", "p50", SW_DIRS, false },
	{ 0, 1, "p99", 5, TIME, "wait_us", "p99", SW_DIRS, false },
	{ "service", 2, "p50", 5, TIME, "service_us", "p50", SW_DIRS, false },
	{ 0, 1, "p99", 5, TIME, "service_us", "p99", SW_DIRS, false },
	{ "seq", 1, "%", 3, PERCENT, "sequential_share", "", SW_DIRS, false },
	{ "wrap", 1, "/s", 4, NUMBER, "wraps", "", SW_DIRS, true },
	{ "batch", 1, "mean", 5, NUMBER, "batches", "mean", SW_DIRS, false },
	{ "", 1, "held", 4, NUMBER, "held", "mean", SW_DIRS, false },
	{ "in", 1, "dev", 4, NUMBER, "in_device", "mean", SW_DIRS, false },
	{ "exp", 1, "/s", 4, NUMBER, "expired", "", SW_DIRS, true },
};

#define NAME_WIDTH 8
#define SCHEDULER_WIDTH 11

/* Appends to text[SW_COLUMNS + 1]; what does not fit is cut. */
__attribute__((format(printf, 2, 3))) static void append(char *text, const char *format, ...)
{
	size_t used = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(text + used, SW_COLUMNS + 1 - used, format, args);
	va_end(args);
}

/* The names of the losses that there are, by the table's rows. */
static void losses_text(const struct sw_window *w, char *text)
{
	uint64_t losses = sw_window_losses(w);
	struct sw_value v[SW_PARTS];
	const char *between = ":";
	char number[SW_NUMBER];
	unsigned int i;

	if (!losses)
		return;
	sw_short_number((double)losses, number);
	append(text, "losses %s", number);
	for (i = 0; i < sw_figure_count; i++) {
		if (sw_figures[i].scope != SW_OF_LOSSES || sw_figures[i].information)
			continue;
		sw_figure_get(&sw_figures[i], w, SW_DIRS, v);
		if (!v[0].count)
			continue;
		sw_short_number((double)v[0].count, number);
		append(text, "%s %s %s", between, sw_figures[i].label, number);
		between = ",";
	}
	if (strlen(text) == SW_COLUMNS)
		strcpy(text + SW_COLUMNS - 3, "...");
}

struct sw_top_row sw_top_row_from(const struct sw_disk *disk, const struct sw_window *window)
{
	struct sw_top_row row = { .gone = !window };
	const struct sw_figure *figure;
	unsigned int i;

	snprintf(row.disk, sizeof(row.disk), "%s", disk->name);
	snprintf(row.scheduler, sizeof(row.scheduler), "%s", disk->scheduler);
	for (i = 0; i < SW_TOP_CELLS; i++) {
		const struct column *c = &columns[i];

		figure = sw_figure_find(c->figure);
		row.cells[i] = -1;
		if (window && figure)
			row.cells[i] = (c->rate ? sw_figure_rate : sw_figure_number)(
				figure, window, c->dir, c->part);
	}
	if (window)
		losses_text(window, row.losses);
	return row;
}

static void cell_text(enum cell cell, double value, char text[SW_NUMBER])
{
	if (cell == TIME)
		sw_short_time(value, text);
	else if (cell == MEGABYTES)
		sw_short_number(value < 0 ? value : value / 1e6, text);
	else if (cell == PERCENT && value >= 0)
		snprintf(text, SW_NUMBER, "%.0f", value * 100);
	else
		sw_short_number(value, text);
}

/* Left-aligned; a name that is too long ends with '~'. */
static void append_name(char *text, const char *name, int width)
{
	if ((int)strlen(name) > width)
		append(text, "%.*s~", width - 1, name);
	else
		append(text, "%-*s", width, name);
}

static int span_width(const struct column *c)
{
	int i, width = c->width;

	for (i = 1; i < c->span; i++)
		width += 1 + c[i].width;
	return width;
}

void sw_top_titles(char over[SW_COLUMNS + 1], char under[SW_COLUMNS + 1])
{
	unsigned int i;

	append(over, "%*s", NAME_WIDTH + 1 + SCHEDULER_WIDTH, "");
	append(under, "%-*s %-*s", NAME_WIDTH, "disk", SCHEDULER_WIDTH, "scheduler");
	for (i = 0; i < SW_TOP_CELLS; i++) {
		if (columns[i].over)
			append(over, " %*s", span_width(&columns[i]), columns[i].over);
		append(under, " %*s", columns[i].width, columns[i].title);
	}
}

void sw_top_line(const struct sw_top_row *row, char text[SW_COLUMNS + 1])
{
	char cell[SW_NUMBER];
	unsigned int i;

	append_name(text, row->disk, NAME_WIDTH);
	append(text, " ");
	if (row->gone) {
		append(text, "gone");
		return;
	}
	append_name(text, row->scheduler[0] ? row->scheduler : "-", SCHEDULER_WIDTH);
	for (i = 0; i < SW_TOP_CELLS; i++) {
		cell_text(columns[i].cell, row->cells[i], cell);
		append(text, " %*s", columns[i].width, cell);
	}
	if (row->losses[0])
		append(text, "!");
}

#define TIME_WIDTH 8

static void write_header(FILE *file)
{
	char over[SW_COLUMNS + 1] = "", under[SW_COLUMNS + 1] = "";

	sw_top_titles(over, under);
	fprintf(file, "%*s %s\n%-*s %s\n", TIME_WIDTH, "", over, TIME_WIDTH, "time", under);
}

static void write_row(FILE *file, const struct sw_top_row *row, time_t when)
{
	char line[SW_COLUMNS + 1] = "", time[16] = "-";
	struct tm tm;

	if (localtime_r(&when, &tm))
		strftime(time, sizeof(time), "%H:%M:%S", &tm);
	sw_top_line(row, line);
	fprintf(file, "%-*s %s\n", TIME_WIDTH, time, line);
	if (row->losses[0])
		fprintf(file, "%*s %.*s\n", TIME_WIDTH, "", SW_COLUMNS - TIME_WIDTH - 1,
			row->losses);
}

int sw_top_plain_header(FILE *out)
{
	struct sw_composed text;
	FILE *file = sw_compose(&text);

	if (file)
		write_header(file);
	return sw_compose_end(&text, out);
}

int sw_top_plain_row(FILE *out, const struct sw_top_row *row, time_t when)
{
	struct sw_composed text;
	FILE *file = sw_compose(&text);

	if (file)
		write_row(file, row, when);
	return sw_compose_end(&text, out);
}

int sw_top_plain(FILE *out, const struct sw_top_row *rows, int count, time_t when,
		 unsigned int *lines, unsigned int every)
{
	struct sw_composed text;
	FILE *file = sw_compose(&text);
	int i;

	if (file && (!*lines || *lines >= every)) {
		write_header(file);
		*lines = 0;
	}
	for (i = 0; file && i < count; i++) {
		write_row(file, &rows[i], when);
		*lines += rows[i].losses[0] ? 2 : 1;
	}
	return sw_compose_end(&text, out);
}
