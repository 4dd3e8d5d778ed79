// SPDX-License-Identifier: GPL-2.0-or-later
/* Opening, loading and attaching one of the two objects. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>

#include "kernel_side.h"
#include "plain.skel.h"
#include "seekwise.skel.h"

#ifdef SW_DROP
/* A build for tests (bpf/drop.bpf.h). */
static __u64 drop_one_in(void)
{
	const char *text = getenv("SEEKWISE_DROP");

	return text ? strtoull(text, NULL, 10) : 0;
}
#define SET_DROP(skel) ((skel)->rodata->sw_drop_one_in = drop_one_in())
#else
#define SET_DROP(skel)
#endif

/* What a skeleton's functions do, for either type. */
#define SKELETON(name)                                                                             \
	static int open_##name(struct sw_kernel_side *s, const struct bpf_object_open_opts *opts)  \
	{                                                                                          \
		struct name *skel = name##__open_opts(opts);                                       \
                                                                                                   \
		if (!skel)                                                                         \
			return -errno;                                                             \
		s->skeleton = skel;                                                                \
		s->obj = skel->obj;                                                                \
		s->records = skel->maps.records;                                                   \
		s->details = skel->maps.details;                                                   \
		s->flights = skel->maps.flights;                                                   \
		s->slot_of_dev = skel->maps.slot_of_dev;                                           \
		return 0;                                                                          \
	}                                                                                          \
	static void set_##name(struct name *skel, const struct sw_constants *c)                    \
	{                                                                                          \
		skel->rodata->sw_cpus = c->cpus;                                                   \
		skel->rodata->sw_rq_arg = c->rq_arg;                                               \
		skel->rodata->sw_bio_arg = c->bio_arg;                                             \
		skel->rodata->sw_status_arg = c->status_arg;                                       \
		skel->rodata->sw_kyber_queue = c->kyber_queue;                                     \
		skel->rodata->sw_groups = c->groups;                                               \
		skel->rodata->sw_get_budget = c->get_budget;                                       \
		skel->rodata->sw_dispatch_seen = c->dispatch_seen;                                 \
		skel->rodata->sw_generation = c->generation;                                       \
		skel->rodata->sw_tick_ns = c->tick_ns;                                             \
		memcpy((void *)skel->rodata->sw_llc, c->llc, sizeof(skel->rodata->sw_llc));        \
		SET_DROP(skel);                                                                    \
	}                                                                                          \
	static int load_##name(struct sw_kernel_side *s, struct name *skel)                        \
	{                                                                                          \
		int err = name##__load(skel);                                                      \
                                                                                                   \
		if (err)                                                                           \
			return err;                                                                \
		s->slots = (void *)skel->bss->sw_slots;                                            \
		s->states = (void *)skel->bss->sw_states;                                          \
		s->heads = (void *)skel->bss->sw_heads;                                            \
		s->close = bpf_program__fd(skel->progs.close);                                     \
		return 0;                                                                          \
	}

SKELETON(seekwise_bpf)
SKELETON(plain_bpf)

int sw_kernel_side_open(struct sw_kernel_side *side, bool plain, const char *btf_file)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .btf_custom_path = btf_file);

	memset(side, 0, sizeof(*side));
	side->plain = plain;
	return plain ? open_plain_bpf(side, &opts) : open_seekwise_bpf(side, &opts);
}

void sw_kernel_side_set(struct sw_kernel_side *side, const struct sw_constants *constants)
{
	if (side->plain)
		set_plain_bpf(side->skeleton, constants);
	else
		set_seekwise_bpf(side->skeleton, constants);
}

int sw_kernel_side_inherit(struct sw_kernel_side *side, const struct sw_kernel_side *from)
{
	struct bpf_map *map, *old;
	int err;

	bpf_object__for_each_map(map, side->obj)
	{
		/* Constants are its own. */
		if (strstr(bpf_map__name(map), ".rodata"))
			continue;
		old = bpf_object__find_map_by_name(from->obj, bpf_map__name(map));
		err = old ? bpf_map__reuse_fd(map, bpf_map__fd(old)) : -ENOENT;
		if (err)
			return err;
	}
	return 0;
}

int sw_kernel_side_load(struct sw_kernel_side *side)
{
	return side->plain ? load_plain_bpf(side, side->skeleton)
			   : load_seekwise_bpf(side, side->skeleton);
}

int sw_kernel_side_attach(struct sw_kernel_side *side)
{
	return side->plain ? plain_bpf__attach(side->skeleton)
			   : seekwise_bpf__attach(side->skeleton);
}

void sw_kernel_side_close(struct sw_kernel_side *side)
{
	if (side->plain)
		plain_bpf__destroy(side->skeleton);
	else
		seekwise_bpf__destroy(side->skeleton);
	memset(side, 0, sizeof(*side));
}

__u64 sw_kernel_side_missed(const struct sw_kernel_side *side)
{
	struct bpf_program *prog;
	__u64 missed = 0;

	bpf_object__for_each_program (prog, side->obj) {
		struct bpf_prog_info info = {};
		__u32 size = sizeof(info);

		if (bpf_program__fd(prog) >= 0 &&
		    !bpf_obj_get_info_by_fd(bpf_program__fd(prog), &info, &size))
			missed += info.recursion_misses;
	}
	return missed;
}
