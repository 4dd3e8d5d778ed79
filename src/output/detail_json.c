// SPDX-License-Identifier: GPL-2.0-or-later
/* Of the JSON report: classes, what was not measured and why, members side by side. */
#include <json-c/json.h>
#include <string.h>

#include "balance.h"
#include "missing.h"
#include "report_json.h"

static struct json_object *class_json(const struct sw_window *w, unsigned int dir,
				      enum sw_apart apart)
{
	struct json_object *object = json_object_new_object();
	struct sw_value v[SW_PARTS];
	unsigned int i, n;

	for (i = 0; i < sw_figure_count; i++) {
		if (sw_figures[i].scope != SW_OF_APART)
			continue;
		n = sw_figure_get_apart(&sw_figures[i], w, dir, apart, v);
		json_object_object_add(object, sw_figures[i].name,
				       sw_json_figure(&sw_figures[i], w, v, n));
	}
	return object;
}

struct json_object *sw_json_classes(const struct sw_window *w, unsigned int dir)
{
	struct json_object *object = json_object_new_object();
	unsigned int apart;

	for (apart = 0; apart < SW_APARTS; apart++)
		json_object_object_add(object, sw_apart_names[apart], class_json(w, dir, apart));
	return object;
}

static struct json_object *make_figures(const void *of)
{
	const struct sw_missing *m = of;
	const char *why = sw_figure_why_not(&sw_figures[m->figure], m->window);
	struct json_object *array = json_object_new_array();
	unsigned int i;

	for (i = m->figure; i < sw_figure_count; i = sw_missing_next(m->window, why, i + 1))
		json_object_array_add(array, json_object_new_string(sw_figures[i].name));
	return array;
}

static struct json_object *make_why(const void *of)
{
	const struct sw_missing *m = of;

	return json_object_new_string(sw_figure_why_not(&sw_figures[m->figure], m->window));
}

const struct sw_json_field sw_missing_fields[] = {
	{ "figures", SW_JSON_WORDS, false, 0, "their names", make_figures },
	{ "why", SW_JSON_STRING, false, 0, "the reason, in words", make_why },
	{ 0 },
};

struct json_object *sw_json_not_measured(const struct sw_window *w)
{
	struct json_object *array = json_object_new_array();
	struct sw_missing m = { .window = w };

	for (; sw_missing_reason(w, &m.figure); m.figure++)
		json_object_array_add(array, sw_json_fields(sw_missing_fields, &m));
	return array;
}

static struct json_object *make_name(const void *of)
{
	return sw_json_string(((const struct sw_share *)of)->name);
}

static struct json_object *make_ios(const void *of)
{
	return sw_json_number(((const struct sw_share *)of)->ios);
}

static struct json_object *make_bytes(const void *of)
{
	return sw_json_number(((const struct sw_share *)of)->bytes);
}

static struct json_object *make_busy(const void *of)
{
	return sw_json_number(((const struct sw_share *)of)->busy);
}

static struct json_object *make_service(const void *of)
{
	return sw_json_number(((const struct sw_share *)of)->service_us);
}

const struct sw_json_field sw_share_fields[] = {
	{ "name", SW_JSON_STRING, false, 0, "of the member", make_name },
	{ "ios", SW_JSON_NUMBER, true, "share", "its requests, of all; null: there were none",
	  make_ios },
	{ "bytes", SW_JSON_NUMBER, true, "share", "its bytes, of all; null: there were none",
	  make_bytes },
	{ "busy", SW_JSON_NUMBER, true, "share", "of the time with something in the device",
	  make_busy },
	{ "service_us", SW_JSON_NUMBER, true, "us", "mean service of its reads and writes",
	  make_service },
	{ 0 },
};

struct json_object *sw_json_shares(const struct sw_report_stack *stack)
{
	struct json_object *array = json_object_new_array();
	struct sw_share share;
	int i;

	for (i = 0; i < stack->count; i++) {
		share = sw_share_of(stack, i);
		json_object_array_add(array, sw_json_fields(sw_share_fields, &share));
	}
	return array;
}
