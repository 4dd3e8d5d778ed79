// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "reportjson.h"

struct json_object *schema;

struct json_object *at(struct json_object *object, const char *path)
{
	struct json_object *found = 0;

	if (json_pointer_get(object, path, &found))
		fail_msg("%s is not there", path);
	return found;
}

static bool has_type(struct json_object *value, const char *type)
{
	switch (json_object_get_type(value)) {
	case json_type_null:
		return !strcmp(type, "null");
	case json_type_boolean:
		return !strcmp(type, "boolean");
	case json_type_int:
		return !strcmp(type, "integer") || !strcmp(type, "number");
	case json_type_double:
		return !strcmp(type, "number");
	case json_type_string:
		return !strcmp(type, "string");
	case json_type_array:
		return !strcmp(type, "array");
	default:
		return !strcmp(type, "object");
	}
}

static bool type_is_valid(struct json_object *value, struct json_object *types)
{
	size_t i;

	if (json_object_is_type(types, json_type_string))
		return has_type(value, json_object_get_string(types));
	for (i = 0; i < json_object_array_length(types); i++)
		if (has_type(value, json_object_get_string(json_object_array_get_idx(types, i))))
			return true;
	return false;
}

static bool object_is_valid(struct json_object *value, struct json_object *rule)
{
	struct json_object *properties = json_object_object_get(rule, "properties"), *field;
	struct json_object *required = json_object_object_get(rule, "required");
	size_t i;

	/* The checker knows closed objects alone. */
	if (!properties || !required || json_object_get_boolean(at(rule, "/additionalProperties")))
		return false;
	for (i = 0; i < json_object_array_length(required); i++)
		if (!json_object_object_get_ex(
			    value, json_object_get_string(json_object_array_get_idx(required, i)),
			    &field))
			return false;
	json_object_object_foreach(
		value, key, member) if (!json_object_object_get_ex(properties, key, &field) ||
					!is_valid(member, field)) return false;
	return true;
}

static bool array_is_valid(struct json_object *value, struct json_object *rule)
{
	size_t i;

	for (i = 0; i < json_object_array_length(value); i++)
		if (!is_valid(json_object_array_get_idx(value, i), at(rule, "/items")))
			return false;
	return true;
}

static bool is_one_of(struct json_object *value, struct json_object *list)
{
	size_t i;

	for (i = 0; i < json_object_array_length(list); i++)
		if (json_object_equal(value, json_object_array_get_idx(list, i)))
			return true;
	return false;
}

bool is_valid(struct json_object *value, struct json_object *rule)
{
	struct json_object *part;

	if (json_object_object_get_ex(rule, "$ref", &part))
		return is_valid(value, at(schema, json_object_get_string(part) + 1));
	if (json_object_object_get_ex(rule, "const", &part))
		return json_object_equal(value, part);
	if (!type_is_valid(value, at(rule, "/type")))
		return false;
	if (json_object_object_get_ex(rule, "enum", &part) && !is_one_of(value, part))
		return false;
	if (value && json_object_object_get_ex(rule, "minimum", &part) &&
	    json_object_get_double(value) < json_object_get_double(part))
		return false;
	if (json_object_is_type(value, json_type_object))
		return object_is_valid(value, rule);
	return !json_object_is_type(value, json_type_array) || array_is_valid(value, rule);
}

char *written(const struct sw_report *report)
{
	char *text = 0;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(report ? sw_report_json(out, report) : sw_report_schema(out), 0);
	fclose(out);
	/* One object on one line. */
	assert_true(size > 2);
	assert_ptr_equal(strchr(text, '\n'), text + size - 1);
	return text;
}

struct json_object *parsed(const struct sw_report *report)
{
	char *text = written(report);
	struct json_tokener *tokener = json_tokener_new();
	struct json_object *object;

	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	object = json_tokener_parse_ex(tokener, text, (int)strlen(text));
	assert_int_equal(json_tokener_get_error(tokener), json_tokener_success);
	json_tokener_free(tokener);
	free(text);
	return object;
}

int read_schema(void **state)
{
	(void)state;
	schema = parsed(0);
	return !schema;
}

int drop_schema(void **state)
{
	(void)state;
	return json_object_put(schema) != 1;
}

struct sw_report example_report(const struct sw_report_disk *disks, int count)
{
	return (struct sw_report){ .disks = disks,
				   .count = count,
				   .start = { .tv_sec = 1753142400, .tv_nsec = 5000000 },
				   .seconds = 2.5,
				   .version = "0.1.0",
				   .kernel = "6.18.0" };
}

void assert_json(struct json_object *object, const char *path, const char *expected)
{
	assert_string_equal(json_object_to_json_string_ext(at(object, path),
							   JSON_C_TO_STRING_PLAIN |
								   JSON_C_TO_STRING_NOSLASHESCAPE),
			    expected);
}

void assert_keys(struct json_object *object, const char *expected)
{
	char keys[1024] = "";

	json_object_object_foreach(object, key, value)
	{
		(void)value;
		strcat(strcat(keys, *keys ? " " : ""), key);
	}
	assert_string_equal(keys, expected);
}
