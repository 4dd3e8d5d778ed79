// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers, durations, sizes, small files, messages, roots. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faketree.h"
#include "seekwise/base.h"

static void whole_numbers_are_taken(void **state)
{
	uint64_t value = 0;

	(void)state;
	assert_int_equal(sw_parse_u64("0", 0, 10, &value), 0);
	assert_int_equal(value, 0);
	assert_int_equal(sw_parse_u64("18446744073709551615", 0, UINT64_MAX, &value), 0);
	assert_true(value == UINT64_MAX);
	assert_int_equal(sw_parse_u64("9007199254740993", 0, UINT64_MAX, &value), 0);
	assert_true(value == 9007199254740993ull);
	assert_int_equal(sw_parse_u64("007", 0, 10, &value), 0);
	assert_int_equal(value, 7);
}

static void anything_else_is_refused(void **state)
{
	static const char *const bad[] = {
		"",     " ",   "5x",  " 5",  "5 ",   "-1",  "+1",
		"0x10", "1e9", "1.0", "1,0", "five", "5\n", "99999999999999999999x",
	};
	uint64_t value = 42;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(sw_parse_u64(bad[i], 0, UINT64_MAX, &value), -EINVAL);
		assert_int_equal(value, 42);
	}
}

static void range_is_told_from_junk(void **state)
{
	uint64_t value = 42;

	(void)state;
	assert_int_equal(sw_parse_u64("18446744073709551616", 0, UINT64_MAX, &value), -ERANGE);
	assert_int_equal(sw_parse_u64("184467440737095516150", 0, UINT64_MAX, &value), -ERANGE);
	assert_int_equal(sw_parse_u64("4", 5, 7, &value), -ERANGE);
	assert_int_equal(sw_parse_u64("8", 5, 7, &value), -ERANGE);
	assert_int_equal(value, 42);
	assert_int_equal(sw_parse_u64("5", 5, 7, &value), 0);
	assert_int_equal(sw_parse_u64("7", 5, 7, &value), 0);
	assert_int_equal(value, 7);
}

static uint64_t duration(const char *text)
{
	uint64_t ns = 1;
	int err = sw_parse_duration(text, 0, UINT64_MAX, &ns);

	if (err)
		fail_msg("%s: %s", text, sw_strerror(err));
	return ns;
}

static void durations_have_units(void **state)
{
	(void)state;
	assert_true(duration("7ns") == 7);
	assert_true(duration("7us") == 7000);
	assert_true(duration("500ms") == 500000000);
	assert_true(duration("2s") == 2000000000);
	assert_true(duration("2") == 2000000000);
	assert_true(duration("5m") == 300000000000);
	assert_true(duration("1h") == 3600000000000);
	assert_true(duration("1.5s") == 1500000000);
	assert_true(duration("0.25") == 250000000);
	assert_true(duration("1.000000001s") == 1000000001);
	assert_true(duration("1.0000000019s") == 1000000001);
	assert_true(duration("0.1h") == 360000000000);
	assert_true(duration("1.99999999999999999999999s") == 1999999999);
}

static void bad_durations_are_refused(void **state)
{
	static const char *const bad[] = {
		"",   "s",  ".5s", "1.s",  "1.5.5s", "5 s",  "5sec",
		"5S", "5d", "-5s", "1e3s", "0x5s",   "5ms5", "1.5k",
	};
	uint64_t ns = 42;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(sw_parse_duration(bad[i], 0, UINT64_MAX, &ns), -EINVAL);
	assert_int_equal(sw_parse_duration("18446744073709551615s", 0, UINT64_MAX, &ns), -ERANGE);
	assert_int_equal(sw_parse_duration("99999999999999999999ns", 0, UINT64_MAX, &ns), -ERANGE);
	assert_int_equal(sw_parse_duration("99ms", 100000000, 1000000000, &ns), -ERANGE);
	assert_int_equal(sw_parse_duration("1001ms", 100000000, 1000000000, &ns), -ERANGE);
	assert_int_equal(ns, 42);
	assert_int_equal(sw_parse_duration("100ms", 100000000, 1000000000, &ns), 0);
}

static void sizes_have_units(void **state)
{
	static const char *const bad[] = { "", "k", "4kB", "4 k", "1.5M", "4m", "-4k", "4x" };
	uint64_t bytes = 42;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(sw_parse_size(bad[i], 0, UINT64_MAX, &bytes), -EINVAL);
	assert_int_equal(sw_parse_size("16777216T", 0, UINT64_MAX, &bytes), -ERANGE);
	assert_int_equal(sw_parse_size("5k", 0, 5000, &bytes), -ERANGE);
	assert_int_equal(bytes, 42);
	assert_int_equal(sw_parse_size("4k", 0, UINT64_MAX, &bytes), 0);
	assert_int_equal(bytes, 4096);
	assert_int_equal(sw_parse_size("1M", 0, UINT64_MAX, &bytes), 0);
	assert_int_equal(bytes, 1048576);
	assert_int_equal(sw_parse_size("3G", 0, UINT64_MAX, &bytes), 0);
	assert_true(bytes == 3221225472);
	assert_int_equal(sw_parse_size("16777215T", 0, UINT64_MAX, &bytes), 0);
	assert_true(bytes == 16777215ull << 40);
	assert_int_equal(sw_parse_size("512", 0, UINT64_MAX, &bytes), 0);
	assert_int_equal(bytes, 512);
}

static void files_are_read_whole(void **state)
{
	struct faketree tree;
	const char *path;
	char buf[4];

	(void)state;
	faketree_make(&tree);
	faketree_write(&tree, "f", "1234");
	path = faketree_path(&tree, "f");
	assert_int_equal(sw_read_file(path, buf, sizeof(buf)), -E2BIG);
	faketree_write(&tree, "f", "123"); /* the newline's place is enough for the end */
	assert_int_equal(sw_read_file(path, buf, sizeof(buf)), 3);
	assert_string_equal(buf, "123");
	faketree_write(&tree, "f", "12\n");
	assert_int_equal(sw_read_file(path, buf, sizeof(buf)), 3);
	assert_string_equal(buf, "12\n");
	faketree_write(&tree, "f", "123\n4");
	assert_int_equal(sw_read_file(path, buf, sizeof(buf)), -E2BIG);
	faketree_write(&tree, "f", "%s", "");
	assert_int_equal(sw_read_file(path, buf, sizeof(buf)), 0);
	assert_string_equal(buf, "");
	assert_int_equal(sw_read_file(path, buf, 0), -E2BIG);
	assert_int_equal(sw_read_file(tree.root, buf, sizeof(buf)), -EISDIR);
	assert_int_equal(sw_read_file("/nowhere/at/all", buf, sizeof(buf)), -ENOENT);
	faketree_remove(&tree);
}

static void numbers_in_files_are_whole(void **state)
{
	struct faketree tree;
	uint64_t value = 42;
	const char *path;

	(void)state;
	faketree_make(&tree);
	path = faketree_path(&tree, "f");
	assert_int_equal(sw_read_u64(path, &value), -ENOENT);
	faketree_write(&tree, "f", "12 34");
	path = faketree_path(&tree, "f");
	assert_int_equal(sw_read_u64(path, &value), -EINVAL);
	faketree_write(&tree, "f", "%080d", 1);
	path = faketree_path(&tree, "f");
	assert_int_equal(sw_read_u64(path, &value), -EINVAL);
	assert_int_equal(value, 42);
	faketree_write(&tree, "f", "1234");
	path = faketree_path(&tree, "f");
	assert_int_equal(sw_read_u64(path, &value), 0);
	assert_int_equal(value, 1234);
	faketree_remove(&tree);
}

static void errors_have_symbolic_names(void **state)
{
	(void)state;
	assert_string_equal(sw_strerror(ENOENT), "ENOENT: No such file or directory");
	assert_string_equal(sw_strerror(-EBUSY), "EBUSY: Device or resource busy");
	assert_string_equal(sw_strerror(99999), "error 99999");
}

/* What sw_log writes to stderr, which is a file meanwhile; "" for nothing. */
static const char *logged(enum sw_level level, const char *text, bool journal)
{
	static char line[8192];
	char path[] = "/tmp/seekwise-log.XXXXXX", stream[64];
	int fd = mkstemp(path), saved = dup(STDERR_FILENO);
	struct stat st;

	assert_true(fd >= 0 && saved >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	snprintf(stream, sizeof(stream), "%ju:%ju", (uintmax_t)st.st_dev,
		 (uintmax_t)st.st_ino + !journal);
	setenv("JOURNAL_STREAM", stream, 1);
	dup2(fd, STDERR_FILENO);
	errno = ENOSPC;
	sw_log(level, "%s", text);
	dup2(saved, STDERR_FILENO);
	assert_int_equal(errno, ENOSPC);
	unsetenv("JOURNAL_STREAM");
	close(saved);
	close(fd);
	fd = open(path, O_RDONLY);
	line[read(fd, line, sizeof(line) - 1)] = '\0';
	close(fd);
	unlink(path);
	return line;
}

static void messages_are_one_line(void **state)
{
	char longer[4000];

	(void)state;
	assert_string_equal(logged(SW_ERROR, "no 100% way\n", false), "seekwise: no 100% way\n");
	assert_string_equal(logged(SW_INFO, "a\nb\033[31m\r", false), "seekwise: a?b?[31m?\n");
	assert_string_equal(logged(SW_INFO, "Gr\303\266\303\237e", false),
			    "seekwise: Gr\303\266\303\237e\n");
	memset(longer, 'x', sizeof(longer));
	longer[sizeof(longer) - 1] = '\0';
	assert_non_null(strstr(logged(SW_INFO, longer, false), "xxx...\n"));
}

static void the_journal_gets_priorities(void **state)
{
	(void)state;
	assert_string_equal(logged(SW_ERROR, "bad", true), "<3>seekwise: bad\n");
	assert_string_equal(logged(SW_WARN, "odd", true), "<4>seekwise: odd\n");
	assert_string_equal(logged(SW_INFO, "so", true), "<6>seekwise: so\n");
	sw_log_level(SW_DEBUG);
	assert_string_equal(logged(SW_DEBUG, "why", true), "<7>seekwise: why\n");
	sw_log_level(SW_INFO);
}

static void levels_above_the_highest_are_left_out(void **state)
{
	(void)state;
	assert_string_equal(logged(SW_DEBUG, "why", false), "");
	sw_log_level(SW_ERROR);
	assert_string_equal(logged(SW_WARN, "odd", false), "");
	assert_string_equal(logged(SW_ERROR, "bad", false), "seekwise: bad\n");
	sw_log_level(SW_INFO);
}

static void roots_come_from_the_environment(void **state)
{
	struct sw_roots saved = sw_roots;

	(void)state;
	assert_string_equal(sw_roots.sys, "/sys");
	assert_string_equal(sw_roots.run, "/run/seekwise");
	setenv("SEEKWISE_SYSFS", "/tmp/a", 1);
	setenv("SEEKWISE_RUN", "/tmp/b", 1);
	setenv("SEEKWISE_PROC", "", 1);
	sw_roots_init();
	assert_string_equal(sw_roots.sys, "/tmp/a");
	assert_string_equal(sw_roots.run, "/tmp/b");
	assert_string_equal(sw_roots.proc, "/proc");
	assert_string_equal(sw_roots.dev, "/dev");
	unsetenv("SEEKWISE_SYSFS");
	unsetenv("SEEKWISE_RUN");
	unsetenv("SEEKWISE_PROC");
	sw_roots = saved;
}

static void the_clock_goes_forward(void **state)
{
	uint64_t first = sw_now_ns();

	(void)state;
	assert_true(first > 0);
	assert_true(sw_now_ns() >= first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_numbers_are_taken),
		cmocka_unit_test(anything_else_is_refused),
		cmocka_unit_test(range_is_told_from_junk),
		cmocka_unit_test(durations_have_units),
		cmocka_unit_test(bad_durations_are_refused),
		cmocka_unit_test(sizes_have_units),
		cmocka_unit_test(files_are_read_whole),
		cmocka_unit_test(numbers_in_files_are_whole),
		cmocka_unit_test(errors_have_symbolic_names),
		cmocka_unit_test(messages_are_one_line),
		cmocka_unit_test(the_journal_gets_priorities),
		cmocka_unit_test(levels_above_the_highest_are_left_out),
		cmocka_unit_test(roots_come_from_the_environment),
		cmocka_unit_test(the_clock_goes_forward),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
