// SPDX-License-Identifier: GPL-2.0-or-later
/* The live view on a full screen. It draws ASCII only. */
#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "top.h"

static SCREEN *screen; /* 0: not open */
static bool help;

static bool is_able(void)
{
	const char *term = getenv("TERM");

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return false;
	if (!term || !*term || !strcmp(term, "dumb"))
		return false;
	setlocale(LC_CTYPE, "");
	return sw_terminal_is_known();
}

int sw_screen_open(void)
{
	static bool registered;

	if (screen)
		return 0;
	if (!is_able())
		return -ENOTSUP;
	/* initscr would end the program where it fails. */
	screen = newterm(0, stdout, stdin);
	if (!screen)
		return -ENOTSUP;
	if (!registered)
		registered = !atexit(sw_screen_close);
	cbreak();
	noecho();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
	help = false;
	return 0;
}

void sw_screen_close(void)
{
	if (!screen)
		return;
	endwin();
	delscreen(screen);
	screen = 0;
}

/* curses itself looks when it is asked for a key, which may be much later. */
static void follow_size(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col)
		return;
	if (!is_term_resized(size.ws_row, size.ws_col))
		return;
	resize_term(size.ws_row, size.ws_col);
	clearok(stdscr, TRUE);
}

/* Within the screen, however small it is. */
static void put_line(int y, attr_t attributes, const char *text)
{
	if (y < 0 || y >= LINES)
		return;
	attrset(attributes);
	mvaddnstr(y, 0, text, COLS);
	attrset(A_NORMAL);
}

/* Down to the line `end`, which is left free. */
static void put_rows(int y, int end, const struct sw_top_row *rows, int count)
{
	char line[SW_COLUMNS + 1], more[64];
	int i, need;

	for (i = 0; i < count; i++) {
		need = rows[i].losses[0] ? 2 : 1;
		/* The line of the last disk that fits is needed to say how many do not. */
		if (y + need + (i + 1 < count) > end) {
			snprintf(more, sizeof(more), "%d more", count - i);
			put_line(y, A_NORMAL, more);
			return;
		}
		line[0] = 0;
		sw_top_line(&rows[i], line);
		put_line(y++, A_NORMAL, line);
		if (rows[i].losses[0]) {
			snprintf(line, sizeof(line), "%9s%.*s", "", SW_COLUMNS - 9, rows[i].losses);
			put_line(y++, A_NORMAL, line);
		}
	}
}

static const char *const helping[] = {
	"r/s w/s MB/s: requests, megabytes a second; wait: in the scheduler",
	"service: in driver and device; seq: share of issues that go on where the last ended",
	"wrap: sweeps ended a second; batch: mean length of mq-deadline's direction batches",
	"in held, dev: mean number in the scheduler, the device; exp: expired a second",
	"q quit   p or space pause   h less   - not measured   ! events were lost",
};

#define HELPING ((int)(sizeof(helping) / sizeof(helping[0])))

/* At the foot. `columns`: of the table. */
static void put_foot(int columns)
{
	char text[64] = "h help";
	int i;

	if (columns > COLS)
		snprintf(text, sizeof(text), "h help   the table has %d columns, this terminal %d",
			 columns, COLS);
	if (!help)
		put_line(LINES - 1, A_NORMAL, text);
	for (i = 0; help && i < HELPING; i++)
		put_line(LINES - HELPING + i, A_NORMAL, helping[i]);
}

void sw_screen_draw(const struct sw_top_row *rows, int count, const char *status)
{
	char over[SW_COLUMNS + 1] = "", under[SW_COLUMNS + 1] = "";

	if (!screen)
		return;
	follow_size();
	erase();
	put_line(0, A_BOLD, status);
	sw_top_titles(over, under);
	put_line(1, A_NORMAL, over);
	put_line(2, A_REVERSE, under);
	put_rows(3, LINES - (help ? HELPING : 1), rows, count);
	put_foot((int)strlen(under));
	refresh();
}

static enum sw_key meaning(int key)
{
	switch (key) {
	case 'q':
	case 'Q':
		return SW_KEY_QUIT;
	case 'p':
	case 'P':
	case ' ':
		return SW_KEY_PAUSE;
	case 'h':
	case 'H':
	case '?':
		help = !help;
		return SW_KEY_REDRAW;
	case KEY_RESIZE:
		return SW_KEY_REDRAW;
	default:
		return SW_KEY_NONE;
	}
}

enum sw_key sw_screen_key(int timeout_ms)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	int key;

	if (!screen)
		return SW_KEY_QUIT;
	/* curses may hold keys that it has read already. */
	key = getch();
	if (key == ERR) {
		poll(&input, 1, timeout_ms);
		key = getch();
	}
	if (key == ERR && (input.revents & (POLLHUP | POLLERR | POLLNVAL)))
		return SW_KEY_QUIT;
	return meaning(key);
}
