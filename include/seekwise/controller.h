/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The controller: a pure function from windows to decisions. It includes no
 * libbpf, no stdio and no clock; the caller observes, waits and writes.
 *
 * The caller repeats: observe one window under the settings that the
 * controller asked for, give it to sw_controller_step, carry out the step.
 */
#ifndef SEEKWISE_CONTROLLER_H
#define SEEKWISE_CONTROLLER_H

#include <stdbool.h>
#include <stdint.h>

/* What the controller is told of one window. */
struct sw_sample {
	double seconds;
	double busy_seconds; /* with something in the device */
	uint64_t ios, bytes; /* completed, reads and writes */
	uint64_t sync_ios;
	double sync_p99_us; /* total (I2C) of sync requests (reads, as long as classes are not
			       apart); -1: none */
	double held_mean, held_max;
	double device_mean;
	double wait_mean_us, service_mean_us; /* -1: none */
	double batch_mean;                    /* direction batches of both directions; -1: none */
	double full_share; /* of the requests, came in batches (passes) as long as the knob allows;
			      -1 unknown */
	bool lossy;        /* too much was lost to judge by it (window.h) */
	bool tainted;      /* the caller knows that the window is not comparable (suspend, a late
			      write...) */
};

enum sw_verdict { SW_IDLE_DISK, SW_SUBMITTER_BOUND, SW_QUEUE_BOUND, SW_DEVICE_BOUND };

struct sw_limits {
	double threshold;    /* least relative gain worth a change, 0.03 */
	double guard;        /* sync p99 may grow by this share of the baseline's, 0.25 */
	double guard_p99_us; /* what the guard holds against; 0: learned under the baseline */
	double guard_breach; /* a window above guard by this factor ends a trial at once, 2 */
	double confidence;   /* that a change kept is a gain, over all looks of a trial: 0.99 */
	int min_pairs, max_pairs; /* of a trial, 3 and 20 */
	uint64_t min_ios;         /* fewer in a window: too little to judge, 50 */
	int64_t min, max;         /* bounds of the knob */
	double trial_share;       /* of the time once settled, 0.2 */
	int rest_windows;         /* after a full search without gain, before the next one, 60 */
};

enum sw_step_kind {
	SW_STEP_WATCH,  /* keep `value` and observe a window */
	SW_STEP_SETTLE, /* write `value`, let requests chosen before leave (one settling window, not
			   judged) */
	SW_STEP_MEASURE, /* observe a window under `value` for the trial */
};

enum sw_decision_kind {
	SW_NO_DECISION,
	SW_TRIAL_BEGINS,
	SW_KEPT,        /* the candidate is the incumbent now */
	SW_UNDONE,      /* no gain: the incumbent stays */
	SW_BREACH,      /* the guard ended the trial */
	SW_UNDECIDED,   /* gave up at max_pairs */
	SW_SEARCH_OVER, /* nothing left to try for now; the incumbent holds */
	SW_HOLDING,     /* not tuned, with the reason; once for each change of reason */
};

enum sw_reason {
	SW_WHY_NONE,
	SW_WHY_FULL_BATCHES, /* trial: batches end at the limit, try a larger one */
	SW_WHY_NEIGHBOUR,    /* trial: one step from the incumbent */
	SW_WHY_FAR,          /* trial: a far candidate, in case of a second hill */
	SW_WHY_GAIN,         /* kept: lower bound of the gain above the threshold */
	SW_WHY_NO_GAIN,      /* undone: upper bound below the threshold */
	SW_WHY_WORSE,        /* undone: upper bound below 0 */
	SW_WHY_GUARD,        /* undone or breach: sync p99 beyond the guard */
	SW_WHY_NOISE,        /* undecided: max_pairs, and the interval is still too wide */
	SW_WHY_BEST,         /* over: everything within reach was tried */
	SW_WHY_IDLE,
	SW_WHY_SUBMITTER,
	SW_WHY_DEVICE, /* holding: the verdict */
	SW_WHY_FEW,    /* holding: too few requests */
	SW_WHY_LOSSES, /* holding: the window lost too many events */
	SW_WHY_TAINTED,
	SW_REASONS
};

struct sw_decision {
	enum sw_decision_kind kind;
	int64_t from, to;
	double gain, low, high; /* relative: 0.08 is 8 % better; interval at `confidence` */
	int pairs;
	double from_score, to_score; /* bytes per busy second, medians */
	double from_p99_us, to_p99_us;
	enum sw_reason reason;
};

struct sw_step {
	enum sw_step_kind kind;
	int64_t value;               /* that the knob must have during the next window */
	struct sw_decision decision; /* what was decided with this step */
};

struct sw_controller; /* see controller.c; allocated by the caller through these */

/* `baseline`: the knob's value found at the start. 0 when memory is short. */
struct sw_controller *sw_controller_new(const struct sw_limits *limits, int64_t baseline);
void sw_controller_free(struct sw_controller *controller);
/* Next step after a window that was observed under the value asked for. The first call gives a
 * window under the baseline. */
struct sw_step sw_controller_step(struct sw_controller *controller, const struct sw_sample *sample);
/* The sync p99 that the guard holds candidates against; -1: not known yet. */
double sw_controller_guard_p99(const struct sw_controller *controller);
/* The value in force by decision (not that of a candidate under trial). */
int64_t sw_controller_incumbent(const struct sw_controller *controller);
/* By Little's law, what requests wait on average if as many stay held, us; -1: there are none. */
double sw_held_wait_us(const struct sw_sample *sample);
enum sw_verdict sw_verdict_of(const struct sw_sample *sample);
const char *sw_verdict_name(enum sw_verdict verdict);
void sw_limits_default(struct sw_limits *limits);

/* src/tune/explain.c, which may use stdio: a decision as one clause in words with its numbers, for
 * knob `name`. */
void sw_decision_text(const struct sw_decision *decision, const char *name, char *text,
		      unsigned int size);
/* One sentence on what bounds the disk in this window, with the figures that say so. */
void sw_verdict_text(const struct sw_sample *sample, char *text, unsigned int size);

#endif
