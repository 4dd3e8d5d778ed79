/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the plain lines and the full screen have in common. */
#ifndef SEEKWISE_OUTPUT_TOP_H
#define SEEKWISE_OUTPUT_TOP_H

#include "seekwise/output.h"

/* Both append to a text that is there, "" at least; without a time and a newline. */
void sw_top_titles(char over[SW_COLUMNS + 1], char under[SW_COLUMNS + 1]);
void sw_top_line(const struct sw_top_row *row, char text[SW_COLUMNS + 1]);

/* Whether there is a description of the terminal that TERM names. */
bool sw_terminal_is_known(void);

#endif
