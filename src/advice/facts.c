// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers by their paths, out of all that is known of a disk and a window. */
#include <stddef.h>
#include <string.h>

#include "seekwise/advice.h"
#include "seekwise/tuner.h"

struct sw_facts sw_facts_of(const struct sw_disk *disk, const struct sw_settings *knobs,
			    const struct sw_around *around, const struct sw_window *window)
{
	struct sw_facts f = { .disk = disk, .knobs = knobs, .around = around, .window = window };
	int64_t limit = knobs->present[SW_FIFO_BATCH] ? knobs->value[SW_FIFO_BATCH] : 0;

	f.sample = sw_sample_of(window, SW_FIFO_BATCH, limit);
	f.verdict = sw_verdict_of(&f.sample);
	return f;
}

static void whole(struct sw_fact *fact, const char *unit, const char *about, bool known,
		  uint64_t count)
{
	*fact = (struct sw_fact){
		.unit = unit,
		.about = about,
		.value = { .part = "", .known = known, .whole = true, .count = known ? count : 0 },
	};
}

/* async_depth has two places, of which a kernel has one: the one that is there. */
static int knob_there(const struct sw_facts *f, const char *name)
{
	int id;

	for (id = 0; id < SW_KNOBS; id++)
		if (!strcmp(sw_knobs[id].name, name) && f->knobs->present[id])
			return id;
	return sw_knob_find(name);
}

const char *sw_facts_async_file(const struct sw_facts *facts)
{
	return sw_knobs[knob_there(facts, "async_depth")].file;
}

/* Below zero a knob means nothing that advice could build on. */
static bool knob_fact(const struct sw_facts *f, const char *name, struct sw_fact *fact)
{
	int id = knob_there(f, name);

	if (id < 0)
		return false;
	whole(fact, sw_knobs[id].unit, sw_knobs[id].about,
	      f->knobs->present[id] && f->knobs->value[id] >= 0, (uint64_t)f->knobs->value[id]);
	return true;
}

/* The word before the next dot, into name; returns what follows it, 0 where it is too long. */
static const char *next_word(const char *path, char name[SW_FACT_PATH])
{
	size_t length = strcspn(path, ".");

	if (length >= SW_FACT_PATH)
		return 0;
	memcpy(name, path, length);
	name[length] = '\0';
	return path[length] ? path + length + 1 : path + length;
}

static bool part_fact(struct sw_fact *fact, const char *part, const struct sw_value *v,
		      unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (strcmp(v[i].part, part))
			continue;
		fact->unit = fact->figure->unit;
		fact->about = fact->figure->about;
		fact->value = v[i];
		return true;
	}
	return false;
}

static bool figure_fact(const struct sw_facts *f, const char *path, unsigned int dir,
			struct sw_fact *fact)
{
	char name[SW_FACT_PATH];
	const char *part = next_word(path, name);
	struct sw_value v[SW_PARTS];

	fact->figure = part ? sw_figure_find(name) : 0;
	if (!fact->figure || (dir < SW_DIRS && fact->figure->scope != SW_OF_DIRECTION))
		return false;
	return part_fact(fact, part, v, sw_figure_get(fact->figure, f->window, dir, v));
}

/* Of a class: "sync.total_us.p99". */
static bool class_fact(const struct sw_facts *f, const char *path, unsigned int dir,
		       struct sw_fact *fact)
{
	char class[SW_FACT_PATH], name[SW_FACT_PATH];
	const char *part = next_word(path, class);
	struct sw_value v[SW_PARTS];
	unsigned int apart = 0;

	part = part ? next_word(part, name) : 0;
	while (apart < SW_APARTS && strcmp(sw_apart_names[apart], class))
		apart++;
	fact->figure = part && apart < SW_APARTS ? sw_figure_find_apart(name) : 0;
	if (!fact->figure)
		return false;
	return part_fact(fact, part, v,
			 sw_figure_get_apart(fact->figure, f->window, dir, apart, v));
}

static bool of_direction(const struct sw_facts *f, const char *path, unsigned int dir,
			 struct sw_fact *fact)
{
	if (!strncmp(path, "classes.", 8))
		return class_fact(f, path + 8, dir, fact);
	return figure_fact(f, path, dir, fact);
}

static bool seconds_fact(const struct sw_facts *f, struct sw_fact *fact)
{
	double seconds = sw_window_seconds(f->window);

	*fact = (struct sw_fact){
		.unit = "s",
		.about = "length of the window",
		.value = { .part = "", .known = seconds > 0, .number = seconds },
	};
	return true;
}

static bool around_fact(const struct sw_facts *f, const char *path, struct sw_fact *fact)
{
	static const struct {
		const char *name, *unit, *about;
		size_t at;
	} numbers[] = {
		{ "queue_depth", "requests", "that the device may be given at a time",
		  offsetof(struct sw_around, queue_depth) },
		{ "read_ahead_kb", "KiB", "that is read ahead of a program at a time",
		  offsetof(struct sw_around, read_ahead_kb) },
		{ "max_sectors_kb", "KiB", "of the largest request",
		  offsetof(struct sw_around, max_sectors_kb) },
		{ "max_hw_sectors_kb", "KiB", "of the largest request that the device takes",
		  offsetof(struct sw_around, max_hw_sectors_kb) },
		{ "sync_speed", "KiB/s", "of the array's resync",
		  offsetof(struct sw_around, sync_speed) },
	};
	uint64_t count;
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (strcmp(path, numbers[i].name))
			continue;
		memcpy(&count, (const char *)f->around + numbers[i].at, sizeof(count));
		whole(fact, numbers[i].unit, numbers[i].about, count, count);
		return true;
	}
	return false;
}

bool sw_fact_get(const struct sw_facts *facts, const char *path, struct sw_fact *fact)
{
	if (!strncmp(path, "knobs.", 6))
		return knob_fact(facts, path + 6, fact);
	if (!strncmp(path, "read.", 5))
		return of_direction(facts, path + 5, SW_READ, fact);
	if (!strncmp(path, "write.", 6))
		return of_direction(facts, path + 6, SW_WRITE, fact);
	if (!strcmp(path, "seconds"))
		return seconds_fact(facts, fact);
	return around_fact(facts, path, fact) || of_direction(facts, path, SW_DIRS, fact);
}

double sw_fact_number(const struct sw_facts *facts, const char *path)
{
	struct sw_fact fact;

	if (!sw_fact_get(facts, path, &fact) || !fact.value.known)
		return -1;
	return fact.value.whole ? (double)fact.value.count : fact.value.number;
}
