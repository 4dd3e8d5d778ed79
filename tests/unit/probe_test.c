// SPDX-License-Identifier: GPL-2.0-or-later
/* The tracepoints' arguments, found in BTF of kernels that are not here. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <bpf/btf.h>
#include <cmocka.h>

#include "../../src/observe/observer.h"

/* typedef void (*btf_trace_NAME)(void *, args pointers...) */
static void add_tracepoint(struct btf *btf, const char *name, int args)
{
	char text[64];
	int pointer = btf__add_ptr(btf, 0), proto, i;

	proto = btf__add_func_proto(btf, 0);
	for (i = 0; i < args; i++)
		assert_int_equal(btf__add_func_param(btf, "a", pointer), 0);
	snprintf(text, sizeof(text), "btf_trace_%s", name);
	assert_true(btf__add_typedef(btf, text, btf__add_ptr(btf, proto)) > 0);
}

static struct btf *kernel(int args)
{
	static const char *const names[] = { "block_rq_insert", "block_rq_issue" };
	struct btf *btf = btf__new_empty();
	size_t i;

	assert_non_null(btf);
	for (i = 0; i < 2; i++)
		add_tracepoint(btf, names[i], args);
	add_tracepoint(btf, "block_rq_complete", 4);
	return btf;
}

static void test_request_alone(void **state)
{
	struct btf *btf = kernel(2);
	struct sw_probe probe;
	char why[256] = "";

	(void)state;
	assert_int_equal(sw_probe_btf(&probe, btf, why, sizeof(why)), 0);
	assert_false(probe.rq_is_second);
	assert_false(probe.has_merge);
	assert_false(probe.has_requeue);
	assert_false(probe.cast);
	btf__free(btf);
}

/* 5.10 before 5.10.137 */
static void test_queue_before_request(void **state)
{
	struct btf *btf = kernel(3);
	struct sw_probe probe;
	char why[256] = "";

	(void)state;
	add_tracepoint(btf, "block_rq_merge", 3);
	assert_int_equal(sw_probe_btf(&probe, btf, why, sizeof(why)), 0);
	assert_true(probe.rq_is_second);
	assert_true(probe.has_merge);
	btf__free(btf);
}

static void test_unknown_layout_is_refused(void **state)
{
	struct btf *btf = kernel(4);
	struct sw_probe probe;
	char why[256] = "";

	(void)state;
	assert_int_equal(sw_probe_btf(&probe, btf, why, sizeof(why)), -ENOTSUP);
	assert_non_null(strstr(why, "block_rq_issue"));
	btf__free(btf);
}

static void test_missing_tracepoint_is_named(void **state)
{
	struct btf *btf = btf__new_empty();
	struct sw_probe probe;
	char why[256] = "";

	(void)state;
	add_tracepoint(btf, "block_rq_insert", 2);
	assert_int_equal(sw_probe_btf(&probe, btf, why, sizeof(why)), -ENOTSUP);
	assert_non_null(strstr(why, "block_rq_complete"));
	btf__free(btf);
}

/* The cast takes numbers of vmlinux BTF alone: mq-deadline as a module does not count. */
static void test_cast_needs_both(void **state)
{
	struct btf *btf = kernel(2);
	struct sw_probe probe;
	char why[256] = "";
	int proto;

	(void)state;
	proto = btf__add_func_proto(btf, 0);
	assert_true(btf__add_func(btf, "bpf_rdonly_cast", BTF_FUNC_GLOBAL, proto) > 0);
	assert_int_equal(sw_probe_btf(&probe, btf, why, sizeof(why)), 0);
	assert_false(probe.cast);
	assert_true(btf__add_struct(btf, "deadline_data", 8) > 0);
	assert_int_equal(sw_probe_btf(&probe, btf, why, sizeof(why)), 0);
	assert_true(probe.cast);
	btf__free(btf);
}

static int add_pointer_to(struct btf *btf, const char *name)
{
	return btf__add_ptr(btf, btf__add_struct(btf, name, 8));
}

/* blk_mq_dispatch_rq_list, whose third argument is of type `third`. */
static void add_dispatch(struct btf *btf, int third)
{
	int hctx = add_pointer_to(btf, "blk_mq_hw_ctx"), list = add_pointer_to(btf, "list_head");
	int proto = btf__add_func_proto(btf, 0);

	btf__add_func_param(btf, "hctx", hctx);
	btf__add_func_param(btf, "list", list);
	btf__add_func_param(btf, "third", third);
	assert_true(btf__add_func(btf, "blk_mq_dispatch_rq_list", BTF_FUNC_GLOBAL, proto) > 0);
}

static void test_dispatch_with_a_number_of_budgets(void **state)
{
	struct btf *btf = kernel(2);
	struct sw_probe probe;
	char why[256] = "";

	(void)state;
	add_dispatch(btf, btf__add_int(btf, "unsigned int", 4, 0));
	assert_int_equal(sw_probe_btf(&probe, btf, why, sizeof(why)), 0);
	assert_true(probe.dispatch > 0);
	assert_false(probe.get_budget);
	btf__free(btf);
}

static void test_dispatch_that_gets_budgets(void **state)
{
	struct btf *btf = kernel(2);
	struct sw_probe probe;
	char why[256] = "";
	int boolean;

	(void)state;
	boolean = btf__add_int(btf, "_Bool", 1, BTF_INT_BOOL);
	add_dispatch(btf, btf__add_typedef(btf, "bool", boolean));
	assert_int_equal(sw_probe_btf(&probe, btf, why, sizeof(why)), 0);
	assert_true(probe.dispatch > 0);
	assert_true(probe.get_budget);
	btf__free(btf);
}

static void test_dispatch_with_other_arguments_is_left_alone(void **state)
{
	struct btf *btf = kernel(2);
	struct sw_probe probe;
	char why[256] = "";

	(void)state;
	add_dispatch(btf, add_pointer_to(btf, "request"));
	assert_int_equal(sw_probe_btf(&probe, btf, why, sizeof(why)), 0);
	assert_int_equal(probe.dispatch, 0);
	btf__free(btf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_request_alone),
		cmocka_unit_test(test_queue_before_request),
		cmocka_unit_test(test_unknown_layout_is_refused),
		cmocka_unit_test(test_missing_tracepoint_is_named),
		cmocka_unit_test(test_cast_needs_both),
		cmocka_unit_test(test_dispatch_with_a_number_of_budgets),
		cmocka_unit_test(test_dispatch_that_gets_budgets),
		cmocka_unit_test(test_dispatch_with_other_arguments_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
