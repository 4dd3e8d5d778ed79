// SPDX-License-Identifier: GPL-2.0-or-later
/* The parts of the controller (trial, search, verdict, words), and its rules without a disk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "seekwise/trial.h"

static uint64_t state;

static uint64_t random_bits(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * UINT64_C(0x2545f4914f6cdd1d);
}

static double uniform(void)
{
	return (double)(random_bits() >> 11) * 0x1p-53;
}

static double gauss(void)
{
	double u = uniform();

	return sqrt(-2 * log(u + 0x1p-60)) * cos(2 * M_PI * uniform());
}

/* Windows of a load: a level out of four, which persists, and noise on it. */
struct load {
	double gain, noise, persistence; /* persistence below 0: one level */
	int level;
};

static double window(struct load *load, bool candidate)
{
	static const double level[] = { 469, 1249, 643, 1851 };

	if (load->persistence >= 0 && uniform() >= load->persistence)
		load->level = (int)(uniform() * 4);
	return (load->persistence < 0 ? 1000 : level[load->level]) *
	       (candidate ? 1 + load->gain : 1) * exp(load->noise * gauss());
}

/* One score of a window that joins the one before, if `joins`. */
static double noted(struct load *load, bool candidate, bool joins, double *before,
		    struct sw_series *noise)
{
	double score = window(load, candidate), d = joins ? log(score / *before) : 0;

	if (joins)
		sw_series_add(noise, d * d);
	*before = score;
	return score;
}

/* A trial as the controller runs it: 8 windows before, then A B B A with settling between. */
static enum sw_trial_end run(struct load *load, int *pairs)
{
	struct sw_limits limits;
	struct sw_trial trial;
	struct sw_series noise = { 0 };
	struct sw_interval interval;
	enum sw_trial_end end = SW_TRIAL_GOES_ON;
	double before = 0;

	sw_limits_default(&limits);
	sw_trial_begin(&trial, &limits);
	load->level = (int)(uniform() * 4);
	for (int i = 0; i < 8; i++)
		noted(load, false, i > 0, &before, &noise);
	while (end == SW_TRIAL_GOES_ON) {
		bool candidate_first = trial.pairs % 2;
		double first = noted(load, candidate_first, true, &before, &noise), second;

		window(load, !candidate_first);
		second = noted(load, !candidate_first, false, &before, &noise);
		end = sw_trial_add(&trial, candidate_first ? second : first,
				   candidate_first ? first : second, &noise, &interval);
	}
	*pairs = trial.pairs;
	return end;
}

/* Share of trials that end so, and how many of those at the first look. */
static double share(struct load load, enum sw_trial_end wanted, int trials, double *at_first)
{
	int found = 0, first = 0, pairs;

	state = UINT64_C(88172645463325252);
	for (int i = 0; i < trials; i++) {
		if (run(&load, &pairs) != wanted)
			continue;
		found++;
		first += pairs == 3;
	}
	if (at_first)
		*at_first = (double)first / trials;
	return (double)found / trials;
}

static void test_student(void **unused)
{
	(void)unused;
	/* from tables */
	assert_float_equal(sw_student(1, 0.025), 12.706, 0.001);
	assert_float_equal(sw_student(2, 0.005), 9.925, 0.001);
	assert_float_equal(sw_student(3, 0.05), 2.353, 0.001);
	assert_float_equal(sw_student(10, 0.01), 2.764, 0.001);
	assert_float_equal(sw_student(19, 0.005), 2.861, 0.001);
	assert_float_equal(sw_student(120, 0.025), 1.980, 0.001);
}

static void test_series(void **unused)
{
	struct sw_series series = { 0 };

	(void)unused;
	assert_true(sw_series_median(&series) == -1);
	assert_true(sw_series_mean(&series) == 0);
	sw_series_add(&series, 3);
	sw_series_add(&series, 100);
	sw_series_add(&series, 1);
	assert_float_equal(sw_series_median(&series), 3, 1e-9);
	sw_series_add(&series, 5);
	assert_float_equal(sw_series_median(&series), 4, 1e-9);
	for (int i = 0; i < SW_SERIES; i++)
		sw_series_add(&series, 7);
	assert_float_equal(sw_series_mean(&series), 7, 1e-9);
	for (int i = 0; i < SW_SERIES; i++)
		sw_series_add(&series, 1.7e308);
	assert_true(isfinite(sw_series_median(&series)));
}

static void test_large_gain_at_once(void **unused)
{
	double at_first, kept;

	(void)unused;
	kept = share((struct load){ 0.6, 0.05, -1, 0 }, SW_TRIAL_GAIN, 4000, &at_first);
	print_message("60 %% gain, 5 %% noise: kept %.4f, at 3 pairs %.4f\n", kept, at_first);
	assert_true(kept > 0.999);
	assert_true(at_first > 0.9);
}

static void test_power(void **unused)
{
	double kept = share((struct load){ 0.1, 0.05, -1, 0 }, SW_TRIAL_GAIN, 10000, NULL);

	(void)unused;
	print_message("10 %% gain, 5 %% noise: kept %.4f\n", kept);
	assert_true(kept >= 0.9);
}

/* The lower bound itself: a gain of just the threshold passes it with probability alpha. */
static void test_error_at_threshold(void **unused)
{
	(void)unused;
	for (double noise = 0.02; noise < 0.2; noise *= 2) {
		double kept =
			share((struct load){ 0.03, noise, -1, 0 }, SW_TRIAL_GAIN, 10000, NULL);

		print_message("gain of the threshold, %.0f %% noise: kept %.4f\n", noise * 100,
			      kept);
		assert_true(kept <= 0.01);
	}
}

static void test_error_when_levels_persist(void **unused)
{
	static const double persistence[] = { 0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9 };

	(void)unused;
	for (unsigned int i = 0; i < sizeof(persistence) / sizeof(*persistence); i++) {
		double kept = share((struct load){ 0, 0.03, persistence[i], 0 }, SW_TRIAL_GAIN,
				    10000, NULL);

		print_message("four levels, persistence %.1f: kept %.4f\n", persistence[i], kept);
		assert_true(kept <= 0.01);
	}
}

static void test_worse_is_told(void **unused)
{
	double worse = share((struct load){ -0.4, 0.05, -1, 0 }, SW_TRIAL_WORSE, 2000, NULL);

	(void)unused;
	print_message("40 %% loss, 5 %% noise: worse %.4f\n", worse);
	assert_true(worse > 0.95);
	/* quiet enough to tell no gain from the threshold */
	assert_true(share((struct load){ 0, 0.01, -1, 0 }, SW_TRIAL_NO_GAIN, 2000, NULL) > 0.95);
}

static void test_limits_of_pairs(void **unused)
{
	struct sw_series none = { 0 };
	struct sw_interval interval;
	struct sw_limits limits;
	struct sw_trial trial;

	(void)unused;
	sw_limits_default(&limits);
	limits.min_pairs = 0;
	limits.max_pairs = -1;
	sw_trial_begin(&trial, &limits);
	assert_int_equal(sw_trial_add(&trial, 100, 200, &none, &interval), SW_TRIAL_GOES_ON);
	assert_true(isinf(interval.low));
	assert_int_equal(sw_trial_add(&trial, 100, 50, &none, &interval), SW_TRIAL_NOISE);
	limits.min_pairs = limits.max_pairs = 1 << 30;
	sw_trial_begin(&trial, &limits);
	assert_int_equal(trial.max_pairs, SW_TRIAL_PAIRS);
}

static int64_t next(struct sw_search *search, int64_t incumbent, double full)
{
	enum sw_reason reason;
	int64_t value = sw_search_next(search, incumbent, full, &reason);

	if (value >= 0)
		sw_search_tried(search, value);
	return value;
}

static void test_order_from_one(void **unused)
{
	struct sw_search search;
	enum sw_reason reason;

	(void)unused;
	sw_search_begin(&search, 1, 1024, 1);
	assert_int_equal(sw_search_next(&search, 1, 0.9, &reason), 16);
	assert_int_equal(reason, SW_WHY_FULL_BATCHES);
	sw_search_tried(&search, 16);
	sw_search_kept(&search);
	assert_int_equal(next(&search, 16, 0.9), 256);
	assert_int_equal(next(&search, 16, 0.9), 64);
	sw_search_kept(&search);
	assert_int_equal(next(&search, 64, 0.9), 128);
	assert_int_equal(next(&search, 64, 0.9), 32);
}

static void test_order_from_sixteen(void **unused)
{
	struct sw_search search;
	enum sw_reason reason;

	(void)unused;
	sw_search_begin(&search, 1, 1024, 16);
	assert_int_equal(sw_search_next(&search, 16, -1, &reason), 256);
	assert_int_equal(reason, SW_WHY_NEIGHBOUR);
	sw_search_tried(&search, 256);
	assert_int_equal(next(&search, 16, -1), 64);
	assert_int_equal(next(&search, 16, -1), 4);
	assert_int_equal(next(&search, 16, -1), 32);
	assert_int_equal(next(&search, 16, -1), 8);
	sw_search_begin(&search, 1, 1024, 16);
	assert_int_equal(next(&search, 16, 0.1), 4);
	assert_int_equal(next(&search, 16, 0.1), 64);
}

static void test_bounds_of_search(void **unused)
{
	struct sw_search search;
	int64_t value;
	int tried;

	(void)unused;
	sw_search_begin(&search, 3, 100, 20);
	for (tried = 0; (value = next(&search, 20, 0.8)) >= 0; tried++) {
		assert_in_range(value, 4, 64);
		assert_true((value & (value - 1)) == 0);
	}
	assert_in_range(tried, 3, 5);
	sw_search_begin(&search, 5, 7, 6); /* no power of two */
	assert_int_equal(next(&search, 6, 1), -1);
	sw_search_begin(&search, 0, 0, 0);
	assert_int_equal(next(&search, 0, 1), -1);
	sw_search_begin(&search, 1, INT64_MAX, INT64_MAX);
	for (tried = 0; (value = next(&search, INT64_MAX, 0)) >= 0; tried++)
		assert_true(value >= 1);
	assert_in_range(tried, 3, 8);
}

static void test_far_candidates(void **unused)
{
	struct sw_search search;
	enum sw_reason reason;
	int64_t value;
	int far = 0;

	(void)unused;
	sw_search_begin(&search, 1, 1024, 4);
	while ((value = sw_search_next(&search, 4, 0.1, &reason)) >= 0) {
		sw_search_tried(&search, value);
		far += reason == SW_WHY_FAR;
		if (far == 1 && reason == SW_WHY_FAR)
			assert_int_equal(value, 1024);
	}
	assert_int_equal(far, 2);
}

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

static void test_verdicts(void **unused)
{
	struct sw_sample s = good;

	(void)unused;
	assert_int_equal(sw_verdict_of(&s), SW_QUEUE_BOUND);
	s.wait_mean_us = s.service_mean_us = -1;
	assert_int_equal(sw_verdict_of(&s), SW_QUEUE_BOUND);
	s.held_mean = 0.4;
	assert_int_equal(sw_verdict_of(&s), SW_DEVICE_BOUND);
	s.busy_seconds = 2;
	assert_int_equal(sw_verdict_of(&s), SW_SUBMITTER_BOUND);
	s.busy_seconds = 0.1;
	assert_int_equal(sw_verdict_of(&s), SW_IDLE_DISK);
	s = good;
	s.held_mean = 1;
	s.ios = 5000;
	s.wait_mean_us = 2000; /* 9 % of the total */
	assert_int_equal(sw_verdict_of(&s), SW_DEVICE_BOUND);
	/* Those that were issued hardly waited, but as many stay held: 100 ms each, or for ever. */
	s.ios = 500;
	s.wait_mean_us = 3;
	s.held_mean = 10;
	assert_int_equal(sw_verdict_of(&s), SW_QUEUE_BOUND);
	s = good;
	s.held_mean = 0.1; /* one request at a time, the device always busy */
	s.device_mean = 1;
	assert_int_equal(sw_verdict_of(&s), SW_SUBMITTER_BOUND);
	s = good;
	s.ios = 3;
	assert_int_equal(sw_verdict_of(&s), SW_IDLE_DISK);
	assert_string_equal(sw_verdict_name(SW_QUEUE_BOUND), "queue");
	assert_string_equal(sw_verdict_name(SW_IDLE_DISK), "idle");
}

/* Any double that is a number, often an extreme one. */
static double wild(double usual)
{
	static const double extreme[] = { 0, -1, 1e-300, 1e300, 1.7976931348623157e308, -1e308, 1 };

	return random_bits() % 4 ? usual * (0.5 + uniform()) : extreme[random_bits() % 7];
}

static struct sw_sample wild_sample(void)
{
	struct sw_sample s = good;

	if (random_bits() % 3 == 0)
		return s;
	s.seconds = wild(5);
	s.busy_seconds = wild(4);
	s.ios = random_bits() % 8 ? 500 : random_bits() % 2 ? 0 : UINT64_MAX;
	s.bytes = random_bits() % 8 ? random_bits() : 0;
	s.bytes >>= random_bits() % 64;
	s.sync_ios = random_bits() % 100;
	s.sync_p99_us = wild(100000);
	s.held_mean = wild(40);
	s.device_mean = wild(10);
	s.wait_mean_us = wild(80000);
	s.service_mean_us = wild(20000);
	s.full_share = wild(0.5);
	s.lossy = random_bits() % 20 == 0;
	s.tainted = random_bits() % 20 == 0;
	return s;
}

static void check_step(const struct sw_step *step, const struct sw_limits *limits)
{
	char text[200];

	assert_true(step->value >= limits->min && step->value <= limits->max);
	assert_in_range(step->decision.kind, SW_NO_DECISION, SW_HOLDING);
	assert_in_range(step->decision.reason, SW_WHY_NONE, SW_REASONS - 1);
	assert_false(isnan(step->decision.gain) || isnan(step->decision.low) ||
		     isnan(step->decision.high) || isnan(step->decision.to_score));
	sw_decision_text(&step->decision, "fifo_batch", text, sizeof(text));
	assert_int_equal(text[0] == '\0', step->decision.kind == SW_NO_DECISION);
	assert_null(strstr(text, "nan"));
	assert_null(strstr(text, "inf"));
}

static void test_bounds_whatever_comes(void **unused)
{
	static const int64_t bounds[][3] = {
		{ 1, 1024, 16 }, { 3, 100, 20 }, { 16, 16, 16 }, { 5, 7, 6 }, { 1, INT64_MAX, 1 }
	};
	int trials = 0;

	(void)unused;
	for (int i = 0; i < 5; i++) {
		struct sw_limits limits;
		struct sw_controller *controller;

		state = UINT64_C(0x9e3779b97f4a7c15) * (20 + i);
		sw_limits_default(&limits);
		limits.min = bounds[i][0];
		limits.max = bounds[i][1];
		limits.rest_windows = 5;
		limits.trial_share = 1;
		controller = sw_controller_new(&limits, bounds[i][2]);
		for (int k = 0; k < 20000; k++) {
			struct sw_sample sample = wild_sample();
			struct sw_step step = sw_controller_step(controller, &sample);
			char text[300];

			check_step(&step, &limits);
			trials += step.decision.kind == SW_TRIAL_BEGINS;
			sw_verdict_text(&sample, text, sizeof(text));
			assert_int_not_equal(text[0], '\0');
		}
		sw_controller_free(controller);
	}
	assert_true(trials > 1000);
}

static void test_holding_is_said_once(void **unused)
{
	struct sw_sample idle = good, few = good, submitter = good, device = good;
	const struct {
		const struct sw_sample *sample;
		enum sw_reason why;
	} row[] = { { &idle, SW_WHY_IDLE },
		    { &few, SW_WHY_FEW },
		    { &submitter, SW_WHY_SUBMITTER },
		    { &device, SW_WHY_DEVICE } };
	struct sw_controller *controller;
	struct sw_limits limits;
	struct sw_step step;

	(void)unused;
	idle.busy_seconds = 0.01;
	few.ios = 49;
	submitter.held_mean = 0;
	submitter.device_mean = 1;
	device.held_mean = 0.5;
	sw_limits_default(&limits);
	controller = sw_controller_new(&limits, 16);
	for (int i = 0; i < 4; i++) {
		step = sw_controller_step(controller, row[i].sample);
		assert_int_equal(step.decision.kind, SW_HOLDING);
		assert_int_equal(step.decision.reason, row[i].why);
		for (int k = 0; k < 10; k++) {
			step = sw_controller_step(controller, row[i].sample);
			assert_int_equal(step.decision.kind, SW_NO_DECISION);
			assert_int_equal(step.kind, SW_STEP_WATCH);
			assert_int_equal(step.value, 16);
		}
	}
	/* a good window between two of one reason is no change of reason */
	sw_controller_step(controller, &good);
	step = sw_controller_step(controller, &device);
	assert_int_equal(step.decision.kind, SW_NO_DECISION);
	sw_controller_free(controller);
}

static void test_decision_texts(void **unused)
{
	struct sw_decision kept = { SW_KEPT, 1,   16,    0.64,  0.51,  0.78,
				    3,       1e6, 1.6e6, 6.1e6, 4.2e6, SW_WHY_GAIN };
	struct sw_decision breach = { SW_BREACH, 1,   16,  0,     -1,     INFINITY,
				      0,         1e6, 1e6, 84000, 210000, SW_WHY_GUARD };
	struct sw_decision over = {
		.kind = SW_SEARCH_OVER, .from = 64, .to = 64, .reason = SW_WHY_BEST
	};
	char text[200], small[12];

	(void)unused;
	sw_decision_text(&kept, "fifo_batch", text, sizeof(text));
	assert_string_equal(text, "kept: 64 % more work per busy second (between 51 and 78 %, "
				  "3 pairs), read p99 6.1 s to 4.2 s");
	sw_decision_text(&breach, "fifo_batch", text, sizeof(text));
	assert_string_equal(text, "undone at once: read p99 210 ms against 84 ms before, beyond "
				  "the guard");
	sw_decision_text(&over, "fifo_batch", text, sizeof(text));
	assert_string_equal(text, "nothing left to try for now, fifo_batch stays at 64");
	kept.kind = SW_TRIAL_BEGINS;
	kept.reason = SW_WHY_FULL_BATCHES;
	sw_decision_text(&kept, "fifo_batch", text, sizeof(text));
	assert_string_equal(text, "trying fifo_batch 16 against 1: batches end at the limit");
	sw_decision_text(&over, "fifo_batch", small, sizeof(small));
	assert_string_equal(small, "nothing lef");
	sw_decision_text(&over, "fifo_batch", small, 0);
	assert_string_equal(small, "nothing lef");
}

static void test_verdict_texts(void **unused)
{
	struct sw_sample sample = good;
	char text[300];

	(void)unused;
	sw_verdict_text(&sample, text, sizeof(text));
	assert_string_equal(text, "the queue bounds the disk: the device holds 10.0 and is busy "
				  "98 % of the time, the scheduler holds 40.0, requests wait 80 ms "
				  "and are served in 20 ms, 408 KiB/s while busy");
	sample.held_mean = sample.wait_mean_us = 0;
	sample.device_mean = 1;
	sw_verdict_text(&sample, text, sizeof(text));
	assert_non_null(strstr(text, "the submitter, with hardly more than one request at a time, "
				     "bounds the disk: the device holds 1.0 and is busy 98 %"));
	sample.busy_seconds = 0.5 * sample.seconds;
	sw_verdict_text(&sample, text, sizeof(text));
	assert_non_null(strstr(text, "the submitter bounds the disk: "));
	sample.busy_seconds = 0;
	sample.ios = 0;
	sw_verdict_text(&sample, text, sizeof(text));
	assert_string_equal(text, "the disk is idle: busy 0 % of the time, 0 reads and writes");
	sample = good;
	sample.wait_mean_us = 3;
	sw_verdict_text(&sample, text, sizeof(text));
	assert_non_null(strstr(text, ", some of them for long, requests wait 3 us and are "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_student),
		cmocka_unit_test(test_series),
		cmocka_unit_test(test_large_gain_at_once),
		cmocka_unit_test(test_power),
		cmocka_unit_test(test_error_at_threshold),
		cmocka_unit_test(test_error_when_levels_persist),
		cmocka_unit_test(test_worse_is_told),
		cmocka_unit_test(test_limits_of_pairs),
		cmocka_unit_test(test_order_from_one),
		cmocka_unit_test(test_order_from_sixteen),
		cmocka_unit_test(test_bounds_of_search),
		cmocka_unit_test(test_far_candidates),
		cmocka_unit_test(test_verdicts),
		cmocka_unit_test(test_holding_is_said_once),
		cmocka_unit_test(test_bounds_whatever_comes),
		cmocka_unit_test(test_decision_texts),
		cmocka_unit_test(test_verdict_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
