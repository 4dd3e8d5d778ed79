// SPDX-License-Identifier: GPL-2.0-or-later
/* Decisions and verdicts in words, with the numbers that they rest on. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "seekwise/comparison.h"

#define SW_FIGURE 32
/* Busy for that much of the time with fewer than two in the device. */
#define ALONE 0.8
/* What is held has been for so much longer than what was issued. */
#define STUCK 10

/* "6.1 s", "84 ms", "210 us", from microseconds. */
static const char *time_text(double us, char *text)
{
	static const char *const unit[] = { "us", "ms", "s" };
	int i = 0;

	for (; i < 2 && us >= 999.5; i++)
		us /= 1000;
	snprintf(text, SW_FIGURE, us < 9.95 && i ? "%.1f %s" : "%.0f %s", us, unit[i]);
	return text;
}

/* "1.2 MiB/s", from bytes per second. */
static const char *rate_text(double rate, char *text)
{
	static const char *const unit[] = { "B/s", "KiB/s", "MiB/s", "GiB/s", "TiB/s" };
	int i = 0;

	for (; i < 4 && rate >= 999.5; i++)
		rate /= 1024;
	snprintf(text, SW_FIGURE, rate < 9.95 && i ? "%.1f %s" : "%.0f %s", rate, unit[i]);
	return text;
}

void sw_metric_text(enum sw_metric metric, double value, char *text, unsigned int size)
{
	char figure[SW_FIGURE];

	if (value < 0)
		snprintf(text, size, "-");
	else
		snprintf(text, size, "%s",
			 metric == SW_THROUGHPUT ? rate_text(value, figure)
						 : time_text(value, figure));
}

/* Room left behind what was written: snprintf's result may be more than fits. */
struct clause {
	char *text;
	unsigned int size, used;
};

__attribute__((format(printf, 2, 3))) static void append(struct clause *clause, const char *format,
							 ...)
{
	va_list args;
	int n;

	if (clause->used + 1 >= clause->size)
		return;
	va_start(args, format);
	n = vsnprintf(clause->text + clause->used, clause->size - clause->used, format, args);
	va_end(args);
	if (n > 0)
		clause->used += n;
	if (clause->used >= clause->size)
		clause->used = clause->size - 1;
}

/* "64 % more", "3 % less", "as much". */
static void append_gain(struct clause *clause, double gain)
{
	if (fabs(gain) < 0.0005)
		append(clause, "as much");
	else
		append(clause, "%.*f %% %s", fabs(gain) < 0.0995 ? 1 : 0, fabs(gain) * 100,
		       gain > 0 ? "more" : "less");
}

static void append_interval(struct clause *clause, const struct sw_decision *d)
{
	const char *pairs = d->pairs == 1 ? "pair" : "pairs";

	if (!isfinite(d->low) || !isfinite(d->high) || d->high > 1e6)
		append(clause, " (%d %s)", d->pairs, pairs);
	else
		append(clause, " (between %.0f and %.0f %%, %d %s)", d->low * 100, d->high * 100,
		       d->pairs, pairs);
}

static void append_p99(struct clause *clause, const struct sw_decision *d)
{
	char from[SW_FIGURE], to[SW_FIGURE];

	if (d->from_p99_us < 0 || d->to_p99_us < 0)
		return;
	append(clause, ", read p99 %s to %s", time_text(d->from_p99_us, from),
	       time_text(d->to_p99_us, to));
}

/* The measured difference, for trials that came to a judgement on it. */
static void append_measured(struct clause *clause, const struct sw_decision *d)
{
	append_gain(clause, d->gain);
	append(clause, " work per busy second");
	append_interval(clause, d);
	append_p99(clause, d);
}

static const char *trial_reason(enum sw_reason reason, const char *name)
{
	switch (reason) {
	case SW_WHY_FULL_BATCHES:
		return strcmp(name, "nr_sched_batch") ? "batches end at the limit"
						      : "passes end at the limit";
	case SW_WHY_FAR:
		return "a far value, in case of a second hill";
	default:
		return "a neighbour of the value in force";
	}
}

/* Why windows are not judged: for holding, and for trials that were given up. */
static const char *spoilt_reason(enum sw_reason reason)
{
	switch (reason) {
	case SW_WHY_IDLE:
		return "the disk is idle";
	case SW_WHY_SUBMITTER:
		return "the submitter bounds the disk, the scheduler holds hardly anything";
	case SW_WHY_DEVICE:
		return "the device bounds the disk, requests wait inside it";
	case SW_WHY_FEW:
		return "too few requests to judge by";
	case SW_WHY_LOSSES:
		return "windows lost too many events";
	case SW_WHY_TAINTED:
		return "windows were not comparable";
	default:
		return "no reason given";
	}
}

static void append_guard(struct clause *clause, const struct sw_decision *d)
{
	char from[SW_FIGURE], to[SW_FIGURE];

	append(clause, "read p99 %s against %s before, beyond the guard",
	       time_text(d->to_p99_us, to), time_text(d->from_p99_us, from));
	if (d->pairs > 0) {
		append(clause, ", with ");
		append_gain(clause, d->gain);
		append(clause, " work per busy second");
		append_interval(clause, d);
	}
}

static void append_undecided(struct clause *clause, const struct sw_decision *d)
{
	append(clause, "given up: ");
	if (d->reason != SW_WHY_NOISE) {
		append(clause, "%s, after %d %s", spoilt_reason(d->reason), d->pairs,
		       d->pairs == 1 ? "pair" : "pairs");
		return;
	}
	append(clause, "too noisy to tell, ");
	append_measured(clause, d);
}

void sw_decision_text(const struct sw_decision *decision, const char *name, char *text,
		      unsigned int size)
{
	struct clause clause = { text, size, 0 };
	long long from = decision->from, to = decision->to;

	if (size)
		text[0] = '\0';
	switch (decision->kind) {
	case SW_NO_DECISION:
		break;
	case SW_TRIAL_BEGINS:
		append(&clause, "trying %s %lld against %lld: %s", name, to, from,
		       trial_reason(decision->reason, name));
		break;
	case SW_KEPT:
		append(&clause, "kept: ");
		append_measured(&clause, decision);
		break;
	case SW_UNDONE:
		append(&clause, "undone: ");
		if (decision->reason == SW_WHY_GUARD)
			append_guard(&clause, decision);
		else
			append_measured(&clause, decision);
		break;
	case SW_BREACH:
		append(&clause, "undone at once: ");
		append_guard(&clause, decision);
		break;
	case SW_UNDECIDED:
		append_undecided(&clause, decision);
		break;
	case SW_SEARCH_OVER:
		append(&clause, "nothing left to try for now, %s stays at %lld", name, to);
		break;
	case SW_HOLDING:
		append(&clause, "%s stays at %lld: %s", name, to, spoilt_reason(decision->reason));
		break;
	}
}

static void verdict_idle(struct clause *clause, const struct sw_sample *s)
{
	append(clause, "the disk is idle: busy %.0f %% of the time, %llu reads and writes",
	       s->seconds > 0 ? s->busy_seconds / s->seconds * 100 : 0, (unsigned long long)s->ios);
}

/* "requests wait 120 ms and are served in 20 ms", where both were seen. */
static void append_times(struct clause *clause, const struct sw_sample *s)
{
	char wait[SW_FIGURE], service[SW_FIGURE];

	if (s->wait_mean_us < 0 || s->service_mean_us < 0)
		return;
	if (sw_held_wait_us(s) > STUCK * s->wait_mean_us && s->held_mean >= 1)
		append(clause, ", some of them for long");
	append(clause, ", requests wait %s and are served in %s", time_text(s->wait_mean_us, wait),
	       time_text(s->service_mean_us, service));
}

static bool is_alone(const struct sw_sample *sample)
{
	return sample->busy_seconds >= ALONE * sample->seconds;
}

void sw_verdict_text(const struct sw_sample *sample, char *text, unsigned int size)
{
	struct clause clause = { text, size, 0 };
	char rate[SW_FIGURE];
	enum sw_verdict verdict = sw_verdict_of(sample);

	if (size)
		text[0] = '\0';
	if (verdict == SW_IDLE_DISK) {
		verdict_idle(&clause, sample);
		return;
	}
	append(&clause,
	       "%s: the device holds %.1f and is busy %.0f %% of the time, "
	       "the scheduler holds %.1f",
	       verdict == SW_QUEUE_BOUND    ? "the queue bounds the disk"
	       : verdict == SW_DEVICE_BOUND ? "the device bounds the disk"
	       : is_alone(sample) ? "the submitter, with hardly more than one request at a "
				    "time, bounds the disk"
				  : "the submitter bounds the disk",
	       sample->device_mean, sample->busy_seconds / sample->seconds * 100,
	       sample->held_mean);
	append_times(&clause, sample);
	append(&clause, ", %s while busy",
	       rate_text((double)sample->bytes / sample->busy_seconds, rate));
}
