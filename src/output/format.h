/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers and lines for people; composing before writing. */
#ifndef SEEKWISE_OUTPUT_FORMAT_H
#define SEEKWISE_OUTPUT_FORMAT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "seekwise/figures.h"

#define SW_NUMBER 24 /* room for any number below */

/* "12.3 ms" of us, "4.0 MiB" of bytes; at most 10 characters below 1e6 of the largest unit. */
void sw_human_time(double us, char text[SW_NUMBER]);
void sw_human_bytes(double bytes, char text[SW_NUMBER]);
/* 12.3, or whole; at most 10 characters. */
void sw_human_number(double number, char text[SW_NUMBER]);

/* For narrow columns, "-" below 0: at most 4 characters (1234, 12k) and 5 (950us, 1.2ms). */
void sw_short_number(double number, char text[SW_NUMBER]);
void sw_short_time(double us, char text[SW_NUMBER]);

/*
 * A value of a figure in its unit: counts with all digits, times, bytes,
 * distances (in bytes) and shares (in %) in a unit that people read. "-"
 * where it is not known.
 */
void sw_value_text(const struct sw_figure *figure, const struct sw_value *value,
		   char text[SW_NUMBER]);

/* Lines that are broken between items before they get wider than SW_COLUMNS. */
struct sw_lines {
	FILE *out;
	int indent; /* of the lines after the first */
	int gap;    /* spaces between items */
	int column;
	bool started; /* an item stands on this line */
};
void sw_lines_start(struct sw_lines *lines, FILE *out, const char *label, int indent, int gap);
void sw_lines_item(struct sw_lines *lines, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Each word of a text is an item. */
void sw_lines_words(struct sw_lines *lines, const char *text);
void sw_lines_end(struct sw_lines *lines);

/* Copies text, with what a terminal should not get replaced by '?'. */
void sw_printable(const char *text, char *copy, size_t size);

/* What is composed in memory; sw_compose_end writes it out and frees it. */
struct sw_composed {
	FILE *file; /* 0: no memory, which sw_compose_end reports */
	char *text;
	size_t size;
};
FILE *sw_compose(struct sw_composed *composed);
int sw_compose_end(struct sw_composed *composed, FILE *out);

#endif
