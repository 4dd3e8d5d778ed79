/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fields of the JSON report that are no figures: report and schema are made from them. */
#ifndef SEEKWISE_OUTPUT_REPORT_JSON_H
#define SEEKWISE_OUTPUT_REPORT_JSON_H

#include <stdbool.h>
#include <stdio.h>

struct json_object;

#define SW_REPORT_SCHEMA "seekwise.report/1"

enum sw_json_kind {
	SW_JSON_SCHEMA, /* SW_REPORT_SCHEMA itself */
	SW_JSON_STRING,
	SW_JSON_BOOLEAN,
	SW_JSON_INTEGER,
	SW_JSON_NUMBER,
	SW_JSON_WORDS,
	SW_JSON_COMMAND,
	SW_JSON_KNOBS,
	SW_JSON_DIRECTION,
	SW_JSON_DEVICES,
	SW_JSON_STACKS,
};

struct sw_json_field {
	const char *name;
	enum sw_json_kind kind;
	bool null;        /* may be null */
	const char *unit; /* 0: none */
	const char *about;
	/* of: the struct sw_report, sw_report_disk or sw_report_stack that the field belongs to */
	struct json_object *(*make)(const void *of);
};

/* Each list ends with a field without a name. */
extern const struct sw_json_field sw_report_fields[], sw_command_fields[], sw_device_fields[],
	sw_stack_fields[];

/* Writes it on one line and frees it. 0 or -errno. */
int sw_json_write(FILE *out, struct json_object *object);

#endif
