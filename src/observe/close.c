// SPDX-License-Identifier: GPL-2.0-or-later
/* Requests that look as if they were in the device still, and are no more (bpf/close.bpf.h). */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "seekwise/base.h"
#include "observer.h"

/*
 * Looking through a table of 2048 entries takes some ten microseconds. Larger ones, of many
 * hardware queues, are looked through less often: by this for each further entry.
 */
#define SMALL_TABLE 2048
#define ENTRY_PAUSE_NS 50000ULL
/* Younger ones are left: the kernel calls a request idle until a moment after its issue. */
#define YOUNG_NS 100000000

int sw_flights_map(struct sw_observer *o)
{
	size_t page = sysconf(_SC_PAGESIZE);
	void *p;

	o->flights_size = (o->flights * sizeof(struct sw_flight) + page - 1) / page * page;
	p = mmap(NULL, o->flights_size, PROT_READ, MAP_SHARED, bpf_map__fd(o->side.flights), 0);
	if (p == MAP_FAILED)
		return -errno;
	o->flight = p;
	return 0;
}

static bool is_old(const struct sw_flight *f, uint64_t now, uint64_t *issue_ns)
{
	if (__atomic_load_n(&f->state, __ATOMIC_ACQUIRE) != SW_IN_DEVICE)
		return false;
	*issue_ns = __atomic_load_n(&f->issue_ns, __ATOMIC_RELAXED);
	return *issue_ns && *issue_ns + YOUNG_NS < now;
}

static uint64_t longer_pause(const struct sw_slot *slot, uint64_t pause_ns)
{
	uint64_t least = slot->flight_size > SMALL_TABLE
				 ? (slot->flight_size - SMALL_TABLE) * ENTRY_PAUSE_NS
				 : 0;

	return pause_ns > least ? pause_ns : least;
}

/* Whether it is old enough to be no more is ours to say; whether it is, the program's. */
void sw_flights_close(struct sw_observer *o, int i, uint64_t pause_ns)
{
	const struct sw_slot *slot = &o->side.slots[i];
	uint64_t now, issue_ns;
	uint32_t k, end = slot->flight_base + slot->flight_size;

	if (o->side.close < 0 ||
	    !(__atomic_load_n(&o->side.states[i].now_there, __ATOMIC_RELAXED) >> 32))
		return;
	now = sw_now_ns();
	if (now - o->disks[i].looked_ns < longer_pause(slot, pause_ns))
		return;
	o->disks[i].looked_ns = now;
	for (k = slot->flight_base; k < end; k++) {
		if (!is_old(&o->flight[k], now, &issue_ns))
			continue;
		__u64 args[] = { i, k, issue_ns };
		LIBBPF_OPTS(bpf_test_run_opts, options, .ctx_in = args,
			    .ctx_size_in = sizeof(args));

		if (bpf_prog_test_run_opts(o->side.close, &options)) {
			/* Then they stay until their tags are used again. */
			sw_log(SW_DEBUG, "a program of ours cannot be run: %s", sw_strerror(errno));
			o->side.close = -1;
			return;
		}
	}
}
