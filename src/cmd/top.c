// SPDX-License-Identifier: GPL-2.0-or-later
/* seekwise top: the live view. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"
#include "seekwise/observe.h"
#include "seekwise/output.h"
#include "seekwise/wait.h"

#define SECOND 1000000000ULL

enum { OPT_PLAIN = 256 };

struct top_args {
	struct sw_disks disks;
	uint64_t interval_ns, count; /* count 0: until it is ended */
	bool plain;
};

struct top {
	struct sw_observer *observer;
	struct sw_disks *disks;
	struct sw_top_row rows[SW_MAX_DISKS];
	struct sw_watch watches[SW_MAX_DISKS];
	bool gone[SW_MAX_DISKS];
	int left;
};

static const struct argp_option options[] = {
	{ "interval", 'i', "TIME", 0, "Length of an interval (default 1s)", 0 },
	{ "count", 'n', "N", 0, "End after N intervals", 0 },
	{ "plain", OPT_PLAIN, NULL, 0, "Plain lines, even on a terminal", 0 },
	{ 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct top_args *args = state->input;

	switch (key) {
	case 'i':
		args->interval_ns =
			sw_option_duration(state, "-i", arg, SECOND / 10, 3600 * SECOND);
		return 0;
	case 'n':
		args->count = sw_option_u64(state, "-n", arg, 1, 1000000000);
		return 0;
	case OPT_PLAIN:
		args->plain = true;
		return 0;
	default:
		return sw_parse_disk(key, arg, &args->disks);
	}
}

static const struct argp argp = {
	options,
	parse,
	"[DISK...]",
	"Shows live what the scheduler of each disk decides and what it costs: full screen on a "
	"terminal (q quits, p pauses), plain lines elsewhere.",
	sw_observe_options,
	NULL,
	NULL
};

static void take_rows(struct top *top)
{
	struct sw_window window;
	int i;

	top->left = 0;
	for (i = 0; i < top->disks->count; i++) {
		if (!top->gone[i] && !sw_watch_look(&top->watches[i], &top->disks->disk[i])) {
			top->gone[i] = true;
			sw_watch_close(&top->watches[i]);
		}
		if (!top->gone[i] && !sw_observer_window(top->observer, i, &window)) {
			top->rows[i] = sw_top_row_from(&top->disks->disk[i], &window);
			top->left++;
		} else {
			top->rows[i] = sw_top_row_from(&top->disks->disk[i], NULL);
		}
	}
}

/* Lines to a screenful, so that the header stays in sight. */
static unsigned int header_every(void)
{
	struct winsize size;

	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_row > 4)
		return size.ws_row - 2;
	return 20;
}

static int all_gone(const struct top *top)
{
	if (top->disks->count == 1)
		sw_log(SW_ERROR, "%s: the disk is gone", top->disks->disk[0].name);
	else
		sw_log(SW_ERROR, "all %d disks are gone", top->disks->count);
	return SW_FAILED;
}

static int run_plain(struct top *top, const struct top_args *args)
{
	uint64_t n, due = sw_now_ns();
	unsigned int lines = 0;
	int sig, err;

	for (n = 0; !args->count || n < args->count; n++) {
		/* After a stop or a suspension, intervals that were missed are not made up for. */
		due = due + args->interval_ns < sw_now_ns() ? sw_now_ns() : due;
		due += args->interval_ns;
		do
			sig = sw_wait(due, -1);
		while (sig != SW_TIME_UP && !sw_is_end(sig));
		if (sig)
			return SW_OK;
		take_rows(top);
		err = sw_top_plain(stdout, top->rows, top->disks->count, time(NULL), &lines,
				   header_every());
		if (err)
			return sw_finish_output(err);
		if (!top->left)
			return all_gone(top);
	}
	return SW_OK;
}

/* Until the interval is over: 0, or 1 when the user or a signal ends it. */
static int watch_keys(struct top *top, uint64_t due, bool *paused, const char *status)
{
	int got;

	for (;;) {
		got = sw_wait(due, STDIN_FILENO);
		if (got == SW_TIME_UP)
			return 0;
		if (sw_is_end(got))
			return 1;
		if (got == SIGWINCH)
			sw_screen_draw(top->rows, top->disks->count, status);
		switch (sw_screen_key(0)) {
		case SW_KEY_QUIT:
			return 1;
		case SW_KEY_PAUSE:
			*paused = !*paused;
			return 0;
		case SW_KEY_REDRAW:
			sw_screen_draw(top->rows, top->disks->count, status);
			break;
		case SW_KEY_NONE:
			break;
		}
	}
}

static int run_screen(struct top *top, const struct top_args *args)
{
	uint64_t n = 0, due = sw_now_ns();
	bool paused = false;
	char status[64];

	take_rows(top);
	while (!args->count || n < args->count) {
		snprintf(status, sizeof(status), "every %g s%s", (double)args->interval_ns / SECOND,
			 paused ? ", paused" : "");
		sw_screen_draw(top->rows, top->disks->count, status);
		due = sw_now_ns() + args->interval_ns;
		if (watch_keys(top, due, &paused, status))
			break;
		if (paused || sw_now_ns() < due)
			continue;
		take_rows(top);
		n++;
		if (!top->left) {
			sw_screen_close();
			return all_gone(top);
		}
	}
	sw_screen_close();
	return SW_OK;
}

int sw_cmd_top(int argc, char **argv)
{
	static struct top_args args = { .interval_ns = SECOND };
	static struct top top;
	char why[512];
	int i, code, err;

	argp_parse(&argp, argc, argv, 0, NULL, &args);
	code = args.disks.count ? SW_OK : sw_disks_default(&args.disks);
	if (code)
		return code;
	sw_wait_init();
	top.disks = &args.disks;
	err = sw_observer_open(&top.observer, args.disks.disk, args.disks.count, 0, why,
			       sizeof(why));
	if (err)
		return sw_observer_failed(err, why);
	if (args.plain || sw_screen_open())
		code = run_plain(&top, &args);
	else
		code = run_screen(&top, &args);
	sw_observer_close(top.observer);
	for (i = 0; i < args.disks.count; i++)
		sw_watch_close(&top.watches[i]);
	return code;
}
