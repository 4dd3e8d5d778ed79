/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Verdict and advice in words. */
#ifndef SEEKWISE_OUTPUT_ADVICE_H
#define SEEKWISE_OUTPUT_ADVICE_H

#include <stddef.h>

#include "seekwise/advice.h"
#include "seekwise/output.h"

/* Why there is no verdict on a disk, one clause; 0: there is one. */
const char *sw_unjudged(const struct sw_report_disk *disk);

/* Of a disk that can be judged. */
struct sw_facts sw_facts_of_report(const struct sw_report_disk *disk);

/* A row's text or one of its commands with all that stands in it filled in. */
void sw_advice_words(const char *template, const struct sw_advice *row,
		     const struct sw_facts *facts, char *text, size_t size);

/* What the report of a disk ends with. */
void sw_write_judged(FILE *out, const struct sw_report_disk *disk);

#endif
