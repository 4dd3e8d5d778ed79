/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SEEKWISE_OUTPUT_UTF8_H
#define SEEKWISE_OUTPUT_UTF8_H

/*
 * A copy that is valid UTF-8, as JSON must be: each byte that is not part of a
 * character becomes U+FFFD. To be freed; 0 when memory is short.
 */
char *sw_utf8_valid(const char *text);

#endif
