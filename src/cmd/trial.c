// SPDX-License-Identifier: GPL-2.0-or-later
/* seekwise trial: settings against each other on a live disk. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "seekwise/live_trial.h"
#include "seekwise/observe.h"
#include "seekwise/output.h"
#include "seekwise/wait.h"

#define SECOND 1000000000ULL

enum { OPT_WINDOW = 256, OPT_PAIRS, OPT_METRIC, OPT_JSON };

struct trial_args {
	struct sw_disks disks;
	struct sw_live_options options;
	uint64_t duration_ns; /* 0: until it is over */
	bool has_a, json;
};

static const struct argp_option options[] = {
	{ "a", 'a', "SET", 0,
	  "The settings to compare with: knob=value[,knob=value]; scheduler=name may be among them",
	  0 },
	{ "b", 'b', "SET", 0, "Settings to compare; up to five times", 0 },
	{ "window", OPT_WINDOW, "TIME", 0, "Least length of a measuring window (default 2s)", 0 },
	{ "pairs", OPT_PAIRS, "N", 0,
	  "Exactly N windows under each (1 to 256); without, until it is decided, 40 at most", 0 },
	{ "metric", OPT_METRIC, "NAME", 0, "throughput (default), sync_p99 or wait_mean", 0 },
	{ "duration", 'd', "TIME", 0, "End after this time in any case", 0 },
	{ "json", OPT_JSON, NULL, 0, "One JSON object on one line, at the end", 0 },
	{ 0 }
};

static void parse_set(struct trial_args *args, int key, const char *text,
		      const struct argp_state *state)
{
	struct sw_live_options *o = &args->options;
	struct sw_set set;
	char why[512];
	int i;

	if (key == 'a' && args->has_a)
		sw_usage(state, "-a %s: there is one -a; what is compared with it are -b", text);
	if (key == 'b' && o->sets + !args->has_a == SW_COMPARED)
		sw_usage(state, "-b %s: there are at most %d -b", text, SW_COMPARED - 1);
	if (sw_set_parse(text, &set, why, sizeof(why)))
		sw_usage(state, "-%c %s: %s", key, text, why);
	/* a is number 0, wherever it stands on the line. */
	i = key == 'a' ? 0 : o->sets + !args->has_a;
	o->set[i] = set;
	o->sets++;
	args->has_a |= key == 'a';
}

static void check_sets(const struct trial_args *args, const struct argp_state *state)
{
	const struct sw_live_options *o = &args->options;
	char text[256];
	int i, k;

	if (!args->has_a || o->sets < 2)
		sw_usage(state, "it takes -a SET and at least one -b SET");
	for (i = 1; i < o->sets; i++)
		for (k = 0; k < i; k++)
			if (sw_set_equal(&o->set[i], &o->set[k])) {
				sw_set_text(&o->set[i], text, sizeof(text));
				sw_usage(state, "-b %s: the same as another set", text);
			}
	if (args->disks.count != 1)
		sw_usage(state, "it takes one disk, and %d are named", args->disks.count);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct trial_args *args = state->input;
	int metric;

	switch (key) {
	case 'a':
	case 'b':
		parse_set(args, key, arg, state);
		return 0;
	case OPT_WINDOW:
		args->options.window_ns =
			sw_option_duration(state, "--window", arg, SECOND / 5, 600 * SECOND);
		return 0;
	case OPT_PAIRS:
		args->options.pairs = (int)sw_option_u64(state, "--pairs", arg, 1, SW_TRIAL_PAIRS);
		return 0;
	case OPT_METRIC:
		metric = sw_metric_find(arg);
		if (metric < 0)
			sw_usage(state, "--metric %s: there are throughput, sync_p99 and wait_mean",
				 arg);
		args->options.metric = metric;
		return 0;
	case 'd':
		args->duration_ns =
			sw_option_duration(state, "-d", arg, SECOND, 365 * 86400 * SECOND);
		return 0;
	case OPT_JSON:
		args->json = true;
		return 0;
	case ARGP_KEY_END:
		check_sets(args, state);
		return 0;
	default:
		return sw_parse_disk(key, arg, &args->disks);
	}
}

static const struct argp argp = {
	options,
	parse,
	"DISK -a SET -b SET [-b SET...]",
	"Compares settings on a live disk: windows under each in alternation, A B B A, each begun when "
	"the requests chosen under the settings before are gone. What was found at the start comes "
	"back at the end.\v"
	"Without --pairs it ends as soon as each b is known to be better or worse than a by 3 % or "
	"more, or to differ by less; the interval holds at 95 %.",
	sw_observe_options,
	NULL,
	NULL
};

static void say_nothing(const char *line)
{
	(void)line;
}

/* Until it is over, or is ended; interrupted: by a signal. */
static void loop(struct sw_live_trial *trial, struct sw_observer *observer, uint64_t end_ns)
{
	struct sw_window window;
	uint64_t due;

	while (!sw_say_error()) {
		due = sw_live_due(trial);
		if (sw_is_end(sw_wait(due < end_ns ? due : end_ns, -1)))
			return;
		if (sw_now_ns() >= end_ns)
			return;
		if (sw_now_ns() < due || sw_observer_window(observer, 0, &window))
			continue;
		if (!sw_live_step(trial, &window))
			return;
	}
}

static bool any_judged(const struct sw_comparison *c)
{
	int i;

	for (i = 1; i < c->sets; i++)
		if (c->with[i].outcome != SW_NOT_JUDGED)
			return true;
	return false;
}

static int report(const struct trial_args *args, const struct sw_live_trial *trial, bool restored)
{
	const struct sw_trial_report r = { .disk = args->disks.disk[0].name,
					   .comparison = sw_live_result(trial),
					   .sets = sw_live_set(trial, 0),
					   .window_ns = args->options.window_ns,
					   .restored = restored,
					   .why = sw_live_why(trial) };
	int err = sw_say_error();

	if (!err)
		err = args->json ? sw_trial_json(stdout, &r) : sw_trial_text(stdout, &r);
	if (err)
		return sw_finish_output(err) || sw_say_error() ? SW_FAILED : SW_OK;
	return restored && !r.why[0] && any_judged(r.comparison) ? SW_OK : SW_FAILED;
}

static int run(const struct trial_args *args, struct sw_live_trial *trial)
{
	struct sw_observer *observer;
	char why[512];
	int err = sw_observer_open(&observer, args->disks.disk, 1, 0, why, sizeof(why)), closed;

	if (err) {
		sw_live_release(trial);
		return sw_observer_failed(err, why);
	}
	loop(trial, observer, args->duration_ns ? sw_now_ns() + args->duration_ns : UINT64_MAX);
	sw_observer_close(observer);
	/* Before anything is printed: that may block. */
	closed = sw_live_release(trial);
	return report(args, trial, closed == SW_OK);
}

int sw_cmd_trial(int argc, char **argv)
{
	static struct trial_args args;
	struct sw_live_trial *trial;
	char why[512];
	int code;

	args.options.window_ns = 2 * SECOND;
	argp_parse(&argp, argc, argv, 0, NULL, &args);
	args.options.say = args.json ? say_nothing : sw_say;
	if (geteuid()) {
		sw_log(SW_ERROR, "a trial writes to /sys: it takes root");
		return SW_NOT_PERMITTED;
	}
	sw_wait_init();
	code = sw_live_open(&trial, &args.disks.disk[0], &args.options, why, sizeof(why));
	if (code) {
		sw_log(SW_ERROR, "%s: no trial: %s", args.disks.disk[0].name, why);
		return code;
	}
	code = run(&args, trial);
	sw_live_free(trial);
	return code;
}
