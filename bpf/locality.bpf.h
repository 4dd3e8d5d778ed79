/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The group locality: which tasks and CPUs requests come from, pass through and end on. */
#ifndef SEEKWISE_LOCALITY_BPF_H
#define SEEKWISE_LOCALITY_BPF_H

#define SW_MAX_CPUS 1024
/* A number for each last-level cache. */
const volatile __u16 sw_llc[SW_MAX_CPUS];

static __always_inline __u32 sw_llc_of(__u64 cpu)
{
	barrier_var(cpu);
	return cpu < SW_MAX_CPUS ? sw_llc[cpu] : SW_MAX_CPUS;
}

static __always_inline void sw_task_new(struct sw_task *task, __u32 tid)
{
	task->tid = tid;
	bpf_get_current_comm(task->name, sizeof(task->name));
	task->count = 1;
}

/* Counts an issue for the task that makes it; `current` is the dispatching one. */
static __always_inline void sw_locality_issue(struct sw_detail *det)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct sw_detail_issued *is = &det->issued;
	int i;

	for (i = 0; i < SW_TASKS; i++) {
		if (!is->tasks[i].count) {
			sw_task_new(&is->tasks[i], tid);
			return;
		}
		if (is->tasks[i].tid == tid) {
			is->tasks[i].count++;
			return;
		}
	}
	is->tasks_beyond++;
}

static __always_inline void sw_locality_complete(struct sw_detail *det, const struct sw_flight *f,
						 __u64 dir)
{
	__u32 cpu = bpf_get_smp_processor_id(), from = f->cpu;
	struct sw_detail_completed *co = &det->completed;

	co->placed[sw_dir(dir)]++;
	if (cpu == from)
		return;
	co->other_cpu[sw_dir(dir)]++;
	if (sw_llc_of(cpu) != sw_llc_of(from))
		co->other_llc[sw_dir(dir)]++;
}

/* A plug's requests of one queue go to the scheduler or the driver together. */
static __always_inline int sw_on_unplug(struct request_queue *q, __u32 requests, bool is_explicit,
					const int direct)
{
	struct sw_place p = sw_place_at(sw_slot_of_queue(q, direct), SW_UNPLUG, (__u64)q);
	struct sw_detail_unplugged *un;

	if (!p.slot || !p.det)
		return 0;
	un = &p.det->unplugged;
	sw_begin(&un->seq);
	un->unplugs++;
	un->explicit_ones += is_explicit;
	un->sum += requests;
	sw_max(&un->max, requests);
	sw_hist_add(p.det->hist.unplugs, requests, 1);
	sw_end(&un->seq);
	return 0;
}

#endif
