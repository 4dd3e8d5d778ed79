// SPDX-License-Identifier: GPL-2.0-or-later
/* Programs that do nothing, where seekwise has its own: what any program costs. */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "GPL";

SEC("tp_btf/block_rq_insert")
int empty_insert(__u64 *ctx)
{
	return 0;
}

SEC("tp_btf/block_rq_issue")
int empty_issue(__u64 *ctx)
{
	return 0;
}

SEC("tp_btf/block_rq_complete")
int empty_complete(__u64 *ctx)
{
	return 0;
}
