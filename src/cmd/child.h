/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A command that is run while its disks are observed. */
#ifndef SEEKWISE_CHILD_H
#define SEEKWISE_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Starts argv. With stdout_to_stderr its standard output goes to our standard
 * error, so that ours holds the report alone. Returns its pid or -errno (of
 * exec as well: -ENOENT, -EACCES).
 */
pid_t sw_child_start(char **argv, bool stdout_to_stderr);

/*
 * Waits until it has ended, passing SIGTERM and SIGHUP on to it (the terminal
 * sends it SIGINT itself), or until CLOCK_MONOTONIC reaches until_ns. Returns the
 * status of waitpid, -EAGAIN when the time is up, or -errno.
 */
int sw_child_wait(pid_t pid, uint64_t until_ns);

#endif
