/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The group merges: how large requests are, and where bios join them. */
#ifndef SEEKWISE_MERGES_BPF_H
#define SEEKWISE_MERGES_BPF_H

static __always_inline void sw_size_add(struct sw_sizes *sizes, __u32 *hist, __u32 dir, __u32 bytes)
{
	sizes->count[dir]++;
	sizes->sum[dir] += bytes;
	sw_max(&sizes->max[dir], bytes);
	sw_hist_add(hist, bytes >> 9, 1);
}

static __always_inline void sw_merges_insert(const struct sw_place *p, struct request *rq,
					     __u32 flags, const int direct)
{
	__u64 dir = sw_op_of_flags(flags);
	__u32 bytes;

	if (dir >= SW_DIRS)
		return;
	bytes = SW_LOAD(direct, rq, __data_len);
	if (bytes)
		sw_size_add(&p->det->inserted.sizes, p->det->hist.inserted[sw_dir(dir)],
			    sw_dir(dir), bytes);
}

/*
 * Before commit a54895fa057c (5.11) and in its stable kin, the tracepoints of bio
 * merges had the queue and the request before the bio. Set from BTF.
 */
const volatile __u32 sw_bio_arg = 0;

static __always_inline struct bio *sw_arg_bio(__u64 *ctx)
{
	struct bio *bio;

	SW_ARG(bio, ctx, sw_bio_arg, 16);
	return bio;
}

/* As far into a plug as kernels look for a request to merge with. */
#define SW_PLUG_DEPTH 32

/* The first of the requests in the task's plug, and how to go on. */
static __always_inline struct request *sw_plug_first(struct task_struct *task)
{
	struct blk_plug *plug = 0;
	struct request *rq = 0;

	bpf_core_read(&plug, sizeof(plug), &task->plug);
	if (!plug)
		return 0;
	if (bpf_core_field_exists(struct blk_plug, mq_list))
		bpf_core_read(&rq, sizeof(rq), &plug->mq_list);
	else if (bpf_core_field_exists(struct blk_plug___rq_list, mq_list))
		bpf_core_read(&rq, sizeof(rq), &((struct blk_plug___rq_list *)plug)->mq_list.head);
	return rq;
}

/* Where a bio's request ends, or starts, before the bio joins it, and on which disk. */
struct sw_neighbour {
	struct request_queue *q;
	__u64 sector;
	bool ends;
};

static __always_inline bool sw_adjoins(struct request *rq, const struct sw_neighbour *bio)
{
	struct request_queue *q = 0;
	__u64 sector = 0;
	__u32 bytes = 0;

	bpf_core_read(&sector, sizeof(sector), &rq->__sector);
	if (bio->ends) {
		bpf_core_read(&bytes, sizeof(bytes), &rq->__data_len);
		sector += bytes >> 9;
	}
	if (sector != bio->sector)
		return false;
	/* A plug holds requests of several disks. */
	bpf_core_read(&q, sizeof(q), &rq->q);
	return q == bio->q;
}

/* Newer kernels link the requests of a plug one way, the newest first. */
static __always_inline bool sw_in_plug_list(struct task_struct *task,
					    const struct sw_neighbour *bio)
{
	struct request *rq = sw_plug_first(task);
	int i;

	for (i = 0; i < SW_PLUG_DEPTH && rq; i++) {
		if (sw_adjoins(rq, bio))
			return true;
		if (bpf_core_read(&rq, sizeof(rq), &rq->rq_next))
			break;
	}
	return false;
}

/* Older ones both ways, the newest last. */
static __always_inline bool sw_in_plug_ring(struct task_struct *task,
					    const struct sw_neighbour *bio)
{
	struct blk_plug___ring *plug = 0;
	struct list_head *ring, *at = 0;
	struct request *rq;
	int i;

	bpf_core_read(&plug, sizeof(plug), &task->plug);
	if (!plug)
		return false;
	ring = (void *)plug + bpf_core_field_offset(struct blk_plug___ring, mq_list);
	bpf_core_read(&at, sizeof(at), &ring->prev);
	for (i = 0; i < SW_PLUG_DEPTH && at && at != ring; i++) {
		rq = (void *)at - bpf_core_field_offset(struct request, queuelist);
		if (sw_adjoins(rq, bio))
			return true;
		if (bpf_core_read(&at, sizeof(at), &at->prev))
			break;
	}
	return false;
}

/* libbpf takes any two structures for the same: a chain with both ends is told by its head. */
static __always_inline bool sw_plug_is_ring(void)
{
	return bpf_core_field_exists(struct blk_plug___ring, mq_list) &&
	       !bpf_core_field_exists(struct blk_plug___rq_list, mq_list.head);
}

/*
 * Is the request that this bio joins still in the plug of the task that submits
 * it? The kernel looks there first, so one that adjoins the bio there is it.
 */
static __always_inline bool sw_in_plug(const struct sw_neighbour *bio)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task();

	if (sw_plug_is_ring())
		return sw_in_plug_ring(task, bio);
	return sw_in_plug_list(task, bio);
}

/* Its disk: 5.12 put the block device in the place of the disk (commit 309dca309fc3). */
static __always_inline struct gendisk *sw_disk_of_bio(struct bio *bio, const int direct)
{
	struct bio___disk *old = (void *)bio;
	struct block_device *bdev;

	if (bpf_core_field_exists(old->bi_disk))
		return SW_LOAD(direct, old, bi_disk);
	bdev = SW_LOAD(direct, bio, bi_bdev);
	return bdev ? SW_LOAD(direct, bdev, bd_disk) : 0;
}

/* The place of a disk, whose queue goes to `queue`. */
static __always_inline struct sw_place sw_place_of_disk(struct gendisk *disk, struct bio *bio,
							enum sw_event event,
							struct request_queue **queue,
							const int direct)
{
	struct sw_place nowhere = {};
	struct request_queue *q;
	struct sw_queue *known;
	__u32 slot;

	if (!disk)
		return nowhere;
	*queue = q = SW_LOAD(direct, disk, queue);
	if (!q)
		return nowhere;
	known = sw_known_queue(q, direct);
	slot = known->q == (__u64)q ? (__u32)known->slot - 1 : (__u32)sw_look_up(disk, direct) - 1;
	return sw_place_at(slot, event, (__u64)bio);
}

static __always_inline int sw_on_bio_merge(struct bio *bio, bool back, const int direct)
{
	enum sw_event event = back ? SW_BIO_BACK_MERGE : SW_BIO_FRONT_MERGE;
	struct sw_neighbour to = { .ends = back };
	struct sw_place p =
		sw_place_of_disk(sw_disk_of_bio(bio, direct), bio, event, &to.q, direct);
	__u64 dir = sw_op_of_flags(SW_LOAD(direct, bio, bi_opf));
	struct sw_detail_joined *jo;
	__u32 kind;

	if (!p.slot || !p.det || dir >= SW_DIRS)
		return 0;
	to.sector = SW_LOAD(direct, bio, bi_iter.bi_sector);
	if (!back)
		to.sector += SW_LOAD(direct, bio, bi_iter.bi_size) >> 9;
	kind = sw_in_plug(&to) ? SW_JOIN_PLUG_BACK : SW_JOIN_BACK;
	jo = &p.det->joined;
	sw_begin(&jo->seq);
	jo->bios[sw_dir(dir)][kind + !back]++;
	sw_end(&jo->seq);
	return 0;
}

#endif
