/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fields of the JSON report that are no figures: report and schema are made from them. */
#ifndef SEEKWISE_OUTPUT_REPORT_JSON_H
#define SEEKWISE_OUTPUT_REPORT_JSON_H

#include <stdbool.h>
#include <stdio.h>

#include "seekwise/advice.h"
#include "seekwise/output.h"

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
	SW_JSON_VERDICT,
	SW_JSON_BOUND,
	SW_JSON_ADVICE,
	SW_JSON_ADVICE_ID,
	SW_JSON_EVIDENCE,
	SW_JSON_NOT_MEASURED,
	SW_JSON_SHARES,
};

struct sw_json_field {
	const char *name;
	enum sw_json_kind kind;
	bool null;        /* may be null */
	const char *unit; /* 0: none */
	const char *about;
	/*
	 * of: the struct sw_report, sw_report_disk or sw_report_stack that the field belongs to;
	 * of a verdict the struct sw_facts, of a piece of advice the struct sw_given
	 */
	struct json_object *(*make)(const void *of);
};

/* Each list ends with a field without a name. */
extern const struct sw_json_field sw_report_fields[], sw_command_fields[], sw_device_fields[],
	sw_stack_fields[];
/* What a device ends with, and of what that consists. */
extern const struct sw_json_field sw_judged_fields[], sw_verdict_fields[], sw_advice_fields[];

/* One reason for which figures are null (missing.h): the first of these, and the window. */
struct sw_missing {
	unsigned int figure;
	const struct sw_window *window;
};

extern const struct sw_json_field sw_missing_fields[], sw_share_fields[];

/* The classes of one direction (detail_json.c). */
struct json_object *sw_json_classes(const struct sw_window *w, unsigned int dir);
struct json_object *sw_json_not_measured(const struct sw_window *w);
struct json_object *sw_json_shares(const struct sw_report_stack *stack);
struct json_object *sw_json_number(double value); /* 0 where it is none */
/* A figure: an object of its parts, or its one value; 0 where it is null. values: its n. */
struct json_object *sw_json_figure(const struct sw_figure *f, const struct sw_window *w,
				   const struct sw_value *values, unsigned int n);

struct sw_given {
	const struct sw_advice *row;
	const struct sw_facts *facts;
};

struct json_object *sw_json_string(const char *text); /* 0 of 0 */
struct json_object *sw_json_value(const struct sw_value *value);
struct json_object *sw_json_fields(const struct sw_json_field *fields, const void *of);
void sw_json_add_fields(struct json_object *to, const struct sw_json_field *fields, const void *of);

/* Writes it on one line and frees it. 0 or -errno. */
int sw_json_write(FILE *out, struct json_object *object);

#endif
