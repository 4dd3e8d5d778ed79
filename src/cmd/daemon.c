// SPDX-License-Identifier: GPL-2.0-or-later
/* seekwise daemon: the service, from its configuration or its command line. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "seekwise/config.h"
#include "seekwise/daemon.h"
#include "seekwise/wait.h"

#define DEFAULT_CONFIG "/etc/seekwise/seekwise.conf"

struct daemon_args {
	const char *config;
	struct sw_disks disks; /* named on the command line */
};

static const struct argp_option options[] = {
	{ "config", 'c', "FILE", 0, "Configuration (default " DEFAULT_CONFIG ")", 0 }, { 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct daemon_args *args = state->input;

	switch (key) {
	case 'c':
		args->config = arg;
		return 0;
	case ARGP_KEY_END:
		if (args->config && args->disks.count)
			sw_usage(state, "-c and disks exclude each other");
		return 0;
	default:
		return sw_parse_disk(key, arg, &args->disks);
	}
}

static const struct argp argp = {
	options,
	parse,
	"[DISK...]",
	"Runs as a service. Disks of the command line are observed; disks of the configuration are "
	"observed, or tuned where it says mode = tune. Ends on SIGTERM, SIGINT or SIGHUP, and puts "
	"back what it changed.",
	sw_observe_options,
	NULL,
	NULL
};

static void say(const char *line)
{
	sw_log(SW_INFO, "%s", line);
}

static void add(struct sw_daemon_disk *to, int *count, const struct sw_disk *disk,
		const struct sw_config_disk *config)
{
	struct sw_daemon_disk *d;
	int i;

	/* A disk that has a section of its own is not changed by a later [all]. */
	for (i = 0; i < *count; i++)
		if (to[i].disk.major == disk->major && to[i].disk.minor == disk->minor) {
			if (config && strcmp(config->what, "all"))
				sw_log(SW_WARN, "%s stands in two sections; [%s] is left out",
				       disk->name, config->section);
			return;
		}
	if (*count == SW_MAX_DISKS)
		return;
	d = &to[(*count)++];
	memset(d, 0, sizeof(*d));
	d->disk = *disk;
	d->tune = config && config->tune;
	if (!d->tune)
		return;
	sw_limits_default(&d->options.limits);
	d->options.gate.any_rotation = config->any_rotation;
	d->options.keep = config->keep;
	d->options.window_ns = config->window_ns;
	d->options.patient = true;
	d->options.say = say;
}

/* The disks of one section; `all` comes last, so that the others have their own settings. */
static void add_section(const char *path, const struct sw_config_disk *section, bool all,
			struct sw_daemon_disk *to, int *count)
{
	struct sw_disks disks = { .count = 0 };
	int i;

	if (all != !strcmp(section->what, "all"))
		return;
	/* One that is absent is said, and does not keep the service from the others. */
	if (all ? sw_disks_default(&disks) : sw_disks_add(&disks, section->what))
		sw_log(SW_WARN, "%s: section [%s] is left out", path, section->section);
	for (i = 0; i < disks.count; i++)
		add(to, count, &disks.disk[i], section);
}

static int from_config(const char *path, struct sw_daemon_disk *to, int *count)
{
	static struct sw_config config;
	char why[512];
	int i, pass, err;

	err = sw_config_read(path, &config, why, sizeof(why));
	if (err) {
		sw_log(SW_ERROR, "%s", why);
		return err == -EINVAL ? SW_USAGE : SW_FAILED;
	}
	for (pass = 0; pass < 2; pass++)
		for (i = 0; i < config.count; i++)
			add_section(path, &config.disks[i], pass, to, count);
	if (*count)
		return SW_OK;
	sw_log(SW_ERROR, "%s: none of its disks is here", path);
	return SW_FAILED;
}

int sw_cmd_daemon(int argc, char **argv)
{
	static struct sw_daemon_disk disks[SW_MAX_DISKS];
	static struct daemon_args args;
	int i, count = 0, code = SW_OK;

	argp_parse(&argp, argc, argv, 0, NULL, &args);
	for (i = 0; i < args.disks.count; i++)
		add(disks, &count, &args.disks.disk[i], NULL);
	if (!count)
		code = from_config(args.config ? args.config : DEFAULT_CONFIG, disks, &count);
	if (code)
		return code;
	for (i = 0; i < count; i++)
		if (disks[i].tune && geteuid()) {
			sw_log(SW_ERROR, "%s: tuning writes to /sys: it takes root",
			       disks[i].disk.name);
			return SW_NOT_PERMITTED;
		}
	for (i = 0; i < count; i++)
		sw_log(SW_INFO, "%s: %s", disks[i].disk.name, disks[i].tune ? "tuned" : "observed");
	sw_wait_init();
	return sw_daemon_run(disks, count);
}
