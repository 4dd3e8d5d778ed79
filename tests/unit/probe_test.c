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

/* typedef void (*btf_trace_NAME)(void *, args pointers...); number n is of another type. */
static void add_tracepoint_with(struct btf *btf, const char *name, int args, int n, int type)
{
	char text[64];
	int pointer = btf__add_ptr(btf, 0), proto, i;

	proto = btf__add_func_proto(btf, 0);
	for (i = 0; i < args; i++)
		assert_int_equal(btf__add_func_param(btf, "a", i == n ? type : pointer), 0);
	snprintf(text, sizeof(text), "btf_trace_%s", name);
	assert_true(btf__add_typedef(btf, text, btf__add_ptr(btf, proto)) > 0);
}

static void add_tracepoint(struct btf *btf, const char *name, int args)
{
	add_tracepoint_with(btf, name, args, -1, 0);
}

static struct btf *kernel_without_complete(int args)
{
	static const char *const names[] = { "block_rq_insert", "block_rq_issue" };
	struct btf *btf = btf__new_empty();
	size_t i;

	assert_non_null(btf);
	for (i = 0; i < 2; i++)
		add_tracepoint(btf, names[i], args);
	return btf;
}

static struct btf *kernel(int args)
{
	struct btf *btf = kernel_without_complete(args);

	add_tracepoint(btf, "block_rq_complete", 4);
	return btf;
}

/* What is found in it, which is freed. */
static struct sw_probe probed(struct btf *btf)
{
	struct sw_probe probe;
	char why[256] = "";

	assert_int_equal(sw_probe_btf(&probe, btf, why, sizeof(why)), 0);
	btf__free(btf);
	return probe;
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

/* A bio alone, or the queue, the request and then the bio; the tracer's own argument is first. */
static void test_bio_merges(void **state)
{
	struct sw_probe probe;
	struct btf *btf;

	(void)state;
	btf = kernel(2);
	add_tracepoint(btf, "block_bio_backmerge", 2);
	add_tracepoint(btf, "block_bio_frontmerge", 2);
	probe = probed(btf);
	assert_true(probe.has_back_merge && probe.has_front_merge);
	assert_false(probe.bio_is_third);
	btf = kernel(3);
	add_tracepoint(btf, "block_bio_backmerge", 4);
	add_tracepoint(btf, "block_bio_frontmerge", 4);
	probe = probed(btf);
	assert_true(probe.has_back_merge && probe.has_front_merge);
	assert_true(probe.bio_is_third);
}

/* One layout serves both programs, and others than these two are not known. */
static void test_bio_merges_that_are_not_known(void **state)
{
	static const struct {
		int back, front; /* arguments, 0: there is no such tracepoint */
		bool has_back, has_front;
	} cases[] = { { 0, 0, false, false }, { 2, 0, true, false },  { 0, 2, false, false },
		      { 3, 3, false, false }, { 4, 2, true, false },  { 5, 5, false, false },
		      { 2, 4, true, false },  { 1, 1, false, false }, { 4, 0, true, false } };
	struct sw_probe probe;
	struct btf *btf;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		btf = kernel(2);
		if (cases[i].back)
			add_tracepoint(btf, "block_bio_backmerge", cases[i].back);
		if (cases[i].front)
			add_tracepoint(btf, "block_bio_frontmerge", cases[i].front);
		probe = probed(btf);
		assert_int_equal(probe.has_back_merge, cases[i].has_back);
		assert_int_equal(probe.has_front_merge, cases[i].has_front);
	}
}

static void test_unplug(void **state)
{
	struct btf *btf = kernel(2);
	int args;

	(void)state;
	assert_false(probed(btf).has_unplug);
	for (args = 3; args <= 5; args++) {
		btf = kernel(2);
		add_tracepoint(btf, "block_unplug", args);
		assert_int_equal(probed(btf).has_unplug, args == 4);
	}
}

/* block_rq_complete's second argument is an errno, an int, in older kernels; then a status. */
static void test_error_or_status(void **state)
{
	struct btf *btf;
	int byte, type;

	(void)state;
	btf = kernel_without_complete(2);
	type = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	add_tracepoint_with(btf, "block_rq_complete", 4, 2, type);
	assert_false(probed(btf).status);
	btf = kernel_without_complete(2);
	type = btf__add_const(btf, btf__add_int(btf, "int", 4, BTF_INT_SIGNED));
	add_tracepoint_with(btf, "block_rq_complete", 4, 2, type);
	assert_false(probed(btf).status);
	btf = kernel_without_complete(2);
	type = btf__add_int(btf, "unsigned char", 1, 0);
	add_tracepoint_with(btf, "block_rq_complete", 4, 2, type);
	assert_true(probed(btf).status);
	btf = kernel_without_complete(2);
	byte = btf__add_typedef(btf, "u8", btf__add_int(btf, "unsigned char", 1, 0));
	type = btf__add_typedef(btf, "blk_status_t", byte);
	add_tracepoint_with(btf, "block_rq_complete", 4, 2, type);
	assert_true(probed(btf).status);
	/* The signed one behind it, and the one before, are not asked. */
	btf = kernel_without_complete(2);
	type = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	add_tracepoint_with(btf, "block_rq_complete", 4, 3, type);
	assert_true(probed(btf).status);
	btf = kernel_without_complete(2);
	type = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	add_tracepoint_with(btf, "block_rq_complete", 4, 1, type);
	assert_true(probed(btf).status);
}

static const struct {
	const char *name;
	int args;
} kyber[] = { { "kyber_latency", 8 }, { "kyber_adjust", 4 }, { "kyber_throttled", 3 } };

/* These three, whose first argument is of that type; skip: all but that one. */
static void add_kyber(struct btf *btf, int first, int skip)
{
	int i;

	for (i = 0; i < 3; i++)
		if (i != skip)
			add_tracepoint_with(btf, kyber[i].name, kyber[i].args, 1, first);
}

static void test_kyber(void **state)
{
	struct sw_probe probe;
	struct btf *btf;
	int number;

	(void)state;
	/* The queue, or the device's number. */
	btf = kernel(2);
	add_kyber(btf, add_pointer_to(btf, "request_queue"), -1);
	probe = probed(btf);
	assert_true(probe.has_kyber);
	assert_true(probe.kyber_queue);
	btf = kernel(2);
	number = btf__add_int(btf, "unsigned int", 4, 0);
	number = btf__add_typedef(btf, "u32", number);
	add_kyber(btf, btf__add_typedef(btf, "dev_t", number), -1);
	probe = probed(btf);
	assert_true(probe.has_kyber);
	assert_false(probe.kyber_queue);
}

static void test_kyber_that_is_not_known(void **state)
{
	struct sw_probe probe;
	struct btf *btf = kernel(2);
	int skip;

	(void)state;
	probe = probed(btf);
	assert_false(probe.has_kyber);
	assert_false(probe.kyber_queue);
	for (skip = 0; skip < 3; skip++) {
		btf = kernel(2);
		add_kyber(btf, add_pointer_to(btf, "request_queue"), skip);
		assert_false(probed(btf).has_kyber);
	}
	/* One of them with an argument more. */
	for (skip = 0; skip < 3; skip++) {
		btf = kernel(2);
		add_kyber(btf, add_pointer_to(btf, "request_queue"), skip);
		add_tracepoint(btf, kyber[skip].name, kyber[skip].args + 1);
		assert_false(probed(btf).has_kyber);
	}
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
		cmocka_unit_test(test_bio_merges),
		cmocka_unit_test(test_bio_merges_that_are_not_known),
		cmocka_unit_test(test_unplug),
		cmocka_unit_test(test_error_or_status),
		cmocka_unit_test(test_kyber),
		cmocka_unit_test(test_kyber_that_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
