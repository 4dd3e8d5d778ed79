// SPDX-License-Identifier: GPL-2.0-or-later
/* Which disks are left alone, and the reason that is given. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "faketree.h"
#include "seekwise/gate.h"

static struct faketree tree;

static int make(void **state)
{
	(void)state;
	faketree_make(&tree);
	faketree_disk(&tree, "sda", 8, 0);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	faketree_remove(&tree);
	return 0;
}

static bool tunable(const struct sw_gate *gate, char why[256])
{
	char note[64];
	struct sw_disk disk;

	assert_int_equal(sw_disk_resolve("sda", &disk, 1, note, sizeof(note)), 1);
	return sw_tunable(&disk, gate, why, 256);
}

static void a_rotational_disk_is_tuned(void **state)
{
	const struct sw_gate any = { .any_rotation = true };
	char why[256];

	(void)state;
	assert_true(tunable(NULL, why));
	faketree_set(&tree, "sda", "rotational", 0);
	assert_false(tunable(NULL, why));
	assert_true(tunable(&any, why));
}

/* Whatever its scheduler: nobody is to be sent looking for another one. */
static void a_zoned_disk_is_observed_only(void **state)
{
	static const char *const schedulers[] = { "[mq-deadline] none", "[none] mq-deadline" };
	const struct sw_gate any = { .any_rotation = true };
	char why[256];
	size_t i;

	(void)state;
	faketree_write(&tree, "sys/block/sda/queue/zoned", "host-managed");
	for (i = 0; i < sizeof(schedulers) / sizeof(schedulers[0]); i++) {
		faketree_write(&tree, "sys/block/sda/queue/scheduler", "%s", schedulers[i]);
		assert_false(tunable(&any, why));
		assert_string_equal(why, "it is zoned (host-managed): observed only");
	}
}

static void other_schedulers_are_named(void **state)
{
	char why[256];

	(void)state;
	faketree_write(&tree, "sys/block/sda/queue/scheduler", "none [kyber]");
	assert_false(tunable(NULL, why));
	assert_non_null(strstr(why, "its scheduler is kyber"));
}

#define TREE_TEST(f) cmocka_unit_test_setup_teardown(f, make, drop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(a_rotational_disk_is_tuned),
		TREE_TEST(a_zoned_disk_is_observed_only),
		TREE_TEST(other_schedulers_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
