// SPDX-License-Identifier: GPL-2.0-or-later
/* Whole strings to numbers, durations and sizes; the locale has no say. */
#include <errno.h>
#include <string.h>

#include "seekwise/base.h"

#define SECOND 1000000000ull

struct unit {
	const char *name;
	uint64_t factor;
};

static const struct unit durations[] = {
	{ "ns", 1 },          { "us", 1000 },         { "ms", 1000000 }, { "s", SECOND },
	{ "m", 60 * SECOND }, { "h", 3600 * SECOND }, { "", SECOND },    { NULL, 0 },
};

static const struct unit sizes[] = {
	{ "", 1 },           { "k", 1ull << 10 }, { "M", 1ull << 20 },
	{ "G", 1ull << 30 }, { "T", 1ull << 40 }, { NULL, 0 },
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * Takes the digits at *text, at least one, and moves *text behind them. All of
 * them are taken even when the number is too large, so that junk behind it is
 * still told from a number outside the range.
 */
static int take_digits(const char **text, uint64_t *number)
{
	bool overflow = false;

	if (!is_digit(**text))
		return -EINVAL;
	for (*number = 0; is_digit(**text); (*text)++)
		overflow |= __builtin_mul_overflow(*number, 10, number) ||
			    __builtin_add_overflow(*number, (uint64_t)(**text - '0'), number);
	return overflow ? -ERANGE : 0;
}

static const struct unit *find_unit(const struct unit *units, const char *name)
{
	for (; units->name; units++)
		if (!strcmp(units->name, name))
			return units;
	return NULL;
}

static int within(uint64_t number, uint64_t min, uint64_t max, uint64_t *value)
{
	if (number < min || number > max)
		return -ERANGE;
	*value = number;
	return 0;
}

int sw_parse_u64(const char *text, uint64_t min, uint64_t max, uint64_t *value)
{
	uint64_t number;
	int err = take_digits(&text, &number);

	if (err == -EINVAL || *text)
		return -EINVAL;
	return err ? err : within(number, min, max, value);
}

int sw_parse_size(const char *text, uint64_t min, uint64_t max, uint64_t *bytes)
{
	const struct unit *unit;
	uint64_t number;
	int err = take_digits(&text, &number);

	unit = find_unit(sizes, text);
	if (err == -EINVAL || !unit)
		return -EINVAL;
	if (err || __builtin_mul_overflow(number, unit->factor, &number))
		return -ERANGE;
	return within(number, min, max, bytes);
}

/* ".25" of a unit; parts below one nanosecond are cut off. */
static uint64_t fraction_of(const char *digits, uint64_t factor)
{
	uint64_t sum = 0;

	for (; is_digit(*digits); digits++) {
		factor /= 10;
		sum += (uint64_t)(*digits - '0') * factor;
	}
	return sum;
}

int sw_parse_duration(const char *text, uint64_t min_ns, uint64_t max_ns, uint64_t *ns)
{
	const char *fraction = "";
	const struct unit *unit;
	uint64_t number, ignored;
	int err = take_digits(&text, &number);

	if (err == -EINVAL)
		return err;
	if (*text == '.') {
		fraction = ++text;
		if (take_digits(&text, &ignored) == -EINVAL)
			return -EINVAL;
	}
	unit = find_unit(durations, text);
	if (!unit)
		return -EINVAL;
	if (err || __builtin_mul_overflow(number, unit->factor, &number) ||
	    __builtin_add_overflow(number, fraction_of(fraction, unit->factor), &number))
		return -ERANGE;
	return within(number, min_ns, max_ns, ns);
}
