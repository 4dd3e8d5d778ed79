/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Part of a revolution by which one arm's spindle is ahead of the one before. */
#define ARM_PHASE 0.382

static uint64_t revolution_ns(const struct md_config *config)
{
	return (uint64_t)llround(60e9 / config->rpm);
}

static uint64_t transfer_ns(const struct md_config *config, uint64_t len)
{
	return (uint64_t)llround((double)len * 1e3 / config->rate_mbs);
}

/* A track holds what passes under the head in one revolution, never nothing. */
static uint64_t track_bytes(const struct md_config *config)
{
	double bytes = (double)revolution_ns(config) * config->rate_mbs / 1e3;

	return bytes < 512 ? 512 : (uint64_t)bytes;
}

void md_config_default(struct md_config *config)
{
	*config = (struct md_config){
		.size = 1ULL << 40,
		.arms = 1,
		.stripe = 64 << 10,
		.seek = true,
		.seek_min_ms = 1.6,
		.seek_max_ms = 13,
		.rpm = 7200,
		.rate_mbs = 150,
		.overhead_us = 50,
		.order = MD_ORDER_FIFO,
		.depth = 32,
	};
}

const char *md_config_problem(const struct md_config *config)
{
	if (!config->arms || !config->stripe || !config->depth)
		return "arms, stripe and depth must be at least 1";
	if (config->size < config->stripe * config->arms)
		return "the disk is smaller than one stripe on each arm";
	if (!(config->rate_mbs > 0) || !(config->rpm > 0))
		return "rate and rpm must be above 0";
	if (!(config->overhead_us >= 0) || !(config->seek_min_ms >= 0))
		return "no time may be negative";
	if (!(config->seek_max_ms >= config->seek_min_ms))
		return "the longest seek is shorter than the shortest";
	return NULL;
}

uint64_t md_arm_size(const struct md_config *config)
{
	uint64_t row = config->stripe * config->arms;

	if (config->arms == 1)
		return config->size;
	return (config->size + row - 1) / row * config->stripe;
}

unsigned int md_split(const struct md_config *config, uint64_t off, uint64_t len,
		      struct md_piece *pieces)
{
	unsigned int count = 0;

	while (len) {
		uint64_t number = off / config->stripe, within = off % config->stripe;
		uint64_t part = config->stripe - within;
		unsigned int arm = number % config->arms;
		unsigned int i;

		if (part > len || config->arms == 1)
			part = len;
		/* stripes of one arm follow each other on it: one piece is enough */
		for (i = 0; i < count && pieces[i].arm != arm; i++)
			;
		if (i == count) {
			pieces[count++] = (struct md_piece){
				.arm = arm,
				.start = number / config->arms * config->stripe + within,
			};
		}
		pieces[i].len += part;
		off += part;
		len -= part;
	}
	return count;
}

uint64_t md_seek_ns(const struct md_config *config, uint64_t distance)
{
	double part = (double)distance / (double)md_arm_size(config);
	double span = config->seek_max_ms - config->seek_min_ms;

	if (!config->seek || !distance)
		return 0;
	return (uint64_t)llround((config->seek_min_ms + span * sqrt(fmin(part, 1))) * 1e6);
}

void md_arm_init(struct md_arm *arm, const struct md_config *config, unsigned int index)
{
	double turns = index * ARM_PHASE;

	memset(arm, 0, sizeof(*arm));
	arm->config = config;
	arm->phase = (uint64_t)((turns - floor(turns)) * (double)revolution_ns(config));
	arm->tail = &arm->oldest;
}

/* ns until the sector at @start passes under the head, seen at @now. */
static uint64_t rotation_ns(const struct md_arm *arm, uint64_t start, uint64_t now)
{
	uint64_t turn = revolution_ns(arm->config), track = track_bytes(arm->config);
	uint64_t target = (uint64_t)((double)(start % track) / (double)track * (double)turn);

	return (target + turn - (now + arm->phase) % turn) % turn;
}

struct md_cost md_arm_cost(const struct md_arm *arm, const struct md_piece *piece, uint64_t now)
{
	const struct md_config *config = arm->config;
	uint64_t track = track_bytes(config);
	struct md_cost cost = {
		.overhead = (uint64_t)llround(config->overhead_us * 1e3),
		.transfer = transfer_ns(config, piece->len),
		.sequential = piece->start == arm->head,
		.backward = piece->start < arm->head,
	};

	if (cost.sequential || !config->seek)
		return cost;
	/* on the same track there is nothing to move, only to wait for */
	if (piece->start / track != arm->head / track)
		cost.seek = md_seek_ns(config, cost.backward ? arm->head - piece->start
							     : piece->start - arm->head);
	cost.rotation = rotation_ns(arm, piece->start, now + cost.overhead + cost.seek);
	return cost;
}

void md_arm_push(struct md_arm *arm, struct md_piece *piece)
{
	piece->next = NULL;
	*arm->tail = piece;
	arm->tail = &piece->next;
	if (++arm->queued > arm->stats.queued_max)
		arm->stats.queued_max = arm->queued;
}

/* The link to the piece with the shortest positioning time; the older one if equal. */
static struct md_piece **choose_sptf(struct md_arm *arm, uint64_t now)
{
	struct md_piece **best = &arm->oldest, **link = &arm->oldest;
	uint64_t best_ns = UINT64_MAX;
	unsigned int seen;

	for (seen = 0; *link && seen < arm->config->depth; seen++, link = &(*link)->next) {
		struct md_cost cost;

		if ((*link)->arrival > now)
			break;
		cost = md_arm_cost(arm, *link, now);
		if (cost.seek + cost.rotation < best_ns) {
			best_ns = cost.seek + cost.rotation;
			best = link;
		}
	}
	return best;
}

static void unlink_piece(struct md_arm *arm, struct md_piece **link)
{
	struct md_piece *piece = *link;

	*link = piece->next;
	if (arm->tail == &piece->next)
		arm->tail = link;
	piece->next = NULL;
	arm->queued--;
}

static void count_piece(struct md_arm_stats *stats, const struct md_piece *piece)
{
	const struct md_cost *cost = &piece->cost;

	stats->served++;
	stats->sequential += cost->sequential;
	stats->seeks += !cost->sequential;
	stats->backward += cost->backward;
	stats->busy_ns += piece->end - piece->begin;
	stats->seek_ns += cost->seek;
	stats->rotation_ns += cost->rotation;
	stats->transfer_ns += cost->transfer;
}

struct md_piece *md_arm_take(struct md_arm *arm)
{
	struct md_piece **link = &arm->oldest, *piece;
	uint64_t begin;

	if (!arm->oldest)
		return NULL;
	begin = arm->oldest->arrival > arm->free_at ? arm->oldest->arrival : arm->free_at;
	if (arm->config->order == MD_ORDER_SPTF)
		link = choose_sptf(arm, begin);
	piece = *link;
	unlink_piece(arm, link);

	piece->cost = md_arm_cost(arm, piece, begin);
	piece->begin = begin;
	piece->end = begin + piece->cost.overhead + piece->cost.seek + piece->cost.rotation +
		     piece->cost.transfer;
	count_piece(&arm->stats, piece);
	arm->head = piece->start + piece->len;
	arm->free_at = piece->end;
	return piece;
}
