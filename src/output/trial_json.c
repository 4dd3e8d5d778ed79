// SPDX-License-Identifier: GPL-2.0-or-later
/* What came of a trial, as data. */
#include <json-c/json.h>
#include <math.h>

#include "report_json.h"
#include "seekwise/output.h"

#define SCHEMA "seekwise.trial/1"

static const char *verdict_name(enum sw_outcome outcome)
{
	switch (outcome) {
	case SW_BETTER:
		return "better";
	case SW_POORER:
		return "worse";
	case SW_ALIKE:
		return "same";
	case SW_NOT_DECIDED:
		return "undecided";
	default:
		return "unjudged";
	}
}

static void add(struct json_object *to, const char *name, struct json_object *value)
{
	json_object_object_add(to, name, value);
}

static struct json_object *set_json(const struct sw_trial_report *r, int i)
{
	struct json_object *object = json_object_new_object(), *knobs = json_object_new_object();
	char label[SW_SET_LABEL];
	int id;

	if (r->sets[i].named_scheduler)
		add(knobs, "scheduler", sw_json_string(r->sets[i].scheduler));
	for (id = 0; id < SW_KNOBS; id++)
		if (r->sets[i].named[id])
			add(knobs, sw_knobs[id].name, json_object_new_int64(r->sets[i].value[id]));
	add(object, "name", sw_json_string(sw_set_label(i, r->comparison->sets, label)));
	add(object, "knobs", knobs);
	return object;
}

static struct json_object *median_json(const struct sw_series *series)
{
	return series->count ? sw_json_number(sw_series_median(series)) : 0;
}

/* Of the metric under b to that under a; null where it is not known. */
static struct json_object *ratio_json(const struct sw_comparison *c, const struct sw_pairing *p,
				      double gain)
{
	return p->trial.pairs
		       ? sw_json_number(exp(sw_metrics[c->metric].lower_better ? -gain : gain))
		       : 0;
}

static struct json_object *bound_json(const struct sw_comparison *c, const struct sw_pairing *p,
				      double gain)
{
	return isfinite(gain) ? ratio_json(c, p, gain) : 0;
}

static struct json_object *comparison_json(const struct sw_comparison *c, int i)
{
	bool lower = sw_metrics[c->metric].lower_better;
	const struct sw_pairing *p = &c->with[i];
	struct json_object *object = json_object_new_object();
	char label[SW_SET_LABEL];

	add(object, "a", sw_json_string("a"));
	add(object, "b", sw_json_string(sw_set_label(i, c->sets, label)));
	add(object, "pairs", json_object_new_int(p->trial.pairs));
	add(object, "not_judged", json_object_new_int(p->unused));
	add(object, "a_value", median_json(&p->a));
	add(object, "b_value", median_json(&p->b));
	add(object, "ratio", ratio_json(c, p, p->gain.mean));
	add(object, "low", bound_json(c, p, lower ? p->gain.high : p->gain.low));
	add(object, "high", bound_json(c, p, lower ? p->gain.low : p->gain.high));
	add(object, "confidence", sw_json_number(SW_COMPARE_CONFIDENCE));
	add(object, "verdict", sw_json_string(verdict_name(p->outcome)));
	return object;
}

int sw_trial_json(FILE *out, const struct sw_trial_report *r)
{
	const struct sw_comparison *c = r->comparison;
	struct json_object *object = json_object_new_object();
	struct json_object *sets = json_object_new_array(), *all = json_object_new_array();
	int i;

	for (i = 0; i < c->sets; i++) {
		json_object_array_add(sets, set_json(r, i));
		if (i)
			json_object_array_add(all, comparison_json(c, i));
	}
	add(object, "schema", sw_json_string(SCHEMA));
	add(object, "disk", sw_json_string(r->disk));
	add(object, "metric", sw_json_string(sw_metrics[c->metric].name));
	add(object, "unit", sw_json_string(sw_metrics[c->metric].unit));
	add(object, "window_seconds", sw_json_number((double)r->window_ns / 1e9));
	add(object, "rounds", json_object_new_int(c->rounds));
	add(object, "sets", sets);
	add(object, "comparisons", all);
	add(object, "restored", json_object_new_boolean(r->restored));
	add(object, "ended", r->why[0] ? sw_json_string(r->why) : 0);
	return sw_json_write(out, object);
}
