// SPDX-License-Identifier: GPL-2.0-or-later
/* The report for people. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "seekwise/figures.h"
#include "seekwise/output.h"

static char *written(const struct sw_report_disk *disks, int count, char *const *argv)
{
	struct sw_report r = { .disks = disks,
			       .count = count,
			       .seconds = 10,
			       .argv = argv,
			       .start = { .tv_sec = 1753142400 },
			       .version = "0.1.0",
			       .kernel = "6.18.0" };
	char *text = 0;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(sw_report_text(out, &r), 0);
	fclose(out);
	return text;
}

static void assert_says(const char *text, const char *expected)
{
	if (!strstr(text, expected))
		fail_msg("\"%s\" is not in:\n%s", expected, text);
}

static void assert_says_not(const char *text, const char *unexpected)
{
	if (strstr(text, unexpected))
		fail_msg("\"%s\" is in:\n%s", unexpected, text);
}

/* Under 100 columns, plain ASCII, nothing but line ends to control a terminal. */
static void assert_plain(const char *text)
{
	size_t column = 0;

	for (; *text; text++) {
		column = *text == '\n' ? 0 : column + 1;
		assert_true(column < 100);
		assert_true(*text == '\n' || (*text >= ' ' && *text <= '~'));
		if (*text == ' ')
			assert_true(text[1] != '\n');
	}
}

static struct sw_report_disk example(void)
{
	struct sw_report_disk d = {
		.disk = { .name = "sda",
			  .major = 8,
			  .scheduler = "mq-deadline",
			  .zoned = "none",
			  .rotational = true },
		.window = { .start_ns = 1,
			    .end_ns = 10000000001,
			    .held_mean = 4.25,
			    .busy_ns = 2500000000,
			    .deadline = true },
	};
	struct sw_window *w = &d.window;

	w->sum.completed.dir[SW_READ].ios = 123456;
	w->sum.completed.dir[SW_READ].bytes = 42ULL << 20;
	w->sum.issued.dir[SW_READ].located = 4;
	w->sum.issued.dir[SW_READ].sequential = 1;
	w->sum.issued.dir[SW_READ].seek_sum = 8192;
	w->sum.issued.dir[SW_READ].seek_max = 4096;
	w->sum.issued.dir[SW_WRITE].wraps[SW_TO_OLDEST] = 77;
	w->sum.issued.dir[SW_READ].waits = 1;
	w->sum.issued.dir[SW_READ].wait_sum = w->sum.issued.dir[SW_READ].wait_max = 12340000;
	w->sum.inserted.held_max = 31;
	w->sum.completed.kinds[SW_FLUSH] = 9;
	d.knobs.present[SW_READ_EXPIRE] = d.knobs.present[SW_FIFO_BATCH] = true;
	d.knobs.value[SW_READ_EXPIRE] = 500;
	d.knobs.value[SW_FIFO_BATCH] = 16;
	return d;
}

static void test_says_what_was_measured(void **state)
{
	struct sw_report_disk d = example();
	char *text;

	(void)state;
	strcpy(d.note, "The scheduler holds 4.2 requests on average: queue-bound.");
	text = written(&d, 1, 0);
	assert_plain(text);
	assert_says(text, "seekwise 0.1.0  kernel 6.18.0  2025-07-22 00:00:00 UTC  10.0 s\n");
	assert_says(text, "\nsda  8:0  mq-deadline  rotational  10.0 s\n");
	assert_says(text, "\n  The scheduler holds 4.2 requests on average: queue-bound.\n");
	assert_says(text, "\n  completed                           123456                     0\n");
	assert_says(text, "\n    per second                     12345.6/s                   0/s\n");
	assert_says(text, "42.0 MiB ");
	assert_says(text, "4.2 MiB/s");
	assert_says(text, "\n  travel                             4.0 MiB                   0 B\n"
			  "    per second                   409.6 KiB/s                 0 B/s\n");
	assert_says(text, "\n  sequential share                    25.0 %                     -\n");
	assert_says(text, "\n  wraps to_oldest                          0                    77\n");
	assert_says(text, "    2.0 MiB    1.0 MiB\n");
	assert_says(text, "12.3 ms    12.3 ms\n");
	assert_says(text, "\n  held            mean 4.2  max 31  now 0\n");
	assert_says(text, "\n  busy            25.0 %\n");
	assert_says(text, "flush 9  ");
	assert_says(text, "\n  knobs           fifo_batch 16  read_expire 500 ms\n");
	assert_says(text, "\n  losses: none\n");
	assert_says_not(text, "zoned");
	assert_says_not(text, "command");
	free(text);
}

static void test_names_every_figure(void **state)
{
	static struct sw_detail detail;
	struct sw_report_disk d = example();
	char *text, label[64];
	unsigned int i;

	(void)state;
	d.window.detail = &detail;
	d.window.groups = SW_GROUPS_ALL;
	text = written(&d, 1, 0);
	for (i = 0; i < sw_figure_count; i++) {
		if (sw_figures[i].scope == SW_OF_LOSSES || sw_figures[i].scope == SW_OF_APART ||
		    sw_figures[i].quiet)
			continue;
		snprintf(label, sizeof(label), "\n  %s ", sw_figures[i].label);
		assert_says(text, label);
	}
	free(text);
}

static void test_not_measured_is_a_dash(void **state)
{
	struct sw_report_disk d = example();
	char *text;

	(void)state;
	d.window.deadline = false;
	d.disk.scheduler[0] = 0;
	d.disk.rotational = false;
	strcpy(d.disk.zoned, "host-managed");
	d.gone = true;
	memset(&d.knobs, 0, sizeof(d.knobs));
	text = written(&d, 1, 0);
	assert_plain(text);
	assert_says(text,
		    "no scheduler  not rotational  zoned (host-managed)  10.0 s  gone before");
	assert_says(text, "\n  wraps to_oldest                          -                     -\n");
	assert_says(text, "\n  wraps unknown                            0                    77\n");
	assert_says(text, "\n  expired                                  -                     -\n");
	assert_says(text, "\n  head inserts    -\n");
	assert_says(text, "\n  knobs           none\n");
	assert_says(text,
		    "\n  service  read           -          -          -          -          -\n");
	free(text);
}

static void test_losses_that_there_are(void **state)
{
	struct sw_report_disk d = example();
	char *text;

	(void)state;
	d.window.sum.requeued.requeues = 3;
	text = written(&d, 1, 0);
	assert_says(text, "\n  losses: none  requeues 3\n");
	free(text);
	d.window.sum.issued.stale = (1ULL << 53) + 1;
	d.window.missed = 2;
	d.window.torn = 4;
	text = written(&d, 1, 0);
	assert_says(text, "\n  losses: stale 9007199254740993  torn 4  missed 2  requeues 3\n");
	free(text);
}

static void test_ends_with_the_verdict(void **state)
{
	struct sw_report_disk d = example();
	char *text;

	(void)state;
	d.window.busy_ns = 10000000000;
	d.window.held_mean = 120;
	d.window.device_mean = 120;
	text = written(&d, 1, 0);
	assert_plain(text);
	assert_says(text, "\n  losses: none\n\n  verdict         the queue bounds the disk: ");
	assert_says(text, "\n  advice          none\n"
			  "                  More is known with the detail groups: seekwise report "
			  "--groups all sda\n");
	free(text);
	d.window.sum.completed.dir[SW_READ].errors = 1;
	d.window.groups = SW_GROUP_MERGES;
	d.knobs.present[SW_NR_REQUESTS] = true;
	d.knobs.value[SW_NR_REQUESTS] = 256;
	text = written(&d, 1, 0);
	assert_says(text, "\n  advice          one thing at a time, in this order, each measured:\n"
			  "                  1 of 123456 requests failed.");
	assert_says(text, "\n                  The pool is full: ");
	assert_says_not(text, "--groups all");
	free(text);
	d.window.sum.completed.dir[SW_READ].errors = 0;
	d.knobs.present[SW_NR_REQUESTS] = true;
	d.knobs.value[SW_NR_REQUESTS] = 256;
	memset(d.disk.name, 'n', sizeof(d.disk.name) - 1);
	text = written(&d, 1, 0);
	assert_plain(text);
	assert_says(text, "\n  advice          The pool is full: 120 held and 120 in the device on "
			  "average, of 256");
	assert_says(text, "\n      echo 512 > /sys/block/nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn/queue/"
			  "nr_requests\n");
	free(text);
	/* What was missed may be another disk's. */
	d.window.missed = 1;
	text = written(&d, 1, 0);
	assert_says(text, "\n  losses: none  missed 1\n\n  verdict         the queue bounds");
	free(text);
	d.window.torn = 1;
	text = written(&d, 1, 0);
	assert_says(text, "\n  verdict         none: the record could not be read");
	assert_says_not(text, "advice");
	free(text);
	d.gone = true;
	text = written(&d, 1, 0);
	assert_says(text, "\n  verdict         none: the disk went away");
	free(text);
}

static void test_command(void **state)
{
	char *argv[] = { "dd", "if=/dev/\x1b[31m\xff", 0 };
	struct sw_report r = { .argv = argv, .exit_status = 2 };
	char *text = written(0, 0, argv), *again = 0;
	size_t size;
	FILE *out = open_memstream(&again, &size);

	(void)state;
	assert_plain(text);
	assert_says(text, "\ncommand: dd if=/dev/?[31m? (exit status 0)\n");
	free(text);
	r.signal = 15;
	assert_int_equal(sw_report_text(out, &r), 0);
	fclose(out);
	assert_says(again, "(ended by signal 15)\n");
	free(again);
}

static void test_locale_decides_on_characters(void **state)
{
	char *argv[] = { "cat", "f\xc3\xbcr", 0 }, *text;

	(void)state;
	text = written(0, 0, argv);
	assert_says(text, "command: cat f??r (");
	free(text);
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		skip();
	text = written(0, 0, argv);
	assert_says(text, "command: cat f\xc3\xbcr (");
	free(text);
	setlocale(LC_CTYPE, "C");
}

/* Every counter at its largest, every name at its longest. */
static void test_huge_values_fit(void **state)
{
	static struct sw_detail detail;
	struct sw_report_disk d = { .gone = true };
	char word[400], *argv[] = { "fio", word, word, "--name=x", 0 }, *text;
	int i;

	(void)state;
	memset(word, 'w', sizeof(word) - 1);
	word[sizeof(word) - 1] = 0;
	memset(&d.window, 0xff, sizeof(d.window));
	memset(&detail, 0xff, sizeof(detail));
	d.window.detail = &detail;
	d.window.start_ns = 1;
	d.window.held_mean = d.window.device_mean = 1e300;
	d.window.deadline = d.window.kyber = d.window.caches = true;
	d.disk.major = d.disk.minor = UINT32_MAX;
	memset(d.disk.name, 'n', sizeof(d.disk.name) - 1);
	memset(d.disk.scheduler, 's', sizeof(d.disk.scheduler) - 1);
	memset(d.disk.zoned, 'z', sizeof(d.disk.zoned) - 1);
	memset(d.note, 'o', sizeof(d.note) - 1);
	d.note[200] = ' ';
	for (i = 0; i < SW_KNOBS; i++) {
		d.knobs.present[i] = true;
		d.knobs.value[i] = INT64_MIN;
	}
	text = written(&d, 1, argv);
	assert_plain(text);
	assert_says(text, "   18446744073709551615  18446744073709551615\n");
	assert_says(text, "fifo_batch -9223372036854775808");
	free(text);
	d.window.start_ns = d.window.end_ns - 1;
	text = written(&d, 1, argv);
	assert_plain(text);
	assert_says(text, " 1.6e+10 EiB/s         1.6e+10 EiB/s\n");
	free(text);
}

/* Members side by side, then their sum; one member alone is not repeated. */
static void test_stacks(void **state)
{
	struct sw_report_disk disks[2] = { example(), example() };
	static const int members[] = { 0, 1 };
	struct sw_report_stack stacks[2] = {
		{ .name = "md0", .disks = disks, .members = members, .count = 2 },
		{ .name = "nvme0n1", .disks = disks, .members = members + 1, .count = 1 },
	};
	struct sw_report r = { .disks = disks, .count = 2, .stacks = stacks, .stack_count = 2 };
	char *text = 0;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	strcpy(disks[1].disk.name, "sdb");
	sw_window_join(&stacks[0].window, &disks[0].window);
	sw_window_join(&stacks[0].window, &disks[1].window);
	assert_int_equal(sw_report_text(out, &r), 0);
	fclose(out);
	assert_plain(text);
	assert_says(text, "\nsdb  8:0  mq-deadline");
	assert_says(text, "\nmd0  10.0 s  sum of sda + sdb\n");
	assert_says(text, "\n  completed                           246912                     0\n");
	assert_says(text, "\n  held            mean 8.5  max -  now 0\n");
	assert_says_not(text, "nvme0n1");
	free(text);
}

/* A group that is off leaves no line. */
static void test_groups(void **state)
{
	static struct sw_detail detail;
	static const struct {
		uint32_t group;
		const char *label;
	} lines[] = { { SW_GROUP_MERGES, "\n  bio merge back " },
		      { SW_GROUP_MERGES, "\n  insert   read " },
		      { SW_GROUP_STREAMS, "\n  run size write" },
		      { SW_GROUP_STREAMS, "\n  seek cost " },
		      { SW_GROUP_DEPTH, "\n  starved " },
		      { SW_GROUP_DEPTH, "\n  held levels " },
		      { SW_GROUP_LOCALITY, "\n  other CPU share " },
		      { SW_GROUP_LOCALITY, "\n  busiest task " },
		      { SW_GROUP_CLASSES, "\n  wait   rt    write " } };
	struct sw_report_disk d = example();
	char *text;
	size_t i;
	uint32_t group;

	(void)state;
	memset(&detail, 0, sizeof(detail));
	detail.completed.apart[SW_APART_RT][SW_WRITE].ios = 1;
	d.window.caches = true;
	for (group = 0; group < SW_GROUPS_ALL; group = group ? group << 1 : 1) {
		d.window.detail = group ? &detail : 0;
		d.window.groups = group;
		text = written(&d, 1, 0);
		assert_plain(text);
		for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
			if (lines[i].group == group)
				assert_says(text, lines[i].label);
			else
				assert_says_not(text, lines[i].label);
		free(text);
	}
}

/* What is rarely there has a line only then. */
static void test_quiet_figures(void **state)
{
	struct sw_report_disk d = example();
	char *text;

	(void)state;
	d.window.kyber = true;
	text = written(&d, 1, 0);
	assert_says_not(text, "\n  failed ");
	assert_says_not(text, "\n  late ");
	assert_says_not(text, "\n  flush ");
	assert_says_not(text, "\n  FUA write ");
	assert_says_not(text, "\n  kyber ");
	free(text);
	d.window.sum.completed.failed[SW_WRITE][SW_ERROR_NOSPACE] = 3;
	d.window.sum.issued.dir[SW_READ].expired = 1;
	d.window.sum.issued.dir[SW_READ].late_sum = 8000000;
	d.window.sum.issued.dir[SW_READ].late_max = 8000000;
	d.window.sum.completed.fua =
		(struct sw_served){ .count = 2, .sum = 3000000, .max = 2000000 };
	d.window.sum.completed_hist.fua[100] = 2;
	d.window.kyber_state.denominator[SW_DOMAIN_READ][0] = 2;
	d.window.kyber_state.numerator[SW_DOMAIN_READ][0] = 3;
	text = written(&d, 1, 0);
	assert_plain(text);
	assert_says(text, "\n  failed nospace                           0                     3\n");
	assert_says(text, "\n  late     read ");
	assert_says(text, "     8.0 ms     8.0 ms\n");
	assert_says(text, "\n  FUA write       count 2  p50 1.6 ms  p95 1.6 ms  p99 1.6 ms  "
			  "max 2.0 ms  mean 1.5 ms\n");
	assert_says(text, "\n  kyber latency   read_total 1.5  read_io -  write_total -");
	assert_says_not(text, "\n  kyber depth ");
	free(text);
}

/* Times of each class that had requests, whose number is the last column. */
static void test_classes(void **state)
{
	static struct sw_detail detail;
	struct sw_report_disk d = example();
	char *text;

	(void)state;
	memset(&detail, 0, sizeof(detail));
	d.window.detail = &detail;
	d.window.groups = SW_GROUP_CLASSES;
	detail.completed.apart[SW_APART_ASYNC][SW_WRITE] =
		(struct sw_apart_totals){ 1234, 4096, 2, 6000000, 4000000 };
	detail.issued.apart[SW_APART_ASYNC][SW_WRITE] =
		(struct sw_apart_waits){ 2, 3000000, 2000000 };
	detail.hist.wait[SW_APART_ASYNC][SW_WRITE][100] = 2;
	detail.completed.apart[SW_APART_IDLE][SW_READ].ios = 7;
	text = written(&d, 1, 0);
	assert_plain(text);
	assert_says(text, "\n\n                             p50        p95        p99        max"
			  "       mean                count\n  wait   async write ");
	assert_says(text, "\n  wait   async write      1.6 ms     1.6 ms     1.6 ms     2.0 ms"
			  "     1.5 ms                 1234\n");
	assert_says(text, "\n  total  async write           -          -          -     4.0 ms"
			  "     3.0 ms                 1234\n");
	assert_says(text, "\n  wait   idle  read            -          -          -          -"
			  "          -                    7\n  total  async write ");
	assert_says_not(text, "  async read ");
	assert_says_not(text, "  idle  write ");
	assert_says_not(text, "  sync ");
	assert_says_not(text, "  be ");
	free(text);
	/* No class had any: no heading. */
	memset(&detail.completed, 0, sizeof(detail.completed));
	text = written(&d, 1, 0);
	assert_plain(text);
	assert_says_not(text, "\n\n                             p50 ");
	free(text);
}

/* Each reason once, behind all that is null for it. */
static void test_not_measured(void **state)
{
	static struct sw_detail detail;
	struct sw_report_disk d = example();
	char *text;

	(void)state;
	d.window.passes = SW_PASSES_MEASURED;
	text = written(&d, 1, 0);
	assert_says_not(text, "not measured");
	free(text);
	d.window.deadline = false;
	d.window.detail = &detail;
	d.window.groups = SW_GROUPS_ALL;
	text = written(&d, 1, 0);
	assert_plain(text);
	assert_says(text,
		    "\n  not measured    batch, expired, late, head inserts: only mq-deadline "
		    "has this, and its state must\n                  be readable\n");
	assert_says(text,
		    "\n  not measured    other cache, other cache share: the machine does not "
		    "tell which CPUs share a\n                  cache\n");
	assert_says_not(text, "measured    pass");
	assert_says_not(text, "this kernel's BPF");
	assert_says_not(text, "kyber");
	free(text);
}

static char *written_stack(const struct sw_report_disk disks[2])
{
	static const int members[] = { 0, 1 };
	struct sw_report_stack stack = {
		.name = "md0", .disks = disks, .members = members, .count = 2
	};
	struct sw_report r = { .disks = disks, .count = 2, .stacks = &stack, .stack_count = 1 };
	char *text = 0;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	sw_window_join(&stack.window, &disks[0].window);
	sw_window_join(&stack.window, &disks[1].window);
	assert_int_equal(sw_report_text(out, &r), 0);
	fclose(out);
	return text;
}

static void test_shares_of_a_stack(void **state)
{
	struct sw_report_disk disks[2] = { example(), example() };
	struct sw_completed_dir *co = disks[1].window.sum.completed.dir;
	char *text;

	(void)state;
	strcpy(disks[1].disk.name, "sdb");
	co[SW_READ].ios = 123456 / 3;
	co[SW_READ].bytes = 0;
	co[SW_WRITE].bytes = 21ULL << 20;
	co[SW_WRITE].served = 2;
	co[SW_WRITE].service_sum = 3000000;
	disks[1].window.busy_ns = 10000000000;
	text = written_stack(disks);
	assert_plain(text);
	assert_says(text, "\n  sda             requests 75.0 %  bytes 66.7 %  busy 25.0 %\n");
	assert_says(text, "\n  sdb             requests 25.0 %  bytes 33.3 %  busy 100.0 %  "
			  "service mean 1.5 ms\n");
	assert_says(text, "\n  balance         0.75  (bytes of a member on average to those of the "
			  "largest)\n");
	free(text);
	/* A name that reaches into the items, and one that goes on where they begin. */
	memset(disks[0].disk.name, 'n', sizeof(disks[0].disk.name) - 1);
	strcpy(disks[1].disk.name, "nnnnnnnnnnnnnnnn");
	disks[0].window.busy_ns = 10000000000;
	co[SW_READ].ios = disks[0].window.sum.completed.dir[SW_READ].ios = 0;
	disks[0].window.sum.completed.dir[SW_WRITE].ios = 1;
	disks[0].window.sum.completed.dir[SW_WRITE].served = 1;
	disks[0].window.sum.completed.dir[SW_WRITE].service_sum = 999900000;
	co[SW_WRITE].bytes = 0;
	text = written_stack(disks);
	assert_plain(text);
	assert_says(text, "\n  nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn  requests 100.0 %  bytes 100.0 %  "
			  "busy 100.0 %\n                  service mean 999.9 ms\n");
	assert_says(text, "\n  nnnnnnnnnnnnnnnn  requests 0.0 %");
	free(text);
	strcpy(disks[0].disk.name, "sda");
	strcpy(disks[1].disk.name, "sdb");
	disks[0].window.busy_ns = 2500000000;
	/* Of nothing there is no share. */
	memset(&disks[0].window.sum, 0, sizeof(disks[0].window.sum));
	memset(&disks[1].window.sum, 0, sizeof(disks[1].window.sum));
	text = written_stack(disks);
	assert_plain(text);
	assert_says(text, "\n  sda             busy 25.0 %\n  sdb             busy 100.0 %\n");
	assert_says_not(text, "balance");
	free(text);
}

static void test_write_errors(void **state)
{
	struct sw_report_disk d = example();
	struct sw_report r = { .disks = &d, .count = 1 };
	FILE *out = fopen("/dev/full", "w");

	(void)state;
	assert_non_null(out);
	assert_int_equal(sw_report_text(out, &r), -ENOSPC);
	fclose(out);
	out = fopen("/dev/null", "r");
	assert_int_equal(sw_report_text(out, &r), -EBADF);
	fclose(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_says_what_was_measured),
		cmocka_unit_test(test_names_every_figure),
		cmocka_unit_test(test_not_measured_is_a_dash),
		cmocka_unit_test(test_losses_that_there_are),
		cmocka_unit_test(test_ends_with_the_verdict),
		cmocka_unit_test(test_command),
		cmocka_unit_test(test_locale_decides_on_characters),
		cmocka_unit_test(test_huge_values_fit),
		cmocka_unit_test(test_stacks),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_quiet_figures),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_not_measured),
		cmocka_unit_test(test_shares_of_a_stack),
		cmocka_unit_test(test_write_errors),
	};

	return cmocka_run_group_tests(tests, 0, 0);
}
