// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers by their paths, out of all that is known of a disk and a window. */
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

/* Below zero a knob means nothing that advice could build on. */
static bool knob_fact(const struct sw_facts *f, const char *name, struct sw_fact *fact)
{
	int id = sw_knob_find(name);

	if (id < 0)
		return false;
	whole(fact, sw_knobs[id].unit, sw_knobs[id].about,
	      f->knobs->present[id] && f->knobs->value[id] >= 0, (uint64_t)f->knobs->value[id]);
	return true;
}

static bool figure_fact(const struct sw_facts *f, const char *path, unsigned int dir,
			struct sw_fact *fact)
{
	size_t length = strcspn(path, ".");
	const char *part = path[length] ? path + length + 1 : "";
	char name[SW_FACT_PATH] = "";
	struct sw_value v[SW_PARTS];
	unsigned int i, n;

	if (length >= sizeof(name))
		return false;
	memcpy(name, path, length);
	fact->figure = sw_figure_find(name);
	if (!fact->figure || (dir < SW_DIRS && fact->figure->scope != SW_OF_DIRECTION))
		return false;
	n = sw_figure_get(fact->figure, f->window, dir, v);
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

bool sw_fact_get(const struct sw_facts *facts, const char *path, struct sw_fact *fact)
{
	const struct sw_around *around = facts->around;

	if (!strncmp(path, "knobs.", 6))
		return knob_fact(facts, path + 6, fact);
	if (!strncmp(path, "read.", 5))
		return figure_fact(facts, path + 5, SW_READ, fact);
	if (!strncmp(path, "write.", 6))
		return figure_fact(facts, path + 6, SW_WRITE, fact);
	if (!strcmp(path, "seconds"))
		return seconds_fact(facts, fact);
	if (!strcmp(path, "queue_depth")) {
		whole(fact, "requests", "that the device may be given at a time",
		      around->queue_depth, around->queue_depth);
		return true;
	}
	if (!strcmp(path, "sync_speed")) {
		whole(fact, "KiB/s", "of the array's resync", around->sync_speed,
		      around->sync_speed);
		return true;
	}
	return figure_fact(facts, path, SW_DIRS, fact);
}

double sw_fact_number(const struct sw_facts *facts, const char *path)
{
	struct sw_fact fact;

	if (!sw_fact_get(facts, path, &fact) || !fact.value.known)
		return -1;
	return fact.value.whole ? (double)fact.value.count : fact.value.number;
}
