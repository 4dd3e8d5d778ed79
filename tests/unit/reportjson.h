/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The JSON report, read back and checked against its own schema: types, constants, enums, lower
 * bounds, and closed objects with every field there. What cannot be read fails the test.
 */
#ifndef SEEKWISE_TESTS_REPORTJSON_H
#define SEEKWISE_TESTS_REPORTJSON_H

#include <stdbool.h>

#include "seekwise/output.h"

struct json_object;

extern struct json_object *schema;
/* For a group of tests: reads the schema, and frees it. */
int read_schema(void **state);
int drop_schema(void **state);

/* A report of these disks, of the 22nd of July 2025. */
struct sw_report example_report(const struct sw_report_disk *disks, int count);
/* As text, to be freed: one object on one line. report 0: the schema. */
char *written(const struct sw_report *report);
/* The same, read back: to be put. */
struct json_object *parsed(const struct sw_report *report);
/* Whether a value is what a part of the schema wants; rule `schema`: a whole report. */
bool is_valid(struct json_object *value, struct json_object *rule);

/* By a JSON pointer: "/devices/0/name". */
struct json_object *at(struct json_object *object, const char *path);
/* What is there, written out. */
void assert_json(struct json_object *object, const char *path, const char *expected);
/* Its fields in their order, with a space between. */
void assert_keys(struct json_object *object, const char *expected);

#endif
