// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs a command while its disks are observed. */
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "seekwise/base.h"
#include "seekwise/wait.h"

/* In the child: on failure its errno goes through the pipe. */
static _Noreturn void become(char **argv, bool stdout_to_stderr, int report)
{
	int err;

	sw_wait_undo();
	if (stdout_to_stderr)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	execvp(argv[0], argv);
	err = errno;
	if (write(report, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

pid_t sw_child_start(char **argv, bool stdout_to_stderr)
{
	int fds[2], err = 0;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (!pid)
		become(argv, stdout_to_stderr, fds[1]);
	if (pid < 0)
		err = errno;
	close(fds[1]);
	if (pid > 0 && read(fds[0], &err, sizeof(err)) == sizeof(err))
		waitpid(pid, NULL, 0);
	close(fds[0]);
	return err ? -err : pid;
}

int sw_child_wait(pid_t pid, uint64_t until_ns)
{
	int status, sig;
	pid_t ended;

	for (;;) {
		ended = waitpid(pid, &status, WNOHANG);
		if (ended == pid)
			return status;
		if (ended < 0)
			return -errno;
		sig = sw_wait(until_ns, -1);
		if (sig == SW_TIME_UP)
			return -EAGAIN;
		if (sig == SIGTERM || sig == SIGHUP)
			kill(pid, sig);
	}
}
