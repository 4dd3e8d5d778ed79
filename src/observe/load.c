// SPDX-License-Identifier: GPL-2.0-or-later
/* Loading the kernel side: the best programs that this kernel takes. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <bpf/bpf.h>

#include "seekwise/base.h"
#include "observer.h"

static char libbpf_said[256];

/* Keeps libbpf's first complaint for the message; the rest is for --debug. */
static int libbpf_print(enum libbpf_print_level level, const char *format, va_list args)
{
	va_list again;

	if (level == LIBBPF_WARN && !libbpf_said[0]) {
		va_copy(again, args);
		vsnprintf(libbpf_said, sizeof(libbpf_said), format, again);
		va_end(again);
		libbpf_said[strcspn(libbpf_said, "\n")] = 0;
	}
	/* As it is: the verifier's log has many lines. */
	return sw_log_enabled(SW_DEBUG) ? vfprintf(stderr, format, args) : 0;
}

void sw_load_init(void)
{
	libbpf_set_print(libbpf_print);
}

/* The kernel's tick: CLOCK_MONOTONIC_COARSE advances by it. */
static uint64_t tick_ns(void)
{
	struct timespec res;

	if (clock_getres(CLOCK_MONOTONIC_COARSE, &res) || res.tv_sec || !res.tv_nsec)
		return 4000000;
	return res.tv_nsec;
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), k = strlen(end);

	return n >= k && !strcmp(text + n - k, end);
}

/* Programs that not every kernel has the tracepoint for, or that serve a group alone. */
static bool is_wanted(const char *event, const struct sw_observer *o, const struct sw_probe *probe)
{
	if (!strcmp(event, "requeue"))
		return probe->has_requeue;
	if (!strcmp(event, "merge"))
		return probe->has_merge;
	if (!strcmp(event, "back_merge"))
		return probe->has_back_merge && (o->groups & SW_GROUP_MERGES);
	if (!strcmp(event, "front_merge"))
		return probe->has_front_merge && (o->groups & SW_GROUP_MERGES);
	if (!strcmp(event, "unplug"))
		return probe->has_unplug && (o->groups & SW_GROUP_LOCALITY);
	if (!strncmp(event, "kyber", 5))
		return probe->has_kyber && o->kyber;
	return true;
}

/* Of the programs for the events of requests: the one that suits this kernel best. */
static bool is_best(const char *event, bool raw, const struct sw_probe *probe)
{
	bool cast = probe->cast && probe->fetch && !raw;

	if (!strncmp(event, "issue", 5) && cast)
		return ends_with(event, "_cast");
	return !ends_with(event, "_cast") && ends_with(event, "_fetch") == probe->fetch;
}

static bool is_chosen(const char *name, const struct sw_observer *o, const struct sw_probe *probe)
{
	static const char *const requests[] = { "insert", "issue", "complete", "requeue", "merge" };
	bool raw = !strncmp(name, "raw_", 4);
	const char *event = name + 4;
	size_t i;

	if (!strcmp(name, "dispatch"))
		return probe->dispatch;
	if (!strcmp(name, "close"))
		return probe->fetch;
	if (raw != probe->raw)
		return false;
	for (i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		if (strncmp(event, requests[i], strlen(requests[i])))
			continue;
		return is_wanted(requests[i], o, probe) && is_best(event, raw, probe);
	}
	return is_wanted(event, o, probe);
}

static void choose_programs(struct bpf_object *obj, const struct sw_observer *o,
			    const struct sw_probe *probe)
{
	struct bpf_program *prog;

	bpf_object__for_each_program (prog, obj) {
		bpf_program__set_autoload(prog, is_chosen(bpf_program__name(prog), o, probe));
	}
}

/* Sizes of its own, or the maps of the one before. */
static int set_maps(const struct sw_observer *o, struct sw_kernel_side *side)
{
	int err;

	if (o->side.obj)
		return sw_kernel_side_inherit(side, &o->side);
	err = bpf_map__set_max_entries(side->records, (__u32)(o->count * o->cpus));
	if (!err && o->groups)
		err = bpf_map__set_max_entries(side->details, (__u32)(o->count * o->cpus));
	return err ? err : bpf_map__set_max_entries(side->flights, o->flights);
}

static int load_once(const struct sw_observer *o, struct sw_kernel_side *side,
		     const struct sw_probe *probe)
{
	const struct sw_constants constants = {
		.cpus = o->cpus,
		.rq_arg = probe->rq_is_second,
		.bio_arg = probe->bio_is_third,
		.status_arg = probe->status,
		.kyber_queue = probe->kyber_queue,
		.groups = o->groups,
		.llc = o->cache_of,
		.get_budget = probe->get_budget,
		.dispatch_seen = probe->dispatch != 0,
		.generation = o->generation + 1,
		.tick_ns = tick_ns(),
	};
	int err;

	libbpf_said[0] = 0;
	err = sw_kernel_side_open(side, probe->plain, sw_btf_file);
	if (err)
		return err;
	sw_kernel_side_set(side, &constants);
	choose_programs(side->obj, o, probe);
	err = set_maps(o, side);
	if (!err)
		err = sw_kernel_side_load(side);
	if (err)
		sw_kernel_side_close(side);
	return err;
}

/* Where the cast is refused, or tp_btf programs at all, the next best may load. */
int sw_load(const struct sw_observer *o, struct sw_kernel_side *side, struct sw_probe *probe)
{
	int err = load_once(o, side, probe);

	if (err && err != -EPERM && probe->dispatch) {
		sw_log(SW_DEBUG, "the program on blk_mq_dispatch_rq_list does not load (%s)",
		       sw_strerror(-err));
		probe->dispatch = 0;
		err = load_once(o, side, probe);
	}
	if (err && err != -EPERM && probe->cast) {
		sw_log(SW_DEBUG, "the program with bpf_rdonly_cast does not load (%s)",
		       sw_strerror(-err));
		probe->cast = false;
		err = load_once(o, side, probe);
	}
	if (err && err != -EPERM && !probe->raw) {
		sw_log(SW_DEBUG, "tp_btf programs do not load (%s), trying raw_tp",
		       sw_strerror(-err));
		probe->raw = true;
		probe->dispatch = 0;
		err = load_once(o, side, probe);
	}
	return err;
}

void sw_load_explain(int err, const char *phase, char *why, size_t why_size)
{
	/* EACCES is what the verifier says of a program that it does not accept. */
	if (err == -EPERM)
		snprintf(why, why_size,
			 "%s is not permitted (%s): it takes root, or CAP_BPF and CAP_PERFMON, "
			 "and no lockdown=confidentiality",
			 phase, sw_strerror(-err));
	else
		snprintf(why, why_size, "%s failed: %s%s%s", phase, sw_strerror(-err),
			 libbpf_said[0] ? ": " : "", libbpf_said);
}
