// SPDX-License-Identifier: GPL-2.0-or-later
/* Figures that are null, by reason. */
#include "missing.h"

#include <string.h>

unsigned int sw_missing_next(const struct sw_window *w, const char *why, unsigned int i)
{
	const char *this;

	for (; i < sw_figure_count; i++) {
		this = sw_figure_why_not(&sw_figures[i], w);
		/* Who has no kyber does not look for its figures. */
		if (this && !sw_figures[i].kyber && (!why || !strcmp(this, why)))
			break;
	}
	return i;
}

bool sw_missing_reason(const struct sw_window *w, unsigned int *i)
{
	for (; (*i = sw_missing_next(w, 0, *i)) < sw_figure_count; (*i)++)
		if (sw_missing_next(w, sw_figure_why_not(&sw_figures[*i], w), 0) == *i)
			return true;
	return false;
}
