/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf/ as libbpf sees it. There are two objects of one source: the whole, and a
 * plain one of the raw_tp programs alone, since libbpf wants the running kernel's
 * BTF for the others even when they are not loaded. Their maps and variables
 * are the same.
 */
#ifndef SEEKWISE_KERNEL_SIDE_H
#define SEEKWISE_KERNEL_SIDE_H

#include <bpf/libbpf.h>
#include <stdbool.h>

#include "seekwise/state.h"

#define SW_LLC_CPUS 1024 /* SW_MAX_CPUS of bpf/locality.bpf.h */

/* Set before loading. */
struct sw_constants {
	__u32 cpus, rq_arg, bio_arg, status_arg, kyber_queue, get_budget, dispatch_seen;
	__u32 generation, groups;
	__u64 tick_ns;
	const __u16 *llc; /* SW_LLC_CPUS of them */
};

struct sw_kernel_side {
	struct bpf_object *obj; /* 0: not open */
	struct bpf_map *records, *details, *flights, *slot_of_dev;
	/* The object's variables, mapped; valid after loading. */
	struct sw_slot *slots;
	struct sw_state *states;
	struct sw_head *heads;
	bool plain;
	void *skeleton;
	int close; /* the program of that name; -1: not loaded */
};

/* btf_file: relocate against that BTF instead of the kernel's; 0: the kernel's. 0 or -errno. */
int sw_kernel_side_open(struct sw_kernel_side *side, bool plain, const char *btf_file);
void sw_kernel_side_set(struct sw_kernel_side *side, const struct sw_constants *constants);
/* Goes on with the maps and variables of another, which is loaded. To be called before loading. */
int sw_kernel_side_inherit(struct sw_kernel_side *side, const struct sw_kernel_side *from);
int sw_kernel_side_load(struct sw_kernel_side *side);
int sw_kernel_side_attach(struct sw_kernel_side *side);
/* Detaches and frees; one that is not open is allowed. */
void sw_kernel_side_close(struct sw_kernel_side *side);
/* Times that the kernel found a program of ours running already, since 5.12. */
__u64 sw_kernel_side_missed(const struct sw_kernel_side *side);

#endif
