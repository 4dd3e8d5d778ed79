// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Output that cannot hold us. A reader that does not read (a pager, a stopped terminal, a log
 * service that hangs) blocks write(2), and signals are held meanwhile: who has knobs in hand
 * would neither go on nor end. A ticking alarm interrupts such a write, whatever the file is.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "seekwise/base.h"
#include "seekwise/wait.h"

#define TICK_US 50000
#define SECOND 1000000000ULL

/* Of standard output and standard error. */
static struct sw_put_state {
	unsigned long lost;
	bool cut; /* the last line that came out has no end */
} states[STDERR_FILENO + 1];

static void tick(bool on)
{
	struct itimerval every = { 0 };

	every.it_value.tv_usec = on ? TICK_US : 0;
	every.it_interval = every.it_value;
	setitimer(ITIMER_REAL, &every, NULL);
}

/* -EAGAIN: nobody read any of it for so long; -EINTR: a signal is there that is to end it. */
static int put_part(int fd, const char *text, size_t n, uint64_t patience_ns, size_t *put)
{
	uint64_t since = sw_now_ns();
	ssize_t written;

	while (*put < n) {
		written = write(fd, text + *put, n - *put);
		if (written < 0 && errno != EINTR)
			return -errno;
		if (written > 0) {
			*put += (size_t)written;
			since = sw_now_ns();
		} else if (sw_wait_is_ending()) {
			return -EINTR;
		} else if (sw_now_ns() - since >= patience_ns) {
			return -EAGAIN;
		}
	}
	return 0;
}

static int put(int fd, const char *text, size_t n, uint64_t patience_ns, size_t *done)
{
	int err;

	*done = 0;
	tick(sw_wait_holds());
	err = put_part(fd, text, n, patience_ns, done);
	tick(false);
	return err;
}

int sw_put(int fd, const char *text, size_t n)
{
	size_t done;
	int err = put(fd, text, n, sw_wait_has_ended() ? SECOND : UINT64_MAX, &done);

	return err == -EAGAIN ? -EINTR : err;
}

static bool has_room(int fd)
{
	struct pollfd room = { .fd = fd, .events = POLLOUT };

	return poll(&room, 1, 0) != 0;
}

/* Once a line was lost, nobody is waited for any more. */
static int put_line(int fd, struct sw_put_state *state, const char *line)
{
	uint64_t patience = sw_wait_holds() ? (state->lost ? 0 : SECOND) : UINT64_MAX;
	size_t n = strlen(line), done = 0;
	int err;

	if (state->lost && sw_wait_holds() && !has_room(fd))
		err = -EAGAIN;
	else
		err = put(fd, line, n, patience, &done);
	state->lost += err == -EAGAIN || err == -EINTR;
	if (done)
		state->cut = line[done - 1] != '\n';
	return err;
}

/* What was lost is said before the next line that comes out. */
static int put_rest(int fd, struct sw_put_state *state)
{
	unsigned long lost = state->lost;
	char text[96];
	int err;

	if (!lost)
		return 0;
	snprintf(text, sizeof(text), "%sseekwise: %lu line%s not read in time, and lost\n",
		 state->cut ? "\n" : "", lost, lost == 1 ? " was" : "s were");
	err = put_line(fd, state, text);
	state->lost = err ? lost : 0;
	return err;
}

int sw_put_line(int fd, const char *line)
{
	struct sw_put_state *state = &states[fd];
	int saved = errno, err = put_rest(fd, state);

	if (err == -EAGAIN || err == -EINTR)
		state->lost++;
	else if (!err)
		err = put_line(fd, state, line);
	errno = saved;
	return err == -EAGAIN || err == -EINTR ? 0 : err;
}
