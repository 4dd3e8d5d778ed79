// SPDX-License-Identifier: GPL-2.0-or-later
/* seekwise report: observe for a time, or while a command runs, and report. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>

#include "child.h"
#include "cmd.h"
#include "seekwise/figures.h"
#include "seekwise/observe.h"
#include "seekwise/output.h"
#include "seekwise/wait.h"

#define SECOND 1000000000ULL
/* How often a disk that went away is noticed. */
#define LOOK_NS (SECOND / 4)
/* The observer counts from a millisecond after its start. */
#define WARM_UP_NS 5000000

enum { OPT_JSON = 256, OPT_SCHEMA, OPT_EXPLAIN, OPT_GROUPS };

struct report_args {
	struct sw_disks disks;
	uint64_t duration_ns; /* 0: not given */
	bool json;
	uint32_t groups; /* of figures, beside the core */
	char **command;  /* 0: none */
};

static const struct argp_option options[] = {
	{ "duration", 'd', "TIME", 0, "How long to observe, e.g. 500ms, 10s, 5m (default 10s)", 0 },
	{ "groups", OPT_GROUPS, "LIST", 0,
	  "Groups of figures beside the core, which is always on: merges, streams, depth, locality, "
	  "classes, separated by commas, or all (default core)",
	  0 },
	{ "json", OPT_JSON, NULL, 0,
	  "One JSON object on one line instead of text; the output of CMD then goes to standard "
	  "error",
	  0 },
	{ "json-schema", OPT_SCHEMA, NULL, 0, "Print the schema of the JSON and exit", 0 },
	{ "explain", OPT_EXPLAIN, NULL, 0, "Print what each figure means and exit", 0 },
	{ 0 }
};

static bool is_word(const char *word, size_t length, const char *name)
{
	return strlen(name) == length && !strncmp(word, name, length);
}

/* The bits of one name; ~0 for a name that is none. */
static uint32_t group_of(const char *word, size_t length)
{
	int i;

	if (is_word(word, length, "core"))
		return 0;
	if (is_word(word, length, "all"))
		return SW_GROUPS_ALL;
	for (i = 0; i < SW_GROUPS; i++)
		if (is_word(word, length, sw_group_names[i]))
			return 1u << i;
	return ~0u;
}

static uint32_t parse_groups(const struct argp_state *state, const char *list)
{
	uint32_t groups = 0, group;
	const char *word = list;
	size_t length;

	do {
		length = strcspn(word, ",");
		group = group_of(word, length);
		if (group == ~0u)
			sw_usage(
				state,
				"--groups %s: '%.*s' is no group; there are core, merges, streams, "
				"depth, locality, classes and all, separated by commas",
				list, (int)length, word);
		groups |= group;
		word += length;
	} while (*word++);
	return groups;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct report_args *args = state->input;

	switch (key) {
	case 'd':
		args->duration_ns =
			sw_option_duration(state, "-d", arg, SECOND / 100, 7 * 86400 * SECOND);
		return 0;
	case OPT_JSON:
		args->json = true;
		return 0;
	case OPT_GROUPS:
		args->groups = parse_groups(state, arg);
		return 0;
	case OPT_SCHEMA:
		exit(sw_finish_output(sw_report_schema(stdout)));
	case OPT_EXPLAIN:
		exit(sw_finish_output(sw_figures_explain(stdout)));
	default:
		return sw_parse_disk(key, arg, &args->disks);
	}
}

static const struct argp argp = {
	options,
	parse,
	"[DISK...] [-- CMD ARG...]",
	"Observes disks for a time, or while CMD runs, and reports what their scheduler decided and "
	"what it cost.\v"
	"DISK is a name (sda), a path (a device, a partition, a link) or a mount point; without one, "
	"all disks are observed. Of a stacked device (md, dm, NVMe multipath) the members are reported, "
	"and their sum. With CMD the exit status is that of CMD.",
	sw_observe_options,
	NULL,
	NULL
};

/* argp would take what follows "--" for disks: it is cut off before. */
static void split_command(int *argc, char **argv, struct report_args *args)
{
	int i;

	for (i = 1; i < *argc; i++) {
		if (strcmp(argv[i], "--"))
			continue;
		args->command = argv + i + 1;
		argv[i] = NULL;
		*argc = i;
		return;
	}
}

static bool any_left(struct sw_report_disk *disks, int count)
{
	int i, left = 0;

	for (i = 0; i < count; i++) {
		if (disks[i].gone)
			continue;
		/* An unbound loop device had no medium from the start. */
		disks[i].gone = !sw_disk_still_there(&disks[i].disk);
		if (disks[i].gone)
			sw_log(SW_ERROR, "%s: the disk is gone", disks[i].disk.name);
		left += !disks[i].gone;
	}
	return left;
}

static void observe_for(uint64_t ns, struct sw_observer *observer, struct sw_report_disk *disks,
			int count)
{
	uint64_t now = sw_now_ns(), end = now + ns;

	while (now < end && any_left(disks, count)) {
		if (sw_is_end(sw_wait(now + LOOK_NS < end ? now + LOOK_NS : end, -1)))
			break;
		sw_observer_tend(observer);
		now = sw_now_ns();
	}
}

/* Until all of them count. The signal that asked us to end meanwhile, 0: none did. */
static int warm_up(void)
{
	uint64_t until = sw_now_ns() + WARM_UP_NS;
	int signal;

	while ((signal = sw_wait(until, -1)) != SW_TIME_UP)
		if (sw_is_end(signal))
			return signal;
	return 0;
}

/*
 * Runs the command; its exit status for ours (128 + the signal that ended it).
 * *ran: it could be run at all.
 */
static int observe_command(struct report_args *args, struct sw_observer *observer,
			   struct sw_report *report, bool *ran)
{
	int status, signal = warm_up();
	pid_t pid;

	*ran = false;
	if (signal)
		return 128 + signal;
	pid = sw_child_start(args->command, args->json);
	*ran = pid >= 0;
	if (pid < 0) {
		sw_log(SW_ERROR, "%s cannot be run: %s", args->command[0], sw_strerror(-pid));
		return pid == -ENOENT ? 127 : 126;
	}
	while ((status = sw_child_wait(pid, sw_now_ns() + LOOK_NS)) == -EAGAIN)
		sw_observer_tend(observer);
	if (status >= 0 && WIFSIGNALED(status)) {
		report->signal = WTERMSIG(status);
		report->exit_status = -1;
		return 128 + WTERMSIG(status);
	}
	report->exit_status = status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	return report->exit_status < 0 ? SW_FAILED : report->exit_status;
}

/* What was read of a scheduler for a part of the time must not pass for the whole. */
static void note_switch(struct sw_report_disk *d, const char *before)
{
	if (!strcmp(d->disk.scheduler, before))
		return;
	snprintf(d->note, sizeof(d->note), "the scheduler was switched from %s to %s meanwhile",
		 before, d->disk.scheduler);
	d->window.deadline = d->window.kyber = false;
	d->around.switched = true;
}

static void collect(struct sw_observer *observer, struct sw_report *report,
		    struct sw_report_disk *disks, const struct sw_disks *before)
{
	int i;

	for (i = 0; i < report->count; i++) {
		sw_observer_window(observer, i, &disks[i].window);
		sw_around_read(&disks[i].disk, &disks[i].around);
		note_switch(&disks[i], before->disk[i].scheduler);
		sw_knobs_read(&disks[i].disk, &disks[i].knobs);
	}
	report->seconds = sw_window_seconds(&disks[0].window);
}

/* The sums of the stacked devices that were named; 0 when memory is short. */
static struct sw_report_stack *sum_stacks(const struct sw_stacks *named,
					  const struct sw_report_disk *disks)
{
	struct sw_report_stack *stacks = calloc(named->count + 1, sizeof(*stacks)), *stack;
	int i, k;

	for (i = 0; stacks && i < named->count; i++) {
		stack = &stacks[i];
		stack->name = named->stack[i].name;
		stack->disks = disks;
		stack->members = named->stack[i].member;
		stack->count = named->stack[i].count;
		if (disks[stack->members[0]].window.detail)
			stack->window.detail = calloc(1, sizeof(*stack->window.detail));
		for (k = 0; k < stack->count; k++)
			sw_window_join(&stack->window, &disks[stack->members[k]].window);
	}
	return stacks;
}

/* What was observed, to standard output: an exit code. */
static int print(const struct report_args *args, struct sw_report *report)
{
	struct sw_report_stack *stacks = sum_stacks(args->disks.stacks, report->disks);
	int i, err = -ENOMEM;

	report->stacks = stacks;
	report->stack_count = args->disks.stacks->count;
	if (stacks)
		err = args->json ? sw_report_json(stdout, report) : sw_report_text(stdout, report);
	for (i = 0; stacks && i < report->stack_count; i++)
		free(stacks[i].window.detail);
	free(stacks);
	return sw_finish_output(err);
}

/* Observes and reports; an exit code. */
static int run(struct report_args *args, struct sw_observer *observer, struct sw_report_disk *disks)
{
	static struct utsname kernel;
	struct sw_report report = { .disks = disks,
				    .count = args->disks.count,
				    .version = SW_VERSION,
				    .argv = args->command };
	int i, code = SW_OK, err;
	bool ran = true;

	for (i = 0; i < report.count; i++)
		disks[i].disk = args->disks.disk[i];
	clock_gettime(CLOCK_REALTIME, &report.start);
	if (args->command)
		code = observe_command(args, observer, &report, &ran);
	else
		observe_for(args->duration_ns, observer, disks, report.count);
	if (!ran)
		return code;
	any_left(disks, report.count);
	collect(observer, &report, disks, &args->disks);
	if (!uname(&kernel))
		report.kernel = kernel.release;
	err = print(args, &report);
	for (i = 0; i < report.count && !code; i++)
		code = disks[i].gone ? SW_FAILED : SW_OK;
	return code ? code : err;
}

int sw_cmd_report(int argc, char **argv)
{
	static struct sw_stacks stacks;
	static struct report_args args = { .disks.stacks = &stacks };
	struct sw_report_disk *disks;
	struct sw_observer *observer;
	char why[512];
	int code, err;

	split_command(&argc, argv, &args);
	argp_parse(&argp, argc, argv, 0, NULL, &args);
	if (args.command && (args.duration_ns || !args.command[0])) {
		sw_log(SW_ERROR,
		       args.duration_ns
			       ? "-d and a command exclude each other; see 'seekwise report --help'"
			       : "a command is missing behind --; see 'seekwise report --help'");
		return SW_USAGE;
	}
	if (!args.duration_ns)
		args.duration_ns = 10 * SECOND;
	code = args.disks.count ? SW_OK : sw_disks_default(&args.disks);
	if (code)
		return code;
	sw_wait_init();
	disks = calloc(args.disks.count, sizeof(*disks));
	if (!disks) {
		sw_log(SW_ERROR, "%s", sw_strerror(ENOMEM));
		return SW_FAILED;
	}
	err = sw_observer_open(&observer, args.disks.disk, args.disks.count, args.groups, why,
			       sizeof(why));
	code = err ? sw_observer_failed(err, why) : run(&args, observer, disks);
	sw_observer_close(observer);
	free(disks);
	return code;
}
