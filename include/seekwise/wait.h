/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waiting for time, signals and input, without a signal handler. */
#ifndef SEEKWISE_WAIT_H
#define SEEKWISE_WAIT_H

#include <signal.h>
#include <stdint.h>

/*
 * Blocks SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGCHLD and SIGWINCH, which
 * sw_wait then reports, and ignores SIGPIPE. 0 or -errno.
 */
int sw_wait_init(void);

/* For a child before exec: the signals as they were before sw_wait_init. */
void sw_wait_undo(void);

#define SW_TIME_UP 0
#define SW_INPUT (-1)

/*
 * Waits until CLOCK_MONOTONIC reaches until_ns. Returns SW_TIME_UP, the number
 * of a signal that came, or SW_INPUT when input_fd (or -1) became readable.
 */
int sw_wait(uint64_t until_ns, int input_fd);

/* The user wants it to end. */
static inline int sw_is_end(int signal)
{
	return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
}

#endif
