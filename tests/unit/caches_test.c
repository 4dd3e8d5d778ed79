// SPDX-License-Identifier: GPL-2.0-or-later
/* Which CPUs share a last-level cache, from a made-up sysfs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../src/observe/observer.h"
#include "faketree.h"

static struct faketree tree;

static int make(void **state)
{
	(void)state;
	faketree_make(&tree);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	faketree_remove(&tree);
	return 0;
}

static void cache(int cpu, int index, const char *shared)
{
	char path[128];

	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%d/cache/index%d/shared_cpu_list",
		 cpu, index);
	faketree_write(&tree, path, "%s", shared);
}

/* The largest is the one of the highest index; the smaller ones are shared by fewer. */
static void test_last_level(void **state)
{
	static const char *const own[] = { "0", "1", "2", "3" };
	static const char *const last[] = { "0,2", "1,3", "0,2", "1,3" };
	uint16_t caches[SW_LLC_CPUS];
	int cpu;

	(void)state;
	for (cpu = 0; cpu < 4; cpu++) {
		cache(cpu, 0, own[cpu]);
		cache(cpu, 2, "0-3");
		cache(cpu, 3, last[cpu]);
	}
	assert_true(sw_caches_read(caches, 4));
	assert_int_equal(caches[0], caches[2]);
	assert_int_equal(caches[1], caches[3]);
	assert_int_not_equal(caches[0], caches[1]);
}

/* Some CPUs have fewer levels than others, and one that is off tells nothing. */
static void test_cpus_that_differ(void **state)
{
	uint16_t caches[SW_LLC_CPUS];
	int cpu;

	(void)state;
	cache(0, 1, "0-1");
	cache(1, 1, "0-1");
	cache(2, 3, "2,4-5");
	cache(4, 3, "2,4-5");
	cache(5, 3, "2,4-5");
	assert_true(sw_caches_read(caches, 6));
	assert_int_equal(caches[0], caches[1]);
	assert_int_equal(caches[2], caches[4]);
	assert_int_equal(caches[2], caches[5]);
	assert_int_not_equal(caches[0], caches[2]);
	for (cpu = 0; cpu < SW_LLC_CPUS; cpu++)
		if (cpu != 3)
			assert_int_not_equal(caches[3], caches[cpu]);
	/* Nor is one asked that cannot be there. */
	cache(7, 3, "0");
	sw_caches_read(caches, 7);
	assert_int_equal(caches[7], 7);
}

static void test_not_told(void **state)
{
	uint16_t caches[SW_LLC_CPUS];
	int cpu;

	(void)state;
	assert_false(sw_caches_read(caches, 4));
	for (cpu = 0; cpu < SW_LLC_CPUS; cpu++)
		assert_int_equal(caches[cpu], cpu);
}

#define WITH_TREE(test) cmocka_unit_test_setup_teardown(test, make, drop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_TREE(test_last_level),
		WITH_TREE(test_cpus_that_differ),
		WITH_TREE(test_not_told),
	};

	return cmocka_run_group_tests(tests, 0, 0);
}
