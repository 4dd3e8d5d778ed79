// SPDX-License-Identifier: GPL-2.0-or-later
/* Words of a command line may hold any bytes; JSON may not. */
#include "utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a character that begins with `first`; 0 if none does. */
static size_t length_by_first(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first >= 0xc2 && first < 0xe0)
		return 2;
	if (first >= 0xe0 && first < 0xf0)
		return 3;
	return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

/* Neither longer than needed, nor half of a pair of UTF-16, nor beyond Unicode. */
static int is_allowed(uint32_t code, size_t length)
{
	if (length == 3)
		return code >= 0x800 && (code < 0xd800 || code > 0xdfff);
	return length < 3 || (code >= 0x10000 && code <= 0x10ffff);
}

static size_t character(const char *text)
{
	size_t i, length = length_by_first((unsigned char)*text);
	uint32_t code;

	if (length < 2)
		return length;
	code = (unsigned char)*text & (0x7fu >> length);
	for (i = 1; i < length; i++) {
		if (((unsigned char)text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | ((unsigned char)text[i] & 0x3f);
	}
	return is_allowed(code, length) ? length : 0;
}

char *sw_utf8_valid(const char *text)
{
	char *copy = malloc(strlen(text) * 3 + 1), *to = copy;
	size_t n;

	if (!copy)
		return 0;
	while (*text) {
		n = character(text);
		if (n) {
			memcpy(to, text, n);
			to += n;
			text += n;
		} else {
			memcpy(to, "\xef\xbf\xbd", 3);
			to += 3;
			text++;
		}
	}
	*to = 0;
	return copy;
}
