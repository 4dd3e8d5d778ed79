// SPDX-License-Identifier: GPL-2.0-or-later
/* Verdict and advice as JSON. */
#include <json-c/json.h>

#include "advice.h"
#include "report_json.h"

static struct json_object *make_bound(const void *of)
{
	return sw_json_string(sw_verdict_name(((const struct sw_facts *)of)->verdict));
}

static struct json_object *make_verdict_text(const void *of)
{
	char text[512];

	sw_verdict_text(&((const struct sw_facts *)of)->sample, text, sizeof(text));
	return sw_json_string(text);
}

const struct sw_json_field sw_verdict_fields[] = {
	{ "bound", SW_JSON_BOUND, false, 0, "what bounds it", make_bound },
	{ "text", SW_JSON_STRING, false, 0, "one sentence for people, with the figures that say so",
	  make_verdict_text },
	{ 0 },
};

static struct json_object *make_id(const void *of)
{
	return sw_json_string(((const struct sw_given *)of)->row->id);
}

static struct json_object *make_text(const void *of)
{
	const struct sw_given *given = of;
	char text[1024];

	sw_advice_words(given->row->text, given->row, given->facts, text, sizeof(text));
	return sw_json_string(text);
}

static struct json_object *make_commands(const void *of)
{
	const struct sw_given *given = of;
	struct json_object *array = json_object_new_array();
	char text[256];
	int i;

	for (i = 0; i < SW_ADVICE_COMMANDS && given->row->commands[i]; i++) {
		sw_advice_words(given->row->commands[i], given->row, given->facts, text,
				sizeof(text));
		json_object_array_add(array, sw_json_string(text));
	}
	return array;
}

static struct json_object *make_evidence(const void *of)
{
	const struct sw_given *given = of;
	struct json_object *object = json_object_new_object();
	char path[SW_FACT_PATH];
	struct sw_fact fact;
	unsigned int i;

	for (i = 0; sw_advice_evidence(given->row, i, path); i++)
		if (sw_fact_get(given->facts, path, &fact))
			json_object_object_add(object, path, sw_json_value(&fact.value));
	return object;
}

const struct sw_json_field sw_advice_fields[] = {
	{ "id", SW_JSON_ADVICE_ID, false, 0, "which piece of advice it is", make_id },
	{ "text", SW_JSON_STRING, false, 0, "for people, with its evidence", make_text },
	{ "commands", SW_JSON_WORDS, false, 0, "for a root shell, any of them; nothing was run",
	  make_commands },
	{ "evidence", SW_JSON_EVIDENCE, false, 0,
	  "the numbers that it rests on, by their paths in the device; a figure of reads and writes "
	  "together has neither in front",
	  make_evidence },
	{ 0 },
};

static struct json_object *make_verdict(const void *of)
{
	const struct sw_report_disk *d = of;
	struct sw_facts facts;

	if (sw_unjudged(d))
		return 0;
	facts = sw_facts_of_report(d);
	return sw_json_fields(sw_verdict_fields, &facts);
}

static struct json_object *make_advice(const void *of)
{
	const struct sw_report_disk *d = of;
	struct json_object *array = json_object_new_array();
	const struct sw_advice *rows[SW_ADVICE_MAX];
	struct sw_facts facts;
	struct sw_given given = { .facts = &facts };
	unsigned int i, n;

	if (sw_unjudged(d))
		return array;
	facts = sw_facts_of_report(d);
	n = sw_advise(&facts, rows);
	for (i = 0; i < n; i++) {
		given.row = rows[i];
		json_object_array_add(array, sw_json_fields(sw_advice_fields, &given));
	}
	return array;
}

const struct sw_json_field sw_judged_fields[] = {
	{ "verdict", SW_JSON_VERDICT, true, 0,
	  "null: the disk went away, or events were lost in the window", make_verdict },
	{ "advice", SW_JSON_ADVICE, false, 0,
	  "what to do about it; empty where nothing in the window asks for it", make_advice },
	{ 0 },
};
