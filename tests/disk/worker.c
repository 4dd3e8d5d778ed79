/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The arms: each thread serves one of them, and answers when the model says so. */
#include "modeldisk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NSEC_PER_SEC 1000000000ULL

static uint64_t clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

static uint64_t to_disk_time(const struct disk *disk, uint64_t ns)
{
	return (uint64_t)((double)(ns - disk->epoch) * disk->options->speed);
}

static uint64_t to_clock(const struct disk *disk, uint64_t disk_ns)
{
	return disk->epoch + (uint64_t)((double)disk_ns / disk->options->speed);
}

/* Room for an answer of @len bytes; NULL if there is no memory. */
static char *answer_buf(struct worker *worker, size_t len)
{
	if (len > worker->buf_size) {
		char *buf = realloc(worker->buf, len);

		if (!buf)
			return NULL;
		worker->buf = buf;
		worker->buf_size = len;
	}
	return worker->buf;
}

static void answer_read(struct worker *worker, const struct request *request)
{
	char *buf = answer_buf(worker, request->len);

	if (!buf) {
		fuse_reply_err(request->req, ENOMEM);
		return;
	}
	if (worker->disk->store)
		store_read(worker->disk->store, request->off, buf, request->len);
	else
		memset(buf, 0, request->len);
	fuse_reply_buf(request->req, buf, request->len);
}

/* The last piece of a request answers it. */
static void piece_done(struct worker *worker, struct md_piece *piece, bool failed)
{
	struct request *request = piece->owner;

	if (failed)
		atomic_store(&request->failed, true);
	if (atomic_fetch_sub(&request->left, 1) > 1)
		return;
	if (atomic_load(&request->failed))
		fuse_reply_err(request->req, EIO);
	else if (request->write)
		fuse_reply_write(request->req, request->len);
	else
		answer_read(worker, request);
	free(request);
}

/* Sleep until @until by the clock, with the lock given up meanwhile. */
static void wait_until(struct worker *worker, uint64_t until)
{
	struct disk *disk = worker->disk;
	struct timespec ts = {
		.tv_sec = (time_t)(until / NSEC_PER_SEC),
		.tv_nsec = (long)(until % NSEC_PER_SEC),
	};
	int err = 0;

	while (!err && !atomic_load(&disk->stop) && !atomic_load(&disk->hurry) &&
	       clock_ns() < until)
		err = pthread_cond_timedwait(&worker->wake, &worker->lock, &ts);
}

static void count_late(struct worker *worker, uint64_t due)
{
	uint64_t now = clock_ns(), late = now > due ? now - due : 0;

	worker->late.answers++;
	worker->late.sum_ns += late;
	if (late > worker->late.max_ns)
		worker->late.max_ns = late;
}

static void *worker_main(void *arg)
{
	struct worker *worker = arg;
	struct disk *disk = worker->disk;
	struct md_piece *piece;

	pthread_mutex_lock(&worker->lock);
	for (;;) {
		piece = md_arm_take(&worker->arm);
		if (!piece && atomic_load(&disk->stop))
			break;
		if (!piece) {
			worker->idle = true;
			pthread_cond_wait(&worker->wake, &worker->lock);
			worker->idle = false;
			continue;
		}
		wait_until(worker, to_clock(disk, piece->end));
		count_late(worker, to_clock(disk, piece->end));
		pthread_mutex_unlock(&worker->lock);
		piece_done(worker, piece, atomic_load(&disk->stop));
		pthread_mutex_lock(&worker->lock);
	}
	pthread_mutex_unlock(&worker->lock);
	return NULL;
}

static void push(struct worker *worker, struct md_piece *piece)
{
	pthread_mutex_lock(&worker->lock);
	md_arm_push(&worker->arm, piece);
	/* a thread that sleeps until an answer is due must not be woken for nothing */
	if (worker->idle)
		pthread_cond_signal(&worker->wake);
	pthread_mutex_unlock(&worker->lock);
}

void submit(struct disk *disk, fuse_req_t req, bool write, uint64_t off, size_t len)
{
	const struct md_config *config = &disk->options->config;
	struct request *request;
	uint64_t arrival;
	unsigned int i, count;

	request = calloc(1, sizeof(*request) + config->arms * sizeof(request->pieces[0]));
	if (!request) {
		fuse_reply_err(req, ENOMEM);
		return;
	}
	request->req = req;
	request->write = write;
	request->off = off;
	request->len = len;
	count = md_split(config, off, len, request->pieces);
	atomic_init(&request->left, count);
	arrival = to_disk_time(disk, clock_ns());
	for (i = 0; i < count; i++) {
		request->pieces[i].owner = request;
		request->pieces[i].arrival = arrival;
	}
	/* the request may be gone as soon as its last piece is queued */
	for (i = 0; i < count; i++)
		push(&disk->workers[request->pieces[i].arm], &request->pieces[i]);
}

static int worker_start(struct disk *disk, unsigned int index)
{
	struct worker *worker = &disk->workers[index];
	pthread_condattr_t attr;
	int err;

	worker->disk = disk;
	md_arm_init(&worker->arm, &disk->options->config, index);
	pthread_mutex_init(&worker->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&worker->wake, &attr);
	pthread_condattr_destroy(&attr);
	err = pthread_create(&worker->thread, NULL, worker_main, worker);
	if (!err)
		disk->workers_up++;
	return -err;
}

int workers_start(struct disk *disk)
{
	unsigned int i, arms = disk->options->config.arms;
	int err = 0;

	disk->epoch = clock_ns();
	disk->workers = calloc(arms, sizeof(*disk->workers));
	if (!disk->workers)
		return -ENOMEM;
	for (i = 0; i < arms && !err; i++)
		err = worker_start(disk, i);
	if (err)
		workers_stop(disk);
	return err;
}

void workers_wake(struct disk *disk)
{
	unsigned int i;

	for (i = 0; i < disk->workers_up; i++) {
		pthread_mutex_lock(&disk->workers[i].lock);
		pthread_cond_broadcast(&disk->workers[i].wake);
		pthread_mutex_unlock(&disk->workers[i].lock);
	}
}

void workers_stop(struct disk *disk)
{
	unsigned int i;

	atomic_store(&disk->stop, true);
	workers_wake(disk);
	for (i = 0; i < disk->workers_up; i++) {
		struct worker *worker = &disk->workers[i];

		pthread_join(worker->thread, NULL);
		pthread_cond_destroy(&worker->wake);
		pthread_mutex_destroy(&worker->lock);
		free(worker->buf);
	}
	free(disk->workers);
	disk->workers = NULL;
	disk->workers_up = 0;
}
