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

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
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

struct sw_slot sw_slots[SW_MAX_SLOTS];

/*
 * By request_queue.id: the queue seen last under it, and its slot plus one, 0
 * if its disk is not observed. The user side clears all when it changes the set
 * of disks: a new queue may have the address of one that is gone.
 */
struct sw_queue sw_queues[SW_MAX_QUEUES];

/* State of one disk that all CPUs write; racing issues may misjudge each other. */
struct sw_state sw_states[SW_MAX_SLOTS];

/* Asks for the disk's slot plus one; 0 if it is not observed. */
static __always_inline __u64 sw_look_up(struct request *rq, struct request_queue *q,
					const int direct)
{
	struct gendisk *disk = sw_disk_of(rq, q, direct);
	__u32 dev, *found;

	if (!disk)
		return 0;
	dev = SW_DEV(SW_LOAD(direct, disk, major), SW_LOAD(direct, disk, first_minor));
	found = bpf_map_lookup_elem(&slot_of_dev, &dev);
	return found ? *found + 1 : 0;
}

/* Returns the slot of the request's disk, or a number not below SW_MAX_SLOTS. */
static __always_inline __u32 sw_slot_of(struct request *rq, const int direct)
{
	struct request_queue *q = SW_LOAD(direct, rq, q);
	__u32 id = SW_LOAD(direct, q, id) & (SW_MAX_QUEUES - 1);
	struct sw_queue *known = &sw_queues[id];

	if (known->q != (__u64)q) {
		/* Not valid until the slot is that of this queue. */
		known->q = 0;
		barrier();
		known->slot = sw_look_up(rq, q, direct);
		barrier();
		known->q = (__u64)q;
	}
	return (__u32)known->slot - 1;
}

/* The same for a queue of which a request was seen before: later ones are left out. */
static __always_inline __u32 sw_slot_of_queue(struct request_queue *q)
{
	struct sw_queue *known = &sw_queues[q->id & (SW_MAX_QUEUES - 1)];

	return known->q == (__u64)q ? (__u32)known->slot - 1 : ~0U;
}

static __always_inline struct sw_record *sw_record_of(__u32 slot)
{
	__u32 key = slot * sw_cpus + bpf_get_smp_processor_id();

	return bpf_map_lookup_elem(&records, &key);
}

#endif
