/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's types, trimmed by hand to what bpf/ reads. Every access is
 * relocated against the running kernel's BTF (preserve_access_index), so
 * neither offsets nor the order of fields matter, and the file is the same for
 * every architecture.
 *
 * A name that ends in three underscores and a word is a flavour: the layout of
 * other kernels. "other kernels" behind a field tells tests/unit/vmlinux_test
 * that the running kernel need not have it.
 */
#ifndef __VMLINUX_H__
#define __VMLINUX_H__

typedef unsigned char __u8;
typedef short int __s16;
typedef short unsigned int __u16;
typedef int __s32;
typedef unsigned int __u32;
typedef long long int __s64;
typedef long long unsigned int __u64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;
typedef _Bool bool;
enum { false = 0, true = 1 };

/* Part of the kernel's user API: these numbers never change. */
enum bpf_map_type { BPF_MAP_TYPE_HASH = 1, BPF_MAP_TYPE_ARRAY = 2 };
enum { BPF_ANY = 0 };
enum { BPF_F_MMAPABLE = 1024 };

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct rb_node {
	struct rb_node *rb_right;
	struct rb_node *rb_left;
};

struct rb_root {
	struct rb_node *rb_node;
};

struct gendisk {
	int major;
	int first_minor;
	struct request_queue *queue;
};

struct block_device {
	struct gendisk *bd_disk;
};

struct elevator_type {
	const char *elevator_name;
};

struct elevator_queue {
	struct elevator_type *type;
	void *elevator_data;
};

struct list_head {
	struct list_head *next;
	struct list_head *prev;
};

struct request_queue {
	int id;
	struct elevator_queue *elevator;
	struct gendisk *disk;
};

struct blk_mq_hw_ctx {
	struct request_queue *queue;
	unsigned int queue_num;
};

struct bvec_iter {
	__u64 bi_sector;
	unsigned int bi_size;
};

struct bio {
	struct block_device *bi_bdev;
	unsigned int bi_opf;
	unsigned short bi_ioprio;
	struct bvec_iter bi_iter;
};

/* Before 5.12 a bio pointed at its disk. */
struct bio___disk {
	struct gendisk *bi_disk; /* other kernels */
};

enum mq_rq_state { MQ_RQ_IDLE };

struct request {
	struct request_queue *q;
	struct blk_mq_hw_ctx *mq_hctx;
	unsigned int cmd_flags;
	int tag;
	int internal_tag;
	unsigned int __data_len;
	__u64 __sector;
	struct bio *bio;
	void *end_io;
	__u64 start_time_ns;
	struct rb_node rb_node;
	__u64 fifo_time;
	enum mq_rq_state state;
	struct list_head queuelist;
	struct request *rq_next; /* other kernels */
};

/* The requests that a task has not handed on yet: a chain, a chain with both ends, a ring. */
struct blk_plug {
	struct request *mq_list; /* other kernels */
};

struct rq_list {
	struct request *head; /* other kernels */
};

struct blk_plug___rq_list {
	struct rq_list mq_list; /* other kernels */
};

struct blk_plug___ring {
	struct list_head mq_list; /* other kernels */
};

struct task_struct {
	struct blk_plug *plug;
};

/* Older kernels have no such counts (5.10), or count elsewhere; seen from 6.1 on. */
struct io_stats_per_prio {
	__u32 dispatched; /* other kernels */
};

struct dd_per_prio {
	struct rb_root sort_list[2];
	struct io_stats_per_prio stats; /* other kernels */
};

struct deadline_data {
	struct dd_per_prio per_prio[3];
	unsigned int batching;
	int fifo_expire[2];
	int fifo_batch;
};

/* Before 5.17 (commit f3fa33acca9f) a request pointed at its disk itself. */
struct request___rq_disk {
	struct gendisk *rq_disk; /* other kernels */
};

/* Until 6.10 a request kept a copy of its I/O priority. */
struct request___ioprio {
	unsigned short ioprio; /* other kernels */
};

/* In some kernels (seen in 6.1) what calls another CPU shares the place of the deadline. */
struct request___csd {
	struct list_head csd; /* other kernels; its own type does not matter */
};

/* Before 5.14 (commit c807ab520fc3) mq-deadline had no priority classes. */
struct deadline_data___one_class {
	struct rb_root sort_list[2]; /* other kernels */
};

#pragma clang attribute pop

/* Numbers are relocated too. */
enum req_flag_bits {
	__REQ_SYNC = 11,
	__REQ_FUA = 17,
	__REQ_PREFLUSH = 18,
};

/* The enum's name changed in 6.0 (commit ff07a02e9e8e). */
enum req_op {
	REQ_OP_FLUSH = 2,
	REQ_OP_DISCARD = 3,
	REQ_OP_SECURE_ERASE = 5,
	REQ_OP_WRITE_ZEROES = 9,
	REQ_OP_ZONE_APPEND = 7,
	REQ_OP_ZONE_RESET_ALL = 19,
	REQ_OP_DRV_IN = 34,
};

enum req_opf {
	REQ_OP_FLUSH___opf = 2,
	REQ_OP_DISCARD___opf = 3,
	REQ_OP_SECURE_ERASE___opf = 5,
	REQ_OP_WRITE_ZEROES___opf = 9,
	REQ_OP_ZONE_APPEND___opf = 13,
	REQ_OP_WRITE_SAME___opf = 7,
};

#endif
