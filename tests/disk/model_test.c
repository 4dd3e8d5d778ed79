/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unit tests of the service-time model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model.h"

#define MS 1000000ULL
#define GIB (1ULL << 30)

/*
 * Round numbers: 6000 rpm turn in 10 ms, at 100 MB/s a track holds 1,000,000
 * bytes, so that 1000 bytes take 10 us and turn by 10 us.
 */
static struct md_config round_disk(void)
{
	struct md_config config;

	md_config_default(&config);
	config.size = 100 * 1000 * 1000;
	config.rpm = 6000;
	config.rate_mbs = 100;
	config.overhead_us = 0;
	config.seek_min_ms = 2;
	config.seek_max_ms = 12;
	return config;
}

static struct md_piece piece_at(uint64_t start, uint64_t arrival)
{
	return (struct md_piece){ .start = start, .len = 1000, .arrival = arrival };
}

static void default_is_sound(void **state)
{
	struct md_config config;

	(void)state;
	md_config_default(&config);
	assert_null(md_config_problem(&config));
}

static void problems_are_named(void **state)
{
	struct md_config config;

	(void)state;
	config = round_disk();
	config.seek_max_ms = 1;
	assert_non_null(md_config_problem(&config));
	config = round_disk();
	config.arms = 0;
	assert_non_null(md_config_problem(&config));
	config = round_disk();
	config.rpm = 0;
	assert_non_null(md_config_problem(&config));
	config = round_disk();
	config.stripe = config.size + 1;
	assert_non_null(md_config_problem(&config));
}

static void seek_curve_ends(void **state)
{
	struct md_config config = round_disk();

	(void)state;
	assert_int_equal(md_seek_ns(&config, 0), 0);
	assert_int_equal(md_seek_ns(&config, config.size), 12 * MS);
	/* beyond the end is no farther than the end */
	assert_int_equal(md_seek_ns(&config, 2 * config.size), 12 * MS);
	/* a quarter of the way takes half of the span above settling */
	assert_int_equal(md_seek_ns(&config, config.size / 4), 7 * MS);
	assert_in_range(md_seek_ns(&config, 1), 2 * MS, 2 * MS + MS / 100);
}

static void seek_curve_rises(void **state)
{
	struct md_config config = round_disk();
	uint64_t distance, before = 0;

	(void)state;
	for (distance = 0; distance <= config.size; distance += config.size / 50) {
		uint64_t ns = md_seek_ns(&config, distance);

		assert_true(ns > before || !distance);
		before = ns;
	}
}

static void rotation_is_bounded(void **state)
{
	struct md_config config = round_disk();
	struct md_arm arm;
	uint64_t now;

	(void)state;
	md_arm_init(&arm, &config, 0);
	for (now = 0; now < 40 * MS; now += 123457) {
		struct md_piece piece = piece_at((now * 7919) % config.size, now);
		struct md_cost cost = md_arm_cost(&arm, &piece, now);

		assert_true(cost.rotation < 10 * MS);
	}
}

static void rotation_follows_the_angle(void **state)
{
	struct md_config config = round_disk();
	struct md_piece piece = piece_at(500000, 0);
	struct md_arm arm;

	(void)state;
	md_arm_init(&arm, &config, 0);
	/* same track: no seek; half a turn ahead at 0, just passed at 6 ms */
	assert_int_equal(md_arm_cost(&arm, &piece, 0).seek, 0);
	assert_int_equal(md_arm_cost(&arm, &piece, 0).rotation, 5 * MS);
	assert_int_equal(md_arm_cost(&arm, &piece, 3 * MS).rotation, 2 * MS);
	assert_int_equal(md_arm_cost(&arm, &piece, 6 * MS).rotation, 9 * MS);
	/* another track, same angle: the seek is part of the turn */
	piece.start += 25 * 1000 * 1000;
	assert_int_equal(
		(md_arm_cost(&arm, &piece, 0).seek + md_arm_cost(&arm, &piece, 0).rotation) %
			(10 * MS),
		5 * MS);
}

static void spindles_are_out_of_step(void **state)
{
	struct md_config config = round_disk();
	struct md_piece piece = piece_at(500000, 0);
	struct md_arm first, second;

	(void)state;
	md_arm_init(&first, &config, 0);
	md_arm_init(&second, &config, 1);
	assert_int_not_equal(md_arm_cost(&first, &piece, 0).rotation,
			     md_arm_cost(&second, &piece, 0).rotation);
}

static void transfer_and_overhead_are_paid(void **state)
{
	struct md_config config = round_disk();
	struct md_piece piece = piece_at(0, 0);
	struct md_arm arm;

	(void)state;
	config.overhead_us = 50;
	md_arm_init(&arm, &config, 0);
	piece.len = 1000 * 1000;
	md_arm_push(&arm, &piece);
	assert_ptr_equal(md_arm_take(&arm), &piece);
	/* head and request at 0: sequential */
	assert_int_equal(piece.end - piece.begin, 10 * MS + MS / 20);
	assert_int_equal(arm.head, 1000 * 1000);
}

static void sequential_is_free(void **state)
{
	struct md_config config = round_disk();
	struct md_piece first = piece_at(50 * 1000 * 1000, 0), next, beside;
	struct md_arm arm;

	(void)state;
	md_arm_init(&arm, &config, 0);
	md_arm_push(&arm, &first);
	md_arm_take(&arm);
	assert_false(first.cost.sequential);
	assert_true(first.cost.seek > 0);

	next = piece_at(first.start + first.len, 0);
	beside = piece_at(first.start + first.len + 512, 0);
	assert_true(md_arm_cost(&arm, &next, arm.free_at).sequential);
	assert_int_equal(md_arm_cost(&arm, &next, arm.free_at).seek, 0);
	/* read ahead: free after a pause, too */
	assert_int_equal(md_arm_cost(&arm, &next, arm.free_at + 3 * MS).rotation, 0);
	assert_false(md_arm_cost(&arm, &beside, arm.free_at).sequential);
	assert_true(md_arm_cost(&arm, &beside, arm.free_at).rotation > 0);
}

static void no_seek_costs_no_positioning(void **state)
{
	struct md_config config = round_disk();
	struct md_piece piece = piece_at(77 * 1000 * 1000, 0);
	struct md_arm arm;
	struct md_cost cost;

	(void)state;
	config.seek = false;
	config.overhead_us = 50;
	md_arm_init(&arm, &config, 0);
	cost = md_arm_cost(&arm, &piece, 1234567);
	assert_int_equal(cost.seek, 0);
	assert_int_equal(cost.rotation, 0);
	assert_int_equal(cost.overhead, 50000);
	assert_int_equal(cost.transfer, 10000);
}

static void fifo_keeps_order(void **state)
{
	struct md_config config = round_disk();
	struct md_piece pieces[20];
	struct md_arm arm;
	int i;

	(void)state;
	md_arm_init(&arm, &config, 0);
	for (i = 0; i < 20; i++) {
		pieces[i] = piece_at((uint64_t)(i * 37 % 20) * 5000000, (uint64_t)i);
		md_arm_push(&arm, &pieces[i]);
	}
	assert_int_equal(arm.queued, 20);
	for (i = 0; i < 20; i++)
		assert_ptr_equal(md_arm_take(&arm), &pieces[i]);
	assert_null(md_arm_take(&arm));
	assert_int_equal(arm.queued, 0);
	assert_int_equal(arm.stats.queued_max, 20);
}

/* An idle arm with its head at 20 MB, at the angle of time 0. */
static void park(struct md_arm *arm, struct md_config *config)
{
	md_arm_init(arm, config, 0);
	arm->head = 20 * 1000 * 1000;
}

static void sptf_takes_the_nearest(void **state)
{
	struct md_config config = round_disk();
	struct md_piece far_away = piece_at(95250000, 0), near = piece_at(20250000, 0);
	struct md_piece middle = piece_at(40250000, 0);
	struct md_arm arm;

	(void)state;
	config.order = MD_ORDER_SPTF;
	park(&arm, &config);
	/* all at one angle: each next one needs a seek longer by one turn */
	md_arm_push(&arm, &far_away);
	md_arm_push(&arm, &middle);
	md_arm_push(&arm, &near);
	assert_ptr_equal(md_arm_take(&arm), &near);
	assert_ptr_equal(md_arm_take(&arm), &middle);
	assert_ptr_equal(md_arm_take(&arm), &far_away);
	assert_null(md_arm_take(&arm));
}

static void sptf_counts_rotation(void **state)
{
	struct md_config config = round_disk();
	/* near is a neighbour track that has just passed by, far_away comes right after its seek */
	struct md_piece near = piece_at(21100000, 0), far_away = piece_at(40900000, 0);
	struct md_arm arm;

	(void)state;
	config.order = MD_ORDER_SPTF;
	park(&arm, &config);
	assert_true(md_arm_cost(&arm, &near, 0).seek < md_arm_cost(&arm, &far_away, 0).seek);
	md_arm_push(&arm, &near);
	md_arm_push(&arm, &far_away);
	assert_ptr_equal(md_arm_take(&arm), &far_away);
}

static void sptf_sees_the_oldest_only(void **state)
{
	struct md_config config = round_disk();
	struct md_piece far_away = piece_at(95250000, 0), middle = piece_at(40250000, 0);
	struct md_piece near = piece_at(20250000, 0);
	struct md_arm arm;

	(void)state;
	config.order = MD_ORDER_SPTF;
	config.depth = 2;
	park(&arm, &config);
	md_arm_push(&arm, &far_away);
	md_arm_push(&arm, &middle);
	md_arm_push(&arm, &near);
	assert_ptr_not_equal(md_arm_take(&arm), &near);
}

static void sptf_does_not_see_the_future(void **state)
{
	struct md_config config = round_disk();
	struct md_piece far_away = piece_at(95250000, 100), near = piece_at(20250000, 200);
	struct md_arm arm;

	(void)state;
	config.order = MD_ORDER_SPTF;
	park(&arm, &config);
	/* the arm is idle: it begins when the first arrives, and the second is not there yet */
	md_arm_push(&arm, &far_away);
	md_arm_push(&arm, &near);
	assert_ptr_equal(md_arm_take(&arm), &far_away);
	assert_int_equal(far_away.begin, 100);
}

static void sptf_beats_fifo(void **state)
{
	struct md_config config = round_disk();
	struct md_piece pieces[200];
	uint64_t end[2];
	struct md_arm arm;
	int order, i;

	(void)state;
	for (order = MD_ORDER_FIFO; order <= MD_ORDER_SPTF; order++) {
		config.order = order;
		md_arm_init(&arm, &config, 0);
		for (i = 0; i < 200; i++) {
			pieces[i] = piece_at((uint64_t)i * 7919 * 10007 % 99000000, 0);
			md_arm_push(&arm, &pieces[i]);
		}
		while (md_arm_take(&arm))
			;
		assert_int_equal(arm.stats.served, 200);
		end[order] = arm.free_at;
	}
	assert_true(end[MD_ORDER_SPTF] * 3 < end[MD_ORDER_FIFO] * 2);
}

static void busy_arm_goes_on_at_once(void **state)
{
	struct md_config config = round_disk();
	struct md_piece first = piece_at(30000000, 5), second = piece_at(70000000, 6), third;
	struct md_arm arm;

	(void)state;
	md_arm_init(&arm, &config, 0);
	md_arm_push(&arm, &first);
	md_arm_push(&arm, &second);
	md_arm_take(&arm);
	md_arm_take(&arm);
	assert_int_equal(first.begin, 5);
	assert_int_equal(second.begin, first.end);
	/* an idle arm begins when the request arrives */
	third = piece_at(10000000, second.end + 4 * MS);
	md_arm_push(&arm, &third);
	md_arm_take(&arm);
	assert_int_equal(third.begin, second.end + 4 * MS);
}

static void statistics_add_up(void **state)
{
	struct md_config config = round_disk();
	struct md_piece pieces[] = { piece_at(5000000, 0), piece_at(5001000, 0),
				     piece_at(2000000, 0), piece_at(9000000, 0) };
	struct md_arm arm;
	uint64_t busy = 0;
	int i;

	(void)state;
	md_arm_init(&arm, &config, 0);
	for (i = 0; i < 4; i++)
		md_arm_push(&arm, &pieces[i]);
	for (i = 0; i < 4; i++) {
		struct md_piece *piece = md_arm_take(&arm);

		busy += piece->end - piece->begin;
	}
	assert_int_equal(arm.stats.served, 4);
	assert_int_equal(arm.stats.sequential, 1);
	assert_int_equal(arm.stats.seeks, 3);
	assert_int_equal(arm.stats.backward, 1);
	assert_int_equal(arm.stats.busy_ns, busy);
	assert_int_equal(arm.stats.busy_ns,
			 arm.stats.seek_ns + arm.stats.rotation_ns + arm.stats.transfer_ns);
}

static struct md_config striped_disk(void)
{
	struct md_config config = round_disk();

	config.size = 4 * GIB;
	config.arms = 4;
	config.stripe = 64 << 10;
	return config;
}

static void one_arm_takes_it_whole(void **state)
{
	struct md_config config = round_disk();
	struct md_piece pieces[1];

	(void)state;
	assert_int_equal(md_split(&config, 12345, 9 << 20, pieces), 1);
	assert_int_equal(pieces[0].arm, 0);
	assert_int_equal(pieces[0].start, 12345);
	assert_int_equal(pieces[0].len, 9 << 20);
	assert_int_equal(md_arm_size(&config), config.size);
}

static void stripes_go_round(void **state)
{
	struct md_config config = striped_disk();
	struct md_piece pieces[4];
	uint64_t number;

	(void)state;
	assert_int_equal(md_arm_size(&config), GIB);
	for (number = 0; number < 16; number++) {
		assert_int_equal(md_split(&config, number * config.stripe + 512, 4096, pieces), 1);
		assert_int_equal(pieces[0].arm, number % 4);
		assert_int_equal(pieces[0].start, number / 4 * config.stripe + 512);
		assert_int_equal(pieces[0].len, 4096);
	}
	assert_int_equal(md_split(&config, 0, 0, pieces), 0);
}

static void long_requests_split(void **state)
{
	struct md_config config = striped_disk();
	struct md_piece pieces[4];
	uint64_t sum = 0;
	int i;

	(void)state;
	/* from the middle of stripe 3 to the middle of stripe 4 */
	assert_int_equal(md_split(&config, config.stripe * 7 / 2, config.stripe, pieces), 2);
	assert_int_equal(pieces[0].arm, 3);
	assert_int_equal(pieces[0].start, config.stripe / 2);
	assert_int_equal(pieces[1].arm, 0);
	assert_int_equal(pieces[1].start, config.stripe);
	assert_int_equal(pieces[0].len + pieces[1].len, config.stripe);

	/* more than a row: still one piece for each arm, in one go */
	assert_int_equal(md_split(&config, 0, config.stripe * 9, pieces), 4);
	for (i = 0; i < 4; i++) {
		assert_int_equal(pieces[i].arm, i);
		assert_int_equal(pieces[i].start, 0);
		sum += pieces[i].len;
	}
	assert_int_equal(pieces[0].len, config.stripe * 3);
	assert_int_equal(sum, config.stripe * 9);
}

static void striped_streams_stay_sequential(void **state)
{
	struct md_config config = striped_disk();
	struct md_arm arms[4];
	struct md_piece pieces[4];
	uint64_t off;
	unsigned int i, count;

	(void)state;
	for (i = 0; i < 4; i++)
		md_arm_init(&arms[i], &config, i);
	for (off = 0; off < 64 * config.stripe; off += 3 * config.stripe) {
		count = md_split(&config, off, 3 * config.stripe, pieces);
		for (i = 0; i < count; i++) {
			md_arm_push(&arms[pieces[i].arm], &pieces[i]);
			md_arm_take(&arms[pieces[i].arm]);
			assert_true(pieces[i].cost.sequential);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(default_is_sound),
		cmocka_unit_test(problems_are_named),
		cmocka_unit_test(seek_curve_ends),
		cmocka_unit_test(seek_curve_rises),
		cmocka_unit_test(rotation_is_bounded),
		cmocka_unit_test(rotation_follows_the_angle),
		cmocka_unit_test(spindles_are_out_of_step),
		cmocka_unit_test(transfer_and_overhead_are_paid),
		cmocka_unit_test(sequential_is_free),
		cmocka_unit_test(no_seek_costs_no_positioning),
		cmocka_unit_test(fifo_keeps_order),
		cmocka_unit_test(sptf_takes_the_nearest),
		cmocka_unit_test(sptf_counts_rotation),
		cmocka_unit_test(sptf_sees_the_oldest_only),
		cmocka_unit_test(sptf_does_not_see_the_future),
		cmocka_unit_test(sptf_beats_fifo),
		cmocka_unit_test(busy_arm_goes_on_at_once),
		cmocka_unit_test(statistics_add_up),
		cmocka_unit_test(one_arm_takes_it_whole),
		cmocka_unit_test(stripes_go_round),
		cmocka_unit_test(long_requests_split),
		cmocka_unit_test(striped_streams_stay_sequential),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
