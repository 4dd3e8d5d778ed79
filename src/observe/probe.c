// SPDX-License-Identifier: GPL-2.0-or-later
/* What this kernel offers, from its BTF; never from its version. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <linux/bpf.h>

#include "seekwise/base.h"
#include "observer.h"

const char *sw_btf_file;

void sw_observer_use_btf(const char *file)
{
	sw_btf_file = file;
}

/* The tracepoint's arguments, the first of which is the tracer's own data; 0: there is none. */
static const struct btf_type *tracepoint_proto(const struct btf *btf, const char *name)
{
	const struct btf_type *t;
	char type[64];
	int id;

	snprintf(type, sizeof(type), "btf_trace_%s", name);
	id = btf__find_by_name_kind(btf, type, BTF_KIND_TYPEDEF);
	if (id < 0)
		return NULL;
	t = btf__type_by_id(btf, btf__type_by_id(btf, id)->type);
	if (!t || !btf_is_ptr(t))
		return NULL;
	t = btf__type_by_id(btf, t->type);
	return t && btf_is_func_proto(t) ? t : NULL;
}

/* Their number, or -ENOENT. */
static int tracepoint_args(const struct btf *btf, const char *name)
{
	const struct btf_type *proto = tracepoint_proto(btf, name);

	return proto ? btf_vlen(proto) : -ENOENT;
}

static bool is_pointer_to(const struct btf *btf, int type, const char *name)
{
	const struct btf_type *t = btf__type_by_id(btf, type);

	if (!t || !btf_is_ptr(t))
		return false;
	t = btf__type_by_id(btf, btf__resolve_type(btf, t->type));
	return t && btf_is_struct(t) && !strcmp(btf__name_by_offset(btf, t->name_off), name);
}

/* The tracepoint's argument number n, without the tracer's own. */
static const struct btf_type *tracepoint_arg(const struct btf *btf, const char *name, int n)
{
	const struct btf_type *proto = tracepoint_proto(btf, name);

	if (!proto || btf_vlen(proto) < n + 2)
		return NULL;
	return btf__type_by_id(btf, btf__resolve_type(btf, btf_params(proto)[n + 1].type));
}

/* An error is a signed integer, a status an unsigned one, of one byte or four. */
static bool is_signed(const struct btf_type *t)
{
	return t && btf_is_int(t) && (btf_int_encoding(t) & BTF_INT_SIGNED);
}

static void probe_kyber(struct sw_probe *probe, const struct btf *btf)
{
	const struct btf_type *first = tracepoint_arg(btf, "kyber_latency", 0);

	probe->has_kyber = tracepoint_args(btf, "kyber_latency") == 8 &&
			   tracepoint_args(btf, "kyber_adjust") == 4 &&
			   tracepoint_args(btf, "kyber_throttled") == 3;
	probe->kyber_queue = first && btf_is_ptr(first);
}

/* What the detail groups are made of. */
static void probe_details(struct sw_probe *probe, const struct btf *btf)
{
	int args = tracepoint_args(btf, "block_bio_backmerge");

	probe->has_back_merge = args == 2 || args == 4;
	probe->has_front_merge =
		tracepoint_args(btf, "block_bio_frontmerge") == args && probe->has_back_merge;
	probe->bio_is_third = args == 4;
	probe->has_unplug = tracepoint_args(btf, "block_unplug") == 4;
	probe->status = !is_signed(tracepoint_arg(btf, "block_rq_complete", 1));
	probe_kyber(probe, btf);
}

/* Takes the dispatch function if it has the arguments that bpf/passes.bpf.h reads. */
static void probe_dispatch(struct sw_probe *probe, const struct btf *btf)
{
	int id = btf__find_by_name_kind(btf, "blk_mq_dispatch_rq_list", BTF_KIND_FUNC);
	const struct btf_type *t = id > 0 ? btf__type_by_id(btf, id) : NULL;
	const struct btf_param *params;

	t = t ? btf__type_by_id(btf, t->type) : NULL;
	if (!t || !btf_is_func_proto(t) || btf_vlen(t) != 3)
		return;
	params = btf_params(t);
	if (!is_pointer_to(btf, params[0].type, "blk_mq_hw_ctx") ||
	    !is_pointer_to(btf, params[1].type, "list_head"))
		return;
	t = btf__type_by_id(btf, btf__resolve_type(btf, params[2].type));
	if (!t || !btf_is_int(t))
		return;
	probe->get_budget = btf_int_encoding(t) & BTF_INT_BOOL;
	probe->dispatch = id;
}

int sw_probe_btf(struct sw_probe *probe, const struct btf *btf, char *why, size_t why_size)
{
	int insert = tracepoint_args(btf, "block_rq_insert");
	int issue = tracepoint_args(btf, "block_rq_issue");

	memset(probe, 0, sizeof(*probe));
	probe->has_insert = insert > 0;
	probe->has_issue = issue > 0;
	probe->has_complete = tracepoint_args(btf, "block_rq_complete") > 0;
	probe->has_requeue = tracepoint_args(btf, "block_rq_requeue") > 0;
	probe->has_merge = tracepoint_args(btf, "block_rq_merge") > 0;
	/* A type of a module's BTF has a number that the cast would take for one of vmlinux. */
	probe->has_deadline = btf__find_by_name_kind(btf, "deadline_data", BTF_KIND_STRUCT) > 0;
	probe->cast = btf__find_by_name_kind(btf, "bpf_rdonly_cast", BTF_KIND_FUNC) > 0 &&
		      probe->has_deadline;
	if (!probe->has_insert || !probe->has_issue || !probe->has_complete) {
		snprintf(why, why_size,
			 "this kernel lacks one of the tracepoints block_rq_insert, "
			 "block_rq_issue, block_rq_complete");
		return -ENOTSUP;
	}
	if (insert != issue || issue < 2 || issue > 3) {
		snprintf(why, why_size,
			 "the tracepoint block_rq_issue has %d arguments; 2 or 3 are known", issue);
		return -ENOTSUP;
	}
	probe->rq_is_second = issue == 3;
	probe_dispatch(probe, btf);
	probe_details(probe, btf);
	return 0;
}

/*
 * Whether a program may run on a kernel function is for the kernel to say:
 * it depends on its configuration, its architecture and its lockdown.
 */
static bool may_attach(int function)
{
	const struct bpf_insn nothing[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = BPF_TRACE_FENTRY,
		    .attach_btf_id = function);
	int link, program = bpf_prog_load(BPF_PROG_TYPE_TRACING, "probe", "GPL", nothing,
					  sizeof(nothing) / sizeof(nothing[0]), &options);

	if (program < 0)
		return false;
	link = bpf_raw_tracepoint_open(NULL, program);
	if (link >= 0)
		close(link);
	close(program);
	return link >= 0;
}

/* Whether an atomic add may return what was there (bpf/compat.bpf.h), of the stack here. */
static bool may_fetch(void)
{
	const struct bpf_insn add[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_STX | BPF_MEM | BPF_DW,
		  .dst_reg = BPF_REG_10,
		  .src_reg = BPF_REG_0,
		  .off = -8 },
		{ .code = BPF_STX | BPF_XADD | BPF_DW,
		  .dst_reg = BPF_REG_10,
		  .src_reg = BPF_REG_0,
		  .off = -8,
		  .imm = BPF_ADD | 1 /* BPF_FETCH */ },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	int program = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "probe", "GPL", add,
				    sizeof(add) / sizeof(add[0]), NULL);

	if (program < 0)
		return false;
	close(program);
	return true;
}

/* Kyber is a module in most kernels, with BTF of its own. */
static void probe_kyber_module(struct sw_probe *probe, const struct btf *kernel)
{
	struct btf *btf;

	if (probe->has_kyber || !sw_probe_module("kyber_iosched"))
		return;
	btf = btf__load_module_btf("kyber_iosched", (struct btf *)kernel);
	if (!btf)
		return;
	probe_kyber(probe, btf);
	btf__free(btf);
}

bool sw_probe_module(const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/kernel/btf/%s", sw_roots.sys, name);
	return !access(path, F_OK);
}

/* 0 with errno. A FIFO or a device would be waited for, or read without end. */
static struct btf *parse_file(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return NULL;
	if (!S_ISREG(st.st_mode)) {
		errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
		return NULL;
	}
	return btf__parse(path, NULL);
}

static int no_btf(int err, char *why, size_t why_size)
{
	if (sw_btf_file)
		snprintf(why, why_size, "%s cannot be used as BTF: %s", sw_btf_file,
			 sw_strerror(err));
	else
		snprintf(why, why_size,
			 "no BTF of the kernel (%s): it takes CONFIG_DEBUG_INFO_BTF, or --btf FILE "
			 "with the BTF of this very kernel",
			 sw_strerror(err));
	return err == EPERM || err == EACCES ? -EPERM : -ENOTSUP;
}

/* With another's BTF the kernel cannot check what programs do with its structures. */
static void take_plain(struct sw_probe *probe)
{
	probe->plain = probe->raw = true;
	probe->cast = false;
	probe->dispatch = 0;
}

/* BPF may not read kernel memory then, which the verifier calls EINVAL. */
static bool locked_down(void)
{
	char path[PATH_MAX], text[128];

	snprintf(path, sizeof(path), "%s/kernel/security/lockdown", sw_roots.sys);
	return sw_read_file(path, text, sizeof(text)) > 0 && strstr(text, "[confidentiality]");
}

int sw_probe_kernel(struct sw_probe *probe, char *why, size_t why_size)
{
	const char *raw = getenv("SEEKWISE_RAW_TP");
	struct btf *btf;
	int err;

	if (locked_down()) {
		snprintf(why, why_size,
			 "lockdown=confidentiality: BPF may not read kernel memory (EPERM)");
		return -EPERM;
	}
	btf = sw_btf_file ? parse_file(sw_btf_file) : btf__load_vmlinux_btf();
	if (!btf)
		return no_btf(errno, why, why_size);
	err = sw_probe_btf(probe, btf, why, why_size);
	if (!err && !sw_btf_file)
		probe_kyber_module(probe, btf);
	btf__free(btf);
	if (err)
		return err;
	probe->fetch = may_fetch();
	probe->raw = raw && !strcmp(raw, "1");
	probe->has_deadline |= !sw_btf_file && sw_probe_module("mq_deadline");
	if (sw_btf_file) {
		take_plain(probe);
		return 0;
	}
	if (probe->dispatch && (probe->raw || !may_attach(probe->dispatch))) {
		sw_log(SW_DEBUG, "no program may run on blk_mq_dispatch_rq_list: dispatch passes "
				 "are estimated");
		probe->dispatch = 0;
	}
	return 0;
}
