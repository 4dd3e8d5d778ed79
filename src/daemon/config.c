// SPDX-License-Identifier: GPL-2.0-or-later
/* The daemon's configuration file, read by inih. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <ini.h>

#include "seekwise/base.h"
#include "seekwise/config.h"

#define SECOND 1000000000ULL
#define DEFAULT_WINDOW (2 * SECOND)

struct reader {
	struct sw_config *config;
	char what[256]; /* is wrong, in words */
};

static struct sw_config_disk *disk_of(struct reader *r, const char *section)
{
	struct sw_config *c = r->config;
	struct sw_config_disk *d;
	int i;

	for (i = 0; i < c->count; i++)
		if (!strcmp(c->disks[i].what, section))
			return &c->disks[i];
	if (c->count == SW_CONFIG_DISKS || strlen(section) >= sizeof(d->what))
		return NULL;
	d = &c->disks[c->count++];
	memset(d, 0, sizeof(*d));
	strcpy(d->what, section);
	d->window_ns = DEFAULT_WINDOW;
	return d;
}

static int parse_bool(const char *text, bool *value)
{
	if (!strcmp(text, "yes") || !strcmp(text, "no"))
		return *value = text[0] == 'y', 0;
	return -EINVAL;
}

/* Returns 1 if the value is right, 0 if not, as inih wants it. */
static int set(struct reader *r, struct sw_config_disk *d, const char *name, const char *value)
{
	const char *allowed = "yes, no";
	int err = 0;

	if (!strcmp(name, "mode")) {
		allowed = "observe, tune";
		d->tune = !strcmp(value, "tune");
		err = d->tune || !strcmp(value, "observe") ? 0 : -EINVAL;
	} else if (!strcmp(name, "any_rotation")) {
		err = parse_bool(value, &d->any_rotation);
	} else if (!strcmp(name, "keep")) {
		err = parse_bool(value, &d->keep);
	} else if (!strcmp(name, "window")) {
		allowed = "a duration from 200ms to 600s";
		err = sw_parse_duration(value, SECOND / 5, 600 * SECOND, &d->window_ns);
	} else {
		snprintf(r->what, sizeof(r->what),
			 "unknown key '%.40s' (allowed: mode, window, any_rotation, keep)", name);
		return 0;
	}
	if (err)
		snprintf(r->what, sizeof(r->what), "%s = %.60s (allowed: %s)", name, value,
			 allowed);
	return !err;
}

static int on_key(void *user, const char *section, const char *name, const char *value)
{
	struct reader *r = user;
	struct sw_config_disk *d;

	if (r->what[0])
		return 1; /* the first fault is told */
	if (!section[0]) {
		snprintf(r->what, sizeof(r->what), "'%.40s' stands before any [DISK]", name);
		return 0;
	}
	d = disk_of(r, section);
	if (!d) {
		snprintf(r->what, sizeof(r->what), "more than %d disks, or a name too long",
			 SW_CONFIG_DISKS);
		return 0;
	}
	return set(r, d, name, value);
}

int sw_config_read(const char *path, struct sw_config *config, char *why, unsigned int why_size)
{
	struct reader r = { .config = config };
	FILE *f;
	int line, err;

	memset(config, 0, sizeof(*config));
	f = fopen(path, "re");
	if (!f) {
		err = errno;
		snprintf(why, why_size, "%s: %s", path, sw_strerror(err));
		return -err;
	}
	line = ini_parse_file(f, on_key, &r);
	err = ferror(f) ? -EIO : 0;
	fclose(f);
	if (err || line < 0) {
		snprintf(why, why_size, "%s: cannot be read", path);
		return -EIO;
	}
	if (!line && config->count)
		return 0;
	if (!line)
		snprintf(why, why_size, "%s: names no disk; a section is [DISK] or [all]", path);
	else
		snprintf(why, why_size, "%s:%d: %s", path, line,
			 r.what[0] ? r.what : "neither [DISK] nor key = value");
	return -EINVAL;
}
