// SPDX-License-Identifier: GPL-2.0-or-later
/* The baseline file's text: "key value" lines between a version line and a checksum. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "knobs_internal.h"
#include "seekwise/base.h"

static const char version_line[] = "seekwise-baseline 1\n";

struct text {
	char *at;
	size_t used;
};

static void add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct text *text, const char *format, ...)
{
	va_list args;
	int n;

	if (text->used >= SW_STORED_SIZE)
		return;
	va_start(args, format);
	n = vsnprintf(text->at + text->used, SW_STORED_SIZE - text->used, format, args);
	va_end(args);
	text->used += n > 0 ? (size_t)n : 0;
}

/* FNV-1a: enough to see a torn or edited file, which is all it is for. */
static uint64_t checksum(const char *text, size_t n)
{
	uint64_t sum = 0xcbf29ce484222325ull;

	while (n--)
		sum = (sum ^ (unsigned char)*text++) * 0x100000001b3ull;
	return sum;
}

/* A knob's name, or its file where the name stands for another knob too. */
static const char *key_of(enum sw_knob_id id)
{
	return sw_knob_find(sw_knobs[id].name) == (int)id ? sw_knobs[id].name : sw_knobs[id].file;
}

/* Where a key such as "original.fifo_batch" keeps its value. */
static struct sw_settings *group_of(struct sw_stored *stored, const char *group)
{
	if (!strcmp(group, "original"))
		return &stored->baseline.original;
	if (!strcmp(group, "written"))
		return &stored->baseline.written;
	return !strcmp(group, "previous") ? &stored->previous : NULL;
}

static void add_group(struct text *text, const char *group, const struct sw_settings *settings)
{
	int i;

	for (i = 0; i < SW_KNOBS; i++)
		if (settings->present[i])
			add(text, "%s.%s %" PRId64 "\n", group, key_of(i), settings->value[i]);
}

int sw_stored_format(const struct sw_stored *stored, char out[SW_STORED_SIZE])
{
	struct text text = { .at = out };

	add(&text, "%s", version_line);
	add(&text, "disk %s\n", stored->baseline.disk);
	add(&text, "dev %u:%u\n", stored->major, stored->minor);
	add(&text, "instance %" PRIu64 "\n", stored->instance);
	add(&text, "boot_id %s\n", stored->boot_id);
	add(&text, "scheduler %s\n", stored->baseline.scheduler);
	if (stored->switched[0])
		add(&text, "switched %s\n", stored->switched);
	if (stored->switching[0])
		add(&text, "switching %s\n", stored->switching);
	add_group(&text, "original", &stored->baseline.original);
	add_group(&text, "written", &stored->baseline.written);
	add_group(&text, "previous", &stored->previous);
	if (text.used < SW_STORED_SIZE)
		add(&text, "end %016" PRIx64 "\n", checksum(out, text.used));
	return text.used < SW_STORED_SIZE ? (int)text.used : -E2BIG;
}

static int take_word(const char *value, char *word, size_t size)
{
	if (strlen(value) >= size)
		return -EBADMSG;
	snprintf(word, size, "%s", value);
	return 0;
}

static int take_knob(const char *key, const char *value, struct sw_stored *stored)
{
	struct sw_settings *settings;
	char group[16];
	int id, used = 0, end = 0;
	int64_t number;

	if (sscanf(key, "%15[a-z].%n", group, &used) != 1 || !used)
		return -EBADMSG;
	settings = group_of(stored, group);
	id = sw_knob_find(key + used);
	if (!settings || id < 0 || sscanf(value, "%" SCNd64 "%n", &number, &end) != 1 || value[end])
		return -EBADMSG;
	settings->value[id] = number;
	settings->present[id] = true;
	return 0;
}

static int take_line(char *line, struct sw_stored *stored)
{
	char *value = strchr(line, ' ');
	int used = 0;

	if (!value)
		return -EBADMSG;
	*value++ = '\0';
	if (!strcmp(line, "disk"))
		return take_word(value, stored->baseline.disk, sizeof(stored->baseline.disk));
	if (!strcmp(line, "boot_id"))
		return take_word(value, stored->boot_id, sizeof(stored->boot_id));
	if (!strcmp(line, "scheduler"))
		return take_word(value, stored->baseline.scheduler,
				 sizeof(stored->baseline.scheduler));
	if (!strcmp(line, "switched"))
		return take_word(value, stored->switched, sizeof(stored->switched));
	if (!strcmp(line, "switching"))
		return take_word(value, stored->switching, sizeof(stored->switching));
	if (!strcmp(line, "instance"))
		return sw_parse_u64(value, 0, UINT64_MAX, &stored->instance) ? -EBADMSG : 0;
	if (!strcmp(line, "dev")) {
		if (sscanf(value, "%u:%u%n", &stored->major, &stored->minor, &used) != 2)
			return -EBADMSG;
		return value[used] ? -EBADMSG : 0;
	}
	return take_knob(line, value, stored);
}

/* Cuts the last line off and compares it with what stands before. */
static int check_end(char *text)
{
	char expected[32];
	char *end = strstr(text, "\nend ");

	if (!end || strncmp(text, version_line, strlen(version_line)))
		return -EBADMSG;
	end++;
	snprintf(expected, sizeof(expected), "end %016" PRIx64,
		 checksum(text, (size_t)(end - text)));
	if (strcmp(end, expected))
		return -EBADMSG;
	*end = '\0';
	return 0;
}

/* The newline of the last line is gone already, as sw_read_file leaves it. */
int sw_stored_parse(char *text, struct sw_stored *stored)
{
	char *line, *rest = NULL;
	int err = check_end(text);

	memset(stored, 0, sizeof(*stored));
	if (err)
		return err;
	line = strtok_r(text + strlen(version_line), "\n", &rest);
	for (; line && !err; line = strtok_r(NULL, "\n", &rest))
		err = take_line(line, stored);
	return err;
}
