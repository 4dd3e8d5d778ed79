// SPDX-License-Identifier: GPL-2.0-or-later
/* The controller against simulated disks: what it finds, and what must not fool it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seekwise/controller.h"

static uint64_t state;

static void seed(uint64_t n)
{
	state = (n + 1) * UINT64_C(0x9e3779b97f4a7c15);
}

static uint64_t bits(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * UINT64_C(0x2545f4914f6cdd1d);
}

static double uniform(void)
{
	return (double)(bits() >> 11) * 0x1p-53;
}

static double gauss(void)
{
	double u = uniform();

	return sqrt(-2 * log(u + 0x1p-60)) * cos(2 * M_PI * uniform());
}

/* A simulated disk: IOPS for each power of two of the knob, and what varies it. */
struct plant {
	double iops[11];
	double noise;
	double persistence; /* of levels apart by a factor of four; below 0: one level */
	double p99[11];     /* ms; 0: 100 */
	double full;
	int level;
};

static const struct plant concave = {
	.iops = { 84, 95, 105, 120, 139, 144, 148, 150, 150, 150, 150 },
	.noise = 0.06,
	.persistence = -1,
	.full = 0.9,
};

static const struct plant flat = {
	.iops = { 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100 },
	.noise = 0.1,
	.persistence = -1,
	.full = 0.9,
};

static const struct sw_sample good = {
	.seconds = 5,
	.busy_seconds = 4.9,
	.ios = 500,
	.bytes = 500 * 4096,
	.sync_ios = 500,
	.sync_p99_us = 100000,
	.held_mean = 40,
	.held_max = 64,
	.device_mean = 10,
	.wait_mean_us = 80000,
	.service_mean_us = 20000,
	.batch_mean = 1,
	.full_share = 0.9,
};

static int exponent(int64_t value)
{
	int e = 0;

	while (e < 10 && value >> (e + 1))
		e++;
	return e;
}

static struct sw_sample observe(struct plant *plant, int64_t value)
{
	static const double level[] = { 469, 1249, 643, 1851 };
	struct sw_sample sample = good;
	int e = exponent(value);
	double iops = plant->iops[e] * exp(plant->noise * gauss());

	if (plant->persistence >= 0) {
		if (uniform() >= plant->persistence)
			plant->level = (int)(uniform() * 4);
		iops *= level[plant->level] / 469;
	}
	sample.ios = (uint64_t)(iops * sample.busy_seconds);
	sample.bytes = sample.ios * 4096;
	sample.sync_ios = sample.ios;
	sample.sync_p99_us = 1000 * (plant->p99[e] > 0 ? plant->p99[e] : 100);
	sample.full_share = plant->full;
	return sample;
}

/* A controller at work on a plant. */
struct rig {
	struct plant plant;
	struct sw_controller *controller;
	struct sw_step step;
	int windows;
	int count[SW_HOLDING + 1]; /* decisions by kind */
};

static void rig_start(struct rig *rig, const struct plant *plant, int64_t baseline)
{
	struct sw_limits limits;

	sw_limits_default(&limits);
	memset(rig, 0, sizeof(*rig));
	rig->plant = *plant;
	rig->plant.level = (int)(uniform() * 4);
	rig->controller = sw_controller_new(&limits, baseline);
	assert_non_null(rig->controller);
	rig->step.value = baseline;
}

static void rig_give(struct rig *rig, const struct sw_sample *sample)
{
	rig->step = sw_controller_step(rig->controller, sample);
	rig->windows++;
	rig->count[rig->step.decision.kind]++;
}

static void rig_window(struct rig *rig)
{
	struct sw_sample sample = observe(&rig->plant, rig->step.value);

	rig_give(rig, &sample);
}

/* Until a decision of that kind; false if there is none within so many windows. */
static bool rig_until(struct rig *rig, enum sw_decision_kind kind, int windows)
{
	while (windows-- > 0) {
		rig_window(rig);
		if (rig->step.decision.kind == kind)
			return true;
	}
	return false;
}

static double iops_now(const struct rig *rig)
{
	return rig->plant.iops[exponent(sw_controller_incumbent(rig->controller))];
}

/* Windows until 1.5 times the work of the start, or -1. */
static int climb(struct rig *rig, double wanted, int limit)
{
	while (rig->windows < limit) {
		if (iops_now(rig) >= wanted)
			return rig->windows;
		rig_window(rig);
	}
	return -1;
}

/* The same over 300 seeds: all must get there within the limit. */
static void climb_all(const struct plant *plant, int64_t start, double wanted, int limit)
{
	int most = 0, late = 0;
	double sum = 0;

	for (int i = 0; i < 300; i++) {
		struct rig rig;
		int windows;

		seed(i);
		rig_start(&rig, plant, start);
		windows = climb(&rig, wanted, limit);
		late += windows < 0;
		most = windows > most ? windows : most;
		sum += windows;
		sw_controller_free(rig.controller);
	}
	print_message("from %d to %.0f IOPS: %.1f windows on average, most %d\n", (int)start,
		      wanted, sum / 300, most);
	assert_int_equal(late, 0);
}

static void test_climbs(void **unused)
{
	/* at 16 the concave landscape has 8 % left; here 40 % at 256 */
	struct plant steep = concave;

	(void)unused;
	climb_all(&concave, 1, 1.5 * 84, 60);
	steep.iops[5] = 160;
	steep.iops[6] = 175;
	for (int e = 7; e < 11; e++)
		steep.iops[e] = 195;
	climb_all(&steep, 16, 1.2 * 139, 90);
}

static void test_best_stays(void **unused)
{
	struct plant hill = concave;
	struct rig rig;

	(void)unused;
	hill.noise = 0.03;
	for (int e = 0; e < 11; e++)
		hill.iops[e] = 150 - 12 * abs(e - 6);
	seed(1);
	rig_start(&rig, &hill, 64);
	assert_true(rig_until(&rig, SW_SEARCH_OVER, 1000));
	assert_int_equal(rig.count[SW_KEPT], 0);
	assert_int_equal(rig.step.decision.reason, SW_WHY_BEST);
	assert_int_equal(rig.step.value, 64);
	for (int i = 0; i < 59; i++) {
		rig_window(&rig);
		assert_int_equal(rig.step.kind, SW_STEP_WATCH);
		assert_int_equal(rig.step.value, 64);
		assert_int_equal(rig.step.decision.kind, SW_NO_DECISION);
	}
	sw_controller_free(rig.controller);
}

/* Searches over many seeds: of the trials of a plant without any gain, the share kept. */
static double false_keeps(const struct plant *plant, int seeds, int64_t start, int *trials)
{
	int kept = 0;

	*trials = 0;
	for (int i = 0; i < seeds; i++) {
		struct rig rig;

		seed(1000 + i);
		rig_start(&rig, plant, start);
		assert_true(rig_until(&rig, SW_SEARCH_OVER, 3000));
		kept += rig.count[SW_KEPT];
		*trials += rig.count[SW_TRIAL_BEGINS];
		sw_controller_free(rig.controller);
	}
	return (double)kept / *trials;
}

static void test_flat_landscape(void **unused)
{
	int trials;
	double share = false_keeps(&flat, 1000, 16, &trials);

	(void)unused;
	print_message("flat, 10 %% noise: %.5f of %d trials kept\n", share, trials);
	assert_true(trials > 5000);
	assert_true(share <= 0.01);
}

static void test_metastable_load(void **unused)
{
	static const double persistence[] = { 0, 0.3, 0.5, 0.8 };
	struct plant plant = flat;

	(void)unused;
	plant.noise = 0.03;
	for (int i = 0; i < 4; i++) {
		int trials;
		double share;

		plant.persistence = persistence[i];
		share = false_keeps(&plant, 500, 16, &trials);
		print_message("metastable, persistence %.1f: %.5f of %d trials kept\n",
			      persistence[i], share, trials);
		assert_true(trials > 2500);
		assert_true(share <= 0.01);
	}
}

static void test_finds_ten_percent(void **unused)
{
	struct plant plant = flat;
	int found = 0;

	(void)unused;
	plant.noise = 0.05;
	plant.iops[8] = 110; /* 256, the first that is tried */
	for (int i = 0; i < 1000; i++) {
		struct rig rig;

		seed(5000 + i);
		rig_start(&rig, &plant, 16);
		assert_true(rig_until(&rig, SW_TRIAL_BEGINS, 20));
		assert_int_equal(rig.step.decision.to, 256);
		while (rig_window(&rig), rig.step.decision.kind == SW_NO_DECISION)
			;
		found += rig.step.decision.kind == SW_KEPT;
		if (rig.step.decision.kind == SW_KEPT)
			assert_true(rig.step.decision.low > 0.03);
		sw_controller_free(rig.controller);
	}
	print_message("10 %% gain, 5 %% noise: found in %.3f of trials\n", found / 1000.0);
	assert_true(found >= 900);
}

static void test_two_hills(void **unused)
{
	struct plant plant = {
		/* 4 is the local best; 512 the other hill */
		.iops = { 90, 95, 100, 90, 80, 70, 60, 80, 110, 140, 120 },
		.noise = 0.03,
		.persistence = -1,
		.full = 0.1,
	};
	int found = 0;

	(void)unused;
	for (int i = 0; i < 50; i++) {
		struct rig rig;

		seed(i);
		rig_start(&rig, &plant, 4);
		assert_true(rig_until(&rig, SW_SEARCH_OVER, 2000));
		found += iops_now(&rig) > 105;
		sw_controller_free(rig.controller);
	}
	print_message("second hill found in %d of 50\n", found);
	assert_true(found >= 48);
}

static void test_breach_ends_at_once(void **unused)
{
	struct plant plant = concave;
	struct rig rig;

	(void)unused;
	plant.p99[4] = 160; /* beyond 1 + 0.25 * 2 */
	seed(3);
	rig_start(&rig, &plant, 1);
	assert_true(rig_until(&rig, SW_TRIAL_BEGINS, 20));
	while (rig.step.kind != SW_STEP_MEASURE || rig.step.value != 16)
		rig_window(&rig);
	rig_window(&rig);
	assert_int_equal(rig.step.decision.kind, SW_BREACH);
	assert_int_equal(rig.step.decision.reason, SW_WHY_GUARD);
	assert_int_equal(rig.step.value, 1);
	assert_int_equal(rig.step.kind, SW_STEP_SETTLE);
	assert_float_equal(rig.step.decision.from_p99_us, 100000, 1);
	assert_float_equal(rig.step.decision.to_p99_us, 160000, 1);
	assert_int_equal(sw_controller_incumbent(rig.controller), 1);
	sw_controller_free(rig.controller);
}

static void test_guard_undoes_a_gain(void **unused)
{
	struct plant plant = concave;
	struct rig rig;

	(void)unused;
	for (int e = 1; e < 11; e++)
		plant.p99[e] = 140; /* beyond the guard, short of a breach */
	seed(4);
	rig_start(&rig, &plant, 1);
	assert_true(rig_until(&rig, SW_UNDONE, 60));
	assert_int_equal(rig.step.decision.reason, SW_WHY_GUARD);
	assert_true(rig.step.decision.gain > 0.3);
	assert_true(rig_until(&rig, SW_SEARCH_OVER, 1000));
	assert_int_equal(rig.count[SW_KEPT], 0);
	sw_controller_free(rig.controller);
}

/* The guard holds against the baseline, so that steps each within it cannot add up. */
static void test_guard_does_not_creep(void **unused)
{
	struct plant plant = {
		.noise = 0.02,
		.persistence = -1,
		.full = 0.9,
		.iops = { 100, 200, 400, 800, 1600, 3200, 6400, 12800, 25600, 51200, 102400 },
	};

	(void)unused;
	for (int e = 0; e < 11; e++)
		plant.p99[e] = 100 * pow(1.045, e); /* 1.19 at 16, 1.42 at 256 */
	for (int i = 0; i < 20; i++) {
		struct rig rig;

		seed(i);
		rig_start(&rig, &plant, 1);
		/* the second search comes after a long rest under the incumbent */
		for (int search = 0; search < 2; search++) {
			assert_true(rig_until(&rig, SW_SEARCH_OVER, 5000));
			assert_int_equal(sw_controller_incumbent(rig.controller), 32);
		}
		sw_controller_free(rig.controller);
	}
}

static void test_no_guard_without_reads(void **unused)
{
	struct rig rig;

	(void)unused;
	seed(6);
	rig_start(&rig, &concave, 1);
	while (rig.count[SW_KEPT] == 0 && rig.windows < 60) {
		struct sw_sample sample = observe(&rig.plant, rig.step.value);

		sample.sync_p99_us = rig.step.value == 16 ? 1e7 : 100000;
		sample.sync_ios = 19;
		rig_give(&rig, &sample);
	}
	assert_int_equal(rig.count[SW_KEPT], 1);
	assert_true(rig.step.decision.to_p99_us == -1);
	sw_controller_free(rig.controller);
}

/* Every third window is damaged and lies; what is decided must be as if it had not been. */
static void spoil_some(bool losses)
{
	struct rig rig;

	seed(7);
	rig_start(&rig, &flat, 16);
	rig.plant.noise = 0.02;
	while (rig.count[SW_SEARCH_OVER] == 0 && rig.windows < 5000) {
		struct sw_sample sample = observe(&rig.plant, rig.step.value);

		if (rig.windows % 3 == 0) {
			sample.lossy = losses;
			sample.tainted = !losses;
			sample.bytes *= rig.step.value == 16 ? 1 : 10;
			sample.sync_p99_us = 1e9;
		}
		rig_give(&rig, &sample);
	}
	assert_int_equal(rig.count[SW_SEARCH_OVER], 1);
	assert_int_equal(rig.count[SW_KEPT], 0);
	assert_int_equal(rig.count[SW_BREACH], 0);
	sw_controller_free(rig.controller);
}

static void test_damaged_windows_are_not_used(void **unused)
{
	(void)unused;
	spoil_some(true);
	spoil_some(false);
}

static void test_repeats_are_bounded(void **unused)
{
	struct sw_sample lossy = good;
	struct rig rig;

	(void)unused;
	lossy.lossy = true;
	seed(8);
	rig_start(&rig, &concave, 1);
	assert_true(rig_until(&rig, SW_TRIAL_BEGINS, 20));
	rig_give(&rig, &lossy);
	assert_int_equal(rig.step.kind, SW_STEP_MEASURE);
	assert_int_equal(rig.step.value, 1);
	rig_give(&rig, &lossy);
	rig_give(&rig, &lossy);
	assert_int_equal(rig.step.decision.kind, SW_HOLDING);
	assert_int_equal(rig.step.decision.reason, SW_WHY_LOSSES);
	assert_int_equal(rig.step.kind, SW_STEP_WATCH);
	for (int i = 0; i < 20; i++) {
		rig_give(&rig, &lossy);
		assert_int_equal(rig.step.decision.kind, SW_NO_DECISION);
		assert_int_equal(rig.step.value, 1);
	}
	rig_window(&rig); /* the trial goes on, without a new one being announced */
	assert_int_equal(rig.step.kind, SW_STEP_MEASURE);
	assert_true(rig_until(&rig, SW_KEPT, 60));
	assert_int_equal(rig.count[SW_TRIAL_BEGINS], 1);
	sw_controller_free(rig.controller);
}

static void test_trial_given_up_when_spoilt(void **unused)
{
	struct rig rig;

	(void)unused;
	seed(9);
	rig_start(&rig, &concave, 1);
	assert_true(rig_until(&rig, SW_TRIAL_BEGINS, 20));
	while (rig.count[SW_UNDECIDED] == 0 && rig.windows < 100) {
		struct sw_sample sample = observe(&rig.plant, rig.step.value);

		sample.lossy = rig.step.value == 16;
		rig_give(&rig, &sample);
	}
	assert_int_equal(rig.step.decision.kind, SW_UNDECIDED);
	assert_int_equal(rig.step.decision.reason, SW_WHY_LOSSES);
	assert_int_equal(rig.step.value, 1);
	sw_controller_free(rig.controller);
}

static void test_settling(void **unused)
{
	/* a pair costs one settling window: its second half begins the next pair's first */
	static const int64_t values[] = { 16, 256, 256, 256, 16, 16, 16, 256, 256 };
	static const bool settles[] = { 0, 1, 0, 0, 1, 0, 0, 1, 0 };
	struct rig rig;

	(void)unused;
	seed(11);
	rig_start(&rig, &flat, 16);
	assert_true(rig_until(&rig, SW_TRIAL_BEGINS, 20));
	for (int i = 0; i < 500; i++) {
		struct sw_step before = rig.step;

		if (i < 9) {
			assert_int_equal(before.value, values[i]);
			assert_int_equal(before.kind,
					 settles[i] ? SW_STEP_SETTLE : SW_STEP_MEASURE);
		}
		rig_window(&rig);
		assert_int_equal(rig.step.value != before.value, rig.step.kind == SW_STEP_SETTLE);
	}
	sw_controller_free(rig.controller);
}

static void test_share_of_trials(void **unused)
{
	struct rig rig;
	long spent = 0, all = 0, trials;

	(void)unused;
	seed(12);
	rig_start(&rig, &flat, 16);
	assert_true(rig_until(&rig, SW_SEARCH_OVER, 3000));
	trials = rig.count[SW_TRIAL_BEGINS];
	for (; all < 20000; all++) {
		/* the load changes often, so that there is always cause to search */
		if (all % 500 == 0)
			for (int e = 0; e < 11; e++)
				rig.plant.iops[e] = all % 1000 ? 100 : 200;
		spent += rig.step.kind != SW_STEP_WATCH;
		rig_window(&rig);
		assert_true((double)spent <= 0.2 * (double)(all + 1));
	}
	assert_true(rig.count[SW_TRIAL_BEGINS] - trials >= 20);
	sw_controller_free(rig.controller);
}

static void test_rest_ends_on_evidence(void **unused)
{
	struct plant quiet = flat;
	struct rig rig;
	int long_rest;

	(void)unused;
	quiet.noise = 0.02;
	seed(13);
	rig_start(&rig, &quiet, 16);
	assert_true(rig_until(&rig, SW_SEARCH_OVER, 3000));
	assert_false(rig_until(&rig, SW_TRIAL_BEGINS, 400));
	for (int e = 0; e < 11; e++)
		rig.plant.iops[e] *= 1.5;
	assert_true(rig_until(&rig, SW_TRIAL_BEGINS, 60));
	assert_true(rig_until(&rig, SW_SEARCH_OVER, 20000));
	long_rest = rig.windows;
	assert_true(rig_until(&rig, SW_TRIAL_BEGINS, 2000));
	assert_true(rig.windows - long_rest >= 600);
	sw_controller_free(rig.controller);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_climbs),
		cmocka_unit_test(test_best_stays),
		cmocka_unit_test(test_flat_landscape),
		cmocka_unit_test(test_metastable_load),
		cmocka_unit_test(test_finds_ten_percent),
		cmocka_unit_test(test_two_hills),
		cmocka_unit_test(test_breach_ends_at_once),
		cmocka_unit_test(test_guard_undoes_a_gain),
		cmocka_unit_test(test_guard_does_not_creep),
		cmocka_unit_test(test_no_guard_without_reads),
		cmocka_unit_test(test_damaged_windows_are_not_used),
		cmocka_unit_test(test_repeats_are_bounded),
		cmocka_unit_test(test_trial_given_up_when_spoilt),
		cmocka_unit_test(test_settling),
		cmocka_unit_test(test_share_of_trials),
		cmocka_unit_test(test_rest_ends_on_evidence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
