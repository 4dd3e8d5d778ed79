// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Entry points. For each event there is a tp_btf program and its raw_tp twin,
 * each once more for kernels whose atomic adds return what was there (_fetch),
 * and for the issue one that reads the scheduler in place (compat.bpf.h); then
 * one for dispatch passes. The user side chooses by the names.
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
#include "levels.bpf.h"
#include "flight.bpf.h"
#include "deadline.bpf.h"
#include "passes.bpf.h"
#include "geometry.bpf.h"
#include "streams.bpf.h"
#include "merges.bpf.h"
#include "locality.bpf.h"
#include "apart.bpf.h"
#include "kyber.bpf.h"
#include "drop.bpf.h"
#include "events.bpf.h"
#include "close.bpf.h"

char LICENSE[] SEC("license") = "GPL";

#define PROGRAM(name, section, call)                                                               \
	SEC(section) int name(__u64 *ctx)                                                          \
	{                                                                                          \
		return call;                                                                       \
	}

/* SW_PLAIN: the object for kernels whose BTF libbpf does not find. */
#ifndef SW_PLAIN
#define TYPED(name, point, call) PROGRAM(btf_##name, "tp_btf/" point, call)
#else
#define TYPED(name, point, call)
#endif
#define TWINS(name, point, handler, ...)                                                           \
	TYPED(name, point, handler(__VA_ARGS__, SW_DIRECT))                                        \
	PROGRAM(raw_##name, "raw_tp/" point, handler(__VA_ARGS__, SW_COPY))
#define EVENT(name, handler, ...)                                                                  \
	TWINS(name, "block_rq_" #name, handler, __VA_ARGS__)                                       \
	TYPED(name##_fetch, "block_rq_" #name, handler(__VA_ARGS__, SW_DIRECT | SW_FETCH))         \
	PROGRAM(raw_##name##_fetch, "raw_tp/block_rq_" #name,                                      \
		handler(__VA_ARGS__, SW_COPY | SW_FETCH))

#define COMPLETED (struct request *)ctx[0], ctx[1], ctx[2]

EVENT(insert, sw_on_insert, sw_arg_request(ctx))
EVENT(issue, sw_on_issue, sw_arg_request(ctx))
TYPED(issue_cast, "block_rq_issue", sw_on_issue(sw_arg_request(ctx), SW_CAST | SW_FETCH))
EVENT(complete, sw_on_complete, COMPLETED)
EVENT(requeue, sw_on_requeue, sw_arg_request(ctx))
EVENT(merge, sw_on_merge, sw_arg_request(ctx))

/* Only for the groups merges and locality. */
TWINS(back_merge, "block_bio_backmerge", sw_on_bio_merge, sw_arg_bio(ctx), true)
TWINS(front_merge, "block_bio_frontmerge", sw_on_bio_merge, sw_arg_bio(ctx), false)
TWINS(unplug, "block_unplug", sw_on_unplug, (struct request_queue *)ctx[0], ctx[1], ctx[2] & 1)

/* Kyber's; nothing of the kernel's structures is read here. */
TYPED(kyber_throttled, "kyber_throttled", sw_on_throttled(ctx))
PROGRAM(raw_kyber_throttled, "raw_tp/kyber_throttled", sw_on_throttled(ctx))
TYPED(kyber_adjust, "kyber_adjust", sw_on_adjust(ctx))
PROGRAM(raw_kyber_adjust, "raw_tp/kyber_adjust", sw_on_adjust(ctx))
TYPED(kyber_latency, "kyber_latency", sw_on_latency(ctx))
PROGRAM(raw_kyber_latency, "raw_tp/kyber_latency", sw_on_latency(ctx))

/* Attached to nothing: run by the user side. */
PROGRAM(close, "raw_tp", sw_on_close(ctx))

#ifndef SW_PLAIN
SEC("fentry/blk_mq_dispatch_rq_list")
int dispatch(__u64 *ctx)
{
	if (!sw_is_pass(ctx[2]))
		return 0;
	return sw_on_dispatch((struct blk_mq_hw_ctx *)ctx[0], (struct list_head *)ctx[1]);
}
#endif
