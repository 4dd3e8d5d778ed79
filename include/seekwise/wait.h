/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waiting for time, signals, input, and for those who read the output. */
#ifndef SEEKWISE_WAIT_H
#define SEEKWISE_WAIT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Blocks SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGCHLD and SIGWINCH, which
 * sw_wait then reports, and ignores SIGPIPE. 0 or -errno.
 */
int sw_wait_init(void);

bool sw_wait_holds(void); /* it was called */

/* A signal that is to end the program is there and was not reported yet; one was reported. */
bool sw_wait_is_ending(void);
bool sw_wait_has_ended(void);

/* For a child before exec: the signals as they were before sw_wait_init. */
void sw_wait_undo(void);

#define SW_TIME_UP 0
#define SW_INPUT (-1)

/*
 * Waits until CLOCK_MONOTONIC reaches until_ns. Returns SW_TIME_UP, the number
 * of a signal that came, or SW_INPUT when input_fd (or -1) became readable.
 */
int sw_wait(uint64_t until_ns, int input_fd);

/*
 * Writes all of it, however long that takes: 0 or -errno; -EINTR: a signal is there that is
 * to end the program (after sw_wait_init), or was reported and nobody reads for a second.
 */
int sw_put(int fd, const char *text, size_t n);

/*
 * A line, with its newline, to standard output or standard error. After sw_wait_init a reader
 * who does not read is waited for a second, and then no more: the line is lost, and how many
 * were is said when there is room again. 0, also for a lost one, or -errno. Keeps errno.
 */
int sw_put_line(int fd, const char *line);

/* The user wants it to end. */
static inline int sw_is_end(int signal)
{
	return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
}

#endif
