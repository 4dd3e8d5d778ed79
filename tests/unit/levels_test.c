// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Numbers over time: what bpf/levels.bpf.h packs on any CPU against what
 * src/observe/detail.c makes of it, and both against a model that keeps the numbers
 * themselves. SEED repeats a run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fakeobserver.h"

/* What the kernel side has around it there. */
#define barrier_var(var) asm volatile("" : "+r"(var))
#define SW_FETCH 4

struct sw_place {
	const struct sw_slot *slot;
	struct sw_state *st;
	struct sw_detail *det;
};

static inline bool sw_on(const struct sw_place *p, __u32 group)
{
	return p->det && group;
}

static inline __u64 sw_fetch_add(__u64 *to, __u64 v)
{
	return __sync_fetch_and_add(to, v);
}

#define FLAG_SYNC (1u << 11)

static inline bool sw_is_sync(__u32 flags)
{
	return !(flags & 0xff) || (flags & FLAG_SYNC);
}

static inline __u64 sw_op_of_flags(__u32 flags)
{
	return flags & 0xff;
}

#include "../../bpf/hist.bpf.h"
#include "../../bpf/levels.bpf.h"

#define UNIT 64 /* ns */

static unsigned int seed_of_run(void)
{
	static unsigned int seed;

	if (!seed)
		seed = getenv("SEED") ? (unsigned int)atoi(getenv("SEED")) : (unsigned int)time(0);
	return seed;
}

static struct sw_place place(int disk, int cpu)
{
	return (struct sw_place){ &fake.slots[disk], &fake.states[disk],
				  fakeobserver_detail(&fake, disk, cpu) };
}

static int any_cpu(void)
{
	return (int)(random() % FAKE_CPUS);
}

/* The number of one kind goes from one to another, step by step. */
static void move(int cpu, enum sw_followed level, enum sw_kept kept, __u32 from, __u32 to,
		 uint64_t now)
{
	struct sw_place p = place(0, cpu);

	for (; from < to; from++)
		sw_level_move(&p, level, kept, from, from + 1, sw_level_mark(&p, now));
	for (; from > to; from--)
		sw_level_move(&p, level, kept, from, from - 1, sw_level_mark(&p, now));
}

static uint64_t at(const struct sw_window *w, enum sw_followed level, enum sw_kept kept,
		   unsigned int bucket)
{
	return w->detail->levels.time[level][kept][bucket];
}

static void test_one_request(void **state)
{
	struct sw_window w;

	(void)state;
	move(0, SW_LEVEL_HELD, SW_KEPT_SYNC, 0, 1, FAKE_START + 10 * UNIT);
	move(1, SW_LEVEL_HELD, SW_KEPT_SYNC, 1, 0, FAKE_START + 100 * UNIT);
	w = fakeobserver_window(&fake, 0, FAKE_START + 200 * UNIT + 7);
	assert_int_equal(at(&w, SW_LEVEL_HELD, SW_KEPT_SYNC, 1), 90 * UNIT);
	assert_int_equal(at(&w, SW_LEVEL_HELD, SW_KEPT_SYNC, 0), 110 * UNIT + 7);
	assert_int_equal(at(&w, SW_LEVEL_HELD, SW_KEPT_SYNC, 2), 0);
	assert_int_equal(at(&w, SW_LEVEL_HELD, SW_KEPT_ALL, 0), 200 * UNIT + 7);
	assert_int_equal(at(&w, SW_LEVEL_DEVICE, SW_KEPT_SYNC, 0), 200 * UNIT + 7);
}

/* Each disk has its own start, from which its times are counted, and its own words. */
static void test_other_disk(void **state)
{
	const uint64_t start = FAKE_START + FAKE_LATER;
	struct sw_place p = place(1, 2);
	struct sw_window w;

	(void)state;
	move(2, SW_LEVEL_HELD, SW_KEPT_SYNC, 0, 1, start);
	sw_level_move(&p, SW_LEVEL_DEVICE, SW_KEPT_ALL, 0, 1, sw_level_mark(&p, start + 9 * UNIT));
	w = fakeobserver_window(&fake, 1, start + 29 * UNIT);
	assert_int_equal(at(&w, SW_LEVEL_DEVICE, SW_KEPT_ALL, 1), 20 * UNIT);
	assert_int_equal(at(&w, SW_LEVEL_DEVICE, SW_KEPT_ALL, 0), 9 * UNIT);
	assert_int_equal(at(&w, SW_LEVEL_HELD, SW_KEPT_SYNC, 1), 0);
}

/* It came in one window and went in the third: each gets its part, and no more. */
static void test_number_goes_on_over_windows(void **state)
{
	struct sw_window w;

	(void)state;
	move(2, SW_LEVEL_DEVICE, SW_KEPT_READ, 0, 3, FAKE_START + 40 * UNIT);
	w = fakeobserver_window(&fake, 0, FAKE_START + 100 * UNIT);
	assert_int_equal(at(&w, SW_LEVEL_DEVICE, SW_KEPT_READ, 3), 60 * UNIT);
	assert_int_equal(at(&w, SW_LEVEL_DEVICE, SW_KEPT_READ, 0), 40 * UNIT);
	w = fakeobserver_window(&fake, 0, FAKE_START + 1100 * UNIT);
	assert_int_equal(at(&w, SW_LEVEL_DEVICE, SW_KEPT_READ, 3), 1000 * UNIT);
	assert_int_equal(at(&w, SW_LEVEL_DEVICE, SW_KEPT_READ, 0), 0);
	move(3, SW_LEVEL_DEVICE, SW_KEPT_READ, 3, 2, FAKE_START + 1101 * UNIT);
	move(0, SW_LEVEL_DEVICE, SW_KEPT_READ, 2, 0, FAKE_START + 1105 * UNIT);
	w = fakeobserver_window(&fake, 0, FAKE_START + 1200 * UNIT);
	assert_int_equal(at(&w, SW_LEVEL_DEVICE, SW_KEPT_READ, 3), UNIT);
	assert_int_equal(at(&w, SW_LEVEL_DEVICE, SW_KEPT_READ, 2), 4 * UNIT);
	assert_int_equal(at(&w, SW_LEVEL_DEVICE, SW_KEPT_READ, 1), 0);
	assert_int_equal(at(&w, SW_LEVEL_DEVICE, SW_KEPT_READ, 0), 95 * UNIT);
}

/* The lowest numbers of buckets, and those below and above them. */
static void test_steps_within_a_bucket_are_none(void **state)
{
	static const struct {
		__u32 number;
		unsigned int bucket;
	} cases[] = { { 7, 7 },     { 8, 8 },     { 15, 15 },     { 16, 16 },     { 17, 16 },
		      { 18, 17 },   { 255, 47 },  { 256, 48 },    { 287, 48 },    { 288, 49 },
		      { 1023, 63 }, { 1024, 64 }, { 65535, 111 }, { 61440, 111 }, { 61439, 110 } };
	uint64_t now = FAKE_START;
	struct sw_window w;
	__u32 number = 0;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		move(any_cpu(), SW_LEVEL_THERE, SW_KEPT_ALL, number, cases[i].number, now);
		number = cases[i].number;
		now += 50 * UNIT;
		w = fakeobserver_window(&fake, 0, now);
		assert_int_equal(at(&w, SW_LEVEL_THERE, SW_KEPT_ALL, cases[i].bucket), 50 * UNIT);
		assert_int_equal(at(&w, SW_LEVEL_THERE, SW_KEPT_ALL, 0), 0);
	}
	/* Beyond the last bucket it stays in that. */
	move(1, SW_LEVEL_THERE, SW_KEPT_ALL, number, 70000, now);
	w = fakeobserver_window(&fake, 0, now + UNIT);
	assert_int_equal(at(&w, SW_LEVEL_THERE, SW_KEPT_ALL, SW_LEVEL_BUCKETS - 1), UNIT);
	move(1, SW_LEVEL_THERE, SW_KEPT_ALL, 70000, 0, now + UNIT);
	w = fakeobserver_window(&fake, 0, now + 3 * UNIT);
	assert_int_equal(at(&w, SW_LEVEL_THERE, SW_KEPT_ALL, 0), 2 * UNIT);
}

/*
 * All come on one CPU and go on another, late enough that the sums of their
 * times run over into the counts, and the counts over the word.
 */
static void test_words_wrap(void **state)
{
	const uint64_t late = FAKE_START + (1ULL << 43) * UNIT;
	struct sw_window w;
	uint64_t i;

	(void)state;
	w = fakeobserver_window(&fake, 0, late);
	for (i = 0; i < 70000; i++) {
		move(0, SW_LEVEL_HELD, SW_KEPT_ALL, 0, 1, late + 10 * i * UNIT);
		move(3, SW_LEVEL_HELD, SW_KEPT_ALL, 1, 0, late + (10 * i + 7) * UNIT);
	}
	w = fakeobserver_window(&fake, 0, late + 700000 * UNIT);
	assert_int_equal(at(&w, SW_LEVEL_HELD, SW_KEPT_ALL, 1), 490000 * UNIT);
	assert_int_equal(at(&w, SW_LEVEL_HELD, SW_KEPT_ALL, 0), 210000 * UNIT);
	move(2, SW_LEVEL_HELD, SW_KEPT_ALL, 0, 1, late + 700000 * UNIT);
	w = fakeobserver_window(&fake, 0, late + 700005 * UNIT);
	assert_int_equal(at(&w, SW_LEVEL_HELD, SW_KEPT_ALL, 1), 5 * UNIT);
}

/* Both the first snapshot and events of the moment before the start have times below zero. */
static void test_before_the_start(void **state)
{
	struct sw_window w;

	(void)state;
	fake.now[0] = FAKE_START - 1000 * UNIT;
	move(1, SW_LEVEL_HELD, SW_KEPT_READ, 0, 1, FAKE_START - 300 * UNIT);
	move(2, SW_LEVEL_HELD, SW_KEPT_READ, 1, 0, FAKE_START - 100 * UNIT);
	move(2, SW_LEVEL_HELD, SW_KEPT_READ, 0, 1, FAKE_START - 50 * UNIT);
	w = fakeobserver_window(&fake, 0, FAKE_START + 500 * UNIT);
	assert_int_equal(at(&w, SW_LEVEL_HELD, SW_KEPT_READ, 1), 750 * UNIT);
	assert_int_equal(at(&w, SW_LEVEL_HELD, SW_KEPT_READ, 0), 750 * UNIT);
}

/* Events go on while the words are read: those behind the window's end make no time below zero. */
static void test_events_behind_the_end(void **state)
{
	struct sw_window w;

	(void)state;
	move(0, SW_LEVEL_HELD, SW_KEPT_READ, 0, 1, FAKE_START + 105 * UNIT);
	w = fakeobserver_window(&fake, 0, FAKE_START + 100 * UNIT);
	assert_int_equal(at(&w, SW_LEVEL_HELD, SW_KEPT_READ, 1), 0);
	assert_int_equal(at(&w, SW_LEVEL_HELD, SW_KEPT_READ, 0), 100 * UNIT);
	w = fakeobserver_window(&fake, 0, FAKE_START + 200 * UNIT);
	assert_int_equal(at(&w, SW_LEVEL_HELD, SW_KEPT_READ, 1), 100 * UNIT);
	assert_int_equal(at(&w, SW_LEVEL_HELD, SW_KEPT_READ, 0), 0);
	/* Gone behind the end: that is more than the window has, so nothing is left for 0. */
	move(1, SW_LEVEL_HELD, SW_KEPT_READ, 1, 0, FAKE_START + 305 * UNIT);
	w = fakeobserver_window(&fake, 0, FAKE_START + 300 * UNIT);
	assert_int_equal(at(&w, SW_LEVEL_HELD, SW_KEPT_READ, 0), 0);
}

/* One number as it is, and how long it was in each bucket. */
struct follow {
	uint32_t n;
	int64_t since; /* units since the start */
	uint64_t ns[SW_LEVEL_BUCKETS];
};

static int64_t units(uint64_t now)
{
	return ((int64_t)(now - FAKE_START)) >> 6;
}

static unsigned int level_bucket(uint32_t n)
{
	unsigned int b = 0;

	while (b + 1 < SW_LEVEL_BUCKETS && sw_hist_low(b + 1) <= n)
		b++;
	return b;
}

static void follow(struct follow *f, uint32_t n, uint64_t now)
{
	f->ns[level_bucket(f->n)] += (uint64_t)(units(now) - f->since) * UNIT;
	f->since = units(now);
	f->n = n;
}

/* What the model says of the window that ends now, which begins anew then. */
static void assert_follows(struct follow *f, const struct sw_window *w, enum sw_followed level,
			   enum sw_kept kept, unsigned int seed)
{
	uint64_t got, others = 0, none, all = w->end_ns - w->start_ns;
	unsigned int i;

	follow(f, f->n, w->end_ns);
	for (i = 1; i < SW_LEVEL_BUCKETS; i++) {
		got = at(w, level, kept, i);
		others += got;
		if (got != f->ns[i])
			fail_msg("seed %u: level %d kept %d bucket %u: %llu instead of %llu", seed,
				 level, kept, i, (unsigned long long)got,
				 (unsigned long long)f->ns[i]);
	}
	got = at(w, level, kept, 0);
	/* Both ends are cut to whole units. */
	none = others < all ? all - others : 0;
	if (got != none || got + UNIT < f->ns[0] || got > f->ns[0] + UNIT)
		fail_msg("seed %u: level %d kept %d: %llu at none, %llu are left, %llu it was",
			 seed, level, kept, (unsigned long long)got, (unsigned long long)none,
			 (unsigned long long)f->ns[0]);
	memset(f->ns, 0, sizeof(f->ns));
}

static uint64_t random_below(unsigned int bits)
{
	uint64_t v = (uint64_t)random() << 31 ^ (uint64_t)random();

	return v & ((1ULL << ((unsigned int)random() % bits + 1)) - 1);
}

/* A number that wanders, its steps on any CPU; bits: how far apart they are at most. */
static void wander(unsigned int seed, unsigned int bits)
{
	enum sw_followed level = (enum sw_followed)(random() % SW_LEVELS);
	enum sw_kept kept = (enum sw_kept)(random() % SW_KEPTS);
	uint64_t now = FAKE_START;
	struct follow f = { 0 };
	struct sw_window w;
	uint32_t to, next;
	int window, i;

	for (window = 0; window < 5; window++) {
		for (i = 0; i < 20; i++) {
			to = (uint32_t)random_below(i % 5 ? 4 : 12);
			while (f.n != to) {
				now += random_below(bits);
				next = f.n < to ? f.n + 1 : f.n - 1;
				move(any_cpu(), level, kept, f.n, next, now);
				follow(&f, next, now);
			}
		}
		now += random_below(bits);
		w = fakeobserver_window(&fake, 0, now);
		assert_follows(&f, &w, level, kept, seed);
	}
}

static void test_random_numbers(void **state)
{
	/* Times up to about an hour and a month. */
	static const unsigned int bits[] = { 10, 24, 36 };
	unsigned int seed, round;

	for (round = 0; round < 60; round++) {
		seed = seed_of_run() + round;
		srandom(seed);
		fake_teardown(state);
		fake_setup(state);
		wander(seed, bits[round % 3]);
	}
	print_message("INFO random numbers: seeds %u to %u\n", seed_of_run(), seed);
}

/* A disk with requests, of which every number that is followed is known. */
#define REQUESTS 400

enum place_of { NOWHERE, HELD, IN_DEVICE };

struct disk_model {
	enum place_of where[REQUESTS];
	__u32 flags[REQUESTS];
	uint64_t there; /* as sw_state.now_there */
	struct follow of[SW_LEVELS][SW_KEPTS], idle;
	uint64_t pending_since[SW_DIRS], starved[SW_DIRS];
};

static struct disk_model model;

static uint32_t count_of(enum place_of where, enum sw_kept kept)
{
	uint32_t i, n = 0;

	for (i = 0; i < REQUESTS; i++)
		n += model.where[i] == where &&
		     (kept == SW_KEPT_ALL || sw_kept_kind(model.flags[i]) == kept);
	return n;
}

static uint32_t held_of(int dir)
{
	if (dir == SW_READ)
		return count_of(HELD, SW_KEPT_READ);
	return count_of(HELD, SW_KEPT_SYNC) + count_of(HELD, SW_KEPT_ASYNC);
}

/* What was changed in the model happened now. */
static void model_follow(uint64_t now)
{
	uint32_t held = count_of(HELD, SW_KEPT_ALL), device = count_of(IN_DEVICE, SW_KEPT_ALL);
	int kept;

	for (kept = 0; kept < SW_KEPTS; kept++) {
		follow(&model.of[SW_LEVEL_HELD][kept], count_of(HELD, kept), now);
		follow(&model.of[SW_LEVEL_DEVICE][kept], count_of(IN_DEVICE, kept), now);
	}
	follow(&model.of[SW_LEVEL_THERE][SW_KEPT_ALL], held + device, now);
	follow(&model.idle, held && !device, now);
}

static void change(const struct sw_place *p, uint64_t by, uint64_t now)
{
	sw_levels_of_all(p, model.there, model.there + by, now);
	model.there += by;
}

static void insert(const struct sw_place *p, int i, uint64_t now)
{
	static const __u32 kinds[] = { 0, 1, 1 | FLAG_SYNC, 3 /* discard */, FLAG_SYNC };
	__u8 kept;
	int dir;

	model.flags[i] = kinds[random() % 5];
	kept = sw_kept_kind(model.flags[i]);
	dir = model.flags[i] & 1;
	if (kept != SW_KEPT_ALL && !held_of(dir))
		model.pending_since[dir] = now;
	model.where[i] = HELD;
	sw_kept_held(p, kept, now);
	change(p, SW_ONE_HELD, now);
}

static void issue(const struct sw_place *p, int i, uint64_t now)
{
	__u8 kept = sw_kept_kind(model.flags[i]);
	int dir = model.flags[i] & 1;

	model.where[i] = IN_DEVICE;
	sw_kept_unheld(p, kept, now);
	sw_kept_device(p, kept, true, now);
	change(p, SW_ONE_IN_DEVICE - SW_ONE_HELD, now);
	if (kept == SW_KEPT_ALL)
		return;
	sw_starved_ends(p, kept, now);
	if (now - model.pending_since[dir] > model.starved[dir])
		model.starved[dir] = now - model.pending_since[dir];
	model.pending_since[dir] = now;
}

static void complete(const struct sw_place *p, int i, uint64_t now)
{
	model.where[i] = NOWHERE;
	sw_kept_device(p, sw_kept_kind(model.flags[i]), false, now);
	change(p, -SW_ONE_IN_DEVICE, now);
}

/* One event of one request, of those below n, on any CPU. */
static void happen(int n, uint64_t now)
{
	struct sw_place p = place(0, any_cpu());
	int i = (int)(random() % n);

	if (model.where[i] == NOWHERE)
		insert(&p, i, now);
	else if (model.where[i] == HELD)
		issue(&p, i, now);
	else
		complete(&p, i, now);
	model_follow(now);
}

static void assert_model(const struct sw_window *w, unsigned int seed)
{
	int level, kept, dir;
	uint64_t passed;

	for (level = 0; level < SW_LEVELS; level++)
		for (kept = 0; kept < SW_KEPTS; kept++)
			assert_follows(&model.of[level][kept], w, level, kept, seed);
	follow(&model.idle, model.idle.n, w->end_ns);
	if (w->detail->levels.idle_with_work != model.idle.ns[1])
		fail_msg("seed %u: idle with work", seed);
	memset(model.idle.ns, 0, sizeof(model.idle.ns));
	for (dir = 0; dir < SW_DIRS; dir++) {
		passed = held_of(dir) ? w->end_ns - model.pending_since[dir] : 0;
		if (passed > model.starved[dir])
			model.starved[dir] = passed;
		if (w->detail->issued.starved_max[dir] != model.starved[dir])
			fail_msg("seed %u: starved, direction %d: %llu instead of %llu", seed, dir,
				 (unsigned long long)w->detail->issued.starved_max[dir],
				 (unsigned long long)model.starved[dir]);
		model.starved[dir] = 0;
	}
}

static void test_random_requests(void **state)
{
	static const int disks[] = { 3, 40, REQUESTS };
	unsigned int seed, round, i;
	struct sw_window w;
	uint64_t now;

	for (round = 0; round < 30; round++) {
		seed = seed_of_run() + round;
		srandom(seed);
		fake_teardown(state);
		fake_setup(state);
		memset(&model, 0, sizeof(model));
		now = FAKE_START;
		for (i = 0; i < 3000; i++) {
			now += random_below(round % 2 ? 12 : 26);
			happen(disks[round % 3], now);
			if (i % 700 != 699)
				continue;
			now += random_below(16);
			w = fakeobserver_window(&fake, 0, now);
			assert_model(&w, seed);
		}
	}
	print_message("INFO random requests: seeds %u to %u\n", seed_of_run(), seed);
}

static void test_idle_with_work(void **state)
{
	struct sw_place p = place(0, 0), other = place(0, 3);
	struct sw_window w;

	(void)state;
	sw_levels_of_all(&p, 0, SW_ONE_HELD, FAKE_START + 10 * UNIT);
	w = fakeobserver_window(&fake, 0, FAKE_START + 100 * UNIT);
	assert_int_equal(w.detail->levels.idle_with_work, 90 * UNIT);
	sw_levels_of_all(&other, 2, 1 | SW_ONE_IN_DEVICE, FAKE_START + 130 * UNIT);
	sw_levels_of_all(&p, 1 | SW_ONE_IN_DEVICE, 1, FAKE_START + 190 * UNIT);
	sw_levels_of_all(&p, 1, SW_ONE_IN_DEVICE, FAKE_START + 195 * UNIT);
	w = fakeobserver_window(&fake, 0, FAKE_START + 200 * UNIT);
	assert_int_equal(w.detail->levels.idle_with_work, 35 * UNIT);
	w = fakeobserver_window(&fake, 0, FAKE_START + 300 * UNIT);
	assert_int_equal(w.detail->levels.idle_with_work, 0);
}

#define WITH_OBSERVER(test) cmocka_unit_test_setup_teardown(test, fake_setup, fake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_OBSERVER(test_one_request),
		WITH_OBSERVER(test_other_disk),
		WITH_OBSERVER(test_number_goes_on_over_windows),
		WITH_OBSERVER(test_steps_within_a_bucket_are_none),
		WITH_OBSERVER(test_words_wrap),
		WITH_OBSERVER(test_before_the_start),
		WITH_OBSERVER(test_events_behind_the_end),
		WITH_OBSERVER(test_random_numbers),
		WITH_OBSERVER(test_random_requests),
		WITH_OBSERVER(test_idle_with_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
