// SPDX-License-Identifier: GPL-2.0-or-later
/* Waiting for time, signals and input. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "seekwise/base.h"
#include "seekwise/wait.h"

static sigset_t before;
static int signals = -1;
static bool ended; /* a signal that is to end the program was reported */

/* It interrupts a write that blocks (put.c), and that is all. */
static void on_tick(int signal)
{
	(void)signal;
}

static int init_tick(void)
{
	struct sigaction action = { .sa_handler = on_tick };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	return sigaction(SIGALRM, &action, NULL) || sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* nohup: who is not to be ended by a hangup. In scripts INT is ignored behind `&` alone. */
static bool is_ignored(int signal)
{
	struct sigaction action;

	return signal == SIGHUP && !sigaction(signal, NULL, &action) &&
	       action.sa_handler == SIG_IGN;
}

int sw_wait_init(void)
{
	static const int watched[] = {
		SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGCHLD, SIGWINCH
	};
	sigset_t set;
	size_t i;

	if (signals >= 0)
		return 0;
	sigemptyset(&set);
	for (i = 0; i < sizeof(watched) / sizeof(watched[0]); i++)
		if (!is_ignored(watched[i]))
			sigaddset(&set, watched[i]);
	if (sigprocmask(SIG_BLOCK, &set, &before) || init_tick())
		return -errno;
	signal(SIGPIPE, SIG_IGN);
	signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return signals < 0 ? -errno : 0;
}

void sw_wait_undo(void)
{
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

bool sw_wait_holds(void)
{
	return signals >= 0;
}

bool sw_wait_is_ending(void)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	sigset_t pending;
	size_t i;

	if (!sw_wait_holds() || sigpending(&pending))
		return false;
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (sigismember(&pending, ends[i]) == 1)
			return true;
	return false;
}

bool sw_wait_has_ended(void)
{
	return ended;
}

static int next_signal(void)
{
	struct signalfd_siginfo info;

	if (read(signals, &info, sizeof(info)) != sizeof(info))
		return 0;
	ended |= sw_is_end((int)info.ssi_signo);
	return (int)info.ssi_signo;
}

int sw_wait(uint64_t until_ns, int input_fd)
{
	struct pollfd fds[2] = { { .fd = signals, .events = POLLIN },
				 { .fd = input_fd, .events = POLLIN } };
	struct timespec left;
	uint64_t now;
	int n, sig;

	for (;;) {
		now = sw_now_ns();
		left.tv_sec = until_ns > now ? (until_ns - now) / 1000000000 : 0;
		left.tv_nsec = until_ns > now ? (until_ns - now) % 1000000000 : 0;
		n = ppoll(fds, 2, &left, NULL);
		if (n > 0 && fds[0].revents) {
			sig = next_signal();
			if (sig)
				return sig;
		} else if (n > 0 && fds[1].revents) {
			return SW_INPUT;
		}
		if (sw_now_ns() >= until_ns)
			return SW_TIME_UP;
	}
}
