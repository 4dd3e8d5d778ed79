/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What both sides share at run time, and the way from a request to its disk. */
#ifndef SEEKWISE_MAPS_BPF_H
#define SEEKWISE_MAPS_BPF_H

/* Entries of both: set by the user side before loading. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct sw_record);
} records SEC(".maps");

/* As many as records while a detail group is on. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct sw_detail);
} details SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct sw_flight);
} flights SEC(".maps");

/* Device number to slot, asked once for each queue. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, SW_MAX_SLOTS);
	__type(key, __u32);
	__type(value, __u32);
} slot_of_dev SEC(".maps");

const volatile __u32 sw_cpus = 1;
const volatile __u32 sw_generation = 1;
/* The program on the kernel's dispatch function runs. */
const volatile __u32 sw_dispatch_seen = 0;
const volatile __u64 sw_tick_ns = 4000000;
/* Groups of figures that are on: the verifier leaves out the code of the others. */
const volatile __u32 sw_groups = 0;

struct sw_slot sw_slots[SW_MAX_SLOTS];

/*
 * By request_queue.id: the queue seen last under it, and its slot plus one, 0
 * if its disk is not observed. The user side clears all when it changes the set
 * of disks: a new queue may have the address of one that is gone.
 */
struct sw_queue sw_queues[SW_MAX_QUEUES];

/* State of one disk that all CPUs write; racing issues may misjudge each other. */
struct sw_state sw_states[SW_MAX_SLOTS];
/* What the detail groups know of it. */
struct sw_head sw_heads[SW_MAX_SLOTS];

static __always_inline __u64 sw_look_up_dev(__u32 dev)
{
	__u32 *found = bpf_map_lookup_elem(&slot_of_dev, &dev);

	return found ? *found + 1 : 0;
}

/* Asks for the disk's slot plus one; 0 if it is not observed. */
static __always_inline __u64 sw_look_up(struct gendisk *disk, const int direct)
{
	if (!disk)
		return 0;
	return sw_look_up_dev(
		SW_DEV(SW_LOAD(direct, disk, major), SW_LOAD(direct, disk, first_minor)));
}

static __always_inline struct sw_queue *sw_known_queue(struct request_queue *q, const int direct)
{
	return &sw_queues[SW_LOAD(direct, q, id) & (SW_MAX_QUEUES - 1)];
}

static __always_inline __u32 sw_slot_known(struct sw_queue *known, struct request_queue *q,
					   struct gendisk *disk, const int direct)
{
	/* Not valid until the slot is that of this queue. */
	known->q = 0;
	barrier();
	known->slot = sw_look_up(disk, direct);
	barrier();
	known->q = (__u64)q;
	return (__u32)known->slot - 1;
}

/* Returns the slot of the request's disk, or a number not below SW_MAX_SLOTS. */
static __always_inline __u32 sw_slot_of(struct request *rq, const int direct)
{
	struct request_queue *q = SW_LOAD(direct, rq, q);
	struct sw_queue *known = sw_known_queue(q, direct);

	if (known->q == (__u64)q)
		return (__u32)known->slot - 1;
	return sw_slot_known(known, q, sw_disk_of(rq, q, direct), direct);
}

/* The same of a queue. Where it does not tell its disk, a request must have been seen before. */
static __always_inline __u32 sw_slot_of_queue(struct request_queue *q, const int direct)
{
	struct sw_queue *known = sw_known_queue(q, direct);

	if (known->q == (__u64)q)
		return (__u32)known->slot - 1;
	if (!bpf_core_field_exists(q->disk))
		return ~0U;
	return sw_slot_known(known, q, SW_LOAD(direct, q, disk), direct);
}

static __always_inline struct sw_record *sw_record_of(__u32 slot)
{
	__u32 key = slot * sw_cpus + bpf_get_smp_processor_id();

	return bpf_map_lookup_elem(&records, &key);
}

static __always_inline struct sw_detail *sw_detail_of(__u32 slot)
{
	__u32 key = slot * sw_cpus + bpf_get_smp_processor_id();

	return bpf_map_lookup_elem(&details, &key);
}

#endif
