/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The subcommands, and what they share. Each returns an exit code (base.h). */
#ifndef SEEKWISE_CMD_H
#define SEEKWISE_CMD_H

#include <argp.h>
#include <limits.h>
#include <stdint.h>

#include "seekwise/base.h"
#include "seekwise/disk.h"

int sw_cmd_top(int argc, char **argv);
int sw_cmd_report(int argc, char **argv);
int sw_cmd_tune(int argc, char **argv);
int sw_cmd_trial(int argc, char **argv);
int sw_cmd_daemon(int argc, char **argv);
int sw_cmd_restore(int argc, char **argv);
int sw_cmd_check(int argc, char **argv);

#define SW_MAX_DISKS 256

#define SW_MAX_STACKS 64

/* A device named on a command line whose members make its requests. */
struct sw_stack {
	char name[PATH_MAX];
	int member[SW_MAX_DISKS]; /* which of the disks, each once */
	int count;
};

struct sw_stacks {
	struct sw_stack stack[SW_MAX_STACKS];
	int count;
};

/* Disks named on a command line. */
struct sw_disks {
	struct sw_disk disk[SW_MAX_DISKS];
	int count;
	struct sw_stacks *stacks; /* gets what was named of these; 0: not wanted */
};

/* Says what is wrong with the command line in one line, and ends the program with SW_USAGE. */
_Noreturn void sw_usage(const struct argp_state *state, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A number or a duration of an option; a bad one ends the program by sw_usage. */
uint64_t sw_option_u64(const struct argp_state *state, const char *option, const char *text,
		       uint64_t min, uint64_t max);
uint64_t sw_option_duration(const struct argp_state *state, const char *option, const char *text,
			    uint64_t min_ns, uint64_t max_ns);

/* Options of every subcommand that observes. */
extern const struct argp_child sw_observe_options[];

/*
 * Resolves what was named and adds it without repeating a disk; a note (stderr)
 * where something else is watched than was named. SW_OK, or a message and an exit code.
 */
int sw_disks_add(struct sw_disks *disks, const char *what);
/* Case of an argp parser: adds an argument as a disk, or ends the program. */
error_t sw_parse_disk(int key, char *arg, struct sw_disks *disks);
/* With nothing named: all disks that have requests. */
int sw_disks_default(struct sw_disks *disks);

/* The exit code for an error of sw_observer_open, after saying it. */
int sw_observer_failed(int err, const char *why);

/* Is the disk still there and the same? Refreshes it. */
bool sw_disk_still_there(struct sw_disk *disk);

/* A line to standard output, as of sw_put_line; an error is kept for sw_say_error: 0 or -errno. */
void sw_say(const char *line);
int sw_say_error(void);

/* Ends output: an exit code, with a message if it could not be written (but for a closed pipe). */
int sw_finish_output(int err);

#endif
