/* SPDX-License-Identifier: GPL-2.0-or-later */
/* modeldisk: one file over FUSE whose reads and writes cost what a disk with heads would take. */
#include "modeldisk.h"

#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#define EXIT_USAGE 2

void say(int err, const char *fmt, ...)
{
	va_list ap;

	flockfile(stderr);
	fputs("modeldisk: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	if (err) {
		const char *name = strerrorname_np(err);

		fprintf(stderr, ": %s", name ? name : "unknown error");
	}
	fputc('\n', stderr);
	funlockfile(stderr);
}

enum key {
	KEY_SIZE = 0x100,
	KEY_SEEK_MIN,
	KEY_SEEK_MAX,
	KEY_RPM,
	KEY_RATE,
	KEY_OVERHEAD,
	KEY_ORDER,
	KEY_DEPTH,
	KEY_ARMS,
	KEY_STRIPE,
	KEY_SPEED,
	KEY_NO_SEEK,
	KEY_NO_DATA,
	KEY_DATA_MAX,
	KEY_STATS,
	KEY_PID_FILE,
};

static const struct argp_option option_table[] = {
	{ 0, 0, 0, 0, "The disk:", 1 },
	{ "size", KEY_SIZE, "BYTES", 0, "size, with k, M, G or T (default 1T)", 1 },
	{ "seek-min", KEY_SEEK_MIN, "MS", 0, "seek to the next track (default 1.6)", 1 },
	{ "seek-max", KEY_SEEK_MAX, "MS", 0, "seek over the whole disk (default 13)", 1 },
	{ "rpm", KEY_RPM, "N", 0, "revolutions per minute (default 7200)", 1 },
	{ "rate", KEY_RATE, "MBPS", 0, "transfer, in 10^6 bytes per second (default 150)", 1 },
	{ "overhead", KEY_OVERHEAD, "US", 0, "time paid by every request (default 50)", 1 },
	{ "no-seek", KEY_NO_SEEK, 0, 0, "no seek and no rotation", 1 },
	{ "order", KEY_ORDER, "fifo|sptf", 0,
	  "order within the disk: first come first served (default), or shortest positioning time",
	  1 },
	{ "depth", KEY_DEPTH, "N", 0, "sptf chooses among the N oldest (default 32)", 1 },
	{ "arms", KEY_ARMS, "N", 0, "striped over N arms (default 1)", 1 },
	{ "stripe", KEY_STRIPE, "BYTES", 0, "stripe of one arm (default 64k)", 1 },
	{ "speed", KEY_SPEED, "FACTOR", 0, "everything so many times faster (default 1)", 1 },
	{ 0, 0, 0, 0, "Contents:", 2 },
	{ "no-data", KEY_NO_DATA, 0, 0, "drop what is written, read zeros", 2 },
	{ "data-max", KEY_DATA_MAX, "BYTES", 0,
	  "memory for contents; writes beyond fail with ENOSPC (default 4G)", 2 },
	{ 0, 0, 0, 0, "Service:", 3 },
	{ "stats", KEY_STATS, "FILE", 0, "write statistics at the end and on SIGUSR1", 3 },
	{ "pid-file", KEY_PID_FILE, "FILE", 0, "written when the disk can be used", 3 },
	{ 0 },
};

static const char doc[] =
	"Serve MOUNTPOINT/disk, a file whose reads and writes take the time a disk with moving heads "
	"would take. Stays in the foreground.\v"
	"Signals: TERM, INT and HUP unmount and end (what is queued fails), USR1 writes the "
	"statistics, USR2 answers everything at once from then on.\n"
	"Exit status: 0 done, 1 failed, 2 usage.";

__attribute__((noreturn, format(printf, 1, 2))) static void usage_error(const char *fmt, ...)
{
	va_list ap;

	fputs("modeldisk: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(EXIT_USAGE);
}

/* A plain decimal, all of @text, in @min … @max. */
static double parse_decimal(const char *name, const char *text, double min, double max)
{
	char *end = NULL;
	double value = -1;

	/* strtod() would take hexadecimal, inf, nan and leading space as well */
	if (*text && strspn(text, "0123456789.") == strlen(text))
		value = strtod(text, &end);
	if (!end || *end || value < min || value > max)
		usage_error("--%s: '%s' is not a number from %g to %g", name, text, min, max);
	return value;
}

static unsigned int parse_count(const char *name, const char *text, unsigned int min,
				unsigned int max)
{
	unsigned long value = 0;
	bool good = *text && strlen(text) < 10 && strspn(text, "0123456789") == strlen(text);

	if (good)
		value = strtoul(text, NULL, 10);
	if (!good || value < min || value > max)
		usage_error("--%s: '%s' is not a whole number from %u to %u", name, text, min, max);
	return (unsigned int)value;
}

/* Bits to shift for a unit; -1 if @unit is none. */
static int unit_shift(const char *unit)
{
	static const char units[] = "KMGTP";
	const char *found;

	if (!*unit)
		return 0;
	found = unit[1] ? NULL : strchr(units, toupper((unsigned char)*unit));
	return found ? 10 * (int)(found - units + 1) : -1;
}

/* Bytes with an optional unit, in @min … @max and a multiple of 512. */
static uint64_t parse_size(const char *name, const char *text, const char *min_text, uint64_t min,
			   const char *max_text, uint64_t max)
{
	char *end = NULL;
	uint64_t value = 0;
	int shift = -1;

	errno = 0;
	if (isdigit((unsigned char)*text)) {
		value = strtoull(text, &end, 10);
		shift = unit_shift(end);
	}
	if (shift < 0 || errno || value > max >> shift || value << shift < min ||
	    (value << shift) % 512)
		usage_error(
			"--%s: '%s' is not a size from %s to %s (bytes in multiples of 512, or with k, M, G, T)",
			name, text, min_text, max_text);
	return value << shift;
}

static enum md_order parse_order(const char *text)
{
	if (strcmp(text, "fifo") == 0)
		return MD_ORDER_FIFO;
	if (strcmp(text, "sptf") == 0)
		return MD_ORDER_SPTF;
	usage_error("--order: '%s' is neither fifo nor sptf", text);
}

static bool parse_model(struct md_config *config, int key, const char *arg)
{
	if (key == KEY_SEEK_MIN)
		config->seek_min_ms = parse_decimal("seek-min", arg, 0, 1000);
	else if (key == KEY_SEEK_MAX)
		config->seek_max_ms = parse_decimal("seek-max", arg, 0, 1000);
	else if (key == KEY_RPM)
		config->rpm = parse_decimal("rpm", arg, 1, 1e6);
	else if (key == KEY_RATE)
		config->rate_mbs = parse_decimal("rate", arg, 0.1, 1e5);
	else if (key == KEY_OVERHEAD)
		config->overhead_us = parse_decimal("overhead", arg, 0, 1e6);
	else if (key == KEY_ORDER)
		config->order = parse_order(arg);
	else if (key == KEY_DEPTH)
		config->depth = parse_count("depth", arg, 1, 4096);
	else if (key == KEY_ARMS)
		config->arms = parse_count("arms", arg, 1, 64);
	else if (key == KEY_NO_SEEK)
		config->seek = false;
	else if (key == KEY_SIZE)
		config->size = parse_size("size", arg, "1M", 1ULL << 20, "1024T", 1ULL << 50);
	else if (key == KEY_STRIPE)
		config->stripe = parse_size("stripe", arg, "4k", 4096, "1G", 1ULL << 30);
	else
		return false;
	return true;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	if (parse_model(&options->config, key, arg))
		return 0;
	switch (key) {
	case KEY_SPEED:
		options->speed = parse_decimal("speed", arg, 0.01, 1000);
		return 0;
	case KEY_NO_DATA:
		options->no_data = true;
		return 0;
	case KEY_DATA_MAX:
		options->data_max = parse_size("data-max", arg, "4k", 4096, "1024T", 1ULL << 50);
		return 0;
	case KEY_STATS:
		options->stats_file = arg;
		return 0;
	case KEY_PID_FILE:
		options->pid_file = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (options->mountpoint)
			usage_error("one MOUNTPOINT only, '%s' is too much", arg);
		options->mountpoint = arg;
		return 0;
	case ARGP_KEY_NO_ARGS:
		usage_error("MOUNTPOINT is missing; see modeldisk --help");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void parse_arguments(struct options *options, int argc, char **argv)
{
	static const struct argp argp = { option_table, parse_option, "MOUNTPOINT", doc, 0, 0, 0 };
	const char *problem;

	*options = (struct options){ .speed = 1, .data_max = 4ULL << 30 };
	md_config_default(&options->config);
	argp_err_exit_status = EXIT_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, options);
	problem = md_config_problem(&options->config);
	if (problem)
		usage_error("%s", problem);
}

/*
 * Block the signals that serve() reads, except those that our caller ignores: a
 * script protects us from its terminal that way. Blocked signals are never
 * ignored by the kernel, so they must not be blocked.
 */
static void block_signals(void)
{
	static const int numbers[] = { SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2 };
	struct sigaction action;
	sigset_t set;
	size_t i;

	sigemptyset(&set);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (sigaction(numbers[i], NULL, &action) || action.sa_handler != SIG_IGN)
			sigaddset(&set, numbers[i]);
	}
	sigprocmask(SIG_SETMASK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
}

int main(int argc, char **argv)
{
	struct options options;
	struct disk disk = { .options = &options };
	int err;

	parse_arguments(&options, argc, argv);
	block_signals();
	/* the answers are timed to microseconds; the default slack is 50 of them */
	prctl(PR_SET_TIMERSLACK, 1UL);
	if (!options.no_data) {
		disk.store = store_new(options.config.size, options.data_max);
		if (!disk.store) {
			say(ENOMEM, "cannot keep contents");
			return EXIT_FAILURE;
		}
	}
	err = serve(&disk);
	store_free(disk.store);
	return err ? EXIT_FAILURE : EXIT_SUCCESS;
}
