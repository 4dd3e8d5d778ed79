/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An observer whose maps are plain memory: a test writes what the programs would
 * have written on one CPU or another, and asks for windows. Failing to make it ends the
 * test program.
 */
#ifndef SEEKWISE_TESTS_FAKEOBSERVER_H
#define SEEKWISE_TESTS_FAKEOBSERVER_H

#include "../../src/observe/observer.h"

#define FAKE_CPUS 4
#define FAKE_DISKS 2
/* When observing of the first disk began: no multiple of the unit that times are kept in. */
#define FAKE_START 5000000123ULL
/* How much later that of the next one did. */
#define FAKE_LATER 1000000ULL

struct fakeobserver {
	struct sw_observer o;
	struct sw_slot slots[FAKE_DISKS];
	struct sw_state states[FAKE_DISKS];
	uint64_t now[FAKE_DISKS]; /* the last window's end */
};

/* All zero, with these groups on, and as if started. */
void fakeobserver_make(struct fakeobserver *f, uint32_t groups);
void fakeobserver_free(struct fakeobserver *f);

struct sw_record *fakeobserver_record(const struct fakeobserver *f, int disk, int cpu);
struct sw_detail *fakeobserver_detail(const struct fakeobserver *f, int disk, int cpu);

/* For tests that take one with all groups on: it is made, and freed. */
extern struct fakeobserver fake;
int fake_setup(void **state);
int fake_teardown(void **state);

/* The window from the last one's end (at first the start) to this one, of details alone. */
struct sw_window fakeobserver_window(struct fakeobserver *f, int disk, uint64_t end_ns);

#endif
