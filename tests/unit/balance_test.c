// SPDX-License-Identifier: GPL-2.0-or-later
/* Members of a stacked device side by side. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "../../src/output/balance.h"

#define SECOND 1000000000ULL
#define DISKS 4

static struct sw_report_disk disks[DISKS];
static struct sw_report_stack stack;

/* A stack of those disks, in that order, each ten seconds long and without requests. */
static void make_stack(const int *members, int count)
{
	int i;

	memset(disks, 0, sizeof(disks));
	for (i = 0; i < DISKS; i++) {
		disks[i].disk.name[0] = (char)('a' + i);
		disks[i].window.start_ns = SECOND;
		disks[i].window.end_ns = 11 * SECOND;
	}
	stack = (struct sw_report_stack){
		.name = "md0", .disks = disks, .members = members, .count = count
	};
}

static void completed(int disk, unsigned int dir, uint64_t ios, uint64_t bytes)
{
	disks[disk].window.sum.completed.dir[dir].ios = ios;
	disks[disk].window.sum.completed.dir[dir].bytes = bytes;
}

static void join(void)
{
	int i;

	memset(&stack.window, 0, sizeof(stack.window));
	for (i = 0; i < stack.count; i++)
		sw_window_join(&stack.window, &disks[stack.members[i]].window);
}

static void assert_near(double value, double expected)
{
	if (!(fabs(value - expected) < 1e-9))
		fail_msg("%.9f instead of %.9f", value, expected);
}

/* Reads and writes together, of the member that is meant and not of the disk of that number. */
static void test_shares(void **state)
{
	static const int members[] = { 3, 1 };
	struct sw_share share;

	(void)state;
	make_stack(members, 2);
	completed(0, SW_READ, 1000, 1 << 30);
	completed(3, SW_READ, 10, 3000);
	completed(3, SW_WRITE, 20, 1000);
	completed(1, SW_READ, 60, 500);
	completed(1, SW_WRITE, 10, 500);
	disks[3].window.busy_ns = 4 * SECOND;
	disks[1].window.busy_ns = 10 * SECOND;
	disks[3].window.sum.completed.dir[SW_READ].served = 1;
	disks[3].window.sum.completed.dir[SW_READ].service_sum = 1000000;
	disks[3].window.sum.completed.dir[SW_WRITE].served = 3;
	disks[3].window.sum.completed.dir[SW_WRITE].service_sum = 1000000;
	join();
	share = sw_share_of(&stack, 0);
	assert_string_equal(share.name, "d");
	assert_near(share.ios, 0.3);
	assert_near(share.bytes, 0.8);
	assert_near(share.busy, 0.4);
	assert_near(share.service_us, 500);
	share = sw_share_of(&stack, 1);
	assert_string_equal(share.name, "b");
	assert_near(share.ios, 0.7);
	assert_near(share.bytes, 0.2);
	assert_near(share.busy, 1);
	assert_true(isnan(share.service_us));
}

/* A member that did nothing has a share of 0; of nothing there is no share. */
static void test_nothing_to_have_a_part_of(void **state)
{
	static const int members[] = { 0, 1 };
	struct sw_share share;

	(void)state;
	make_stack(members, 2);
	join();
	share = sw_share_of(&stack, 0);
	assert_true(isnan(share.ios) && isnan(share.bytes) && isnan(share.service_us));
	assert_near(share.busy, 0);
	assert_true(isnan(sw_stack_balance(&stack)));
	completed(1, SW_READ, 5, 0);
	join();
	share = sw_share_of(&stack, 0);
	assert_near(share.ios, 0);
	assert_true(isnan(share.bytes));
	assert_near(sw_share_of(&stack, 1).ios, 1);
	assert_true(isnan(sw_stack_balance(&stack)));
	/* No time, no share of it. */
	disks[0].window.end_ns = disks[0].window.start_ns;
	assert_true(isnan(sw_share_of(&stack, 0).busy));
}

static void test_balance(void **state)
{
	static const int members[] = { 0, 1, 2, 3 };
	int i;

	(void)state;
	make_stack(members, 4);
	for (i = 0; i < 4; i++)
		completed(i, i & 1, 1, 4096);
	join();
	assert_near(sw_stack_balance(&stack), 1);
	/* On average 3 of the 6 that the one with most has. */
	completed(2, SW_READ, 1, 6 * 4096);
	completed(3, SW_WRITE, 1, 4 * 4096);
	join();
	assert_near(sw_stack_balance(&stack), 0.5);
	for (i = 0; i < 3; i++)
		completed(i, SW_READ, 0, 0), completed(i, SW_WRITE, 0, 0);
	join();
	assert_near(sw_stack_balance(&stack), 0.25);
	/* Reads of the one and writes of the other count alike. */
	completed(0, SW_READ, 0, 3 * 4096);
	completed(1, SW_WRITE, 0, 4096);
	stack.count = 2;
	join();
	assert_near(sw_stack_balance(&stack), 2. / 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_nothing_to_have_a_part_of),
		cmocka_unit_test(test_balance),
	};

	return cmocka_run_group_tests(tests, 0, 0);
}
