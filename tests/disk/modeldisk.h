/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of the server share. */
#ifndef MODELDISK_H
#define MODELDISK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifndef FUSE_USE_VERSION
#define FUSE_USE_VERSION 35
#endif
#include <fuse_lowlevel.h>

#include "model.h"
#include "store.h"

struct options {
	struct md_config config;
	double speed; /* so many times faster than the clock */
	bool no_data;
	uint64_t data_max;      /* bytes of contents kept in memory */
	const char *pid_file;   /* NULL: none */
	const char *stats_file; /* NULL: none */
	const char *mountpoint;
};

/* Requests as they arrived, whole. Written by the receiving thread only. */
struct request_stats {
	uint64_t reads;
	uint64_t writes;
	uint64_t read_bytes;
	uint64_t write_bytes;
	uint64_t flushes;
	uint64_t discards;
};

/* How late the answers left, in ns of the clock: what the model could not keep to. */
struct late_stats {
	uint64_t answers;
	uint64_t sum_ns;
	uint64_t max_ns;
};

/* One arm with the thread that serves it. */
struct worker {
	struct disk *disk;
	pthread_t thread;
	pthread_mutex_t lock; /* arm, late, idle */
	pthread_cond_t wake;
	struct md_arm arm;
	struct late_stats late;
	bool idle; /* the thread waits for a piece */
	char *buf; /* the thread's own, for answers to reads */
	size_t buf_size;
};

struct disk {
	const struct options *options;
	struct store *store;    /* NULL: contents are dropped */
	struct worker *workers; /* one for each arm */
	unsigned int workers_up;
	uint64_t epoch;    /* CLOCK_MONOTONIC ns at disk time 0 */
	atomic_bool stop;  /* answer what is queued with an error, and end */
	atomic_bool hurry; /* answer at once: the disk is being taken down */
	struct request_stats requests;
	uint64_t dumps; /* statistics written so far */
};

/* A read or write on its way through the arms. */
struct request {
	fuse_req_t req;
	bool write;
	uint64_t off;
	size_t len;
	atomic_uint left; /* pieces not served yet */
	atomic_bool failed;
	struct md_piece pieces[];
};

/* One line to stderr: "modeldisk: text", with ": ENAME" after it if @err (an errno) is set. */
void say(int err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Start one thread for each arm. Returns 0 or -errno. */
int workers_start(struct disk *disk);

/* Answer everything queued with EIO, end the threads and free them. */
void workers_stop(struct disk *disk);

/* Wake all threads, so that they see stop and hurry. */
void workers_wake(struct disk *disk);

/* Queue a read or write. It answers @req, sooner or later, whatever happens. */
void submit(struct disk *disk, fuse_req_t req, bool write, uint64_t off, size_t len);

/*
 * Mount and serve until a signal or the end of the mount. Returns 0 or -errno.
 * The signals must be blocked: SIGTERM, SIGINT, SIGHUP end it, SIGUSR1 writes
 * the statistics, SIGUSR2 sets hurry.
 */
int serve(struct disk *disk);

/* Write the statistics to options->stats_file, if set. Returns 0 or -errno. */
int stats_write(struct disk *disk);

/* Put @path in place in one step, written by @fill. Returns 0 or -errno. */
int write_file(const char *path, void (*fill)(FILE *file, void *arg), void *arg);

#endif /* MODELDISK_H */
