// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers for people. */
#include <math.h>
#include <string.h>

#include "format.h"

struct unit {
	double size;
	const char *name;
};

/* The largest unit whose text does not begin with 0. */
static void scaled(const struct unit *units, size_t n, double value, char *text)
{
	while (n > 1 && value < units[n - 1].size)
		n--;
	n--;
	value /= units[n].size;
	if (value < 1e6)
		snprintf(text, SW_NUMBER, "%.1f %s", value, units[n].name);
	else
		snprintf(text, SW_NUMBER, "%.3g %s", value, units[n].name);
}

void sw_human_time(double us, char text[SW_NUMBER])
{
	static const struct unit units[] = { { 1, "us" },     { 1e3, "ms" },   { 1e6, "s" },
					     { 60e6, "min" }, { 3600e6, "h" }, { 86400e6, "d" } };

	scaled(units, 6, us, text);
}

void sw_human_bytes(double bytes, char text[SW_NUMBER])
{
	static const struct unit units[] = { { 1, "B" },        { 0x1p10, "KiB" },
					     { 0x1p20, "MiB" }, { 0x1p30, "GiB" },
					     { 0x1p40, "TiB" }, { 0x1p50, "PiB" },
					     { 0x1p60, "EiB" } };

	if (bytes < 1024)
		snprintf(text, SW_NUMBER, "%.0f B", bytes);
	else
		scaled(units, 7, bytes, text);
}

void sw_human_number(double number, char text[SW_NUMBER])
{
	if (number >= 1e7)
		snprintf(text, SW_NUMBER, "%.4g", number);
	else
		snprintf(text, SW_NUMBER, "%.*f", number == floor(number) ? 0 : 1, number);
}

void sw_short_number(double number, char text[SW_NUMBER])
{
	static const char *const suffixes[] = { "", "k", "M", "G", "T", "P", "E" };
	size_t i = 0;
	int decimals, width = 4;

	if (!(number >= 0) || number >= 999.5e18) {
		strcpy(text, number >= 0 ? "huge" : "-");
		return;
	}
	for (; number >= (i ? 999.5 : 9999.5); i++) {
		number /= 1000;
		width = 3;
	}
	decimals = number == floor(number) ? 0 : 2;
	while (snprintf(text, SW_NUMBER, "%.*f", decimals, number) > width && decimals)
		decimals--;
	strcat(text, suffixes[i]);
}

void sw_short_time(double us, char text[SW_NUMBER])
{
	static const struct unit units[] = { { 1, "us" }, { 1e3, "ms" }, { 1e6, "s" } };
	int i = us < 999.5 ? 0 : us < 999.5e3 ? 1 : 2;
	double value = us / units[i].size;

	if (!(us >= 0))
		strcpy(text, "-");
	else if (us < 9999.5e6)
		snprintf(text, SW_NUMBER, "%.*f%s", value < 9.95 ? 1 : 0, value, units[i].name);
	else if (us < 9999.5 * 3600e6)
		snprintf(text, SW_NUMBER, "%.0fh", us / 3600e6);
	else
		strcpy(text, ">1yr");
}

/* How many there were has no unit, whatever they are; a share is one of anything. */
static const char *unit_of(const struct sw_figure *figure, const char *part)
{
	if (!strcmp(part, "count"))
		return "";
	return strcmp(part, "share") ? figure->unit : "share";
}

void sw_value_text(const struct sw_figure *figure, const struct sw_value *value,
		   char text[SW_NUMBER])
{
	const char *unit = unit_of(figure, value->part);
	double number = value->whole ? (double)value->count : value->number;

	if (!value->known)
		strcpy(text, "-");
	else if (!strcmp(unit, "us"))
		sw_human_time(number, text);
	else if (!strcmp(unit, "bytes"))
		sw_human_bytes(number, text);
	else if (!strcmp(unit, "sectors"))
		sw_human_bytes(number * 512, text);
	else if (!strcmp(unit, "share"))
		snprintf(text, SW_NUMBER, "%.1f %%", number * 100);
	else if (value->whole)
		snprintf(text, SW_NUMBER, "%llu", (unsigned long long)value->count);
	else
		sw_human_number(number, text);
}
