// SPDX-License-Identifier: GPL-2.0-or-later
/* seekwise tune: the loop in the foreground. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"
#include "seekwise/fleet.h"
#include "seekwise/wait.h"

#define SECOND 1000000000ULL

enum { OPT_DRY_RUN = 256, OPT_KEEP, OPT_ONCE, OPT_ANY, OPT_WINDOW };

struct tune_args {
	struct sw_disks disks;
	struct sw_tuner_options options;
	uint64_t duration_ns; /* 0: until it is ended */
	bool once;
};

static const struct argp_option options[] = {
	{ "dry-run", OPT_DRY_RUN, NULL, 0,
	  "Write nothing: say what would be written first on each disk, why, and end", 0 },
	{ "keep", OPT_KEEP, NULL, 0, "Leave what was learned instead of putting the baseline back",
	  0 },
	{ "once", OPT_ONCE, NULL, 0, "End when nothing is left to try on any disk", 0 },
	{ "duration", 'd', "TIME", 0, "End after this time", 0 },
	{ "window", OPT_WINDOW, "TIME", 0, "Least length of a measuring window (default 2s)", 0 },
	{ "any-rotation", OPT_ANY, NULL, 0,
	  "Tune disks that call themselves non-rotational as well", 0 },
	{ 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct tune_args *args = state->input;

	switch (key) {
	case OPT_DRY_RUN:
		args->options.dry_run = true;
		return 0;
	case OPT_KEEP:
		args->options.keep = true;
		return 0;
	case OPT_ONCE:
		args->once = true;
		return 0;
	case OPT_ANY:
		args->options.gate.any_rotation = true;
		return 0;
	case 'd':
		args->duration_ns =
			sw_option_duration(state, "-d", arg, SECOND, 365 * 86400 * SECOND);
		return 0;
	case OPT_WINDOW:
		args->options.window_ns =
			sw_option_duration(state, "--window", arg, SECOND / 5, 600 * SECOND);
		return 0;
	default:
		return sw_parse_disk(key, arg, &args->disks);
	}
}

static const struct argp argp = {
	options,
	parse,
	"[DISK...]",
	"Tunes mq-deadline's fifo_batch, and nr_sched_batch where the kernel has it, on disks that "
	"are bound by their queue: tries a value in "
	"alternation with the one in force, keeps it if it gains more than 3 % and read p99 stays "
	"within 25 % of what it was at the start, undoes it if not; one line for each decision. The "
	"values found at the start come back at the end.\v"
	"Without DISK, all rotational disks with mq-deadline are tuned.",
	sw_observe_options,
	NULL,
	NULL
};

/* A decision for the user: local time and the line. */
static void say(const char *line)
{
	time_t now = time(NULL);
	struct tm tm;
	char clock[16], text[2048];

	strftime(clock, sizeof(clock), "%H:%M:%S", localtime_r(&now, &tm));
	snprintf(text, sizeof(text), "%s %s", clock, line);
	sw_say(text);
}

static int loop(struct sw_fleet *fleet, const struct tune_args *args)
{
	uint64_t due, now, end = args->duration_ns ? sw_now_ns() + args->duration_ns : UINT64_MAX;
	int sig;

	while (sw_fleet_active(fleet, args->once) && !sw_say_error()) {
		due = sw_fleet_due(fleet);
		sig = sw_wait(due < end ? due : end, -1);
		if (sw_is_end(sig))
			break;
		now = sw_now_ns();
		if (now >= end)
			break;
		if (now >= due)
			sw_fleet_step(fleet);
	}
	return sw_fleet_gone(fleet) ? SW_FAILED : SW_OK;
}

int sw_cmd_tune(int argc, char **argv)
{
	static struct tune_args args;
	struct sw_fleet *fleet;
	bool named;
	int code, closed;

	sw_limits_default(&args.options.limits);
	args.options.window_ns = 2 * SECOND;
	args.options.say = say;
	argp_parse(&argp, argc, argv, 0, NULL, &args);
	named = args.disks.count;
	code = named ? SW_OK : sw_disks_default(&args.disks);
	if (code)
		return code;
	if (geteuid() && !args.options.dry_run) {
		sw_log(SW_ERROR, "tuning writes to /sys: it takes root");
		return SW_NOT_PERMITTED;
	}
	sw_wait_init();
	code = sw_fleet_open(&fleet, args.disks.disk, args.disks.count, &args.options, named);
	if (code)
		return code;
	code = loop(fleet, &args);
	closed = sw_fleet_close(fleet);
	if (!code)
		code = sw_finish_output(sw_say_error());
	return code ? code : closed;
}
