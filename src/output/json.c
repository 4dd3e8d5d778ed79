// SPDX-License-Identifier: GPL-2.0-or-later
/* The report as JSON. */
#include <errno.h>
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "balance.h"
#include "format.h"
#include "report_json.h"
#include "seekwise/output.h"
#include "utf8.h"

/* With the digits that were measured, not those that a double has. */
struct json_object *sw_json_number(double value)
{
	static char format[] = "%.6f";
	struct json_object *object;

	if (!isfinite(value))
		return 0;
	object = json_object_new_double(value);
	json_object_set_serializer(object, json_object_double_to_json_string, format, 0);
	return object;
}

struct json_object *sw_json_string(const char *text)
{
	char *valid = text ? sw_utf8_valid(text) : 0;
	struct json_object *object = valid ? json_object_new_string(valid) : 0;

	free(valid);
	return object;
}

struct json_object *sw_json_value(const struct sw_value *value)
{
	if (!value->known)
		return 0;
	return value->whole ? json_object_new_uint64(value->count) : sw_json_number(value->number);
}

struct json_object *sw_json_figure(const struct sw_figure *f, const struct sw_window *w,
				   const struct sw_value *values, unsigned int n)
{
	struct json_object *object;
	unsigned int i;

	if (!sw_figure_measured(f, w))
		return 0;
	if (!values[0].part[0])
		return sw_json_value(&values[0]);
	object = json_object_new_object();
	for (i = 0; i < n; i++)
		json_object_object_add(object, values[i].part, sw_json_value(&values[i]));
	return object;
}

static struct json_object *figure_json(const struct sw_figure *f, const struct sw_window *w,
				       unsigned int dir)
{
	struct sw_value v[SW_PARTS];
	unsigned int n = sw_figure_get(f, w, dir, v);

	return sw_json_figure(f, w, v, n);
}

static void add_figures(struct json_object *to, enum sw_figure_scope scope,
			const struct sw_window *w, unsigned int dir)
{
	unsigned int i;

	for (i = 0; i < sw_figure_count; i++)
		if (sw_figures[i].scope == scope)
			json_object_object_add(to, sw_figures[i].name,
					       figure_json(&sw_figures[i], w, dir));
}

void sw_json_add_fields(struct json_object *to, const struct sw_json_field *fields, const void *of)
{
	for (; fields->name; fields++)
		json_object_object_add(to, fields->name, fields->make(of));
}

struct json_object *sw_json_fields(const struct sw_json_field *fields, const void *of)
{
	struct json_object *object = json_object_new_object();

	sw_json_add_fields(object, fields, of);
	return object;
}

static struct json_object *make_name(const void *of)
{
	return sw_json_string(((const struct sw_report_disk *)of)->disk.name);
}

static struct json_object *make_dev(const void *of)
{
	const struct sw_disk *disk = &((const struct sw_report_disk *)of)->disk;
	char text[32];

	snprintf(text, sizeof(text), "%u:%u", disk->major, disk->minor);
	return sw_json_string(text);
}

static struct json_object *make_scheduler(const void *of)
{
	const struct sw_report_disk *d = of;

	return d->disk.scheduler[0] ? sw_json_string(d->disk.scheduler) : 0;
}

static struct json_object *make_rotational(const void *of)
{
	return json_object_new_boolean(((const struct sw_report_disk *)of)->disk.rotational);
}

static struct json_object *make_zoned(const void *of)
{
	const struct sw_report_disk *d = of;

	return d->disk.zoned[0] ? sw_json_string(d->disk.zoned) : 0;
}

static struct json_object *make_gone(const void *of)
{
	return json_object_new_boolean(((const struct sw_report_disk *)of)->gone);
}

static struct json_object *make_note(const void *of)
{
	const struct sw_report_disk *d = of;

	return d->note[0] ? sw_json_string(d->note) : 0;
}

static struct json_object *make_knobs(const void *of)
{
	const struct sw_settings *knobs = &((const struct sw_report_disk *)of)->knobs;
	struct json_object *object = json_object_new_object();
	int i;

	for (i = 0; i < SW_KNOBS; i++)
		if (knobs->present[i])
			json_object_object_add(object, sw_knobs[i].name,
					       json_object_new_int64(knobs->value[i]));
	return object;
}

static struct json_object *make_window_seconds(const void *of)
{
	return sw_json_number(sw_window_seconds(&((const struct sw_report_disk *)of)->window));
}

static struct json_object *passes_estimated(const struct sw_window *w)
{
	if (w->passes == SW_PASSES_UNKNOWN)
		return 0;
	return json_object_new_boolean(w->passes == SW_PASSES_ESTIMATED);
}

static struct json_object *make_passes_estimated(const void *of)
{
	return passes_estimated(&((const struct sw_report_disk *)of)->window);
}

static struct json_object *direction(const struct sw_window *w, unsigned int dir)
{
	struct json_object *object = json_object_new_object();

	add_figures(object, SW_OF_DIRECTION, w, dir);
	json_object_object_add(object, "classes", sw_json_classes(w, dir));
	return object;
}

static struct json_object *make_read(const void *of)
{
	return direction(&((const struct sw_report_disk *)of)->window, SW_READ);
}

static struct json_object *make_write(const void *of)
{
	return direction(&((const struct sw_report_disk *)of)->window, SW_WRITE);
}

static struct json_object *make_not_measured(const void *of)
{
	return sw_json_not_measured(&((const struct sw_report_disk *)of)->window);
}

static struct json_object *make_task_name(const void *of)
{
	const struct sw_window *w = &((const struct sw_report_disk *)of)->window;
	const struct sw_task *task = w->detail ? &w->detail->issued.tasks[0] : 0;
	char name[sizeof(task->name) + 1] = "";

	if (!task || !task->count)
		return 0;
	memcpy(name, task->name, sizeof(task->name));
	return sw_json_string(name);
}

const struct sw_json_field sw_device_fields[] = {
	{ "name", SW_JSON_STRING, false, 0, "as in /sys/block", make_name },
	{ "dev", SW_JSON_STRING, false, 0, "device number, MAJ:MIN", make_dev },
	{ "scheduler", SW_JSON_STRING, true, 0, "in force; null: the device has none",
	  make_scheduler },
	{ "rotational", SW_JSON_BOOLEAN, false, 0, "as the kernel sees it", make_rotational },
	{ "zoned", SW_JSON_STRING, true, 0, "none, host-aware or host-managed", make_zoned },
	{ "gone", SW_JSON_BOOLEAN, false, 0, "the disk went away while it was observed",
	  make_gone },
	{ "note", SW_JSON_STRING, true, 0, "sentences for people", make_note },
	{ "knobs", SW_JSON_KNOBS, false, 0, "values in force; only those that this kernel has",
	  make_knobs },
	{ "seconds", SW_JSON_NUMBER, false, "s", "length of the window", make_window_seconds },
	{ "passes_estimated", SW_JSON_BOOLEAN, true, 0,
	  "passes come from mq-deadline's count of the requests that it handed out, not from the "
	  "dispatch itself; null: passes is null",
	  make_passes_estimated },
	{ "not_measured", SW_JSON_NOT_MEASURED, false, 0,
	  "figures that are null for a reason in the kernel or the scheduler, with the reason",
	  make_not_measured },
	{ "busiest_task_name", SW_JSON_STRING, true, 0, "the name of busiest_task's thread",
	  make_task_name },
	{ "read", SW_JSON_DIRECTION, false, 0, "figures of reads", make_read },
	{ "write", SW_JSON_DIRECTION, false, 0, "figures of writes", make_write },
	{ 0 },
};

static struct json_object *make_stack_name(const void *of)
{
	return sw_json_string(((const struct sw_report_stack *)of)->name);
}

static struct json_object *make_members(const void *of)
{
	const struct sw_report_stack *s = of;
	struct json_object *array = json_object_new_array();
	int i;

	for (i = 0; i < s->count; i++)
		json_object_array_add(array, sw_json_string(s->disks[s->members[i]].disk.name));
	return array;
}

static struct json_object *make_stack_gone(const void *of)
{
	const struct sw_report_stack *s = of;
	bool gone = false;
	int i;

	for (i = 0; i < s->count; i++)
		gone |= s->disks[s->members[i]].gone;
	return json_object_new_boolean(gone);
}

static struct json_object *make_stack_seconds(const void *of)
{
	return sw_json_number(sw_window_seconds(&((const struct sw_report_stack *)of)->window));
}

static struct json_object *make_shares(const void *of)
{
	return sw_json_shares(of);
}

static struct json_object *make_balance(const void *of)
{
	return sw_json_number(sw_stack_balance(of));
}

static struct json_object *make_stack_passes_estimated(const void *of)
{
	return passes_estimated(&((const struct sw_report_stack *)of)->window);
}

static struct json_object *make_stack_read(const void *of)
{
	return direction(&((const struct sw_report_stack *)of)->window, SW_READ);
}

static struct json_object *make_stack_write(const void *of)
{
	return direction(&((const struct sw_report_stack *)of)->window, SW_WRITE);
}

const struct sw_json_field sw_stack_fields[] = {
	{ "name", SW_JSON_STRING, false, 0,
	  "as in /sys/block; of a btrfs on several devices as it was named", make_stack_name },
	{ "members", SW_JSON_WORDS, false, 0, "names of the devices that are added up",
	  make_members },
	{ "shares", SW_JSON_SHARES, false, 0, "of each member, in their order, side by side",
	  make_shares },
	{ "balance", SW_JSON_NUMBER, true, "share",
	  "bytes of a member on average, to those of the one with most: 1 is even, 1/N all on one "
	  "of N; null: there were none",
	  make_balance },
	{ "gone", SW_JSON_BOOLEAN, false, 0, "a member went away while it was observed",
	  make_stack_gone },
	{ "seconds", SW_JSON_NUMBER, false, "s", "length of the window", make_stack_seconds },
	{ "passes_estimated", SW_JSON_BOOLEAN, true, 0,
	  "as of a device, if so of any member; null: passes is null",
	  make_stack_passes_estimated },
	{ "read", SW_JSON_DIRECTION, false, 0, "figures of the members' reads", make_stack_read },
	{ "write", SW_JSON_DIRECTION, false, 0, "figures of the members' writes",
	  make_stack_write },
	{ 0 },
};

static struct json_object *make_argv(const void *of)
{
	const struct sw_report *r = of;
	struct json_object *array = json_object_new_array();
	int i;

	for (i = 0; r->argv[i]; i++)
		json_object_array_add(array, sw_json_string(r->argv[i]));
	return array;
}

static struct json_object *make_exit_status(const void *of)
{
	const struct sw_report *r = of;

	return r->signal || r->exit_status < 0 ? 0 : json_object_new_int(r->exit_status);
}

static struct json_object *make_signal(const void *of)
{
	const struct sw_report *r = of;

	return r->signal ? json_object_new_int(r->signal) : 0;
}

const struct sw_json_field sw_command_fields[] = {
	{ "argv", SW_JSON_WORDS, false, 0, "its words", make_argv },
	{ "exit_status", SW_JSON_INTEGER, true, 0, "null: a signal ended it", make_exit_status },
	{ "signal", SW_JSON_INTEGER, true, 0, "number of the signal that ended it", make_signal },
	{ 0 },
};

static struct json_object *make_schema(const void *of)
{
	(void)of;
	return json_object_new_string(SW_REPORT_SCHEMA);
}

static struct json_object *make_version(const void *of)
{
	return sw_json_string(((const struct sw_report *)of)->version);
}

static struct json_object *make_start(const void *of)
{
	const struct timespec *start = &((const struct sw_report *)of)->start;
	char text[64], day[32];
	struct tm tm;

	if (!gmtime_r(&start->tv_sec, &tm) || !strftime(day, sizeof(day), "%Y-%m-%dT%H:%M:%S", &tm))
		return 0;
	snprintf(text, sizeof(text), "%s.%03ldZ", day, start->tv_nsec / 1000000);
	return sw_json_string(text);
}

static struct json_object *make_seconds(const void *of)
{
	return sw_json_number(((const struct sw_report *)of)->seconds);
}

static struct json_object *make_command(const void *of)
{
	return ((const struct sw_report *)of)->argv ? sw_json_fields(sw_command_fields, of) : 0;
}

static struct json_object *make_kernel(const void *of)
{
	return sw_json_string(((const struct sw_report *)of)->kernel);
}

/* Fields of a device or a stack, followed by its figures. */
static struct json_object *observed_json(const struct sw_json_field *fields, const void *of,
					 const struct sw_window *w)
{
	struct json_object *losses = json_object_new_object();
	struct json_object *object = sw_json_fields(fields, of);

	add_figures(object, SW_OF_DISK, w, SW_DIRS);
	add_figures(losses, SW_OF_LOSSES, w, SW_DIRS);
	json_object_object_add(object, "losses", losses);
	json_object_object_add(object, "lossy", json_object_new_boolean(sw_window_lossy(w)));
	return object;
}

static struct json_object *make_devices(const void *of)
{
	const struct sw_report *r = of;
	struct json_object *array = json_object_new_array(), *device;
	int i;

	for (i = 0; i < r->count; i++) {
		device = observed_json(sw_device_fields, &r->disks[i], &r->disks[i].window);
		sw_json_add_fields(device, sw_judged_fields, &r->disks[i]);
		json_object_array_add(array, device);
	}
	return array;
}

static struct json_object *make_stacks(const void *of)
{
	const struct sw_report *r = of;
	struct json_object *array = json_object_new_array();
	int i;

	for (i = 0; i < r->stack_count; i++)
		json_object_array_add(
			array, observed_json(sw_stack_fields, &r->stacks[i], &r->stacks[i].window));
	return array;
}

const struct sw_json_field sw_report_fields[] = {
	{ "schema", SW_JSON_SCHEMA, false, 0, "name and version of this form", make_schema },
	{ "version", SW_JSON_STRING, true, 0, "of seekwise", make_version },
	{ "start", SW_JSON_STRING, true, 0, "when observing began, RFC 3339, UTC", make_start },
	{ "seconds", SW_JSON_NUMBER, false, "s", "how long it went on", make_seconds },
	{ "command", SW_JSON_COMMAND, true, 0, "that ran meanwhile; null: a set time went by",
	  make_command },
	{ "kernel", SW_JSON_STRING, true, 0, "release of the running kernel", make_kernel },
	{ "devices", SW_JSON_DEVICES, false, 0, "one for each observed disk", make_devices },
	{ "stacks", SW_JSON_STACKS, false, 0,
	  "one for each stacked device that was named: its members added up, each counted once",
	  make_stacks },
	{ 0 },
};

int sw_json_write(FILE *out, struct json_object *object)
{
	const int flags =
		JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE | JSON_C_TO_STRING_NOZERO;
	const char *text = object ? json_object_to_json_string_ext(object, flags) : 0;
	struct sw_composed composed;
	FILE *file = text ? sw_compose(&composed) : NULL;

	if (file)
		fprintf(file, "%s\n", text);
	json_object_put(object);
	return text ? sw_compose_end(&composed, out) : -ENOMEM;
}

int sw_report_json(FILE *out, const struct sw_report *report)
{
	return sw_json_write(out, sw_json_fields(sw_report_fields, report));
}
