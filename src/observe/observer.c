// SPDX-License-Identifier: GPL-2.0-or-later
/* Loads, attaches and detaches the kernel side. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "seekwise/base.h"
#include "observer.h"
#include "seekwise.skel.h"

/* A scheduler's tags: at most 16 * 128, whatever nr_requests is raised to later. */
#define SCHEDULER_TAGS 2048
/* More entries for one disk would cost memory, not precision: tags then share an entry. */
#define MAX_FLIGHTS (1 << 16)
/* Observing begins this much after the programs run on all CPUs. */
#define START_DELAY_NS 1000000

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

static uint32_t power_of_two(uint32_t n)
{
	uint32_t p = 1;

	while (p < n)
		p <<= 1;
	return p;
}

/* Sets the disk's part of the request table; returns its entries. */
static uint32_t plan_flights(struct sw_slot *slot, const struct sw_disk *disk, uint32_t base)
{
	uint32_t tags = disk->queue_tags > SCHEDULER_TAGS ? disk->queue_tags : SCHEDULER_TAGS;
	uint64_t size;

	slot->dev = SW_DEV(disk->major, disk->minor);
	slot->queue_tags = power_of_two(tags);
	size = (uint64_t)slot->queue_tags * power_of_two(disk->queues ? disk->queues : 1);
	slot->flight_size = size > MAX_FLIGHTS ? MAX_FLIGHTS : size;
	slot->flight_base = base;
	return slot->flight_size;
}

/* The kernel's tick: CLOCK_MONOTONIC_COARSE advances by it. */
static uint64_t tick_ns(void)
{
	struct timespec res;

	if (clock_getres(CLOCK_MONOTONIC_COARSE, &res) || res.tv_sec || !res.tv_nsec)
		return 4000000;
	return res.tv_nsec;
}

static bool is_chosen(const char *name, const struct sw_probe *probe)
{
	bool raw = !strncmp(name, "raw_", 4);

	if (!strcmp(name, "dispatch"))
		return probe->dispatch;
	if (raw != probe->raw)
		return false;
	name += 4;
	if (!strcmp(name, "requeue"))
		return probe->has_requeue;
	if (!strcmp(name, "merge"))
		return probe->has_merge;
	if (!strcmp(name, "issue"))
		return raw || !probe->cast;
	if (!strcmp(name, "issue_cast"))
		return probe->cast;
	return true;
}

static void choose_programs(struct seekwise_bpf *skel, const struct sw_probe *probe)
{
	struct bpf_program *prog;

	bpf_object__for_each_program (prog, skel->obj) {
		bpf_program__set_autoload(prog, is_chosen(bpf_program__name(prog), probe));
	}
}

static int set_sizes(struct sw_observer *o, const struct sw_probe *probe)
{
	struct seekwise_bpf *skel = o->skel;
	struct sw_slot *slots = (void *)skel->bss->sw_slots;
	uint32_t flights = 0;
	int i, err;

	for (i = 0; i < o->count; i++)
		flights += plan_flights(&slots[i], &o->disks[i].disk, flights);
	skel->rodata->sw_cpus = o->cpus;
	skel->rodata->sw_rq_arg = probe->rq_is_second;
	skel->rodata->sw_tick_ns = tick_ns();
	skel->rodata->sw_dispatch_seen = probe->dispatch != 0;
	skel->rodata->sw_get_budget = probe->get_budget;
	choose_programs(skel, probe);
	err = bpf_map__set_max_entries(skel->maps.records, (uint32_t)(o->count * o->cpus));
	return err ? err : bpf_map__set_max_entries(skel->maps.flights, flights);
}

static int map_records(struct sw_observer *o)
{
	size_t page = sysconf(_SC_PAGESIZE);
	void *p;

	o->records_size = sizeof(struct sw_record) * o->count * o->cpus;
	o->records_size = (o->records_size + page - 1) / page * page;
	p = mmap(NULL, o->records_size, PROT_READ | PROT_WRITE, MAP_SHARED,
		 bpf_map__fd(o->skel->maps.records), 0);
	if (p == MAP_FAILED)
		return -errno;
	o->records = p;
	return 0;
}

static int name_slots(struct sw_observer *o)
{
	uint32_t slot, dev;
	int err;

	for (slot = 0; slot < (uint32_t)o->count; slot++) {
		dev = SW_DEV(o->disks[slot].disk.major, o->disks[slot].disk.minor);
		err = bpf_map__update_elem(o->skel->maps.slot_of_dev, &dev, sizeof(dev), &slot,
					   sizeof(slot), BPF_ANY);
		if (err)
			return err;
	}
	return 0;
}

static int load_once(struct sw_observer *o, const struct sw_probe *probe)
{
	int err;

	libbpf_said[0] = 0;
	o->skel = seekwise_bpf__open();
	if (!o->skel)
		return -errno;
	err = set_sizes(o, probe);
	if (!err)
		err = seekwise_bpf__load(o->skel);
	if (err) {
		seekwise_bpf__destroy(o->skel);
		o->skel = NULL;
	}
	return err;
}

/* Where the cast is refused, or tp_btf programs at all, the next best may load. */
static int load(struct sw_observer *o, struct sw_probe *probe)
{
	int err = load_once(o, probe);

	if (err && err != -EPERM && probe->dispatch) {
		sw_log(SW_DEBUG, "the program on blk_mq_dispatch_rq_list does not load (%s)",
		       sw_strerror(-err));
		probe->dispatch = 0;
		err = load_once(o, probe);
	}
	if (err && err != -EPERM && probe->cast) {
		sw_log(SW_DEBUG, "the program with bpf_rdonly_cast does not load (%s)",
		       sw_strerror(-err));
		probe->cast = false;
		err = load_once(o, probe);
	}
	if (err && err != -EPERM && !probe->raw) {
		sw_log(SW_DEBUG, "tp_btf programs do not load (%s), trying raw_tp",
		       sw_strerror(-err));
		probe->raw = true;
		probe->dispatch = 0;
		err = load_once(o, probe);
	}
	return err;
}

static void start(struct sw_observer *o)
{
	struct sw_slot *slots = (void *)o->skel->bss->sw_slots;
	uint64_t now = sw_now_ns() + START_DELAY_NS;
	int i;

	for (i = 0; i < o->count; i++) {
		slots[i].since_ns = now;
		__atomic_store_n(&slots[i].start_ns, now, __ATOMIC_RELEASE);
	}
	for (i = 0; i < o->count; i++)
		sw_snapshot_take(o, i, &o->disks[i].last);
}

static void explain(int err, const char *phase, char *why, size_t why_size)
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

static int open_kernel_side(struct sw_observer *o, char *why, size_t why_size)
{
	const char *phase = "loading the BPF programs";
	struct sw_probe probe;
	int err = sw_probe_kernel(&probe, why, why_size);

	if (err)
		return err;
	err = load(o, &probe);
	if (!err) {
		phase = "setting up the BPF maps";
		err = map_records(o);
	}
	if (!err)
		err = name_slots(o);
	if (!err) {
		phase = "attaching to the block tracepoints";
		err = seekwise_bpf__attach(o->skel);
	}
	if (err) {
		explain(err, phase, why, why_size);
		return err;
	}
	o->how = (struct sw_how){ .typed = !probe.raw,
				  .cast = probe.cast && !probe.raw,
				  .dispatch = probe.dispatch != 0 };
	start(o);
	return 0;
}

int sw_observer_open(struct sw_observer **observer, const struct sw_disk *disks, int count,
		     char *why, size_t why_size)
{
	struct sw_observer *o;
	int i, err = -ENOMEM;

	*observer = NULL;
	if (count > SW_MAX_SLOTS) {
		snprintf(why, why_size, "%d disks are more than %d", count, SW_MAX_SLOTS);
		return -E2BIG;
	}
	libbpf_set_print(libbpf_print);
	o = calloc(1, sizeof(*o));
	if (o)
		o->disks = calloc(count, sizeof(*o->disks));
	if (!o || !o->disks) {
		snprintf(why, why_size, "%s", sw_strerror(ENOMEM));
		goto fail;
	}
	o->count = count;
	o->cpus = libbpf_num_possible_cpus();
	for (i = 0; i < count; i++)
		o->disks[i].disk = disks[i];
	err = open_kernel_side(o, why, why_size);
	if (err)
		goto fail;
	*observer = o;
	return 0;
fail:
	sw_observer_close(o);
	return err;
}

void sw_observer_close(struct sw_observer *o)
{
	if (!o)
		return;
	if (o->records)
		munmap(o->records, o->records_size);
	seekwise_bpf__destroy(o->skel);
	free(o->disks);
	free(o);
}

/* Measured where a pass is handed over whole: with one hardware queue. */
static enum sw_passes passes_known(const struct sw_observer *o, int i, const struct sw_state *st)
{
	const struct sw_slot *slot = (const void *)&o->skel->bss->sw_slots[i];
	const char *scheduler = o->disks[i].disk.scheduler;

	if (!strcmp(scheduler, "none") || !*scheduler)
		return SW_PASSES_UNKNOWN;
	if (o->how.dispatch && slot->flight_size == slot->queue_tags)
		return SW_PASSES_MEASURED;
	return st->has_taken ? SW_PASSES_ESTIMATED : SW_PASSES_UNKNOWN;
}

struct sw_how sw_observer_how(const struct sw_observer *o)
{
	return o->how;
}

int sw_observer_window(struct sw_observer *o, int i, struct sw_window *window)
{
	struct sw_snapshot now;
	const struct sw_state *st;
	uint32_t changes;

	if (i < 0 || i >= o->count)
		return -EINVAL;
	sw_snapshot_take(o, i, &now);
	sw_snapshot_window(&o->disks[i].last, &now, window);
	st = (const void *)&o->skel->bss->sw_states[i];
	changes = __atomic_load_n(&st->changes, __ATOMIC_RELAXED);
	/* The kernel side looks at the scheduler at an issue: before the first, sysfs tells. */
	if (changes)
		window->deadline =
			st->is_deadline && (changes == o->disks[i].changes || changes == 1);
	else
		window->deadline = !strcmp(o->disks[i].disk.scheduler, "mq-deadline");
	window->passes = passes_known(o, i, st);
	o->disks[i].changes = changes;
	o->disks[i].last = now;
	return 0;
}
