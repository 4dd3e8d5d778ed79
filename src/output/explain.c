// SPDX-License-Identifier: GPL-2.0-or-later
/* The list of figures, for people. */
#include "format.h"
#include "seekwise/output.h"

static const struct {
	enum sw_figure_scope scope;
	const char *title;
} parts[] = { { SW_OF_DIRECTION, "Of reads and of writes" },
	      { SW_OF_APART, "Of each class of them (sync, async, rt, be, idle)" },
	      { SW_OF_DISK, "Of the disk" },
	      { SW_OF_LOSSES, "Losses: 0 when everything was seen" } };

static void explain(FILE *out, const struct sw_figure *f)
{
	static const struct sw_window none;
	struct sw_value v[SW_PARTS];
	unsigned int i, n = sw_figure_get(f, &none, SW_READ, v);
	struct sw_lines lines;
	char label[64];

	snprintf(label, sizeof(label), "  %s", f->name);
	sw_lines_start(&lines, out, label, 28, 1);
	sw_lines_words(&lines, f->about);
	if (f->group)
		sw_lines_item(&lines, "[%s]", sw_group_name(f->group));
	/* Parts that are of different kinds have no unit in common. */
	sw_lines_item(&lines, "(%s%s", f->unit[0] ? f->unit : "parts", n > 1 ? ":" : ")");
	for (i = 0; n > 1 && i < n; i++)
		sw_lines_item(&lines, "%s%s", v[i].part, i + 1 < n ? "," : ")");
	sw_lines_end(&lines);
}

int sw_figures_explain(FILE *out)
{
	struct sw_composed text;
	FILE *file = sw_compose(&text);
	unsigned int i, part;

	if (!file)
		return sw_compose_end(&text, out);
	for (part = 0; part < sizeof(parts) / sizeof(parts[0]); part++) {
		fprintf(file, "%s%s\n", part ? "\n" : "", parts[part].title);
		for (i = 0; i < sw_figure_count; i++)
			if (sw_figures[i].scope == parts[part].scope)
				explain(file, &sw_figures[i]);
	}
	return sw_compose_end(&text, out);
}
