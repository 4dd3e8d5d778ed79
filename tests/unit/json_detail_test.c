// SPDX-License-Identifier: GPL-2.0-or-later
/* Of the JSON report: the detail groups, what was not measured, members side by side. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "reportjson.h"
#include "seekwise/figures.h"

#define SECOND 1000000000ULL
#define NO_CLASS "{\"ios\":null,\"bytes\":null,\"wait_us\":null,\"total_us\":null}"

static struct sw_detail detail;

/* Ten seconds of a disk with these groups on, in which nothing was. */
static struct sw_report_disk disk_with(uint32_t groups)
{
	struct sw_report_disk d = {
		.disk = { .name = "sda", .scheduler = "mq-deadline" },
		.window = { .start_ns = SECOND,
			    .end_ns = 11 * SECOND,
			    .deadline = true,
			    .caches = true,
			    .passes = SW_PASSES_MEASURED },
	};

	memset(&detail, 0, sizeof(detail));
	if (groups)
		d.window.detail = &detail;
	d.window.groups = groups;
	return d;
}

/* The report of one disk: read back, and valid. */
static struct json_object *valid_report(const struct sw_report_disk *d)
{
	struct sw_report r = example_report(d, 1);
	struct json_object *j = parsed(&r);

	if (!is_valid(j, schema))
		fail_msg("not valid: %s", json_object_to_json_string(j));
	return j;
}

static const char *const places[] = { [SW_OF_DIRECTION] = "/devices/0/write",
				      [SW_OF_APART] = "/devices/0/write/classes/rt",
				      [SW_OF_DISK] = "/devices/0",
				      [SW_OF_LOSSES] = "/devices/0/losses" };

static struct json_object *figure_at(struct json_object *j, const struct sw_figure *f)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", places[f->scope], f->name);
	return at(j, path);
}

/* A figure of a group that is off is there, and null. */
static void test_groups_off(void **state)
{
	struct sw_report_disk d = disk_with(0);
	struct json_object *j = valid_report(&d);
	unsigned int i;

	(void)state;
	for (i = 0; i < sw_figure_count; i++)
		if (sw_figures[i].group)
			assert_null(figure_at(j, &sw_figures[i]));
	assert_json(j, "/devices/0/busiest_task_name", "null");
	assert_json(j, "/devices/0/not_measured", "[]");
	assert_keys(at(j, "/devices/0/read/classes"), "sync async rt be idle");
	assert_json(j, "/devices/0/read/classes/sync", NO_CLASS);
	assert_json(j, "/devices/0/write/classes/idle", NO_CLASS);
	json_object_put(j);
}

/* Each group alone: its own figures are there, those of the others are null. */
static void test_one_group_at_a_time(void **state)
{
	struct json_object *j;
	struct sw_report_disk d;
	unsigned int i;
	uint32_t group;

	(void)state;
	for (group = 1; group < SW_GROUPS_ALL; group <<= 1) {
		d = disk_with(group);
		d.window.pool = 64;
		j = valid_report(&d);
		for (i = 0; i < sw_figure_count; i++) {
			const struct sw_figure *f = &sw_figures[i];

			if (f->group && f->group != group)
				assert_null(figure_at(j, f));
			/* A share of nothing is null as well. */
			else if (f->group && f->shape != SW_SHAPE_RATIO)
				assert_non_null(figure_at(j, f));
		}
		json_object_put(j);
	}
}

static void test_nothing_was(void **state)
{
	struct sw_report_disk d = disk_with(SW_GROUPS_ALL);
	struct json_object *j = valid_report(&d);

	(void)state;
	assert_json(j, "/devices/0/read/bio_merges",
		    "{\"back\":0,\"front\":0,\"plug_back\":0,\"plug_front\":0}");
	assert_json(j, "/devices/0/read/insert_bytes",
		    "{\"count\":0,\"p50\":null,\"p95\":null,\"max\":null,\"mean\":null}");
	assert_json(j, "/devices/0/seek_cost",
		    "{\"each_us\":null,\"total_us\":null,\"share\":null}");
	assert_json(j, "/devices/0/held_levels",
		    "{\"p50\":null,\"p95\":null,\"p99\":null,\"mean\":null}");
	assert_json(j, "/devices/0/pool_full", "null");
	assert_json(j, "/devices/0/idle_with_work", "0.0");
	assert_json(j, "/devices/0/device_idle", "1.0");
	assert_json(j, "/devices/0/read/starved_us", "0.0");
	assert_json(j, "/devices/0/read/other_cpu", "0");
	assert_json(j, "/devices/0/read/other_cpu_share", "null");
	assert_json(j, "/devices/0/busiest_cpu", "{\"cpu\":null,\"issued\":null,\"share\":null}");
	assert_json(j, "/devices/0/busiest_task", "{\"tid\":null,\"issued\":null,\"share\":null}");
	assert_json(j, "/devices/0/busiest_task_name", "null");
	assert_json(j, "/devices/0/flush_us",
		    "{\"count\":0,\"p50\":null,\"p95\":null,\"p99\":null,\"max\":null,"
		    "\"mean\":null}");
	json_object_put(j);
}

static void test_classes(void **state)
{
	struct sw_report_disk d = disk_with(SW_GROUPS_ALL);
	struct json_object *j;

	(void)state;
	detail.completed.apart[SW_APART_ASYNC][SW_WRITE] =
		(struct sw_apart_totals){ 3, (1ULL << 53) + 1, 2, 4000, 2500 };
	detail.issued.apart[SW_APART_ASYNC][SW_WRITE] = (struct sw_apart_waits){ 2, 3000, 2000 };
	detail.hist.wait[SW_APART_ASYNC][SW_WRITE][15] = 1; /* 960...1023 ns */
	detail.hist.wait[SW_APART_ASYNC][SW_WRITE][23] = 1; /* 1920...2047 ns */
	detail.completed.apart[SW_APART_IDLE][SW_READ].ios = 8;
	j = valid_report(&d);
	assert_keys(at(j, "/devices/0/write/classes/async"), "ios bytes wait_us total_us");
	assert_json(j, "/devices/0/write/classes/async/ios", "3");
	assert_json(j, "/devices/0/write/classes/async/bytes", "9007199254740993");
	assert_json(j, "/devices/0/write/classes/async/wait_us",
		    "{\"p50\":0.992,\"p95\":1.984,\"p99\":1.984,\"max\":2.0,\"mean\":1.5}");
	assert_json(j, "/devices/0/write/classes/async/total_us/max", "2.5");
	assert_json(j, "/devices/0/write/classes/async/total_us/mean", "2.0");
	assert_json(j, "/devices/0/read/classes/async/ios", "0");
	assert_json(j, "/devices/0/read/classes/idle/ios", "8");
	assert_json(j, "/devices/0/write/classes/idle/ios", "0");
	assert_json(j, "/devices/0/write/classes/be/wait_us/p50", "null");
	json_object_put(j);
}

static void test_busiest_task_name(void **state)
{
	struct sw_report_disk d = disk_with(SW_GROUP_LOCALITY);
	struct sw_task *task = &detail.issued.tasks[0];
	struct json_object *j;

	(void)state;
	d.window.sum.issued.dir[SW_READ].ios = 8;
	task->count = 2;
	task->tid = 4711;
	/* No end within the 16 bytes, and what follows it is not read. */
	memcpy(task->name, "0123456789abcdef", 16);
	detail.issued.tasks[1].count = '!';
	j = valid_report(&d);
	assert_json(j, "/devices/0/busiest_task", "{\"tid\":4711,\"issued\":2,\"share\":0.25}");
	assert_json(j, "/devices/0/busiest_task_name", "\"0123456789abcdef\"");
	json_object_put(j);
	memcpy(task->name, "a\"b\x1b\xff\0rest", 10);
	j = valid_report(&d);
	assert_json(j, "/devices/0/busiest_task_name", "\"a\\\"b\\u001b\xef\xbf\xbd\"");
	json_object_put(j);
	d.window.detail = 0;
	d.window.groups = 0;
	j = valid_report(&d);
	assert_json(j, "/devices/0/busiest_task_name", "null");
	json_object_put(j);
}

static void test_kyber(void **state)
{
	struct sw_report_disk d = disk_with(0);
	struct json_object *j;

	(void)state;
	strcpy(d.disk.scheduler, "kyber");
	d.window.deadline = false;
	d.window.kyber = true;
	d.window.sum.kyber.throttled[SW_DOMAIN_WRITE] = 4;
	d.window.kyber_state.depth[SW_DOMAIN_READ] = 257;
	d.window.kyber_state.numerator[SW_DOMAIN_READ][1] = 3;
	d.window.kyber_state.denominator[SW_DOMAIN_READ][1] = 2;
	j = valid_report(&d);
	assert_json(j, "/devices/0/kyber_throttled",
		    "{\"read\":0,\"write\":4,\"discard\":0,\"other\":0}");
	assert_json(j, "/devices/0/kyber_depth",
		    "{\"read\":256,\"write\":null,\"discard\":null,\"other\":null}");
	assert_json(j, "/devices/0/kyber_latency",
		    "{\"read_total\":null,\"read_io\":1.5,\"write_total\":null,"
		    "\"write_io\":null}");
	json_object_put(j);
	d.window.kyber = false;
	j = valid_report(&d);
	assert_json(j, "/devices/0/kyber_throttled", "null");
	assert_json(j, "/devices/0/kyber_depth", "null");
	json_object_put(j);
}

static void test_not_measured(void **state)
{
	struct sw_report_disk d = disk_with(SW_GROUPS_ALL);
	struct json_object *j;

	(void)state;
	d.window.deadline = d.window.caches = false;
	d.window.passes = SW_PASSES_UNKNOWN;
	j = valid_report(&d);
	assert_int_equal(json_object_array_length(at(j, "/devices/0/not_measured")), 3);
	assert_keys(at(j, "/devices/0/not_measured/0"), "figures why");
	assert_json(j, "/devices/0/not_measured/0/figures",
		    "[\"batches\",\"expired\",\"late_us\",\"head_inserts\"]");
	assert_json(j, "/devices/0/not_measured/1/figures", "[\"other_llc\",\"other_llc_share\"]");
	assert_json(j, "/devices/0/not_measured/1/why",
		    "\"the machine does not tell which CPUs share a cache\"");
	assert_json(j, "/devices/0/not_measured/2/figures", "[\"passes\"]");
	json_object_object_del(at(j, "/devices/0/not_measured/2"), "why");
	assert_false(is_valid(j, schema));
	json_object_put(j);
}

/* Counters at their largest. */
static void test_extremes_are_valid(void **state)
{
	struct sw_report_disk d = disk_with(SW_GROUPS_ALL);
	struct json_object *j;

	(void)state;
	memset(&detail, 0xff, sizeof(detail));
	memset(&d.window.sum, 0xff, sizeof(d.window.sum));
	memset(&d.window.kyber_state, 0xff, sizeof(d.window.kyber_state));
	d.window.kyber = true;
	d.window.pool = d.window.cpu_issues = d.window.busy_ns = UINT64_MAX;
	j = valid_report(&d);
	assert_json(j, "/devices/0/read/classes/rt/ios", "18446744073709551615");
	assert_json(j, "/devices/0/streams/max", "18446744073709551615");
	json_object_put(j);
}

static const int both[] = { 0, 1 };

static struct json_object *stack_report(const struct sw_report_disk disks[2], int count)
{
	static struct sw_detail sum;
	struct sw_report_stack stack = {
		.name = "md0", .disks = disks, .members = both, .count = count
	};
	struct sw_report r = example_report(disks, 2);
	struct json_object *j;
	int i;

	memset(&sum, 0, sizeof(sum));
	if (disks[0].window.detail)
		stack.window.detail = &sum;
	for (i = 0; i < count; i++)
		sw_window_join(&stack.window, &disks[i].window);
	r.stacks = &stack;
	r.stack_count = 1;
	j = parsed(&r);
	assert_true(is_valid(j, schema));
	return j;
}

static void test_shares(void **state)
{
	struct sw_report_disk disks[2] = { disk_with(0), disk_with(0) };
	struct json_object *j;

	(void)state;
	strcpy(disks[1].disk.name, "sdb");
	j = stack_report(disks, 2);
	assert_json(j, "/stacks/0/balance", "null");
	assert_json(j, "/stacks/0/shares/0",
		    "{\"name\":\"sda\",\"ios\":null,\"bytes\":null,\"busy\":0.0,"
		    "\"service_us\":null}");
	json_object_put(j);
	disks[0].window.sum.completed.dir[SW_READ].ios = 1;
	disks[0].window.sum.completed.dir[SW_READ].bytes = 3 * 4096;
	disks[1].window.sum.completed.dir[SW_WRITE].ios = 3;
	disks[1].window.sum.completed.dir[SW_WRITE].bytes = 4096;
	disks[1].window.sum.completed.dir[SW_WRITE].served = 3;
	disks[1].window.sum.completed.dir[SW_WRITE].service_sum = 4500;
	disks[1].window.busy_ns = 5 * SECOND;
	j = stack_report(disks, 2);
	assert_json(j, "/stacks/0/shares",
		    "[{\"name\":\"sda\",\"ios\":0.25,\"bytes\":0.75,\"busy\":0.0,"
		    "\"service_us\":null},"
		    "{\"name\":\"sdb\",\"ios\":0.75,\"bytes\":0.25,\"busy\":0.5,"
		    "\"service_us\":1.5}]");
	assert_json(j, "/stacks/0/balance", "0.666667");
	json_object_object_del(at(j, "/stacks/0/shares/1"), "busy");
	assert_false(is_valid(j, schema));
	json_object_put(j);
	j = stack_report(disks, 1);
	assert_json(j, "/stacks/0/balance", "1.0");
	assert_int_equal(json_object_array_length(at(j, "/stacks/0/shares")), 1);
	json_object_put(j);
}

/* What has a sum is summed, what has none is null: the busiest, and the pool. */
static void test_stack_of_details(void **state)
{
	struct sw_report_disk d = disk_with(SW_GROUPS_ALL), disks[2];
	struct json_object *j;

	(void)state;
	d.window.pool = 64;
	d.window.sum.issued.dir[SW_READ].ios = d.window.cpu_issues = 8;
	detail.issued.tasks[0] = (struct sw_task){ .count = 8, .tid = 1 };
	detail.completed.apart[SW_APART_RT][SW_READ].ios = 21;
	detail.joined.bios[SW_WRITE][SW_JOIN_PLUG_BACK] = 5;
	detail.unplugged.max = 16;
	detail.unplugged.unplugs = 1;
	detail.levels.idle_with_work = 2 * SECOND;
	disks[0] = disks[1] = d;
	j = stack_report(disks, 2);
	assert_json(j, "/devices/0/busiest_cpu/issued", "8");
	assert_json(j, "/devices/0/pool_full", "0.0");
	assert_json(j, "/stacks/0/busiest_cpu/issued", "null");
	assert_json(j, "/stacks/0/busiest_task/issued", "null");
	assert_json(j, "/stacks/0/pool_full", "null");
	assert_json(j, "/stacks/0/read/classes/rt/ios", "42");
	assert_json(j, "/stacks/0/write/bio_merges/plug_back", "10");
	assert_json(j, "/stacks/0/unplugs/max", "16");
	assert_json(j, "/stacks/0/idle_with_work", "0.2");
	json_object_put(j);
}

/* Every figure names its group; what may be null is allowed to. */
static void test_schema_of_groups(void **state)
{
	static const char *const where[] = { "/$defs/direction",
					     "/$defs/direction/properties/classes/properties/async",
					     "/$defs/device", "/$defs/device/properties/losses" };
	char path[256];
	unsigned int i;

	(void)state;
	for (i = 0; i < sw_figure_count; i++) {
		const struct sw_figure *f = &sw_figures[i];

		snprintf(path, sizeof(path), "%s/properties/%s/group", where[f->scope], f->name);
		assert_string_equal(json_object_get_string(at(schema, path)),
				    sw_group_name(f->group));
		if (!f->group)
			continue;
		snprintf(path, sizeof(path), "%s/properties/%s/type/1", where[f->scope], f->name);
		assert_json(schema, path, "\"null\"");
	}
	assert_keys(at(schema, "/$defs/direction/properties/classes/properties"),
		    "sync async rt be idle");
}

static void test_schema_refuses(void **state)
{
	struct sw_report_disk d = disk_with(SW_GROUPS_ALL);
	struct json_object *j = valid_report(&d);

	(void)state;
	json_object_object_add(at(j, "/devices/0/read/classes/rt"), "ios",
			       json_object_new_double(0.5));
	assert_false(is_valid(j, schema));
	json_object_object_add(at(j, "/devices/0/read/classes/rt"), "ios", json_object_new_int(1));
	assert_true(is_valid(j, schema));
	json_object_object_add(at(j, "/devices/0/read/classes"), "best", json_object_new_object());
	assert_false(is_valid(j, schema));
	json_object_object_del(at(j, "/devices/0/read/classes"), "best");
	assert_true(is_valid(j, schema));
	json_object_object_del(at(j, "/devices/0/read/classes"), "be");
	assert_false(is_valid(j, schema));
	json_object_object_del(at(j, "/devices/0/read"), "classes");
	assert_false(is_valid(j, schema));
	json_object_put(j);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_groups_off),
		cmocka_unit_test(test_one_group_at_a_time),
		cmocka_unit_test(test_nothing_was),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_busiest_task_name),
		cmocka_unit_test(test_kyber),
		cmocka_unit_test(test_not_measured),
		cmocka_unit_test(test_extremes_are_valid),
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_stack_of_details),
		cmocka_unit_test(test_schema_of_groups),
		cmocka_unit_test(test_schema_refuses),
	};

	return cmocka_run_group_tests(tests, read_schema, drop_schema);
}
