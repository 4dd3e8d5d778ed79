/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The service-time model of a disk with moving heads, without clock and I/O:
 * the FUSE server, a simulator and the unit tests give it the time.
 *
 * Time is disk time: nanoseconds of an arbitrary start, never going back.
 * Places and lengths are bytes.
 */
#ifndef MODELDISK_MODEL_H
#define MODELDISK_MODEL_H

#include <stdbool.h>
#include <stdint.h>

enum md_order {
	MD_ORDER_FIFO, /* first come, first served */
	MD_ORDER_SPTF, /* shortest positioning time among the oldest */
};

struct md_config {
	uint64_t size;      /* of the whole disk */
	unsigned int arms;  /* striped over so many, at least 1 */
	uint64_t stripe;    /* bytes on one arm before the next one follows */
	bool seek;          /* false: neither seek nor rotation */
	double seek_min_ms; /* to a neighbouring track, settling included */
	double seek_max_ms; /* over the whole arm */
	double rpm;
	double rate_mbs;    /* transfer, 10^6 bytes per second */
	double overhead_us; /* paid by every request */
	enum md_order order;
	unsigned int depth; /* how many of the oldest SPTF chooses among */
};

/* What serving a piece costs, in ns. */
struct md_cost {
	uint64_t overhead;
	uint64_t seek;
	uint64_t rotation;
	uint64_t transfer;
	bool sequential; /* starts where the last one ended: no positioning */
	bool backward;   /* starts below the head */
};

/*
 * The part of a request that one arm serves. The caller owns the memory,
 * which must stay until md_arm_take() has returned the piece.
 */
struct md_piece {
	unsigned int arm;
	uint64_t start; /* place on the arm, not on the disk */
	uint64_t len;
	uint64_t arrival;
	void *owner; /* the caller's */
	/* set by md_arm_take() */
	uint64_t begin;
	uint64_t end;
	struct md_cost cost;
	/* the model's own */
	struct md_piece *next;
};

struct md_arm_stats {
	uint64_t served;
	uint64_t sequential;
	uint64_t seeks; /* served less sequential */
	uint64_t backward;
	uint64_t busy_ns;
	uint64_t seek_ns;
	uint64_t rotation_ns;
	uint64_t transfer_ns;
	unsigned int queued_max;
};

struct md_arm {
	const struct md_config *config;
	uint64_t head;    /* end of the piece served last */
	uint64_t free_at; /* modelled end of the piece served last */
	uint64_t phase;   /* ns: spindles do not turn in step */
	unsigned int queued;
	struct md_piece *oldest;
	struct md_piece **tail;
	struct md_arm_stats stats;
};

/* A 7200 rpm disk of 1 TiB, one arm, first come first served. */
void md_config_default(struct md_config *config);

/* What contradicts itself in @config, as text; NULL if nothing does. */
const char *md_config_problem(const struct md_config *config);

/* Bytes on each arm. */
uint64_t md_arm_size(const struct md_config *config);

/*
 * Cut the request [@off, @off + @len) into at most one piece per arm.
 * @pieces has room for config->arms pieces; arm, start and len are filled in.
 * Returns the number of pieces, 0 for an empty request.
 */
unsigned int md_split(const struct md_config *config, uint64_t off, uint64_t len,
		      struct md_piece *pieces);

/* ns to move the head over @distance bytes to another track; 0 for distance 0. */
uint64_t md_seek_ns(const struct md_config *config, uint64_t distance);

/* An idle arm number @index, its head at place 0. @config must outlive it. */
void md_arm_init(struct md_arm *arm, const struct md_config *config, unsigned int index);

/* What @piece would cost if the arm turned to it at @now. Changes nothing. */
struct md_cost md_arm_cost(const struct md_arm *arm, const struct md_piece *piece, uint64_t now);

/* Queue @piece, whose arrival must not lie before that of the piece queued last. */
void md_arm_push(struct md_arm *arm, struct md_piece *piece);

/*
 * Choose the next piece, unlink it, move the head and set begin, end and cost.
 * It begins when the arm is free and the oldest piece has arrived, whenever
 * this is called, so that a late caller makes the disk no slower; pieces that
 * arrived after that are not seen. Returns NULL if nothing is queued.
 */
struct md_piece *md_arm_take(struct md_arm *arm);

#endif /* MODELDISK_MODEL_H */
