// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the trial and the controller decide on simulated disks, over hours of disk time. The
 * noise is the disk's own: places are drawn, platters turn, streams meet. Seeds are fixed, but
 * a logarithm may differ in its last bit between machines, and then all that follows
 * does; so what is asked for here is met with room to spare.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "driven.h"
#include "seekwise/comparison.h"

#define KIB 1024ULL
#define GIB (1ULL << 30)

/* A load, the disk under it, and what moves it. */
struct scene {
	const char *name;
	struct sim_load load;
	unsigned int tasks, tags;
	/* Its level: request sizes of which one is in force for that many seconds on average. */
	double dwell;
};

static const struct scene deep_reads = {
	.name = "random reads, 8 tasks 64 deep",
	.load = { .depth = 64, .size = 4 * KIB, .to = 1024 * GIB, .reads = 1 },
	.tasks = 8,
	.tags = 128,
};

static const struct scene mixed = {
	.name = "mixed 70/30, 8 tasks 32 deep",
	.load = { .depth = 32, .size = 4 * KIB, .to = 1024 * GIB, .reads = 0.7 },
	.tasks = 8,
	.tags = 32,
};

/* They spread by a factor of four, as four readers did under the same settings on a real kernel. */
static const uint64_t levels[] = { 64 * KIB, 88 * KIB, 172 * KIB, 252 * KIB };
static const struct scene readers = {
	.name = "four sequential readers, levels",
	.load = { .depth = 4, .size = 64 * KIB, .to = 1024 * GIB, .reads = 1, .sequential = true },
	.tasks = 4,
	.tags = 4,
};

static uint64_t draws;

static double drawn(void)
{
	draws ^= draws << 13;
	draws ^= draws >> 7;
	draws ^= draws << 17;
	return (double)(draws >> 11) * 0x1p-53;
}

static void set_level(struct driven *d, const struct scene *scene)
{
	uint64_t size = levels[(int)(drawn() * 4)];
	struct sim_load loads[16];
	unsigned int i;

	for (i = 0; i < scene->tasks; i++) {
		loads[i] = scene->load;
		loads[i].size = size;
	}
	sim_load_set(d->sim, loads, scene->tasks);
}

static void begin(struct driven *d, const struct scene *scene, unsigned int fifo_batch,
		  uint64_t seed)
{
	struct sim_disk disk = { .tags = scene->tags };
	struct sim_knobs knobs;
	struct sim_load loads[16];
	unsigned int i;

	md_config_default(&disk.model);
	sim_knobs_default(&knobs);
	knobs.fifo_batch = fifo_batch;
	for (i = 0; i < scene->tasks; i++)
		loads[i] = scene->load;
	assert_true(driven_begin(d, &disk, &knobs, loads, scene->tasks, seed));
	draws = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
}

/* Between two windows: has the level lasted long enough? */
static void drift(struct driven *d, const struct scene *scene)
{
	if (scene->dwell > 0 && drawn() < (double)d->window_ns / 1e9 / scene->dwell)
		set_level(d, scene);
}

/* A trial of fifo_batch values; what came of it, and the disk time that it took. */
static enum sw_outcome compare(const struct scene *scene, unsigned int a, unsigned int b,
			       uint64_t seed, double *seconds)
{
	unsigned int value[] = { a, b };
	struct sw_comparison c;
	struct sw_sample sample;
	struct driven d;
	int turn;

	begin(&d, scene, 16, seed);
	driven_window(&d);
	sw_comparison_begin(&c, 2, SW_THROUGHPUT, 0);
	while ((turn = sw_comparison_turn(&c)) >= 0) {
		if (value[turn] != d.knobs.fifo_batch) {
			driven_write(&d, value[turn]);
			driven_settle(&d);
		}
		sample = driven_window(&d);
		sw_comparison_give(&c, &sample);
	}
	sw_comparison_end(&c);
	*seconds = (double)d.now_ns / 1e9;
	driven_end(&d);
	return c.with[1].outcome;
}

/* A hundred times: how often each outcome was. */
static void compare_many(const struct scene *scene, unsigned int a, unsigned int b, int count[])
{
	double seconds, sum = 0, most = 0;
	int i;

	for (i = 0; i < 100; i++) {
		count[compare(scene, a, b, (uint64_t)i, &seconds)]++;
		sum += seconds;
		most = fmax(most, seconds);
	}
	print_message("%s, %u against %u: %d better, %d worse, %d the same, %d not decided; "
		      "%.0f s on average, most %.0f\n",
		      scene->name, b, a, count[SW_BETTER], count[SW_POORER], count[SW_ALIKE],
		      count[SW_NOT_DECIDED], sum / 100, most);
}

static void test_trial_of_equals(void **state)
{
	int deep[SW_NOT_JUDGED + 1] = { 0 }, two[SW_NOT_JUDGED + 1] = { 0 };

	(void)state;
	compare_many(&deep_reads, 16, 16, deep);
	compare_many(&mixed, 16, 16, two);
	assert_true(deep[SW_ALIKE] >= 95);
	assert_true(two[SW_ALIKE] >= 95);
}

static void test_trial_of_1_and_16(void **state)
{
	int count[SW_NOT_JUDGED + 1] = { 0 };

	(void)state;
	compare_many(&deep_reads, 1, 16, count);
	assert_int_equal(count[SW_BETTER], 100);
}

/* The controller at work on a scene. Its guard is out of the way: what counts is the gain. */
struct life {
	struct driven d;
	struct sw_controller *c;
	struct sw_step step;
};

static void life_begin(struct life *l, const struct scene *scene, unsigned int fifo_batch,
		       uint64_t seed)
{
	struct sw_limits limits;

	sw_limits_default(&limits);
	limits.guard = 1000;
	l->c = sw_controller_new(&limits, fifo_batch);
	assert_non_null(l->c);
	l->step = (struct sw_step){ .kind = SW_STEP_WATCH, .value = fifo_batch };
	begin(&l->d, scene, fifo_batch, seed);
}

static void life_end(struct life *l)
{
	sw_controller_free(l->c);
	driven_end(&l->d);
}

static double life_seconds(const struct life *l)
{
	return (double)l->d.now_ns / 1e9;
}

struct tally {
	int trials, kept, undecided;
	double hours;
};

/* fifo_batch changes nothing here. */
static void live_deaf(const struct scene *scene, double seconds, uint64_t seed, struct tally *t)
{
	struct life l;

	life_begin(&l, scene, 16, seed);
	l.d.deaf = true;
	while (life_seconds(&l) < seconds) {
		drift(&l.d, scene);
		l.step = driven_step(&l.d, l.c, &l.step);
		t->trials += l.step.decision.kind == SW_TRIAL_BEGINS;
		t->kept += l.step.decision.kind == SW_KEPT;
		t->undecided += l.step.decision.kind == SW_UNDECIDED;
	}
	t->hours += life_seconds(&l) / 3600;
	life_end(&l);
}

/* Many short lives rather than a long one, in which it would rest most of the time. */
static void add_noise(const struct scene *scene, double hours, struct tally *all)
{
	struct tally t = { 0 };
	uint64_t seed = 0;

	while (t.hours < hours)
		live_deaf(scene, 1800, ++seed, &t);
	print_message("%s", scene->name);
	if (scene->dwell > 0)
		print_message(" of %.0f s", scene->dwell);
	print_message(": %.1f hours, %d trials, %d kept, %d not decided\n", t.hours, t.trials,
		      t.kept, t.undecided);
	all->trials += t.trials;
	all->kept += t.kept;
	all->hours += t.hours;
}

/* Of disk time, in all; DECIDE_HOURS asks for others. */
static double hours_asked(void)
{
	const char *text = getenv("DECIDE_HOURS");
	double hours = text ? strtod(text, NULL) : 12;

	assert_true(hours >= 1 && hours <= 100000);
	return hours;
}

static void test_noise_is_no_gain(void **state)
{
	static const double dwell[] = { 2, 8, 30, 120 };
	double hours = hours_asked();
	struct tally all = { 0 };
	unsigned int i;

	(void)state;
	add_noise(&deep_reads, hours / 6, &all);
	add_noise(&mixed, hours / 6, &all);
	for (i = 0; i < sizeof(dwell) / sizeof(dwell[0]); i++) {
		struct scene scene = readers;

		scene.dwell = dwell[i];
		add_noise(&scene, hours / 6, &all);
	}
	print_message("%.1f hours: %d of %d trials kept\n", all.hours, all.kept, all.trials);
	assert_true(all.hours >= hours);
	assert_true(all.trials > 10 * hours);
	assert_true(all.kept * 100 <= all.trials);
}

/* From 8 on there are 10 % at 128, where the first trial goes, and 12 % at most. */
static void test_a_tenth_is_found(void **state)
{
	double sum = 0, most = 0;
	int found = 0, i;

	(void)state;
	for (i = 0; i < 100; i++) {
		struct life l;

		life_begin(&l, &deep_reads, 8, (uint64_t)i);
		while (l.step.decision.kind != SW_SEARCH_OVER && sw_controller_incumbent(l.c) < 64)
			l.step = driven_step(&l.d, l.c, &l.step);
		found += sw_controller_incumbent(l.c) >= 64;
		sum += life_seconds(&l);
		most = fmax(most, life_seconds(&l));
		life_end(&l);
	}
	print_message(
		"a gain of 10 %% was found in %d of 100, after %.0f s on average, %.0f at most\n",
		found, sum / 100, most);
	assert_true(found >= 90);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_trial_of_equals),
		cmocka_unit_test(test_trial_of_1_and_16),
		cmocka_unit_test(test_noise_is_no_gain),
		cmocka_unit_test(test_a_tenth_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
