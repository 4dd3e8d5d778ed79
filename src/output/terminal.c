// SPDX-License-Identifier: GPL-2.0-or-later
/* A file of its own, since term.h makes macros of words like "lines". */
#include "top.h"

#include <curses.h>
#include <term.h>
#include <unistd.h>

/* Asked before newterm, which forgets to free its memory where this fails. */
bool sw_terminal_is_known(void)
{
	int why;

	if (setupterm(0, STDOUT_FILENO, &why) == ERR)
		return false;
	del_curterm(cur_term);
	return true;
}
