/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every module uses: exit codes, messages, parsing, roots of the trees. */
#ifndef SEEKWISE_BASE_H
#define SEEKWISE_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit codes of the program (README, seekwise --help). */
enum sw_exit {
	SW_OK = 0,
	SW_FAILED = 1,
	SW_USAGE = 2,
	SW_NOT_PERMITTED = 3,
	SW_NO_OBSERVING = 4,
	SW_NOTHING_TO_TUNE = 5,
	SW_BUSY = 6,
};

enum sw_level { SW_ERROR, SW_WARN, SW_INFO, SW_DEBUG };

/*
 * Writes one line to stderr ("seekwise: ..."; with a "<N>" priority before it
 * when the journal reads stderr). errno is left as it was.
 */
void sw_log(enum sw_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sw_vlog(enum sw_level level, const char *format, va_list args);
void sw_log_level(enum sw_level highest);
bool sw_log_enabled(enum sw_level level);

/* "ENOENT: No such file or directory" of |err|; a static buffer of the thread. */
const char *sw_strerror(int err);

/*
 * All parse whole strings: 0, or -EINVAL (not a number or an unknown unit) or
 * -ERANGE (outside min...max), without a message. Durations come out in ns
 * (ns, us, ms, s, m, h; a bare number is seconds; 1.5s is allowed), sizes in
 * bytes (k, M, G, T: powers of 1024).
 */
int sw_parse_u64(const char *text, uint64_t min, uint64_t max, uint64_t *value);
int sw_parse_duration(const char *text, uint64_t min_ns, uint64_t max_ns, uint64_t *ns);
int sw_parse_size(const char *text, uint64_t min, uint64_t max, uint64_t *bytes);

/* Roots of the trees that are read and written; tests point them elsewhere. */
struct sw_roots {
	const char *sys;  /* SEEKWISE_SYSFS, else "/sys" */
	const char *dev;  /* SEEKWISE_DEV, else "/dev" */
	const char *proc; /* SEEKWISE_PROC, else "/proc" */
	const char *run;  /* SEEKWISE_RUN, else "/run/seekwise" */
};
extern struct sw_roots sw_roots;
/* Takes the roots from the environment; ignored when running setuid. */
void sw_roots_init(void);

/*
 * Reads a small file, without its trailing newline, into buf. Returns its
 * length or -errno (-E2BIG: did not fit).
 */
int sw_read_file(const char *path, char *buf, size_t size);
/* As above, and as a whole decimal number: 0 or -errno, -EINVAL for something else. */
int sw_read_u64(const char *path, uint64_t *value);

uint64_t sw_now_ns(void); /* CLOCK_MONOTONIC, the clock of the kernel side */

#endif
