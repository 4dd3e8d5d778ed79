// SPDX-License-Identifier: GPL-2.0-or-later
/* The simulator: mq-deadline's choices by hand, and what must hold for any load. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "deadline.h"

#define KIB 1024ULL
#define GIB (1ULL << 30)
#define MS 1000000ULL

static struct sim_knobs knobs;
static struct sim_deadline dd;
static struct sim_request requests[16];
static unsigned int used;

static int deadline_up(void **state)
{
	(void)state;
	sim_knobs_default(&knobs);
	used = 0;
	return sim_deadline_init(&dd, 16) ? 0 : 1;
}

static int deadline_down(void **state)
{
	(void)state;
	sim_deadline_free(&dd);
	return 0;
}

static void insert(unsigned int dir, uint64_t start, uint64_t now)
{
	struct sim_request *rq = &requests[used++];

	*rq = (struct sim_request){ .start = start, .len = 1, .dir = dir };
	sim_deadline_insert(&dd, &knobs, rq, now);
}

/* What comes next at that moment, as dir * 1000 + start; -1: nothing. */
static int chosen(uint64_t now)
{
	struct sim_request *rq = sim_deadline_choose(&dd, &knobs, now);

	return rq ? (int)(rq->dir * 1000 + rq->start) : -1;
}

static void test_sweeps_upwards_and_jumps_to_the_oldest(void **state)
{
	(void)state;
	insert(SIM_READ, 50, 1);
	assert_int_equal(chosen(1), 50);
	insert(SIM_READ, 30, 2);
	insert(SIM_READ, 90, 3);
	insert(SIM_READ, 10, 4);
	insert(SIM_READ, 60, 5);
	/* Not back to 30 while there is something above. */
	assert_int_equal(chosen(6), 60);
	assert_int_equal(chosen(7), 90);
	/* The oldest, not the lowest. */
	assert_int_equal(chosen(8), 30);
	assert_int_equal(chosen(9), 10);
	assert_int_equal(chosen(10), -1);
	assert_int_equal(dd.wraps, 2);
	assert_int_equal(dd.expired, 0);
	/* The last one is open still. */
	assert_int_equal(dd.batches, 2);
}

/* A deadline is looked at between batches alone. */
static void test_expiry_waits_for_the_batch(void **state)
{
	uint64_t late = 500 * MS + 1;

	(void)state;
	knobs.fifo_batch = 2;
	insert(SIM_READ, 20, 0);
	insert(SIM_READ, 50, 1 * MS);
	insert(SIM_READ, 60, 2 * MS);
	insert(SIM_READ, 70, 3 * MS);
	dd.side[SIM_READ].position = 50;
	assert_int_equal(chosen(10), 50);
	assert_int_equal(chosen(late), 60);
	assert_int_equal(chosen(late), 20);
	assert_int_equal(dd.full_batches, 1);
	assert_int_equal(dd.batched, 2);
	assert_int_equal(dd.expired, 1);
	assert_int_equal(chosen(late), 70);
}

static void test_reads_pass_over_writes(void **state)
{
	int i;

	(void)state;
	knobs.fifo_batch = 1;
	for (i = 0; i < 4; i++) {
		insert(SIM_READ, 10 + i, 1);
		insert(SIM_WRITE, 10 + i, 1);
	}
	/* A scheduler that has just begun goes on with writes. */
	assert_int_equal(chosen(2), 1010);
	/* writes_starved is 2. */
	assert_int_equal(chosen(2), 10);
	assert_int_equal(chosen(2), 11);
	assert_int_equal(chosen(2), 1011);
	assert_int_equal(chosen(2), 12);
	assert_int_equal(chosen(2), 13);
	assert_int_equal(chosen(2), 1012);
	/* Directions have positions of their own. */
	insert(SIM_READ, 14, 3);
	assert_int_equal(chosen(3), 14);
}

static struct sim_disk disk_of(unsigned int arms)
{
	struct sim_disk disk = { .tags = 128 };

	md_config_default(&disk.model);
	disk.model.arms = arms;
	return disk;
}

static struct sim_window run(const struct sim_disk *disk, const struct sim_load *loads,
			     unsigned int count, double seconds)
{
	struct sim *sim = sim_new(disk, &knobs, loads, count, 7);
	struct sim_window w;

	assert_non_null(sim);
	sim_run(sim, 5, &w);
	sim_run(sim, seconds, &w);
	sim_free(sim);
	return w;
}

static void test_one_at_a_time(void **state)
{
	struct sim_disk disk = disk_of(1);
	struct sim_load load = { .depth = 1, .size = 4 * KIB, .to = 1024 * GIB, .reads = 1 };
	struct sim_window w;

	(void)state;
	sim_knobs_default(&knobs);
	w = run(&disk, &load, 1, 100);
	assert_true(w.busy_share > 0.999);
	assert_true(w.held_mean < 1e-6 && fabs(w.device_mean - 1) < 0.001);
	assert_true(w.dir[SIM_READ].wait_us < 1e-6);
	/* 100 s of them, one after the other. */
	assert_true(fabs((double)w.dir[SIM_READ].ios * w.dir[SIM_READ].total_us / 1e8 - 1) < 0.01);
	/* The lag is nobody's but the task's. */
	disk.lag_us = 1e6 * w.busy_share / (double)w.dir[SIM_READ].ios * 100;
	w = run(&disk, &load, 1, 100);
	assert_true(fabs(w.busy_share - 0.5) < 0.02);
}

/* Held and in device on average are what comes in each second, times how long it stays. */
static void test_littles_law(void **state)
{
	struct sim_disk disk = disk_of(4);
	struct sim_load loads[] = {
		{ .depth = 200, .size = 4 * KIB, .to = 1024 * GIB, .reads = 0.7 },
		{ .rate = 40, .size = 64 * KIB, .to = 1024 * GIB, .reads = 0 },
	};
	struct sim_window w;
	double there = 0, rate;
	int dir;

	(void)state;
	sim_knobs_default(&knobs);
	w = run(&disk, loads, 2, 1000);
	for (dir = 0; dir < SIM_DIRS; dir++) {
		rate = (double)w.dir[dir].ios / w.seconds;
		there += rate * w.dir[dir].total_us / 1e6;
	}
	assert_true(fabs(there / (w.held_mean + w.device_mean) - 1) < 0.02);
	assert_true(w.held_mean + w.device_mean <= knobs.nr_requests);
}

static void test_the_pool_bounds(void **state)
{
	struct sim_disk disk = disk_of(1);
	struct sim_load loads[] = {
		{ .depth = 512, .size = 4 * KIB, .to = 1024 * GIB, .reads = 0 },
		{ .depth = 1, .size = 4 * KIB, .to = 1024 * GIB, .reads = 1 },
	};
	struct sim_window w;

	(void)state;
	sim_knobs_default(&knobs);
	knobs.async_depth = 192;
	/* Writes stay below the asynchronous depth. */
	w = run(&disk, loads, 1, 100);
	assert_true(fabs(w.held_mean + w.device_mean - knobs.async_depth) < 0.5);
	assert_true(w.full_share < 1e-9);
	/* A read comes in beside them at once. */
	w = run(&disk, loads, 2, 100);
	assert_true(w.dir[SIM_READ].ios > 100);
	loads[0].reads = 1;
	w = run(&disk, loads, 1, 100);
	assert_true(w.full_share > 0.99);
}

/* On the real kernel: 84, 139 and 150 a second (the ratios are those of the model). */
static void test_larger_batches_pay_for_deep_random_reads(void **state)
{
	struct sim_disk disk = disk_of(1);
	struct sim_load loads[8];
	double rate[3];
	unsigned int batch[] = { 1, 16, 256 }, i;

	(void)state;
	for (i = 0; i < 8; i++)
		loads[i] = (struct sim_load){
			.depth = 64, .size = 4 * KIB, .to = 1024 * GIB, .reads = 1
		};
	for (i = 0; i < 3; i++) {
		sim_knobs_default(&knobs);
		knobs.fifo_batch = batch[i];
		rate[i] = (double)run(&disk, loads, 8, 200).dir[SIM_READ].ios / 200;
	}
	assert_true(rate[1] > 1.3 * rate[0]);
	assert_true(rate[2] > 1.02 * rate[1]);
}

/* As fast as the transfer, where nothing takes the head away. */
static void test_sequential(void **state)
{
	struct sim_disk disk = disk_of(1);
	struct sim_load load = {
		.depth = 8, .size = 64 * KIB, .to = 1024 * GIB, .reads = 1, .sequential = true
	};
	struct sim_window w;
	double transfer;

	(void)state;
	sim_knobs_default(&knobs);
	w = run(&disk, &load, 1, 20);
	transfer = 64 * 1.024e3 / (disk.model.rate_mbs * 1e6) + disk.model.overhead_us / 1e6;
	assert_true(fabs((double)w.dir[SIM_READ].ios / 20 * transfer - 1) < 0.02);
}

static void test_same_seed_same_run(void **state)
{
	struct sim_disk disk = disk_of(2);
	struct sim_load load = { .depth = 32, .size = 4 * KIB, .to = 64 * GIB, .reads = 0.5 };
	struct sim_window a, b;

	(void)state;
	sim_knobs_default(&knobs);
	a = run(&disk, &load, 1, 50);
	b = run(&disk, &load, 1, 50);
	assert_memory_equal(&a, &b, sizeof(a));
}

/* What is on its way when the load changes belongs to no task any more. */
static void test_load_changes(void **state)
{
	struct sim_disk disk = disk_of(1);
	struct sim_load deep = { .depth = 600, .size = 4 * KIB, .to = 64 * GIB, .reads = 1 };
	struct sim_load alone = { .depth = 1, .size = 4 * KIB, .to = 64 * GIB, .reads = 1 };
	struct sim *sim;
	struct sim_window w;

	(void)state;
	sim_knobs_default(&knobs);
	sim = sim_new(&disk, &knobs, &deep, 1, 3);
	assert_non_null(sim);
	sim_run(sim, 10, &w);
	assert_true(w.held_mean > 100);
	sim_load_set(sim, &alone, 1);
	sim_run(sim, 30, &w);
	sim_run(sim, 10, &w);
	assert_true(w.held_mean < 1e-6 && fabs(w.device_mean - 1) < 0.01);
	sim_load_set(sim, &deep, 1);
	knobs.nr_requests = 64;
	sim_set(sim, &knobs);
	sim_run(sim, 10, &w);
	assert_true(fabs(w.held_mean + w.device_mean - 64) < 0.5);
	sim_free(sim);
}

#define BY_HAND(test) cmocka_unit_test_setup_teardown(test, deadline_up, deadline_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BY_HAND(test_sweeps_upwards_and_jumps_to_the_oldest),
		BY_HAND(test_expiry_waits_for_the_batch),
		BY_HAND(test_reads_pass_over_writes),
		cmocka_unit_test(test_one_at_a_time),
		cmocka_unit_test(test_littles_law),
		cmocka_unit_test(test_the_pool_bounds),
		cmocka_unit_test(test_larger_batches_pay_for_deep_random_reads),
		cmocka_unit_test(test_sequential),
		cmocka_unit_test(test_same_seed_same_run),
		cmocka_unit_test(test_load_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
