// SPDX-License-Identifier: GPL-2.0-or-later
/* The report for people. */
#include <math.h>
#include <string.h>

#include "advice.h"
#include "balance.h"
#include "format.h"
#include "missing.h"
#include "seekwise/output.h"

#define LABEL 20 /* columns of the labels on the left */
#define LOWER 18 /* of those below the tables */

static const char *const dir_names[] = { "read", "write" };

static void when_text(const struct timespec *when, char *text, size_t size)
{
	struct tm tm;

	if (!gmtime_r(&when->tv_sec, &tm) || !strftime(text, size, "%Y-%m-%d %H:%M:%S UTC", &tm))
		snprintf(text, size, "-");
}

static void write_head(FILE *out, const struct sw_report *r)
{
	char text[512], when[64];
	struct sw_lines lines;

	when_text(&r->start, when, sizeof(when));
	sw_lines_start(&lines, out, "", 0, 2);
	sw_lines_item(&lines, "seekwise %s", r->version ? r->version : "");
	if (r->kernel) {
		sw_printable(r->kernel, text, sizeof(text));
		sw_lines_item(&lines, "kernel %s", text);
	}
	sw_lines_item(&lines, "%s", when);
	sw_lines_item(&lines, "%.1f s", r->seconds);
	sw_lines_end(&lines);
}

static void write_command(FILE *out, const struct sw_report *r)
{
	struct sw_lines lines;
	char text[512];
	int i;

	if (!r->argv)
		return;
	sw_lines_start(&lines, out, "command:", 9, 1);
	for (i = 0; r->argv[i]; i++) {
		sw_printable(r->argv[i], text, sizeof(text));
		sw_lines_item(&lines, "%s", text);
	}
	if (r->signal)
		sw_lines_item(&lines, "(ended by signal %d)", r->signal);
	else
		sw_lines_item(&lines, "(exit status %d)", r->exit_status);
	sw_lines_end(&lines);
}

static void write_heading(FILE *out, const struct sw_report_disk *d)
{
	const struct sw_disk *disk = &d->disk;
	struct sw_lines lines;

	sw_lines_start(&lines, out, "", 0, 2);
	sw_lines_item(&lines, "%s", disk->name);
	sw_lines_item(&lines, "%u:%u", disk->major, disk->minor);
	sw_lines_item(&lines, "%s", disk->scheduler[0] ? disk->scheduler : "no scheduler");
	sw_lines_item(&lines, "%s", disk->rotational ? "rotational" : "not rotational");
	if (disk->zoned[0] && strcmp(disk->zoned, "none"))
		sw_lines_item(&lines, "zoned (%s)", disk->zoned);
	sw_lines_item(&lines, "%.1f s", sw_window_seconds(&d->window));
	if (d->gone)
		sw_lines_item(&lines, "gone before the end");
	sw_lines_end(&lines);
}

static void write_stack_heading(FILE *out, const struct sw_report_stack *s)
{
	struct sw_lines lines;
	char text[512];
	int i;

	sw_printable(s->name, text, sizeof(text));
	sw_lines_start(&lines, out, "", 0, 1);
	sw_lines_item(&lines, "%s", text);
	sw_lines_item(&lines, " %.1f s", sw_window_seconds(&s->window));
	sw_lines_item(&lines, " sum of %s", s->disks[s->members[0]].disk.name);
	for (i = 1; i < s->count; i++)
		sw_lines_item(&lines, "+ %s", s->disks[s->members[i]].disk.name);
	sw_lines_end(&lines);
}

/* One line of the small table: what stands under read and under write. */
static void write_pair(FILE *out, const char *label, char texts[SW_DIRS][SW_NUMBER])
{
	fprintf(out, "  %-*s%22s%22s\n", LABEL, label, texts[SW_READ], texts[SW_WRITE]);
}

static void write_rate(FILE *out, const struct sw_figure *f, const struct sw_window *w)
{
	char texts[SW_DIRS][SW_NUMBER], text[SW_NUMBER];
	double rate;
	unsigned int dir;

	for (dir = 0; dir < SW_DIRS; dir++) {
		rate = sw_figure_rate(f, w, dir, "");
		if (rate < 0) {
			strcpy(texts[dir], "-");
			continue;
		}
		if (!strcmp(f->unit, "bytes"))
			sw_human_bytes(rate, text);
		else if (!strcmp(f->unit, "sectors"))
			sw_human_bytes(rate * 512, text);
		else
			sw_human_number(rate, text);
		snprintf(texts[dir], SW_NUMBER, "%.*s/s", SW_NUMBER - 3, text);
	}
	write_pair(out, "  per second", texts);
}

/* Groups that are off leave no line; nor does what has a line only when there is something. */
static bool is_shown(const struct sw_figure *f, const struct sw_window *w)
{
	struct sw_value v[SW_PARTS];
	unsigned int i, n;

	if (f->group && (!w->detail || !(w->groups & f->group)))
		return false;
	if (!f->quiet)
		return true;
	n = sw_figure_get(f, w, SW_DIRS, v);
	for (i = 0; i < n; i++)
		if (v[i].known && (v[i].count || v[i].number > 0))
			return true;
	return false;
}

static void write_direction_figure(FILE *out, const struct sw_figure *f, const struct sw_window *w)
{
	struct sw_value v[SW_DIRS][SW_PARTS];
	char texts[SW_DIRS][SW_NUMBER], label[64];
	unsigned int i, dir, n = 0;

	for (dir = 0; dir < SW_DIRS; dir++)
		n = sw_figure_get(f, w, dir, v[dir]);
	for (i = 0; i < n; i++) {
		for (dir = 0; dir < SW_DIRS; dir++)
			sw_value_text(f, &v[dir][i], texts[dir]);
		snprintf(label, sizeof(label), "%s%s%s", f->label, n > 1 ? " " : "",
			 v[SW_READ][i].part);
		write_pair(out, label, texts);
	}
	if (f->rate)
		write_rate(out, f, w);
}

static void write_counts(FILE *out, const struct sw_window *w)
{
	char titles[SW_DIRS][SW_NUMBER] = { "read", "write" };
	unsigned int i;

	write_pair(out, "", titles);
	for (i = 0; i < sw_figure_count; i++)
		if (sw_figures[i].scope == SW_OF_DIRECTION &&
		    sw_figures[i].shape != SW_SHAPE_SPREAD && is_shown(&sw_figures[i], w))
			write_direction_figure(out, &sw_figures[i], w);
}

static const struct {
	const char *name;
	int width;
} spread_columns[] = { { "p50", 11 }, { "p95", 11 },  { "p99", 11 },
		       { "max", 11 }, { "mean", 11 }, { "count", 21 } };
#define SPREAD_COLUMNS (sizeof(spread_columns) / sizeof(spread_columns[0]))
/* Columns of what stands before them. */
#define SPREAD_LABELS 16
#define APART_LABELS 21

static const struct sw_value *part_of(const struct sw_value *values, unsigned int n,
				      const char *name)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (!strcmp(values[i].part, name))
			return &values[i];
	return 0;
}

/* A column stays empty where the figure has no such part. */
static void write_parts(FILE *out, const struct sw_figure *f, const struct sw_value *v,
			unsigned int n)
{
	const struct sw_value *part;
	char text[SW_NUMBER];
	int width = 0;
	size_t i;

	for (i = 0; i < SPREAD_COLUMNS; i++) {
		width += spread_columns[i].width;
		part = part_of(v, n, spread_columns[i].name);
		if (!part)
			continue;
		sw_value_text(f, part, text);
		fprintf(out, "%*s", width, text);
		width = 0;
	}
	fputc('\n', out);
}

static void write_spread(FILE *out, const struct sw_figure *f, const struct sw_window *w,
			 unsigned int dir)
{
	struct sw_value v[SW_PARTS];
	unsigned int n = sw_figure_get(f, w, dir, v);

	fprintf(out, "  %-8s %-5s", f->label, dir_names[dir]);
	write_parts(out, f, v, n);
}

/* Of a class: its requests under count. */
static void write_apart(FILE *out, const struct sw_figure *f, const struct sw_window *w,
			unsigned int dir, enum sw_apart apart, struct sw_value ios)
{
	struct sw_value v[SW_PARTS];
	unsigned int n = sw_figure_get_apart(f, w, dir, apart, v);

	ios.part = "count";
	v[n++] = ios;
	fprintf(out, "  %-6s %-5s %-6s", f->label, sw_apart_names[apart], dir_names[dir]);
	write_parts(out, f, v, n);
}

/* A heading for the columns behind labels of that width. */
static void write_columns(FILE *out, int labels)
{
	size_t i;

	fprintf(out, "\n%*s", labels, "");
	for (i = 0; i < SPREAD_COLUMNS; i++)
		fprintf(out, "%*s", spread_columns[i].width, spread_columns[i].name);
	fputc('\n', out);
}

/* Classes that had requests, behind the heading if it is not there yet. */
static void write_apart_figure(FILE *out, const struct sw_figure *f, const struct sw_figure *ios,
			       const struct sw_window *w, bool *headed)
{
	struct sw_value v[SW_PARTS];
	unsigned int apart, dir;

	for (apart = 0; apart < SW_APARTS; apart++)
		for (dir = 0; dir < SW_DIRS; dir++) {
			sw_figure_get_apart(ios, w, dir, apart, v);
			if (!v[0].count)
				continue;
			if (!*headed)
				write_columns(out, APART_LABELS);
			*headed = true;
			write_apart(out, f, w, dir, apart, v[0]);
		}
}

static void write_aparts(FILE *out, const struct sw_window *w)
{
	const struct sw_figure *ios = NULL;
	bool headed = false;
	unsigned int i;

	for (i = 0; i < sw_figure_count; i++) {
		const struct sw_figure *f = &sw_figures[i];

		if (f->scope != SW_OF_APART || !is_shown(f, w))
			continue;
		if (f->shape == SW_SHAPE_SPREAD)
			write_apart_figure(out, f, ios, w, &headed);
		else if (!ios)
			ios = f;
	}
}

static void write_spreads(FILE *out, const struct sw_window *w)
{
	unsigned int i, dir;

	write_columns(out, SPREAD_LABELS);
	for (i = 0; i < sw_figure_count; i++)
		if (sw_figures[i].scope == SW_OF_DIRECTION &&
		    sw_figures[i].shape == SW_SHAPE_SPREAD && is_shown(&sw_figures[i], w))
			for (dir = 0; dir < SW_DIRS; dir++)
				write_spread(out, &sw_figures[i], w, dir);
}

static void write_disk_figure(FILE *out, const struct sw_figure *f, const struct sw_window *w)
{
	struct sw_value v[SW_PARTS];
	char text[SW_NUMBER], label[64];
	struct sw_lines lines;
	unsigned int i, n = sw_figure_get(f, w, SW_DIRS, v);

	snprintf(label, sizeof(label), "  %s", f->label);
	sw_lines_start(&lines, out, label, LOWER, 2);
	for (i = 0; i < n; i++) {
		sw_value_text(f, &v[i], text);
		sw_lines_item(&lines, "%s%s%s", v[i].part, v[i].part[0] ? " " : "", text);
	}
	if (f->passes && w->passes == SW_PASSES_ESTIMATED)
		sw_lines_item(&lines, "(estimated)");
	sw_lines_end(&lines);
}

static void write_knobs(FILE *out, const struct sw_settings *knobs)
{
	struct sw_lines lines;
	bool any = false;
	int i;

	sw_lines_start(&lines, out, "  knobs", LOWER, 2);
	for (i = 0; i < SW_KNOBS; i++) {
		if (!knobs->present[i])
			continue;
		any = true;
		sw_lines_item(&lines, "%s %lld%s", sw_knobs[i].name, (long long)knobs->value[i],
			      strcmp(sw_knobs[i].unit, "ms") ? "" : " ms");
	}
	if (!any)
		sw_lines_item(&lines, "none");
	sw_lines_end(&lines);
}

/* Only what is there; what is no loss stands behind, with its name. */
static void write_losses(FILE *out, const struct sw_window *w)
{
	struct sw_value v[SW_PARTS];
	struct sw_lines lines;
	unsigned int i;

	sw_lines_start(&lines, out, "  losses: ", 10, 2);
	if (!sw_window_losses(w))
		sw_lines_item(&lines, "none");
	for (i = 0; i < sw_figure_count; i++) {
		if (sw_figures[i].scope != SW_OF_LOSSES)
			continue;
		sw_figure_get(&sw_figures[i], w, SW_DIRS, v);
		if (v[0].count)
			sw_lines_item(&lines, "%s %llu", sw_figures[i].label,
				      (unsigned long long)v[0].count);
	}
	sw_lines_end(&lines);
}

/* Each reason once, behind all that it is the reason for. */
static void write_not_measured(FILE *out, const struct sw_window *w)
{
	unsigned int i, k, next;
	struct sw_lines lines;
	const char *why;

	for (i = 0; sw_missing_reason(w, &i); i++) {
		why = sw_figure_why_not(&sw_figures[i], w);
		sw_lines_start(&lines, out, "  not measured", LOWER, 1);
		for (k = i; k < sw_figure_count; k = next) {
			next = sw_missing_next(w, why, k + 1);
			sw_lines_item(&lines, "%s%s", sw_figures[k].label,
				      next < sw_figure_count ? "," : ":");
		}
		sw_lines_words(&lines, why);
		sw_lines_end(&lines);
	}
}

static void write_figures(FILE *out, const struct sw_window *w)
{
	unsigned int i;

	write_counts(out, w);
	write_spreads(out, w);
	write_aparts(out, w);
	fputc('\n', out);
	for (i = 0; i < sw_figure_count; i++)
		if (sw_figures[i].scope == SW_OF_DISK && is_shown(&sw_figures[i], w))
			write_disk_figure(out, &sw_figures[i], w);
	write_not_measured(out, w);
}

static void write_disk(FILE *out, const struct sw_report_disk *d)
{
	struct sw_lines lines;

	fputc('\n', out);
	write_heading(out, d);
	if (d->note[0]) {
		sw_lines_start(&lines, out, "", 2, 1);
		sw_lines_words(&lines, d->note);
		sw_lines_end(&lines);
	}
	write_figures(out, &d->window);
	write_knobs(out, &d->knobs);
	write_losses(out, &d->window);
	sw_write_judged(out, d);
}

static void write_percent(struct sw_lines *lines, const char *of, double share)
{
	if (isfinite(share))
		sw_lines_item(lines, "%s %.1f %%", of, share * 100);
}

/* Members side by side. */
static void write_shares(FILE *out, const struct sw_report_stack *s)
{
	double balance = sw_stack_balance(s);
	char label[SW_DISK_NAME + 4], text[SW_NUMBER];
	struct sw_lines lines;
	struct sw_share share;
	int i;

	for (i = 0; i < s->count; i++) {
		share = sw_share_of(s, i);
		snprintf(label, sizeof(label), "  %s", share.name);
		sw_lines_start(&lines, out, label, LOWER, 2);
		write_percent(&lines, "requests", share.ios);
		write_percent(&lines, "bytes", share.bytes);
		write_percent(&lines, "busy", share.busy);
		if (isfinite(share.service_us)) {
			sw_human_time(share.service_us, text);
			sw_lines_item(&lines, "service mean %s", text);
		}
		sw_lines_end(&lines);
	}
	if (isfinite(balance))
		fprintf(out, "  %-*s%.2f  (bytes of a member on average to those of the largest)\n",
			LOWER - 2, "balance", balance);
}

/* The sum over one member would repeat it. */
static void write_stack(FILE *out, const struct sw_report_stack *s)
{
	if (s->count < 2)
		return;
	fputc('\n', out);
	write_stack_heading(out, s);
	write_shares(out, s);
	write_figures(out, &s->window);
	write_losses(out, &s->window);
}

int sw_report_text(FILE *out, const struct sw_report *report)
{
	struct sw_composed text;
	FILE *file = sw_compose(&text);
	int i;

	if (file) {
		write_head(file, report);
		write_command(file, report);
		for (i = 0; i < report->count; i++)
			write_disk(file, &report->disks[i]);
		for (i = 0; i < report->stack_count; i++)
			write_stack(file, &report->stacks[i]);
	}
	return sw_compose_end(&text, out);
}
