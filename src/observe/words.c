// SPDX-License-Identifier: GPL-2.0-or-later
/* What records and details are made of: words, largest values among them, and counts. */
#include <string.h>
#include <time.h>

#include "observer.h"

/*
 * A section is copied this often at once, and then after pauses of a
 * millisecond, before it is given up and counted as torn: a hypervisor may have
 * taken the writer's CPU away in the middle of it.
 */
#define TRIES_AT_ONCE 100
#define TRIES 150

bool sw_section_copy(__u64 *to, const __u64 *from, size_t words, const __u64 *seq)
{
	static const struct timespec pause = { .tv_nsec = 1000000 };
	uint64_t before, after;
	int i;

	for (i = 0; i < TRIES; i++) {
		if (i >= TRIES_AT_ONCE)
			nanosleep(&pause, NULL);
		before = __atomic_load_n(seq, __ATOMIC_ACQUIRE);
		memcpy(to, from, words * sizeof(*to));
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		after = __atomic_load_n(seq, __ATOMIC_RELAXED);
		if (before == after && !(before & 1))
			return true;
	}
	return false;
}

void sw_words_add(__u64 *restrict sum, const __u64 *restrict more, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		sum[i] += more[i];
}

void sw_counts_add(__u32 *restrict sum, const __u32 *restrict more, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		sum[i] += more[i];
}

void sw_words_between(__u64 *restrict gained, const __u64 *from, const __u64 *to, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		gained[i] = to[i] - from[i];
}

void sw_counts_between(__u32 *restrict gained, const __u32 *from, const __u32 *to, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		gained[i] = to[i] - from[i];
}

void sw_maxima_take(__u64 *largest, __u64 *words, const size_t *maxima, size_t n)
{
	uint64_t v;
	size_t i;

	for (i = 0; i < n; i++) {
		v = __atomic_exchange_n(&words[maxima[i]], 0, __ATOMIC_RELAXED);
		if (v > largest[i])
			largest[i] = v;
	}
}

void sw_maxima_put(__u64 *words, const __u64 *largest, const size_t *maxima, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		words[maxima[i]] = largest[i];
}

void sw_maxima_keep(__u64 *gained, const __u64 *to, const size_t *maxima, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		gained[maxima[i]] = to[maxima[i]];
}
