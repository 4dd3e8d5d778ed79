// SPDX-License-Identifier: GPL-2.0-or-later
#include "fakeobserver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *map(size_t value)
{
	void *p = calloc(FAKE_DISKS * FAKE_CPUS, value);

	if (!p) {
		perror("calloc");
		exit(1);
	}
	return p;
}

void fakeobserver_make(struct fakeobserver *f, uint32_t groups)
{
	int i;

	memset(f, 0, sizeof(*f));
	f->o.groups = groups;
	f->o.how.fetch = true;
	f->o.cpus = FAKE_CPUS;
	f->o.count = FAKE_DISKS;
	f->o.side.slots = f->slots;
	f->o.side.states = f->states;
	f->o.records = map(sizeof(struct sw_record));
	if (groups)
		f->o.details = map(sizeof(struct sw_detail));
	f->o.disks = calloc(FAKE_DISKS, sizeof(*f->o.disks));
	if (!f->o.disks || sw_details_allocate(&f->o)) {
		perror("an observer");
		exit(1);
	}
	for (i = 0; i < FAKE_DISKS; i++) {
		f->slots[i].base_ns = f->now[i] = FAKE_START + i * FAKE_LATER;
		sw_details_start(&f->o, i);
	}
}

void fakeobserver_free(struct fakeobserver *f)
{
	sw_details_free(&f->o);
	free(f->o.disks);
	free(f->o.details);
	free(f->o.records);
}

struct fakeobserver fake;

int fake_setup(void **state)
{
	(void)state;
	fakeobserver_make(&fake, SW_GROUPS_ALL);
	return 0;
}

int fake_teardown(void **state)
{
	(void)state;
	fakeobserver_free(&fake);
	return 0;
}

struct sw_record *fakeobserver_record(const struct fakeobserver *f, int disk, int cpu)
{
	return f->o.records + disk * FAKE_CPUS + cpu;
}

struct sw_detail *fakeobserver_detail(const struct fakeobserver *f, int disk, int cpu)
{
	return f->o.details + disk * FAKE_CPUS + cpu;
}

struct sw_window fakeobserver_window(struct fakeobserver *f, int disk, uint64_t end_ns)
{
	struct sw_window w = { .start_ns = f->now[disk], .end_ns = end_ns };

	f->now[disk] = end_ns;
	sw_details_window(&f->o, disk, &w);
	return w;
}
