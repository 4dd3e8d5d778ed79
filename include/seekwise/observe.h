/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loading and attaching bpf/, and windows from its records. */
#ifndef SEEKWISE_OBSERVE_H
#define SEEKWISE_OBSERVE_H

#include "seekwise/disk.h"
#include "seekwise/window.h"

struct sw_observer;

/* Another BTF than the kernel's own is to be used from the next open on; 0: the kernel's. */
void sw_observer_use_btf(const char *file);

/*
 * Opens, loads and attaches the programs for `count` disks, for the core figures and
 * the detail groups in `groups` (SW_GROUP_*; record.h). Returns 0 or
 * -errno (-EPERM: not permitted, -ENOTSUP: this kernel cannot be observed,
 * -E2BIG: more disks than slots) with one sentence in `why`.
 */
int sw_observer_open(struct sw_observer **observer, const struct sw_disk *disks, int count,
		     uint32_t groups, char *why, size_t why_size);
/* What of the kernel's offers is in use. */
struct sw_how {
	bool typed;    /* tp_btf programs, which read the kernel's structures in place */
	bool cast;     /* and the scheduler's as well */
	bool plain;    /* by the BTF of a file: raw_tp programs alone */
	bool fetch;    /* numbers can be followed over time: the group depth */
	bool dispatch; /* a program on the kernel's dispatch function measures passes */
};
struct sw_how sw_observer_how(const struct sw_observer *observer);

/*
 * To be called every second or so while a window goes on: mq-deadline may be
 * loaded as a module only now, and can be read from then on; and requests whose
 * completion was not seen are given up. sw_observer_window does it as well.
 */
void sw_observer_tend(struct sw_observer *observer);

/* Ends observing and frees everything; 0 is allowed. */
void sw_observer_close(struct sw_observer *observer);
/*
 * The window of disk i (as numbered at open) since the last call for it, or
 * since the start. 0 or -errno.
 */
int sw_observer_window(struct sw_observer *observer, int i, struct sw_window *window);

#endif
