// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hand-kept vmlinux.h against the running kernel: every structure and field
 * that the BPF object was built with exists there, but for those that its
 * comments give to other kernels (flavours, whose names have three underscores).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <bpf/btf.h>
#include <cmocka.h>

#define OBJECT ".output/seekwise.bpf.o"

static const char *const ours_alone = "sw_"; /* our own structures */

static bool has_field(const struct btf *btf, const struct btf_type *t, const char *name)
{
	const struct btf_member *m = btf_members(t);
	const struct btf_type *inner;
	int i;

	for (i = 0; i < btf_vlen(t); i++) {
		const char *field = btf__name_by_offset(btf, m[i].name_off);

		if (!strcmp(field, name))
			return true;
		inner = btf__type_by_id(btf, btf__resolve_type(btf, m[i].type));
		if (!field[0] && inner && btf_is_composite(inner) && has_field(btf, inner, name))
			return true;
	}
	return false;
}

/* Returns the fields compared. */
static int compare(const struct btf *ours, const struct btf_type *t, const struct btf *kernel)
{
	const char *name = btf__name_by_offset(ours, t->name_off);
	const struct btf_member *m = btf_members(t);
	const struct btf_type *there;
	int i, id = btf__find_by_name_kind(kernel, name, btf_kind(t));

	if (id < 0) {
		print_error("this kernel has no struct %s\n", name);
		fail();
	}
	there = btf__type_by_id(kernel, id);
	for (i = 0; i < btf_vlen(t); i++) {
		const char *field = btf__name_by_offset(ours, m[i].name_off);

		if (!has_field(kernel, there, field)) {
			print_error("this kernel has no %s.%s\n", name, field);
			fail();
		}
	}
	return btf_vlen(t);
}

static bool is_kernels(const char *name, const struct btf_type *t)
{
	return btf_is_struct(t) && name[0] && strncmp(name, ours_alone, strlen(ours_alone)) &&
	       !strstr(name, "___") && btf_vlen(t);
}

static void test_fields_exist(void **state)
{
	struct btf *ours = btf__parse(OBJECT, NULL), *kernel = btf__load_vmlinux_btf();
	unsigned int i;
	int fields = 0, structs = 0;

	(void)state;
	assert_non_null(ours);
	if (!kernel) {
		print_message("no BTF of the running kernel\n");
		skip();
	}
	for (i = 1; i < btf__type_cnt(ours); i++) {
		const struct btf_type *t = btf__type_by_id(ours, i);

		if (!is_kernels(btf__name_by_offset(ours, t->name_off), t))
			continue;
		fields += compare(ours, t, kernel);
		structs++;
	}
	print_message("%d fields of %d structures\n", fields, structs);
	assert_true(structs >= 8 && fields >= 20);
	btf__free(ours);
	btf__free(kernel);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_fields_exist) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
