// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The order in which values of the knob are tried: powers of two, far apart
 * first, then half as far, around whatever is the incumbent by then. Batches
 * that end at the limit ask for a larger one, so that a start far below is left
 * in one stride of sixteen. Last come a few values where the largest gaps are,
 * in case the landscape has a second hill.
 */
#include "seekwise/trial.h"

#define SW_STRIDE 4 /* exponents: a factor of 16 */
#define SW_STRIDE_AROUND 2
#define SW_FAR_TRIES 2
#define SW_FAR_GAP 2      /* exponents: nearer than that is no far candidate */
#define SW_FULL_SHARE 0.5 /* share of full batches that asks for a larger limit */

static int floor_log2(int64_t value)
{
	return value < 1 ? 0 : 63 - __builtin_clzll((unsigned long long)value);
}

static int ceil_log2(int64_t value)
{
	return value <= 1 ? 0 : floor_log2(value - 1) + 1;
}

/* The nearest exponent: a baseline need not be a power of two. */
static int exponent_of(int64_t value)
{
	int e = floor_log2(value);

	return e < 62 && value - (INT64_C(1) << e) > (INT64_C(1) << e) / 2 ? e + 1 : e;
}

static bool untried(const struct sw_search *search, int exponent)
{
	return !(search->tried >> exponent & 1);
}

void sw_search_tried(struct sw_search *search, int64_t value)
{
	if (value >= 0 && (value & (value - 1)) == 0)
		search->tried |= UINT64_C(1) << floor_log2(value);
	if (search->stride == 0)
		search->far_left--;
}

void sw_search_begin(struct sw_search *search, int64_t min, int64_t max, int64_t incumbent)
{
	*search = (struct sw_search){ .low = ceil_log2(min),
				      .high = max < 1 ? -1 : floor_log2(max),
				      .stride = SW_STRIDE,
				      .far_left = SW_FAR_TRIES };
	sw_search_tried(search, incumbent);
}

void sw_search_kept(struct sw_search *search)
{
	if (search->stride == 0)
		search->stride = SW_STRIDE_AROUND;
}

/* The exponent one stride up or down, or the bound before it; -1 if that was tried. */
static int stride_to(const struct sw_search *search, int from, int direction)
{
	int e = from + direction * search->stride;

	if (e > search->high)
		e = search->high;
	if (e < search->low)
		e = search->low;
	return untried(search, e) ? e : -1;
}

/* Next of the neighbourhood at this stride, or -1. */
static int near_one(const struct sw_search *search, int from, bool up_first, int *direction)
{
	int e;

	*direction = up_first ? 1 : -1;
	if (search->stride == SW_STRIDE && !up_first)
		return -1;
	e = stride_to(search, from, *direction);
	if (e >= 0 || search->stride == SW_STRIDE)
		return e;
	*direction = -*direction;
	return stride_to(search, from, *direction);
}

static int gap_at(const struct sw_search *search, int from, int exponent)
{
	int gap = exponent > from ? exponent - from : from - exponent;

	for (int e = search->low; e <= search->high; e++) {
		int distance = exponent > e ? exponent - e : e - exponent;

		if (!untried(search, e) && distance < gap)
			gap = distance;
	}
	return gap;
}

/* The exponent furthest from everything tried, or -1. */
static int far_one(const struct sw_search *search, int from, bool up_first)
{
	int best = -1, best_gap = SW_FAR_GAP;

	for (int e = search->low; e <= search->high; e++) {
		int gap = gap_at(search, from, e);

		if (gap > best_gap || (gap == best_gap && (best < 0 || up_first))) {
			best = e;
			best_gap = gap;
		}
	}
	return best;
}

int64_t sw_search_next(struct sw_search *search, int64_t incumbent, double full_share,
		       enum sw_reason *reason)
{
	bool up_first = full_share < 0 || full_share >= SW_FULL_SHARE;
	int from = exponent_of(incumbent), direction, e;

	if (search->low > search->high)
		return -1;
	for (; search->stride > 0; search->stride /= 2) {
		e = near_one(search, from, up_first, &direction);
		if (e < 0)
			continue;
		*reason = direction > 0 && full_share >= SW_FULL_SHARE ? SW_WHY_FULL_BATCHES
								       : SW_WHY_NEIGHBOUR;
		return INT64_C(1) << e;
	}
	e = search->far_left > 0 ? far_one(search, from, up_first) : -1;
	if (e < 0)
		return -1;
	*reason = SW_WHY_FAR;
	return INT64_C(1) << e;
}
