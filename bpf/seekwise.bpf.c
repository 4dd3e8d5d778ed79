// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Entry points: a tp_btf program and its raw_tp twin for each event, for the
 * issue one more (compat.bpf.h), and one for dispatch passes. The user side
 * chooses by the names.
 */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include "seekwise/record.h"
#include "seekwise/state.h"
#include "compat.bpf.h"
#include "hist.bpf.h"
#include "maps.bpf.h"
#include "place.bpf.h"
#include "flight.bpf.h"
#include "deadline.bpf.h"
#include "passes.bpf.h"
#include "geometry.bpf.h"
#include "events.bpf.h"

char LICENSE[] SEC("license") = "GPL";

/* SW_PLAIN: the object for kernels whose BTF libbpf does not find. */
#ifndef SW_PLAIN
SEC("tp_btf/block_rq_insert")
int btf_insert(__u64 *ctx)
{
	return sw_on_insert(sw_arg_request(ctx), SW_DIRECT);
}

SEC("tp_btf/block_rq_issue")
int btf_issue(__u64 *ctx)
{
	return sw_on_issue(sw_arg_request(ctx), SW_DIRECT);
}

SEC("tp_btf/block_rq_issue")
int btf_issue_cast(__u64 *ctx)
{
	return sw_on_issue(sw_arg_request(ctx), SW_CAST);
}

SEC("tp_btf/block_rq_complete")
int btf_complete(__u64 *ctx)
{
	return sw_on_complete((struct request *)ctx[0], ctx[1], ctx[2], SW_DIRECT);
}

SEC("tp_btf/block_rq_requeue")
int btf_requeue(__u64 *ctx)
{
	return sw_on_requeue(sw_arg_request(ctx), SW_DIRECT);
}

SEC("tp_btf/block_rq_merge")
int btf_merge(__u64 *ctx)
{
	return sw_on_merge(sw_arg_request(ctx), SW_DIRECT);
}

SEC("fentry/blk_mq_dispatch_rq_list")
int dispatch(__u64 *ctx)
{
	if (!sw_is_pass(ctx[2]))
		return 0;
	return sw_on_dispatch((struct blk_mq_hw_ctx *)ctx[0], (struct list_head *)ctx[1]);
}

#endif

SEC("raw_tp/block_rq_insert")
int raw_insert(__u64 *ctx)
{
	return sw_on_insert(sw_arg_request(ctx), SW_COPY);
}

SEC("raw_tp/block_rq_issue")
int raw_issue(__u64 *ctx)
{
	return sw_on_issue(sw_arg_request(ctx), SW_COPY);
}

SEC("raw_tp/block_rq_complete")
int raw_complete(__u64 *ctx)
{
	return sw_on_complete((struct request *)ctx[0], ctx[1], ctx[2], SW_COPY);
}

SEC("raw_tp/block_rq_requeue")
int raw_requeue(__u64 *ctx)
{
	return sw_on_requeue(sw_arg_request(ctx), SW_COPY);
}

SEC("raw_tp/block_rq_merge")
int raw_merge(__u64 *ctx)
{
	return sw_on_merge(sw_arg_request(ctx), SW_COPY);
}
