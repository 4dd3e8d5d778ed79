// SPDX-License-Identifier: GPL-2.0-or-later
/* The daemon's configuration file. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "seekwise/config.h"

static struct sw_config config;
static char why[512];

static int read_text(const char *text)
{
	char path[] = "/tmp/seekwise-config-XXXXXX";
	int fd = mkstemp(path), err;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	err = sw_config_read(path, &config, why, sizeof(why));
	unlink(path);
	return err;
}

static void test_sections_are_disks(void **state)
{
	(void)state;
	assert_int_equal(read_text("# hello\n[sda]\nmode = tune\nwindow = 500ms\nkeep = yes\n"
				   "[/dev/disk/by-id/x]\nmode=observe\n[all]\nany_rotation = no\n"),
			 0);
	assert_int_equal(config.count, 3);
	assert_string_equal(config.disks[0].what, "sda");
	assert_true(config.disks[0].tune);
	assert_true(config.disks[0].keep);
	assert_int_equal(config.disks[0].window_ns, 500000000);
	assert_string_equal(config.disks[1].what, "/dev/disk/by-id/x");
	assert_false(config.disks[1].tune);
	assert_int_equal(config.disks[1].window_ns, 2000000000);
	assert_false(config.disks[2].any_rotation);
}

static void test_a_section_without_keys_counts(void **state)
{
	(void)state;
	assert_int_equal(read_text("[sda]\n[sdb]\nmode=tune\n[x]\ndisk = /dev/disk/by-id/"
				   "ata-WDC_WD40EFRX-68N32N0_WD-WCC7K0ABCDEF\n"),
			 0);
	assert_int_equal(config.count, 3);
	assert_string_equal(config.disks[0].what, "sda");
	assert_false(config.disks[0].tune);
	assert_string_equal(config.disks[1].what, "sdb");
	assert_true(config.disks[1].tune);
	assert_string_equal(config.disks[2].section, "x");
	assert_string_equal(config.disks[2].what,
			    "/dev/disk/by-id/ata-WDC_WD40EFRX-68N32N0_WD-WCC7K0ABCDEF");
}

static void refuse(const char *text, int line, const char *part)
{
	char place[16];

	why[0] = 0;
	assert_int_equal(read_text(text), -EINVAL);
	snprintf(place, sizeof(place), ":%d: ", line);
	if (line)
		assert_non_null(strstr(why, place));
	assert_non_null(strstr(why, part));
	assert_null(strchr(why, '\n'));
}

static void test_faults_are_told_with_their_line(void **state)
{
	(void)state;
	refuse("[sda]\nmode = tnue\n", 2, "observe, tune");
	refuse("[sda]\n\nwindow = 5x\n", 3, "200ms to 600s");
	refuse("[sda]\nwindow = 100ms\n", 2, "200ms");
	refuse("[sda]\nkeep = 1\n", 2, "yes, no");
	refuse("[sda]\nfifo_batch = 4\n", 2, "unknown key 'fifo_batch'");
	refuse("mode = tune\n", 1, "before any [DISK]");
	refuse("[sda\nmode = tune\n", 1, ":1:");
	refuse("[a]\n[/dev/disk/by-id/ata-WDC_WD40EFRX-68N32N0_WD-WCC7K0ABCDEF]\n", 2,
	       "disk = PATH");
	refuse("[]\nmode = tune\n", 1, "1 to 49");
	refuse("[a]\n# "
	       "0123456789012345678901234567890123456789012345678901234567890123456789"
	       "0123456789012345678901234567890123456789012345678901234567890123456789"
	       "0123456789012345678901234567890123456789012345678901234567890123456789 = 1\n",
	       2, "longer than 198");
	refuse("# nothing\n", 0, "names no disk");
	refuse("", 0, "names no disk");
}

static void test_first_fault_counts(void **state)
{
	(void)state;
	refuse("[sda]\nmode = a\nmode = b\n", 2, "mode = a");
}

static void test_missing_file(void **state)
{
	(void)state;
	assert_int_equal(sw_config_read("/no/such/file", &config, why, sizeof(why)), -ENOENT);
	assert_non_null(strstr(why, "ENOENT"));
	assert_int_not_equal(sw_config_read("/", &config, why, sizeof(why)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sections_are_disks),
		cmocka_unit_test(test_a_section_without_keys_counts),
		cmocka_unit_test(test_faults_are_told_with_their_line),
		cmocka_unit_test(test_first_fault_counts),
		cmocka_unit_test(test_missing_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
