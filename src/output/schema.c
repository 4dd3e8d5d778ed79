// SPDX-License-Identifier: GPL-2.0-or-later
/* The JSON Schema of the report, made from the tables that the report is made from. */
#include <json-c/json.h>
#include <string.h>

#include "report_json.h"
#include "seekwise/figures.h"
#include "seekwise/output.h"

static void put(struct json_object *to, const char *key, const char *text)
{
	json_object_object_add(to, key, json_object_new_string(text));
}

static void put_type(struct json_object *to, const char *type, bool null)
{
	struct json_object *types;

	if (!null) {
		put(to, "type", type);
		return;
	}
	types = json_object_new_array();
	json_object_array_add(types, json_object_new_string(type));
	json_object_array_add(types, json_object_new_string("null"));
	json_object_object_add(to, "type", types);
}

static struct json_object *of_type(const char *type, bool null)
{
	struct json_object *object = json_object_new_object();

	put_type(object, type, null);
	return object;
}

/* An object without fields yet: every one that is added must be there, and no other. */
static void put_closed(struct json_object *to, bool null)
{
	put_type(to, "object", null);
	json_object_object_add(to, "properties", json_object_new_object());
	json_object_object_add(to, "required", json_object_new_array());
	json_object_object_add(to, "additionalProperties", json_object_new_boolean(false));
}

static struct json_object *closed_object(bool null)
{
	struct json_object *object = json_object_new_object();

	put_closed(object, null);
	return object;
}

static void add_property(struct json_object *object, const char *name, struct json_object *schema,
			 bool required)
{
	json_object_object_add(json_object_object_get(object, "properties"), name, schema);
	if (required)
		json_object_array_add(json_object_object_get(object, "required"),
				      json_object_new_string(name));
}

static struct json_object *value_schema(const struct sw_value *value, bool null)
{
	struct json_object *schema = of_type(value->whole ? "integer" : "number", null);

	json_object_object_add(schema, "minimum", json_object_new_int(0));
	return schema;
}

/* Without mq-deadline's state the kinds of wraps are not known, but their number is. */
static bool may_be_partly_null(const struct sw_figure *f)
{
	return f->shape == SW_SHAPE_MAP && f->take && !f->group && !f->kyber;
}

/* Null as a whole in some window? */
static bool whole_may_be_null(const struct sw_figure *f)
{
	return f->group || f->deadline || f->passes || f->kyber || f->caches;
}

/* In windows without requests, what may be null is. members: as in a window. */
static struct json_object *figure_schema(const struct sw_figure *f, unsigned int members)
{
	static struct sw_detail none;
	const struct sw_window empty = { .deadline = true,
					 .passes = SW_PASSES_MEASURED,
					 .kyber = true,
					 .caches = true,
					 .detail = &none,
					 .groups = SW_GROUPS_ALL,
					 .members = members };
	struct sw_value v[SW_PARTS];
	unsigned int i, n = sw_figure_get(f, &empty, SW_READ, v);
	struct json_object *schema;

	if (!v[0].part[0]) {
		schema = value_schema(&v[0], !v[0].known || whole_may_be_null(f));
	} else {
		schema = closed_object(whole_may_be_null(f));
		for (i = 0; i < n; i++)
			add_property(schema, v[i].part,
				     value_schema(&v[i], !v[i].known || may_be_partly_null(f)),
				     true);
	}
	put(schema, "description", f->about);
	put(schema, "unit", f->unit);
	put(schema, "group", sw_group_name(f->group));
	return schema;
}

static void add_figures(struct json_object *object, enum sw_figure_scope scope,
			unsigned int members)
{
	unsigned int i;

	for (i = 0; i < sw_figure_count; i++)
		if (sw_figures[i].scope == scope)
			add_property(object, sw_figures[i].name,
				     figure_schema(&sw_figures[i], members), true);
}

static struct json_object *reference(const char *to)
{
	struct json_object *object = json_object_new_object();

	put(object, "$ref", to);
	return object;
}

static struct json_object *list_of(struct json_object *items)
{
	struct json_object *object = of_type("array", false);

	json_object_object_add(object, "items", items);
	return object;
}

static struct json_object *constant(const char *text)
{
	struct json_object *object = json_object_new_object();

	put(object, "const", text);
	return object;
}

static struct json_object *knobs_schema(void)
{
	struct json_object *object = closed_object(false), *schema;
	int i;

	for (i = 0; i < SW_KNOBS; i++) {
		schema = of_type("integer", false);
		put(schema, "description", sw_knobs[i].about);
		put(schema, "unit", sw_knobs[i].unit);
		add_property(object, sw_knobs[i].name, schema, false);
	}
	return object;
}

static void add_fields(struct json_object *object, const struct sw_json_field *fields);

static struct json_object *fields_schema(const struct sw_json_field *fields, bool null)
{
	struct json_object *object = closed_object(null);

	add_fields(object, fields);
	return object;
}

static struct json_object *bound_schema(void)
{
	struct json_object *object = of_type("string", false), *names = json_object_new_array();
	int verdict;

	for (verdict = SW_IDLE_DISK; verdict <= SW_DEVICE_BOUND; verdict++)
		json_object_array_add(names, json_object_new_string(sw_verdict_name(verdict)));
	json_object_object_add(object, "enum", names);
	return object;
}

static struct json_object *advice_id_schema(void)
{
	struct json_object *object = of_type("string", false), *names = json_object_new_array();
	unsigned int i;

	for (i = 0; i < sw_advice_count; i++)
		json_object_array_add(names, json_object_new_string(sw_advice[i].id));
	json_object_object_add(object, "enum", names);
	return object;
}

static void add_fact(struct json_object *evidence, const char *path)
{
	static const struct sw_disk disk;
	static const struct sw_settings knobs;
	static const struct sw_around around;
	static const struct sw_window window;
	const struct sw_facts facts = sw_facts_of(&disk, &knobs, &around, &window);
	struct json_object *schema;
	struct sw_fact fact;

	if (!sw_fact_get(&facts, path, &fact))
		return;
	schema = value_schema(&fact.value, false);
	put(schema, "description", fact.about);
	put(schema, "unit", fact.unit);
	add_property(evidence, path, schema, false);
}

/* Every number that some row of the table rests on. */
static struct json_object *evidence_schema(void)
{
	struct json_object *object = closed_object(false);
	char path[SW_FACT_PATH];
	unsigned int row, i;

	for (row = 0; row < sw_advice_count; row++)
		for (i = 0; sw_advice_evidence(&sw_advice[row], i, path); i++)
			add_fact(object, path);
	return object;
}

static struct json_object *kind_schema(const struct sw_json_field *field)
{
	switch (field->kind) {
	case SW_JSON_SCHEMA:
		return constant(SW_REPORT_SCHEMA);
	case SW_JSON_STRING:
		return of_type("string", field->null);
	case SW_JSON_BOOLEAN:
		return of_type("boolean", field->null);
	case SW_JSON_INTEGER:
		return of_type("integer", field->null);
	case SW_JSON_NUMBER:
		return of_type("number", field->null);
	case SW_JSON_WORDS:
		return list_of(of_type("string", false));
	case SW_JSON_COMMAND:
		return fields_schema(sw_command_fields, field->null);
	case SW_JSON_KNOBS:
		return knobs_schema();
	case SW_JSON_DIRECTION:
		return reference("#/$defs/direction");
	case SW_JSON_DEVICES:
		return list_of(reference("#/$defs/device"));
	case SW_JSON_STACKS:
		return list_of(reference("#/$defs/stack"));
	case SW_JSON_VERDICT:
		return fields_schema(sw_verdict_fields, field->null);
	case SW_JSON_BOUND:
		return bound_schema();
	case SW_JSON_ADVICE:
		return list_of(fields_schema(sw_advice_fields, false));
	case SW_JSON_ADVICE_ID:
		return advice_id_schema();
	case SW_JSON_EVIDENCE:
		return evidence_schema();
	case SW_JSON_NOT_MEASURED:
		return list_of(fields_schema(sw_missing_fields, false));
	case SW_JSON_SHARES:
		return list_of(fields_schema(sw_share_fields, false));
	}
	return 0;
}

static void add_fields(struct json_object *object, const struct sw_json_field *fields)
{
	struct json_object *schema;

	for (; fields->name; fields++) {
		schema = kind_schema(fields);
		put(schema, "description", fields->about);
		if (fields->unit)
			put(schema, "unit", fields->unit);
		add_property(object, fields->name, schema, true);
	}
}

static struct json_object *classes_schema(void)
{
	struct json_object *object = closed_object(false), *class;
	unsigned int i;

	for (i = 0; i < SW_APARTS; i++) {
		class = closed_object(false);
		add_figures(class, SW_OF_APART, 0);
		add_property(object, sw_apart_names[i], class, true);
	}
	put(object, "description",
	    "the direction's requests by sync and async, and by priority class");
	return object;
}

static struct json_object *direction_schema(void)
{
	struct json_object *object = closed_object(false);

	add_figures(object, SW_OF_DIRECTION, 0);
	add_property(object, "classes", classes_schema(), true);
	return object;
}

/* Of a device, or of a stack of several members. */
static struct json_object *observed_schema(const struct sw_json_field *fields, unsigned int members)
{
	struct json_object *object = closed_object(false), *losses = closed_object(false);
	struct json_object *lossy;

	add_fields(object, fields);
	add_figures(object, SW_OF_DISK, members);
	add_figures(losses, SW_OF_LOSSES, members);
	put(losses, "description", "what was not seen or could not be used; 0 when all is exact");
	add_property(object, "losses", losses, true);
	lossy = of_type("boolean", false);
	put(lossy, "description", "too much was lost to judge by it: no verdict, no advice");
	add_property(object, "lossy", lossy, true);
	return object;
}

int sw_report_schema(FILE *out)
{
	struct json_object *schema = json_object_new_object();
	struct json_object *definitions = json_object_new_object();
	struct json_object *device = observed_schema(sw_device_fields, 0);

	add_fields(device, sw_judged_fields);
	put(schema, "$schema", "https://json-schema.org/draft/2020-12/schema");
	put(schema, "$id", "urn:seekwise:report:1");
	put(schema, "title", SW_REPORT_SCHEMA);
	put(schema, "description", "One observation by seekwise; null: not measured, never 0");
	put_closed(schema, false);
	add_fields(schema, sw_report_fields);
	json_object_object_add(definitions, "device", device);
	json_object_object_add(definitions, "stack", observed_schema(sw_stack_fields, 2));
	json_object_object_add(definitions, "direction", direction_schema());
	json_object_object_add(schema, "$defs", definitions);
	return sw_json_write(out, schema);
}
