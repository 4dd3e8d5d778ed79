/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statistics: "key value" lines, times in milliseconds or microseconds of the clock. */
#include "modeldisk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

int write_file(const char *path, void (*fill)(FILE *file, void *arg), void *arg)
{
	char *tmp = NULL;
	FILE *file;
	int err = 0;

	if (asprintf(&tmp, "%s.%ld.tmp", path, (long)getpid()) < 0)
		return -ENOMEM;
	file = fopen(tmp, "we");
	if (!file)
		err = -errno;
	if (file) {
		fill(file, arg);
		if (ferror(file) || fflush(file))
			err = -EIO;
		if (fclose(file) && !err)
			err = -errno;
		if (!err && rename(tmp, path))
			err = -errno;
		if (err)
			unlink(tmp);
	}
	if (err)
		say(-err, "cannot write %s", path);
	free(tmp);
	return err;
}

static double clock_ms(const struct disk *disk, uint64_t disk_ns)
{
	return (double)disk_ns / disk->options->speed / 1e6;
}

static void add_arm(struct md_arm_stats *sum, const struct md_arm_stats *arm)
{
	sum->served += arm->served;
	sum->sequential += arm->sequential;
	sum->seeks += arm->seeks;
	sum->backward += arm->backward;
	sum->busy_ns += arm->busy_ns;
	sum->seek_ns += arm->seek_ns;
	sum->rotation_ns += arm->rotation_ns;
	sum->transfer_ns += arm->transfer_ns;
	if (arm->queued_max > sum->queued_max)
		sum->queued_max = arm->queued_max;
}

static void print_arm(FILE *file, const struct disk *disk, const char *prefix,
		      const struct md_arm_stats *stats)
{
	fprintf(file, "%sserved %" PRIu64 "\n", prefix, stats->served);
	fprintf(file, "%ssequential %" PRIu64 "\n", prefix, stats->sequential);
	fprintf(file, "%sseeks %" PRIu64 "\n", prefix, stats->seeks);
	fprintf(file, "%sbackward %" PRIu64 "\n", prefix, stats->backward);
	fprintf(file, "%sbusy_ms %.3f\n", prefix, clock_ms(disk, stats->busy_ns));
	fprintf(file, "%sseek_ms %.3f\n", prefix, clock_ms(disk, stats->seek_ns));
	fprintf(file, "%srotation_ms %.3f\n", prefix, clock_ms(disk, stats->rotation_ns));
	fprintf(file, "%stransfer_ms %.3f\n", prefix, clock_ms(disk, stats->transfer_ns));
	fprintf(file, "%squeued_max %u\n", prefix, stats->queued_max);
}

static void print_requests(FILE *file, const struct disk *disk)
{
	const struct request_stats *requests = &disk->requests;

	fprintf(file, "dumps %" PRIu64 "\n", disk->dumps);
	fprintf(file, "requests %" PRIu64 "\n", requests->reads + requests->writes);
	fprintf(file, "reads %" PRIu64 "\n", requests->reads);
	fprintf(file, "writes %" PRIu64 "\n", requests->writes);
	fprintf(file, "read_bytes %" PRIu64 "\n", requests->read_bytes);
	fprintf(file, "write_bytes %" PRIu64 "\n", requests->write_bytes);
	fprintf(file, "flushes %" PRIu64 "\n", requests->flushes);
	fprintf(file, "discards %" PRIu64 "\n", requests->discards);
	fprintf(file, "stored_bytes %" PRIu64 "\n", disk->store ? store_used(disk->store) : 0);
}

static void fill_stats(FILE *file, void *arg)
{
	struct disk *disk = arg;
	struct late_stats late = { 0 };
	struct md_arm_stats sum = { 0 };
	unsigned int i;

	print_requests(file, disk);
	for (i = 0; i < disk->workers_up; i++) {
		struct worker *worker = &disk->workers[i];
		struct md_arm_stats stats;
		char prefix[32];

		pthread_mutex_lock(&worker->lock);
		stats = worker->arm.stats;
		late.answers += worker->late.answers;
		late.sum_ns += worker->late.sum_ns;
		if (worker->late.max_ns > late.max_ns)
			late.max_ns = worker->late.max_ns;
		pthread_mutex_unlock(&worker->lock);
		add_arm(&sum, &stats);
		snprintf(prefix, sizeof(prefix), "arm%u_", i);
		print_arm(file, disk, prefix, &stats);
	}
	fprintf(file, "arms %u\n", disk->workers_up);
	print_arm(file, disk, "", &sum);
	fprintf(file, "late_mean_us %.1f\n",
		late.answers ? (double)late.sum_ns / (double)late.answers / 1e3 : 0);
	fprintf(file, "late_max_us %.1f\n", (double)late.max_ns / 1e3);
}

int stats_write(struct disk *disk)
{
	disk->dumps++;
	if (!disk->options->stats_file)
		return 0;
	return write_file(disk->options->stats_file, fill_stats, disk);
}
