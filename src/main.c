// SPDX-License-Identifier: GPL-2.0-or-later
/* Chooses the subcommand. */
#include <argp.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *about;
} commands[] = {
	{ "top", sw_cmd_top, "live view of what the scheduler decides and what it costs" },
	{ "report", sw_cmd_report, "observe for a time, or while a command runs, and report" },
	{ "tune", sw_cmd_tune, "tune in the foreground, one line for each decision" },
	{ "trial", sw_cmd_trial, "compare settings on a live disk, in alternating windows" },
	{ "daemon", sw_cmd_daemon,
	  "the service: observe, or tune where its configuration says so" },
	{ "restore", sw_cmd_restore, "put the knobs back that a tuner left changed" },
	{ "check", sw_cmd_check, "can this machine be observed and tuned; why not, in words" },
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void help(FILE *out)
{
	size_t i;

	fprintf(out, "Usage: seekwise COMMAND [ARG...]\n"
		     "Observes and tunes the Linux block I/O scheduler.\n\nCommands:\n");
	for (i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].about);
	fprintf(out, "\n'seekwise COMMAND --help' tells the options of a command.\n"
		     "Exit codes: 0 done, 1 failed, 2 usage, 3 not permitted, 4 kernel cannot be\n"
		     "observed, 5 nothing to tune, 6 busy (another tuner holds the disk).\n");
}

static int run(const struct command *command, int argc, char **argv)
{
	static char name[64];

	/* argp shows it in messages and in the usage line. */
	snprintf(name, sizeof(name), "seekwise %s", command->name);
	argv[0] = name;
	return command->run(argc, argv);
}

/*
 * A descriptor of ours must not become somebody's standard output. What is closed stays
 * without effect for reading, and writing to it fails.
 */
static void open_standard_files(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDWR);
		if (fd != STDOUT_FILENO)
			continue;
		close(fd);
		fd = open("/dev/null", O_RDONLY);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
}

/* What a command could not print makes it fail, but for a reader that went away. */
static int finish(int code)
{
	int err = sw_finish_output(0);

	return code ? code : err;
}

int main(int argc, char **argv)
{
	const char *debug;
	size_t i;

	open_standard_files();
	signal(SIGPIPE, SIG_IGN);
	setlocale(LC_ALL, "");
	argp_err_exit_status = SW_USAGE;
	sw_roots_init();
	debug = getenv("SEEKWISE_DEBUG");
	if (debug && !strcmp(debug, "1"))
		sw_log_level(SW_DEBUG);
	if (argc < 2) {
		help(stderr);
		return SW_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		help(stdout);
		return finish(SW_OK);
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		printf("seekwise %s\n", SW_VERSION);
		return finish(SW_OK);
	}
	for (i = 0; i < COMMANDS; i++)
		if (!strcmp(argv[1], commands[i].name))
			return finish(run(&commands[i], argc - 1, argv + 1));
	sw_log(SW_ERROR, "unknown command '%s'; see 'seekwise --help'", argv[1]);
	return SW_USAGE;
}
