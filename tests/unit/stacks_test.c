// SPDX-License-Identifier: GPL-2.0-or-later
/* Disks and stacked devices of a command line: each disk once, each sum with all its members. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "../../src/cmd/cmd.h"
#include "faketree.h"

static struct faketree tree;
static struct sw_stacks stacks;
static struct sw_disks disks;

static int make(void **state)
{
	(void)state;
	faketree_make(&tree);
	faketree_disk(&tree, "sda", 8, 0);
	faketree_disk(&tree, "sdb", 8, 16);
	faketree_disk(&tree, "loop44", 7, 44);
	faketree_disk(&tree, "loop300", 7, 300);
	faketree_bio_device(&tree, "md0", 9, 0);
	faketree_member(&tree, "md0", "sda");
	faketree_member(&tree, "md0", "sdb");
	faketree_bio_device(&tree, "dm-0", 253, 0);
	faketree_member(&tree, "dm-0", "md0");
	memset(&stacks, 0, sizeof(stacks));
	disks.count = 0;
	disks.stacks = &stacks;
	return 0;
}

static int drop(void **state)
{
	(void)state;
	faketree_remove(&tree);
	return 0;
}

static void assert_stack(int i, const char *name, int first, int second)
{
	assert_string_equal(stacks.stack[i].name, name);
	assert_int_equal(stacks.stack[i].count, 2);
	assert_int_equal(stacks.stack[i].member[0], first);
	assert_int_equal(stacks.stack[i].member[1], second);
}

static void a_disk_named_twice_counts_once_in_each_sum(void **state)
{
	(void)state;
	assert_int_equal(sw_disks_add(&disks, "sdb"), SW_OK);
	assert_int_equal(sw_disks_add(&disks, "md0"), SW_OK);
	assert_int_equal(sw_disks_add(&disks, "dm-0"), SW_OK);
	assert_int_equal(sw_disks_add(&disks, "sda"), SW_OK);
	assert_int_equal(sw_disks_add(&disks, "md0"), SW_OK);
	assert_int_equal(disks.count, 2);
	assert_string_equal(disks.disk[0].name, "sdb");
	assert_string_equal(disks.disk[1].name, "sda");
	assert_int_equal(stacks.count, 2);
	assert_stack(0, "md0", 1, 0);
	assert_stack(1, "dm-0", 1, 0);
}

static void plain_disks_make_no_stack(void **state)
{
	(void)state;
	assert_int_equal(sw_disks_add(&disks, "sda"), SW_OK);
	assert_int_equal(sw_disks_add(&disks, "loop300"), SW_OK);
	assert_int_equal(sw_disks_add(&disks, "loop44"), SW_OK);
	/* Their minors are the same in eight bits. */
	assert_int_equal(disks.count, 3);
	assert_int_equal(stacks.count, 0);
	disks.stacks = NULL;
	assert_int_equal(sw_disks_add(&disks, "md0"), SW_OK);
	assert_int_equal(disks.count, 4);
}

static void too_many_stacks_are_told(void **state)
{
	char name[32];
	int i;

	(void)state;
	for (i = 1; i <= SW_MAX_STACKS; i++) {
		snprintf(name, sizeof(name), "dm-%d", i);
		faketree_bio_device(&tree, name, 253, (unsigned int)i);
		faketree_member(&tree, name, "sda");
		assert_int_equal(sw_disks_add(&disks, name), SW_OK);
	}
	assert_int_equal(sw_disks_add(&disks, "md0"), SW_USAGE);
	assert_int_equal(sw_disks_add(&disks, "dm-1"), SW_OK);
}

#define TREE_TEST(f) cmocka_unit_test_setup_teardown(f, make, drop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(a_disk_named_twice_counts_once_in_each_sum),
		TREE_TEST(plain_disks_make_no_stack),
		TREE_TEST(too_many_stacks_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
