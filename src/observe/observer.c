// SPDX-License-Identifier: GPL-2.0-or-later
/* Loads, attaches and detaches the kernel side. */
#include <errno.h>
#include <limits.h>
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

/* A scheduler's tags: at most 16 * 128, whatever nr_requests is raised to later. */
#define SCHEDULER_TAGS 2048
/* More entries for one disk would cost memory, not precision: tags then share an entry. */
#define MAX_FLIGHTS (1 << 16)
/* Observing begins this much after the programs run on all CPUs. */
#define START_DELAY_NS 1000000
/* A disk's part of the request table is looked through this often: some ten microseconds. */
#define LOOK_NS 1000000000
/* A program runs for microseconds; a hypervisor may stop its CPU for longer. */
#define HANDOVER_NS 100000000

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

	slot->queue_tags = power_of_two(tags);
	size = (uint64_t)slot->queue_tags * power_of_two(disk->queues ? disk->queues : 1);
	slot->flight_size = size > MAX_FLIGHTS ? MAX_FLIGHTS : size;
	slot->flight_base = base;
	return slot->flight_size;
}

/* Maps an array of one value for each CPU of each disk. */
static int map_values(const struct sw_observer *o, const struct bpf_map *map, size_t value,
		      void **mapped, size_t *size)
{
	size_t page = sysconf(_SC_PAGESIZE);
	void *p;

	*size = value * o->count * o->cpus;
	*size = (*size + page - 1) / page * page;
	p = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(map), 0);
	if (p == MAP_FAILED)
		return -errno;
	*mapped = p;
	return 0;
}

static int map_records(struct sw_observer *o)
{
	void *records, *details;
	int err = map_values(o, o->side.records, sizeof(struct sw_record), &records,
			     &o->records_size);

	if (!err)
		err = sw_flights_map(o);
	if (err)
		return err;
	o->records = records;
	if (!o->groups)
		return 0;
	err = map_values(o, o->side.details, sizeof(struct sw_detail), &details, &o->details_size);
	if (!err)
		o->details = details;
	return err;
}

static int name_slots(struct sw_observer *o)
{
	uint32_t slot, dev;
	int err;

	for (slot = 0; slot < (uint32_t)o->count; slot++) {
		dev = SW_DEV(o->disks[slot].disk.major, o->disks[slot].disk.minor);
		err = bpf_map__update_elem(o->side.slot_of_dev, &dev, sizeof(dev), &slot,
					   sizeof(slot), BPF_ANY);
		if (err)
			return err;
	}
	return 0;
}

static void start(struct sw_observer *o)
{
	uint64_t now = sw_now_ns();
	uint32_t base = 0;
	int i;

	for (i = 0; i < o->count; i++) {
		base += plan_flights(&o->side.slots[i], &o->disks[i].disk, base);
		o->side.slots[i].since_ns = o->side.slots[i].base_ns = now;
		/* Until all of them count, each request is one from before. */
		o->side.slots[i].start_ns = UINT64_MAX;
		__atomic_store_n(&o->side.slots[i].generation, o->generation, __ATOMIC_RELEASE);
	}
	/* Read only now: we may have been off the CPU for long since the first look at it. */
	now = sw_now_ns() + START_DELAY_NS;
	for (i = 0; i < o->count; i++)
		__atomic_store_n(&o->side.slots[i].start_ns, now, __ATOMIC_RELEASE);
	for (i = 0; i < o->count; i++) {
		sw_snapshot_take(o, i, &o->disks[i].last);
		sw_details_start(o, i);
	}
}

/* What was found out when the kernel side was loaded. */
static void remember(struct sw_observer *o, const struct sw_probe *probe)
{
	o->generation++;
	o->reads_deadline = probe->has_deadline;
	o->how = (struct sw_how){ .typed = !probe->raw,
				  .cast = probe->cast && !probe->raw,
				  .plain = probe->plain,
				  .fetch = probe->fetch,
				  .dispatch = probe->dispatch != 0 };
	o->kyber = o->kyber && probe->has_kyber;
}

static int open_kernel_side(struct sw_observer *o, char *why, size_t why_size)
{
	const char *phase = "loading the BPF programs";
	struct sw_kernel_side side;
	struct sw_probe probe;
	struct sw_slot slot;
	int i, err = sw_probe_kernel(&probe, why, why_size);

	if (err)
		return err;
	for (i = 0; i < o->count; i++)
		o->flights += plan_flights(&slot, &o->disks[i].disk, 0);
	err = sw_load(o, &side, &probe);
	if (!err) {
		o->side = side;
		phase = "setting up the BPF maps";
		err = map_records(o);
	}
	if (!err)
		err = name_slots(o);
	if (!err) {
		phase = "attaching to the block tracepoints";
		err = sw_kernel_side_attach(&o->side);
	}
	if (err) {
		sw_load_explain(err, phase, why, why_size);
		return err;
	}
	remember(o, &probe);
	start(o);
	return 0;
}

static void set_generation(struct sw_observer *o, uint32_t generation)
{
	int i;

	for (i = 0; i < o->count; i++)
		__atomic_store_n(&o->side.slots[i].generation, generation, __ATOMIC_RELEASE);
}

/* Until no CPU is in a program any more that looked before. */
static void let_pass(void)
{
	static const struct timespec pause = { .tv_nsec = HANDOVER_NS };

	nanosleep(&pause, NULL);
}

/*
 * Goes on with another kernel side in the place of the first: maps and variables
 * are the same ones. bpf/place.bpf.h tells how no event is lost or counted twice.
 */
static void hand_over(struct sw_observer *o, const struct sw_kernel_side *side,
		      const struct sw_probe *probe)
{
	struct sw_kernel_side old = o->side;
	int i;

	set_generation(o, o->generation | SW_LEAVING);
	let_pass();
	remember(o, probe);
	/* It was looked at by somebody who did not know mq-deadline. */
	for (i = 0; i < o->count; i++)
		side->states[i].scheduler = ~0ULL;
	set_generation(o, o->generation | SW_ARRIVING);
	let_pass();
	set_generation(o, o->generation);
	o->side = *side;
	o->missed_before += sw_kernel_side_missed(&old);
	sw_kernel_side_close(&old);
}

/* mq-deadline, if it was loaded only now. */
static void take_deadline(struct sw_observer *o)
{
	struct sw_kernel_side side;
	struct sw_probe probe;
	char why[256];
	int err;

	if (o->reads_deadline || o->tended || sw_btf_file || !sw_probe_module("mq_deadline"))
		return;
	/* Once: whatever comes of it. */
	o->tended = true;
	err = sw_probe_kernel(&probe, why, sizeof(why));
	if (!err)
		err = sw_load(o, &side, &probe);
	if (!err) {
		err = sw_kernel_side_attach(&side);
		if (err)
			sw_kernel_side_close(&side);
	}
	if (err) {
		sw_log(SW_WARN, "mq-deadline was loaded, and its state cannot be read: %s",
		       sw_strerror(-err));
		return;
	}
	hand_over(o, &side, &probe);
	sw_log(SW_INFO, "mq-deadline was loaded: its state is read from now on");
}

void sw_observer_tend(struct sw_observer *o)
{
	int i;

	take_deadline(o);
	for (i = 0; i < o->count; i++)
		sw_flights_close(o, i, LOOK_NS);
}

/* CPUs are numbered up to there: records are found by number, and some may be left out. */
static int cpu_numbers(void)
{
	char path[PATH_MAX], text[1024], *last = text;
	uint64_t highest;
	size_t end;

	snprintf(path, sizeof(path), "%s/devices/system/cpu/possible", sw_roots.sys);
	if (sw_read_file(path, text, sizeof(text)) <= 0)
		return libbpf_num_possible_cpus();
	while (last[end = strcspn(last, ",-")])
		last += end + 1;
	if (sw_parse_u64(last, 0, INT16_MAX, &highest))
		return libbpf_num_possible_cpus();
	return (int)highest + 1;
}

static int allocate(struct sw_observer *o, const struct sw_disk *disks)
{
	int i;

	o->disks = calloc(o->count, sizeof(*o->disks));
	if (!o->disks)
		return -ENOMEM;
	for (i = 0; i < o->count; i++) {
		o->disks[i].disk = disks[i];
		o->kyber |= !strcmp(disks[i].scheduler, "kyber");
		o->disks[i].cpu_issues = calloc(o->cpus, sizeof(*o->disks[i].cpu_issues));
		if (!o->disks[i].cpu_issues)
			return -ENOMEM;
	}
	return sw_details_allocate(o);
}

int sw_observer_open(struct sw_observer **observer, const struct sw_disk *disks, int count,
		     uint32_t groups, char *why, size_t why_size)
{
	struct sw_observer *o;
	int err = -ENOMEM;

	*observer = NULL;
	if (count > SW_MAX_SLOTS) {
		snprintf(why, why_size, "%d disks are more than %d", count, SW_MAX_SLOTS);
		return -E2BIG;
	}
	sw_load_init();
	o = calloc(1, sizeof(*o));
	if (o) {
		o->count = count;
		o->groups = groups;
		o->cpus = cpu_numbers();
		o->caches = sw_caches_read(o->cache_of, o->cpus);
		err = allocate(o, disks);
	}
	if (err) {
		snprintf(why, why_size, "%s", sw_strerror(-err));
		goto fail;
	}
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
	int i;

	if (!o)
		return;
	if (o->records)
		munmap(o->records, o->records_size);
	if (o->details)
		munmap(o->details, o->details_size);
	if (o->flight)
		munmap((void *)o->flight, o->flights_size);
	if (o->side.obj)
		sw_kernel_side_close(&o->side);
	sw_details_free(o);
	for (i = 0; o->disks && i < o->count; i++)
		free(o->disks[i].cpu_issues);
	free(o->disks);
	free(o);
}

/* Measured where a pass is handed over whole: with one hardware queue. */
static enum sw_passes passes_known(const struct sw_observer *o, int i, const struct sw_state *st)
{
	const struct sw_slot *slot = &o->side.slots[i];
	const char *scheduler = o->disks[i].disk.scheduler;

	if (!strcmp(scheduler, "none") || !*scheduler)
		return SW_PASSES_UNKNOWN;
	if (o->how.dispatch && slot->flight_size == slot->queue_tags)
		return SW_PASSES_MEASURED;
	return st->has_taken ? SW_PASSES_ESTIMATED : SW_PASSES_UNKNOWN;
}

/* Which CPU issued most since the last window. */
static void busiest_cpu(struct sw_observer *o, int i, struct sw_window *w)
{
	const struct sw_record *records = o->records + (size_t)i * o->cpus;
	uint64_t *before = o->disks[i].cpu_issues, now;
	int cpu;

	for (cpu = 0; cpu < o->cpus; cpu++) {
		now = records[cpu].issued.dir[SW_READ].ios + records[cpu].issued.dir[SW_WRITE].ios;
		if (now - before[cpu] > w->cpu_issues) {
			w->cpu_issues = now - before[cpu];
			w->cpu = cpu;
		}
		before[cpu] = now;
	}
}

/* What the detail groups and kyber tell. */
static void extras(struct sw_observer *o, int i, struct sw_window *w)
{
	struct sw_disk *disk = &o->disks[i].disk;

	busiest_cpu(o, i, w);
	sw_details_window(o, i, w);
	w->caches = o->caches;
	w->kyber = o->kyber && !strcmp(disk->scheduler, "kyber");
	w->kyber_state = o->side.heads[i].kyber;
	if (!o->how.fetch)
		w->refused = w->groups & SW_GROUP_DEPTH;
	w->groups &= ~w->refused;
	if (w->groups & SW_GROUP_DEPTH)
		w->pool = sw_disk_pool(disk);
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
	take_deadline(o);
	sw_flights_close(o, i, 0);
	sw_snapshot_take(o, i, &now);
	sw_snapshot_window(&o->disks[i].last, &now, window);
	st = &o->side.states[i];
	changes = __atomic_load_n(&st->changes, __ATOMIC_RELAXED);
	/* The kernel side looks at the scheduler at an issue: before the first, sysfs tells. */
	if (changes)
		window->deadline =
			st->is_deadline && (changes == o->disks[i].changes || changes == 1);
	else
		window->deadline =
			o->reads_deadline && !strcmp(o->disks[i].disk.scheduler, "mq-deadline");
	window->passes = passes_known(o, i, st);
	extras(o, i, window);
	o->disks[i].changes = changes;
	o->disks[i].last = now;
	return 0;
}
