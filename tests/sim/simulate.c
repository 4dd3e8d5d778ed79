// SPDX-License-Identifier: GPL-2.0-or-later
/* simulate: what a load gets from the simulated disk, as a line of numbers. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

#define MAX_LOADS 64

struct options {
	struct sim_disk disk;
	struct sim_knobs knobs;
	struct sim_load loads[MAX_LOADS];
	unsigned int count;
	double seconds, settle;
	unsigned long seed;
};

static const struct argp_option options[] = {
	{ "knob", 'k', "NAME=VALUE", 0,
	  "fifo_batch, read_expire, write_expire (ms), writes_starved, nr_requests or async_depth",
	  0 },
	{ "seconds", 's', "N", 0, "measure that long, of disk time (100)", 0 },
	{ "settle", 'S', "N", 0, "after that long (10)", 0 },
	{ "lag", 'l', "US", 0, "from a completion to the task's next request (0)", 0 },
	{ "tags", 't', "N", 0, "requests that the driver takes (128, as a loop device)", 0 },
	{ "arms", 'a', "N", 0, "striped over so many arms (1)", 0 },
	{ "sptf", 'p', "DEPTH", 0, "shortest positioning time first among so many", 0 },
	{ "seed", 'r', "N", 0, "another run (1)", 0 },
	{ 0 },
};

static bool set_knob(struct sim_knobs *knobs, const char *name, double value)
{
	if (!strcmp(name, "read_expire"))
		knobs->expire_ms[SIM_READ] = value;
	else if (!strcmp(name, "write_expire"))
		knobs->expire_ms[SIM_WRITE] = value;
	else if (!strcmp(name, "fifo_batch"))
		knobs->fifo_batch = (unsigned int)value;
	else if (!strcmp(name, "writes_starved"))
		knobs->writes_starved = (unsigned int)value;
	else if (!strcmp(name, "async_depth"))
		knobs->async_depth = (unsigned int)value;
	else if (!strcmp(name, "nr_requests")) {
		knobs->nr_requests = (unsigned int)value;
		/* The kernel sets it anew with it. */
		knobs->async_depth = knobs->nr_requests;
	} else
		return false;
	return value >= 0;
}

static bool read_knob(struct sim_knobs *knobs, const char *text)
{
	char name[32];
	double value;

	return sscanf(text, "%31[a-z_]=%lf", name, &value) == 2 && set_knob(knobs, name, value);
}

/* TASKS DEPTH KIB READS seq|rand, with commas between. */
static bool read_load(struct options *o, const char *text)
{
	struct sim_load load = { .to = o->disk.model.size };
	unsigned int tasks, kib;
	char order[8];

	if (sscanf(text, "%u,%u,%u,%lf,%7s", &tasks, &load.depth, &kib, &load.reads, order) != 5)
		return false;
	if (strcmp(order, "seq") && strcmp(order, "rand"))
		return false;
	load.size = kib * 1024ULL;
	load.sequential = !strcmp(order, "seq");
	if (!load.size || !load.depth || load.reads < 0 || load.reads > 1)
		return false;
	for (; tasks && o->count < MAX_LOADS; tasks--)
		o->loads[o->count++] = load;
	return !tasks;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case 'k':
		if (!read_knob(&o->knobs, arg))
			argp_error(state, "--knob %s: not NAME=VALUE of a knob", arg);
		return 0;
	case 's':
		o->seconds = atof(arg);
		return 0;
	case 'S':
		o->settle = atof(arg);
		return 0;
	case 'l':
		o->disk.lag_us = atof(arg);
		return 0;
	case 't':
		o->disk.tags = (unsigned int)atoi(arg);
		return 0;
	case 'a':
		o->disk.model.arms = (unsigned int)atoi(arg);
		return 0;
	case 'p':
		o->disk.model.order = MD_ORDER_SPTF;
		o->disk.model.depth = (unsigned int)atoi(arg);
		return 0;
	case 'r':
		o->seed = strtoul(arg, NULL, 10);
		return 0;
	case ARGP_KEY_ARG:
		if (!read_load(o, arg))
			argp_error(state, "%s: not TASKS,DEPTH,KIB,READS,seq|rand", arg);
		return 0;
	case ARGP_KEY_END:
		if (!o->count)
			argp_error(state, "no load");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void print_window(const struct sim_window *w)
{
	const struct sim_dir_window *read = &w->dir[SIM_READ], *write = &w->dir[SIM_WRITE];
	double issued = (double)(read->issued + write->issued);

	printf("%.2f %.1f\n", (double)(read->ios + write->ios) / w->seconds,
	       issued > 0 ? (read->wait_us * (double)read->issued +
			     write->wait_us * (double)write->issued) /
				    issued
			  : 0);
}

int main(int argc, char **argv)
{
	static struct options o = { .seconds = 100, .settle = 10, .seed = 1 };
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "TASKS,DEPTH,KIB,READS,seq|rand...",
		.doc = "Prints requests per second and their mean wait in us, both of disk time, "
		       "of a simulated disk with mq-deadline before it.",
	};
	struct sim_window w;
	struct sim *sim;

	md_config_default(&o.disk.model);
	sim_knobs_default(&o.knobs);
	o.disk.tags = 128;
	argp_parse(&argp, argc, argv, 0, 0, &o);
	sim = sim_new(&o.disk, &o.knobs, o.loads, o.count, o.seed);
	if (!sim) {
		fprintf(stderr, "simulate: no such disk, or no memory\n");
		return 1;
	}
	sim_run(sim, o.settle, &w);
	sim_run(sim, o.seconds, &w);
	print_window(&w);
	sim_free(sim);
	return 0;
}
