// SPDX-License-Identifier: GPL-2.0-or-later
/* The daemon's configuration file, read by inih. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
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
		if (!strcmp(c->disks[i].section, section))
			return &c->disks[i];
	if (c->count == SW_CONFIG_DISKS)
		return NULL;
	d = &c->disks[c->count++];
	memset(d, 0, sizeof(*d));
	strcpy(d->section, section);
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

	if (!strcmp(name, "disk")) {
		allowed = "a name, a path or a mount point";
		err = value[0] && strlen(value) < sizeof(d->what) ? 0 : -EINVAL;
		if (!err)
			strcpy(d->what, value);
	} else if (!strcmp(name, "mode")) {
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
			 "unknown key '%.40s' (allowed: disk, mode, window, any_rotation, keep)",
			 name);
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
		snprintf(r->what, sizeof(r->what), "more than %d disks", SW_CONFIG_DISKS);
		return 0;
	}
	return set(r, d, name, value);
}

/* inih cuts sections and lines off at these lengths without a word. */
#define SECTION_MAX 49
#define LINE_MAX_LENGTH 198

/* A section without keys is a disk as well: inih tells of keys alone. 0 or -EINVAL. */
static int scan_line(struct reader *r, char *text, size_t length)
{
	char *end;

	if (length > LINE_MAX_LENGTH) {
		snprintf(r->what, sizeof(r->what), "longer than %d characters", LINE_MAX_LENGTH);
		return -EINVAL;
	}
	if (text[0] != '[')
		return 0;
	end = strchr(text, ']');
	if (!end)
		return 0; /* inih says what is wrong with it */
	*end = 0;
	if (end - text - 1 > SECTION_MAX || end == text + 1) {
		snprintf(r->what, sizeof(r->what),
			 "[%.60s]: a section's name has 1 to %d characters; for a longer path, "
			 "choose a short name and write disk = PATH below it",
			 text + 1, SECTION_MAX);
		return -EINVAL;
	}
	if (disk_of(r, text + 1))
		return 0;
	snprintf(r->what, sizeof(r->what), "more than %d disks", SW_CONFIG_DISKS);
	return -EINVAL;
}

/* Registers all sections in their order. The number of a bad line, or 0. */
static int scan_sections(struct reader *r, FILE *f)
{
	char *text = NULL;
	size_t size = 0;
	ssize_t n;
	int line = 0, bad = 0;

	while (!bad && (n = getline(&text, &size, f)) > 0) {
		line++;
		if (text[n - 1] == '\n')
			text[--n] = 0;
		if (scan_line(r, text, (size_t)n))
			bad = line;
	}
	free(text);
	rewind(f);
	return bad;
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
	line = scan_sections(&r, f);
	if (!line)
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
