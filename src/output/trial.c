// SPDX-License-Identifier: GPL-2.0-or-later
/* What came of a trial, for people. */
#include <math.h>

#include "format.h"
#include "seekwise/output.h"
#include "seekwise/sets.h"

static const char *unused_text(enum sw_unused why)
{
	switch (why) {
	case SW_UNUSED_LOSSY:
		return "too many events were lost";
	case SW_UNUSED_TAINTED:
		return "the machine slept";
	case SW_UNUSED_FEW:
		return "too few requests";
	default:
		return "the metric was not measured";
	}
}

/* A gain as a change of the metric itself, in percent. */
static double change(const struct sw_comparison *c, double gain)
{
	return 100 * expm1(sw_metrics[c->metric].lower_better ? -gain : gain);
}

static void write_interval(FILE *out, const struct sw_comparison *c, const struct sw_pairing *p)
{
	double low = change(c, p->gain.low), high = change(c, p->gain.high);

	if (isfinite(p->gain.low) && isfinite(p->gain.high) && fmax(low, high) < 1e6)
		fprintf(out, " (between %.1f and %.1f %%, %d pairs)", fmin(low, high),
			fmax(low, high), p->trial.pairs);
	else
		fprintf(out, " (%d pair%s)", p->trial.pairs, p->trial.pairs == 1 ? "" : "s");
}

static void write_sentence(FILE *out, const struct sw_comparison *c, int i, const char *a,
			   const char *b)
{
	const struct sw_pairing *p = &c->with[i];
	const char *of = sw_metrics[c->metric].of;
	double by = change(c, p->gain.mean);

	switch (p->outcome) {
	case SW_BETTER:
	case SW_POORER:
		fprintf(out, "%s has %.1f %% %s %s than %s", b, fabs(by), by > 0 ? "more" : "less",
			of, a);
		break;
	case SW_ALIKE:
		fprintf(out, "no difference of %.0f %% or more in %s between %s and %s",
			100 * c->limits.threshold, of, b, a);
		break;
	case SW_NOT_DECIDED:
		fprintf(out, "not decided: %s has %.1f %% %s %s than %s, and that may be chance", b,
			fabs(by), by > 0 ? "more" : "less", of, a);
		break;
	default:
		fprintf(out, "nothing could be judged of %s against %s", b, a);
	}
	if (p->trial.pairs)
		write_interval(out, c, p);
	if (p->unused)
		fprintf(out, "; %d pair%s not used: %s", p->unused, p->unused == 1 ? "" : "s",
			unused_text(p->why));
	fputc('\n', out);
}

static void write_comparison(FILE *out, const struct sw_trial_report *r, int i)
{
	const struct sw_comparison *c = r->comparison;
	const struct sw_pairing *p = &c->with[i];
	char a[256], b[256], label[SW_SET_LABEL], under_a[32], under_b[32];

	sw_set_text(&r->sets[0], a, sizeof(a));
	sw_set_text(&r->sets[i], b, sizeof(b));
	sw_metric_text(c->metric, sw_series_median(&p->a), under_a, sizeof(under_a));
	sw_metric_text(c->metric, sw_series_median(&p->b), under_b, sizeof(under_b));
	fprintf(out, "%s: %s, median: %s under a, %s under %s\n", r->disk,
		sw_metrics[c->metric].name, under_a, under_b, sw_set_label(i, c->sets, label));
	fprintf(out, "%s: ", r->disk);
	write_sentence(out, c, i, a, b);
}

int sw_trial_text(FILE *out, const struct sw_trial_report *r)
{
	struct sw_composed composed;
	FILE *file = sw_compose(&composed);
	int i;

	for (i = 1; file && i < r->comparison->sets; i++)
		write_comparison(file, r, i);
	if (file && r->why[0])
		fprintf(file, "%s: ended: %s\n", r->disk, r->why);
	return sw_compose_end(&composed, out);
}
