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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_request_alone),
		cmocka_unit_test(test_queue_before_request),
		cmocka_unit_test(test_unknown_layout_is_refused),
		cmocka_unit_test(test_missing_tracepoint_is_named),
		cmocka_unit_test(test_cast_needs_both),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
