// SPDX-License-Identifier: GPL-2.0-or-later
/* What the subcommands share: disks and options of a command line, common failures. */
#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "seekwise/observe.h"
#include "seekwise/wait.h"

void sw_usage(const struct argp_state *state, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	sw_log(SW_ERROR, "%s; see '%s --help'", text, state->name);
	exit(SW_USAGE);
}

uint64_t sw_option_u64(const struct argp_state *state, const char *option, const char *text,
		       uint64_t min, uint64_t max)
{
	uint64_t value;

	if (sw_parse_u64(text, min, max, &value))
		sw_usage(state, "%s %s: not a whole number from %llu to %llu", option, text,
			 (unsigned long long)min, (unsigned long long)max);
	return value;
}

/* In the largest unit in which it is whole. */
static const char *duration_text(uint64_t ns, char *text, size_t size)
{
	static const struct {
		uint64_t ns;
		const char *unit;
	} units[] = { { 3600000000000, "h" }, { 60000000000, "m" }, { 1000000000, "s" } };
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (ns >= units[i].ns && !(ns % units[i].ns)) {
			snprintf(text, size, "%llu%s", (unsigned long long)(ns / units[i].ns),
				 units[i].unit);
			return text;
		}
	snprintf(text, size, "%llums", (unsigned long long)ns / 1000000);
	return text;
}

uint64_t sw_option_duration(const struct argp_state *state, const char *option, const char *text,
			    uint64_t min_ns, uint64_t max_ns)
{
	char low[32], high[32];
	uint64_t ns;

	if (sw_parse_duration(text, min_ns, max_ns, &ns))
		sw_usage(state,
			 "%s %s: not a duration from %s to %s (units: ns, us, ms, s, m, h; a bare "
			 "number is seconds)",
			 option, text, duration_text(min_ns, low, sizeof(low)),
			 duration_text(max_ns, high, sizeof(high)));
	return ns;
}

#define OPT_BTF 512

static error_t parse_observe(int key, char *arg, struct argp_state *state)
{
	(void)state;
	if (key != OPT_BTF)
		return ARGP_ERR_UNKNOWN;
	sw_observer_use_btf(arg);
	return 0;
}

static const struct argp_option observe_options[] = {
	{ "btf", OPT_BTF, "FILE", 0,
	  "The BTF of this very kernel, where the kernel does not carry it itself", 0 },
	{ 0 },
};
static const struct argp observe_argp = { observe_options, parse_observe, 0, 0, 0, 0, 0 };
const struct argp_child sw_observe_options[] = { { &observe_argp, 0, 0, 0 }, { 0 } };

/* Its place among the disks that are added already, -1 if it is none of them. */
static int place_of(const struct sw_disks *disks, const struct sw_disk *disk)
{
	int i;

	for (i = 0; i < disks->count; i++)
		if (disks->disk[i].major == disk->major && disks->disk[i].minor == disk->minor)
			return i;
	return -1;
}

static int add_one(struct sw_disks *disks, const struct sw_disk *disk)
{
	if (place_of(disks, disk) >= 0)
		return SW_OK;
	if (disks->count == SW_MAX_DISKS) {
		sw_log(SW_ERROR, "more than %d disks", SW_MAX_DISKS);
		return SW_USAGE;
	}
	disks->disk[disks->count++] = *disk;
	return SW_OK;
}

static bool is_known(const struct sw_stacks *stacks, const char *name)
{
	int i;

	for (i = 0; i < stacks->count; i++)
		if (!strcmp(stacks->stack[i].name, name))
			return true;
	return false;
}

/* Keeps which disks the stacked device that was named, if it is one, consists of. */
static int add_stack(struct sw_disks *disks, const char *what, const struct sw_disk *members, int n)
{
	struct sw_stacks *stacks = disks->stacks;
	struct sw_stack *stack;
	char name[PATH_MAX];
	int i;

	if (!stacks || !sw_disk_stack(what, n, name, sizeof(name)) || is_known(stacks, name))
		return SW_OK;
	if (stacks->count == SW_MAX_STACKS) {
		sw_log(SW_ERROR, "more than %d stacked devices", SW_MAX_STACKS);
		return SW_USAGE;
	}
	stack = &stacks->stack[stacks->count++];
	strcpy(stack->name, name);
	for (i = 0; i < n; i++)
		stack->member[stack->count++] = place_of(disks, &members[i]);
	return SW_OK;
}

int sw_disks_add(struct sw_disks *disks, const char *what)
{
	struct sw_disk found[SW_MAX_DISKS];
	char text[512];
	int i, code = SW_OK, n = sw_disk_resolve(what, found, SW_MAX_DISKS, text, sizeof(text));

	if (n < 0) {
		sw_disk_why(what, n, text, sizeof(text));
		sw_log(SW_ERROR, "%s", text);
		return n == -EACCES || n == -EPERM ? SW_NOT_PERMITTED : SW_USAGE;
	}
	if (text[0])
		sw_log(SW_INFO, "%s", text);
	for (i = 0; i < n && !code; i++)
		code = add_one(disks, &found[i]);
	return code ? code : add_stack(disks, what, found, n);
}

error_t sw_parse_disk(int key, char *arg, struct sw_disks *disks)
{
	int code;

	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	code = sw_disks_add(disks, arg);
	if (code)
		exit(code);
	return 0;
}

int sw_disks_default(struct sw_disks *disks)
{
	int n = sw_disk_list(disks->disk, SW_MAX_DISKS);

	if (n < 0) {
		sw_log(SW_ERROR, "%s/block cannot be read: %s", sw_roots.sys, sw_strerror(-n));
		return SW_FAILED;
	}
	if (!n) {
		sw_log(SW_ERROR, "this machine has no disk with requests to observe");
		return SW_NO_OBSERVING;
	}
	disks->count = n;
	return SW_OK;
}

int sw_observer_failed(int err, const char *why)
{
	sw_log(SW_ERROR, "cannot observe: %s", why);
	if (err == -EPERM)
		return SW_NOT_PERMITTED;
	return err == -E2BIG ? SW_USAGE : SW_NO_OBSERVING;
}

bool sw_disk_still_there(struct sw_disk *disk)
{
	return !sw_disk_refresh(disk) && disk->sectors;
}

static int say_error;

void sw_say(const char *line)
{
	char text[2048];
	int err;

	snprintf(text, sizeof(text), "%s\n", line);
	err = sw_put_line(STDOUT_FILENO, text);
	if (err)
		say_error = err;
}

int sw_say_error(void)
{
	return say_error;
}

int sw_finish_output(int err)
{
	errno = 0;
	if (!err && (fflush(stdout) || ferror(stdout)))
		err = errno ? -errno : -EIO;
	/* It is told once: what is called later finds a stream without a fault. */
	__fpurge(stdout);
	clearerr(stdout);
	if (!err || err == -EPIPE)
		return SW_OK;
	if (err == -EINTR)
		sw_log(SW_ERROR, "ended by a signal before standard output was read");
	else
		sw_log(SW_ERROR, "standard output cannot be written: %s", sw_strerror(-err));
	return SW_FAILED;
}
