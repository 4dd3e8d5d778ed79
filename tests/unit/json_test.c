// SPDX-License-Identifier: GPL-2.0-or-later
/* The JSON report and its schema: what one says, the other must allow, and no more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "seekwise/figures.h"
#include "seekwise/output.h"
#include "reportjson.h"

static void fill_times(struct sw_window *w)
{
	struct sw_issued_dir *is = &w->sum.issued.dir[SW_READ];
	struct sw_completed_dir *co = &w->sum.completed.dir[SW_READ];

	is->waits = 2;
	is->wait_sum = 3000;
	is->wait_max = 2000;
	w->sum.issued_hist.wait[SW_READ][15] = 1; /* 960...1023 ns */
	w->sum.issued_hist.wait[SW_READ][23] = 1; /* 1920...2047 ns */
	co->served = 1;
	co->service_sum = co->service_max = 123456789;
	w->sum.completed_hist.service[SW_READ][150] = 1;
}

static struct sw_report_disk example_disk(void)
{
	struct sw_report_disk d = {
		.disk = { .name = "sda",
			  .major = 8,
			  .minor = 16,
			  .scheduler = "mq-deadline",
			  .zoned = "none",
			  .rotational = true },
		.window = { .start_ns = 1000000000,
			    .end_ns = 3500000000,
			    .busy_ns = 1250000000,
			    .held_mean = 2.25,
			    .deadline = true },
	};

	d.knobs.present[SW_FIFO_BATCH] = true;
	d.knobs.value[SW_FIFO_BATCH] = 16;
	d.window.sum.completed.dir[SW_READ].ios = 2;
	d.window.sum.completed.dir[SW_READ].bytes = (1ULL << 53) + 1;
	d.window.sum.issued.dir[SW_READ].ios = 3;
	d.window.sum.issued.dir[SW_READ].wraps[SW_TO_OLDEST] = 4;
	d.window.sum.issued.dir[SW_WRITE].expired = 5;
	d.window.sum.passed.dir[SW_WRITE].batches = 2;
	d.window.sum.passed.dir[SW_WRITE].batch_sum = 5;
	d.window.sum.passed.dir[SW_WRITE].batch_max = 4;
	d.window.sum.passed_hist.batch[SW_WRITE][1] = d.window.sum.passed_hist.batch[SW_WRITE][4] =
		1;
	d.window.sum.completed.kinds[SW_FLUSH] = 6;
	d.window.sum.requeued.requeues = 7;
	d.window.torn = 8;
	fill_times(&d.window);
	return d;
}

static void test_report(void **state)
{
	struct sw_report_disk d = example_disk();
	struct sw_report r = example_report(&d, 1);
	struct json_object *j = parsed(&r);
	char *text = written(&r);

	(void)state;
	assert_memory_equal(text, "{\"schema\":\"seekwise.report/1\",", 30);
	free(text);
	assert_true(is_valid(j, schema));
	assert_json(j, "/schema", "\"seekwise.report/1\"");
	assert_json(j, "/start", "\"2025-07-22T00:00:00.005Z\"");
	assert_json(j, "/seconds", "2.5");
	assert_json(j, "/command", "null");
	assert_json(j, "/devices/0/name", "\"sda\"");
	assert_json(j, "/devices/0/dev", "\"8:16\"");
	assert_json(j, "/devices/0/rotational", "true");
	assert_json(j, "/devices/0/knobs", "{\"fifo_batch\":16}");
	assert_json(j, "/devices/0/read/ios", "2");
	assert_json(j, "/devices/0/read/issued", "3");
	assert_json(j, "/devices/0/read/bytes", "9007199254740993");
	assert_json(j, "/devices/0/read/seek_sectors",
		    "{\"p50\":null,\"p95\":null,\"max\":null,\"mean\":null}");
	assert_json(j, "/devices/0/read/wraps",
		    "{\"to_head\":0,\"to_oldest\":4,\"expired\":0,\"unknown\":0}");
	assert_json(j, "/devices/0/read/wait_us",
		    "{\"p50\":0.992,\"p95\":1.984,\"p99\":1.984,\"max\":2.0,\"mean\":1.5}");
	assert_json(j, "/devices/0/read/service_us/max", "123456.789");
	assert_json(j, "/devices/0/write/expired", "5");
	assert_json(j, "/devices/0/write/batches",
		    "{\"count\":2,\"p95\":4.0,\"max\":4,\"mean\":2.5}");
	assert_json(j, "/devices/0/write/total_us/p99", "null");
	assert_json(j, "/devices/0/passes", "null");
	assert_json(j, "/devices/0/passes_estimated", "null");
	assert_json(j, "/devices/0/held", "{\"mean\":2.25,\"max\":0,\"now\":0}");
	assert_json(j, "/devices/0/busy", "0.5");
	assert_json(j, "/devices/0/others/flush", "6");
	assert_json(j, "/devices/0/losses/requeues", "7");
	assert_json(j, "/devices/0/losses/torn", "8");
	json_object_put(j);
}

/* Programs read by name, people by place: the order is fixed. */
static void test_order_of_fields(void **state)
{
	struct sw_report_disk d = example_disk();
	struct sw_report r = example_report(&d, 1);
	struct json_object *j = parsed(&r);

	(void)state;
	assert_keys(j, "schema version start seconds command kernel devices stacks");
	assert_keys(at(j, "/devices/0"),
		    "name dev scheduler rotational zoned gone note knobs seconds passes_estimated "
		    "not_measured busiest_task_name read write switches held in_device busy others "
		    "passes streams seek_cost held_levels held_levels_read held_levels_sync_write "
		    "held_levels_async_write device_levels device_levels_read "
		    "device_levels_sync_write device_levels_async_write pool_full idle_with_work "
		    "device_idle unplugs unplugs_explicit busiest_cpu busiest_task flush_us fua_us "
		    "kyber_throttled kyber_adjusts kyber_depth kyber_latency head_inserts before "
		    "losses lossy verdict advice");
	assert_keys(at(j, "/devices/0/write"),
		    "ios bytes issued errors error_kinds partial merges bio_merges insert_bytes "
		    "issue_bytes located sequential sequential_share backward seek_sectors "
		    "travel_sectors run_requests run_bytes sweeps wraps batches expired late_us "
		    "starved_us other_cpu other_cpu_share other_llc other_llc_share wait_us "
		    "service_us total_us classes");
	assert_keys(at(j, "/devices/0/losses"),
		    "no_insert unmatched negative table_miss stale torn missed requeues");
	assert_keys(at(j, "/devices/0/others"), "discard flush zeroes zone passthrough");
	json_object_put(j);
}

static void test_without_mq_deadline(void **state)
{
	struct sw_report_disk d = example_disk();
	struct sw_report r = example_report(&d, 1);
	struct json_object *j;

	(void)state;
	d.window.deadline = false;
	d.disk.scheduler[0] = 0;
	j = parsed(&r);
	assert_true(is_valid(j, schema));
	assert_json(j, "/devices/0/scheduler", "null");
	assert_json(j, "/devices/0/write/expired", "null");
	assert_json(j, "/devices/0/write/batches", "null");
	assert_json(j, "/devices/0/head_inserts", "null");
	assert_json(j, "/devices/0/read/wraps",
		    "{\"to_head\":null,\"to_oldest\":null,\"expired\":null,\"unknown\":4}");
	json_object_put(j);
}

/* Disks of every kind: never seen, gone, all counters at their largest. */
static void test_extremes_are_valid(void **state)
{
	struct sw_report_disk disks[3] = { { .disk.name = "sdb" }, { .disk.name = "sdc" } };
	struct sw_report r = example_report(disks, 3);
	struct json_object *j;
	int i;

	(void)state;
	disks[1].gone = true;
	strcpy(disks[1].note, "it is \"gone\"\n");
	memset(&disks[2].window.sum, 0xff, sizeof(disks[2].window.sum));
	disks[2].window.end_ns = UINT64_MAX;
	disks[2].window.deadline = true;
	for (i = 0; i < SW_KNOBS; i++) {
		disks[2].knobs.present[i] = true;
		disks[2].knobs.value[i] = INT64_MIN;
	}
	j = parsed(&r);
	assert_true(is_valid(j, schema));
	assert_json(j, "/devices/0/gone", "false");
	assert_json(j, "/devices/0/seconds", "0.0");
	assert_json(j, "/devices/0/busy", "null");
	assert_json(j, "/devices/1/gone", "true");
	assert_json(j, "/devices/1/note", "\"it is \\\"gone\\\"\\n\"");
	assert_json(j, "/devices/2/read/ios", "18446744073709551615");
	assert_json(j, "/devices/2/knobs/fifo_batch", "-9223372036854775808");
	json_object_put(j);
	r.count = 0;
	r.version = r.kernel = 0;
	j = parsed(&r);
	assert_true(is_valid(j, schema));
	assert_json(j, "/devices", "[]");
	assert_json(j, "/stacks", "[]");
	json_object_put(j);
}

static void test_stacks(void **state)
{
	struct sw_report_disk disks[2] = { example_disk(), example_disk() };
	static const int members[] = { 0, 1 };
	struct sw_report_stack stacks[2] = {
		{ .name = "md0", .disks = disks, .members = members, .count = 2 },
		{ .name = "nvme0n1", .disks = disks, .members = members + 1, .count = 1 },
	};
	struct sw_report r = example_report(disks, 2);
	struct json_object *j;

	(void)state;
	strcpy(disks[1].disk.name, "sdb");
	disks[1].gone = true;
	disks[1].window.sum.inserted.held_max = 9;
	sw_window_join(&stacks[0].window, &disks[0].window);
	sw_window_join(&stacks[0].window, &disks[1].window);
	sw_window_join(&stacks[1].window, &disks[1].window);
	r.stacks = stacks;
	r.stack_count = 2;
	j = parsed(&r);
	assert_true(is_valid(j, schema));
	assert_json(j, "/stacks/0/name", "\"md0\"");
	assert_json(j, "/stacks/0/members", "[\"sda\",\"sdb\"]");
	assert_json(j, "/stacks/0/gone", "true");
	assert_json(j, "/stacks/0/seconds", "2.5");
	assert_json(j, "/stacks/0/read/ios", "4");
	assert_json(j, "/stacks/0/read/bytes", "18014398509481986");
	assert_json(j, "/stacks/0/read/wait_us",
		    "{\"p50\":0.992,\"p95\":1.984,\"p99\":1.984,\"max\":2.0,\"mean\":1.5}");
	assert_json(j, "/stacks/0/write/expired", "10");
	assert_json(j, "/stacks/0/held", "{\"mean\":4.5,\"max\":null,\"now\":0}");
	assert_json(j, "/stacks/0/busy", "0.5");
	assert_json(j, "/stacks/0/losses/torn", "16");
	assert_json(j, "/stacks/1/members", "[\"sdb\"]");
	assert_json(j, "/stacks/1/held/max", "9");
	json_object_object_del(at(j, "/stacks/1"), "members");
	assert_false(is_valid(j, schema));
	json_object_put(j);
}

/* A queue that is full. */
static struct sw_report_disk queue_bound(void)
{
	struct sw_report_disk d = example_disk();

	d.window.torn = 0;
	d.window.busy_ns = d.window.end_ns - d.window.start_ns;
	d.window.held_mean = 128;
	d.window.device_mean = 127.5;
	d.window.sum.completed.dir[SW_READ].served = 0;
	d.window.sum.completed.dir[SW_READ].ios = 8000;
	d.knobs.present[SW_NR_REQUESTS] = true;
	d.knobs.value[SW_NR_REQUESTS] = 256;
	return d;
}

static void test_verdict_and_advice(void **state)
{
	struct sw_report_disk d = queue_bound();
	struct sw_report r = example_report(&d, 1);
	struct json_object *j = parsed(&r);

	(void)state;
	assert_true(is_valid(j, schema));
	assert_keys(at(j, "/devices/0/verdict"), "bound text");
	assert_json(j, "/devices/0/verdict/bound", "\"queue\"");
	assert_int_equal(json_object_array_length(at(j, "/devices/0/advice")), 1);
	assert_keys(at(j, "/devices/0/advice/0"), "id text commands evidence");
	assert_json(j, "/devices/0/advice/0/id", "\"pool-full\"");
	assert_json(j, "/devices/0/advice/0/commands",
		    "[\"echo 512 > /sys/block/sda/queue/nr_requests\"]");
	assert_json(j, "/devices/0/advice/0/evidence",
		    "{\"held.mean\":128.0,\"in_device.mean\":127.5,\"knobs.nr_requests\":256}");
	json_object_object_add(at(j, "/devices/0/advice/0/evidence"), "mood",
			       json_object_new_int(1));
	assert_false(is_valid(j, schema));
	json_object_object_del(at(j, "/devices/0/advice/0/evidence"), "mood");
	assert_true(is_valid(j, schema));
	json_object_object_add(at(j, "/devices/0/verdict"), "bound",
			       json_object_new_string("wall"));
	assert_false(is_valid(j, schema));
	json_object_put(j);
}

static void test_no_verdict(void **state)
{
	struct sw_report_disk disks[2] = { queue_bound(), queue_bound() };
	struct sw_report r = example_report(disks, 2);
	struct json_object *j;

	(void)state;
	disks[0].window.torn = 1;
	disks[1].gone = true;
	j = parsed(&r);
	assert_true(is_valid(j, schema));
	assert_json(j, "/devices/0/verdict", "null");
	assert_json(j, "/devices/0/advice", "[]");
	assert_json(j, "/devices/1/verdict", "null");
	assert_json(j, "/devices/1/advice", "[]");
	json_object_put(j);
}

static void test_command(void **state)
{
	char *argv[] = { "dd", "of=/tmp/\xc3\xbc", "\xff\xc0\x80\xed\xa0\x80 \xf0\x9f\x92\xbe", 0 };
	struct sw_report r = example_report(0, 0);
	struct json_object *j;

	(void)state;
	r.argv = argv;
	r.exit_status = 3;
	j = parsed(&r);
	assert_true(is_valid(j, schema));
	assert_json(j, "/command/argv/1", "\"of=/tmp/\xc3\xbc\"");
	assert_json(j, "/command/argv/2",
		    "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd "
		    "\xf0\x9f\x92\xbe\"");
	assert_json(j, "/command/exit_status", "3");
	assert_json(j, "/command/signal", "null");
	json_object_put(j);
	r.exit_status = -1;
	r.signal = 9;
	j = parsed(&r);
	assert_true(is_valid(j, schema));
	assert_json(j, "/command/exit_status", "null");
	assert_json(j, "/command/signal", "9");
	json_object_put(j);
}

/* The checker itself refuses what is missing, added or of another type. */
static void test_schema_refuses(void **state)
{
	struct sw_report_disk d = example_disk();
	struct sw_report r = example_report(&d, 1);
	struct json_object *j = parsed(&r), *read = at(j, "/devices/0/read");

	(void)state;
	assert_true(is_valid(j, schema));
	json_object_object_add(read, "extra", json_object_new_int(1));
	assert_false(is_valid(j, schema));
	json_object_object_del(read, "extra");
	assert_true(is_valid(j, schema));
	json_object_object_add(read, "ios", json_object_new_string("2"));
	assert_false(is_valid(j, schema));
	json_object_object_add(read, "ios", 0);
	assert_false(is_valid(j, schema));
	json_object_object_add(read, "ios", json_object_new_double(2.5));
	assert_false(is_valid(j, schema));
	json_object_object_add(read, "ios", json_object_new_int(-1));
	assert_false(is_valid(j, schema));
	json_object_object_add(read, "ios", json_object_new_int(2));
	assert_true(is_valid(j, schema));
	json_object_object_del(at(j, "/devices/0/losses"), "torn");
	assert_false(is_valid(j, schema));
	json_object_put(j);
}

/* Every figure is in the schema, with its explanation and unit. */
static void test_schema_explains(void **state)
{
	static const char *const places[] = { "/$defs/direction",
					      "/$defs/direction/properties/classes/properties/idle",
					      "/$defs/device", "/$defs/device/properties/losses" };
	char path[256];
	unsigned int i;

	(void)state;
	assert_json(schema, "/$schema", "\"https://json-schema.org/draft/2020-12/schema\"");
	for (i = 0; i < sw_figure_count; i++) {
		const struct sw_figure *f = &sw_figures[i];

		snprintf(path, sizeof(path), "%s/properties/%s/description", places[f->scope],
			 f->name);
		assert_string_equal(json_object_get_string(at(schema, path)), f->about);
		snprintf(path, sizeof(path), "%s/properties/%s/unit", places[f->scope], f->name);
		assert_string_equal(json_object_get_string(at(schema, path)), f->unit);
	}
	assert_json(schema, "/$defs/direction/properties/ios/type", "\"integer\"");
	assert_json(schema, "/$defs/direction/properties/expired/type", "[\"integer\",\"null\"]");
	assert_json(schema, "/$defs/direction/properties/batches/properties/count/type",
		    "\"integer\"");
	assert_json(schema, "/$defs/device/properties/held/properties/max/type", "\"integer\"");
	assert_json(schema, "/$defs/stack/properties/held/properties/max/type",
		    "[\"integer\",\"null\"]");
	assert_json(schema, "/$defs/device/properties/knobs/properties/fifo_batch/unit",
		    "\"requests\"");
}

static void test_write_errors(void **state)
{
	struct sw_report r = example_report(0, 0);
	FILE *out = fopen("/dev/full", "w");
	int ends[2];

	(void)state;
	assert_non_null(out);
	assert_int_equal(sw_report_json(out, &r), -ENOSPC);
	assert_int_equal(sw_report_schema(out), -ENOSPC);
	fclose(out);
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	out = fdopen(ends[1], "w");
	assert_int_equal(sw_report_json(out, &r), -EPIPE);
	fclose(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_report),
		cmocka_unit_test(test_order_of_fields),
		cmocka_unit_test(test_without_mq_deadline),
		cmocka_unit_test(test_extremes_are_valid),
		cmocka_unit_test(test_stacks),
		cmocka_unit_test(test_verdict_and_advice),
		cmocka_unit_test(test_no_verdict),
		cmocka_unit_test(test_command),
		cmocka_unit_test(test_schema_refuses),
		cmocka_unit_test(test_schema_explains),
		cmocka_unit_test(test_write_errors),
	};

	return cmocka_run_group_tests(tests, read_schema, drop_schema);
}
