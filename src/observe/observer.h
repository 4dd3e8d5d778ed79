/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of this folder share. */
#ifndef SEEKWISE_OBSERVER_PRIVATE_H
#define SEEKWISE_OBSERVER_PRIVATE_H

#include "seekwise/observe.h"
#include "seekwise/state.h"
#include "kernel_side.h"

struct btf;

/* How this kernel is to be observed (probe.c). */
struct sw_probe {
	bool has_insert, has_issue, has_complete, has_requeue, has_merge;
	bool has_back_merge, has_front_merge, has_unplug;
	bool has_kyber;    /* its three tracepoints */
	bool kyber_queue;  /* which give the queue where newer ones give the device number */
	bool bio_is_third; /* of the arguments of a bio merge */
	bool status;       /* block_rq_complete tells a status of the block layer, no errno */
	bool fetch;        /* atomic adds may return what was there */
	bool rq_is_second; /* the queue comes before the request in the arguments */
	bool raw;          /* raw_tp instead of tp_btf */
	bool plain;        /* raw_tp from the plain object */
	bool has_deadline; /* mq-deadline's structure is in BTF, built in or of a module */
	bool cast;         /* bpf_rdonly_cast, and mq-deadline is built in */
	int dispatch;      /* blk_mq_dispatch_rq_list: its number in BTF, 0: not as we know it */
	bool get_budget;   /* its third argument (bpf/compat.bpf.h) */
};

/* Fills `probe` from BTF alone; 0, or -errno with one sentence in `why`. */
int sw_probe_kernel(struct sw_probe *probe, char *why, size_t why_size);
/* The file of --btf, 0: the kernel's own BTF. */
extern const char *sw_btf_file;
/* As above, from a given BTF: for tests. */
int sw_probe_btf(struct sw_probe *probe, const struct btf *btf, char *why, size_t why_size);

/* Sums of all CPUs of one disk, as they were at time_ns (snapshot.c). */
struct sw_snapshot {
	uint64_t time_ns;
	uint64_t missed, busy_ns, torn;
	struct sw_record sum;
};

/* The detail groups of one disk; all 0 while they are off. */
struct sw_details {
	struct sw_detail *last, *now, *window; /* sums of all CPUs; the last as in sw_window */
	struct sw_task *tasks;                 /* as of the last snapshot; [cpu][SW_TASKS] */
};

struct sw_observed {
	struct sw_disk disk;
	uint64_t written; /* sum of the sections' sequences, as of the last snapshot */
	struct sw_snapshot last;
	uint32_t changes;     /* of the scheduler, as of then */
	uint64_t looked_ns;   /* for requests to give up */
	uint64_t *cpu_issues; /* first issues of reads and writes by then; [cpu] */
	struct sw_details details;
};

struct sw_observer {
	struct sw_kernel_side side;
	__u32 generation;           /* of side; a new one goes on where the last ended */
	uint64_t missed_before;     /* under earlier ones */
	uint64_t missed, missed_ns; /* by all of them, and when that was asked */
	bool reads_deadline;        /* mq-deadline's structure was in BTF when side was loaded */
	bool tended;                /* it was loaded anew for that, or cannot be */
	uint32_t groups;            /* of figures that are on */
	bool kyber;                 /* a disk has it in force: its tracepoints are attached to */
	bool caches;                /* it is known which CPUs share one */
	uint16_t cache_of[SW_LLC_CPUS];
	struct sw_record *records;      /* mapped; [slot][cpu] */
	struct sw_detail *details;      /* the same; 0 while all groups are off */
	const struct sw_flight *flight; /* the request table */
	size_t records_size, details_size, flights_size;
	int cpus, count;
	uint32_t flights; /* entries of the request table */
	struct sw_how how;
	struct sw_observed *disks;
};

/*
 * A number for each CPU that is the same for those that share a last-level
 * cache; false: the machine does not tell (caches.c).
 */
bool sw_caches_read(uint16_t caches[SW_LLC_CPUS], int cpus);

/* Whether a module of that name is loaded and has BTF. */
bool sw_probe_module(const char *name);

/* Before anything else is asked of libbpf: its words go where ours go. */
void sw_load_init(void);

/*
 * Opens and loads the best kernel side that this kernel takes, with the maps of
 * o->side if that is open; `probe` then tells what it is (load.c). 0 or -errno.
 */
int sw_load(const struct sw_observer *o, struct sw_kernel_side *side, struct sw_probe *probe);
/* One sentence on what failed in that phase of it. */
void sw_load_explain(int err, const char *phase, char *why, size_t why_size);

/* Maps the request table; 0 or -errno (close.c). */
int sw_flights_map(struct sw_observer *o);
/*
 * Gives up requests of disk i that are no more, whose completion was not seen; unless that was
 * done within the last pause_ns.
 */
void sw_flights_close(struct sw_observer *o, int i, uint64_t pause_ns);

/* Takes a snapshot of disk i; largest values are taken and set to 0. */
void sw_snapshot_take(struct sw_observer *o, int i, struct sw_snapshot *s);
/* The difference of two. */
void sw_snapshot_window(const struct sw_snapshot *from, const struct sw_snapshot *to,
			struct sw_window *w);

/* What records and details have in common (words.c). */
/* Copies a section of which `seq` is the sequence; false: torn, after some tries. */
bool sw_section_copy(__u64 *to, const __u64 *from, size_t words, const __u64 *seq);
/* Sums and differences, modulo 2^64 and 2^32. */
void sw_words_add(__u64 *restrict sum, const __u64 *restrict more, size_t n);
void sw_counts_add(__u32 *restrict sum, const __u32 *restrict more, size_t n);
void sw_words_between(__u64 *restrict gained, const __u64 *from, const __u64 *to, size_t n);
void sw_counts_between(__u32 *restrict gained, const __u32 *from, const __u32 *to, size_t n);
/*
 * Largest values: `maxima` numbers the n words that are some. Takes them out of one
 * CPU's words, which start at 0 again; puts them into a sum; keeps them in a difference
 * as they are at its end.
 */
void sw_maxima_take(__u64 *largest, __u64 *words, const size_t *maxima, size_t n);
void sw_maxima_put(__u64 *words, const __u64 *largest, const size_t *maxima, size_t n);
void sw_maxima_keep(__u64 *gained, const __u64 *to, const size_t *maxima, size_t n);

/* Memory for the detail groups of o's disks; 0 or -ENOMEM (detail.c). */
int sw_details_allocate(struct sw_observer *o);
void sw_details_free(struct sw_observer *o);
/*
 * Fills in what the detail groups saw of disk i since the last time, and points
 * w->detail at it: valid until the next call for that disk. w has its times.
 */
void sw_details_window(struct sw_observer *o, int i, struct sw_window *w);
/* What it counts from, at the start. */
void sw_details_start(struct sw_observer *o, int i);

#endif
