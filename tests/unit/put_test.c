// SPDX-License-Identifier: GPL-2.0-or-later
/* Output to readers that do not read. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "seekwise/base.h"
#include "seekwise/wait.h"

#define SECOND 1000000000ULL

static int reader, saved_stderr;

/* Standard error goes to where nobody reads, and there is no room. */
static void fill(int fds[2])
{
	struct pollfd room = { .fd = fds[1], .events = POLLOUT };
	char junk[4096];

	memset(junk, 'x', sizeof(junk));
	reader = fds[0];
	saved_stderr = dup(STDERR_FILENO);
	fcntl(fds[1], F_SETFL, O_NONBLOCK);
	/* A terminal makes room again a moment later, for a while. */
	do {
		while (write(fds[1], junk, sizeof(junk)) > 0)
			;
		while (write(fds[1], junk, 1) > 0)
			;
	} while (poll(&room, 1, 500) > 0);
	fcntl(fds[1], F_SETFL, 0);
	dup2(fds[1], STDERR_FILENO);
	close(fds[1]);
}

static void fill_pipe(void)
{
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	fill(fds);
}

/* What comes out from now on, without what it was filled with. */
static void read_all(char *text, size_t size)
{
	struct pollfd ready = { .fd = reader, .events = POLLIN };
	size_t n = 0;
	char c;

	/* A terminal hands on what was written a moment later. */
	while (poll(&ready, 1, 500) > 0 && read(reader, &c, 1) == 1)
		if (c != 'x' && n + 1 < size)
			text[n++] = c;
	text[n] = '\0';
}

static int put_away(void **state)
{
	(void)state;
	dup2(saved_stderr, STDERR_FILENO);
	close(saved_stderr);
	close(reader);
	return 0;
}

static void a_line_that_nobody_reads_is_lost_and_counted(void **state)
{
	uint64_t start = sw_now_ns();
	char text[512];

	(void)state;
	fill_pipe();
	errno = ENOENT;
	assert_int_equal(sw_put_line(STDERR_FILENO, "one\n"), 0);
	assert_int_equal(errno, ENOENT);
	assert_true(sw_now_ns() - start >= SECOND);
	/* Not a second each: hours of these have to pass. */
	start = sw_now_ns();
	for (int i = 0; i < 10000; i++)
		sw_log(SW_WARN, "two");
	assert_true(sw_now_ns() - start < 60 * SECOND);
	read_all(text, sizeof(text));
	assert_string_equal(text, "");
	sw_put_line(STDERR_FILENO, "three\n");
	sw_put_line(STDERR_FILENO, "four\n");
	read_all(text, sizeof(text));
	assert_string_equal(text, "seekwise: 10001 lines were not read in time, and lost\nthree\nfour\n");
}

static void a_line_that_was_cut_gets_an_end(void **state)
{
	char line[300000], text[512];
	int fds[2];

	(void)state;
	assert_int_equal(pipe(fds), 0);
	reader = fds[0];
	saved_stderr = dup(STDERR_FILENO);
	dup2(fds[1], STDERR_FILENO);
	close(fds[1]);
	memset(line, 'x', sizeof(line));
	line[sizeof(line) - 2] = '\n';
	line[sizeof(line) - 1] = '\0';
	assert_int_equal(sw_put_line(STDERR_FILENO, line), 0);
	read_all(text, sizeof(text));
	assert_string_equal(text, "");
	sw_put_line(STDERR_FILENO, "after\n");
	read_all(text, sizeof(text));
	assert_string_equal(text, "\nseekwise: 1 line was not read in time, and lost\nafter\n");
}

static void a_socket_cannot_hold_it_either(void **state)
{
	char text[512];
	int fds[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	fill(fds);
	sw_put_line(STDERR_FILENO, "one\n");
	read_all(text, sizeof(text));
	sw_put_line(STDERR_FILENO, "two\n");
	read_all(text, sizeof(text));
	assert_string_equal(text, "seekwise: 1 line was not read in time, and lost\ntwo\n");
}

static void a_terminal_cannot_hold_it_either(void **state)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY), fds[2] = { master, -1 };
	char text[512];

	(void)state;
	assert_true(master >= 0 && !grantpt(master) && !unlockpt(master));
	fds[1] = open(ptsname(master), O_RDWR | O_NOCTTY);
	assert_true(fds[1] >= 0);
	fill(fds);
	sw_put_line(STDERR_FILENO, "one\n");
	read_all(text, sizeof(text));
	sw_put_line(STDERR_FILENO, "two\n");
	read_all(text, sizeof(text));
	assert_non_null(strstr(text, "lost\r\ntwo\r\n"));
}

static void a_signal_ends_waiting_for_the_reader(void **state)
{
	(void)state;
	fill_pipe();
	assert_false(sw_wait_is_ending());
	kill(getpid(), SIGTERM);
	assert_true(sw_wait_is_ending());
	assert_int_equal(sw_put(STDERR_FILENO, "text", 4), -EINTR);
	/* It is still there for who waits for it. */
	assert_int_equal(sw_wait(sw_now_ns() + SECOND, -1), SIGTERM);
	assert_false(sw_wait_is_ending());
	/* One that was reported: it is as good as over. */
	assert_true(sw_wait_has_ended());
	assert_int_equal(sw_put(STDERR_FILENO, "text", 4), -EINTR);
}

static void signals_that_do_not_end_it_do_not_end_a_write(void **state)
{
	pid_t child;
	char text[64];

	(void)state;
	fill_pipe();
	kill(getpid(), SIGUSR1);
	child = fork();
	if (!child) {
		/* Long enough for the write to block, and be interrupted. */
		usleep(300000);
		read_all(text, sizeof(text));
		_exit(0);
	}
	assert_int_equal(sw_put(STDERR_FILENO, "text", 4), 0);
	while (sw_wait(sw_now_ns() + 60 * SECOND, -1) != SIGCHLD)
		;
}

static void an_error_is_an_error(void **state)
{
	(void)state;
	fill_pipe();
	close(reader);
	assert_int_equal(sw_put_line(STDERR_FILENO, "one\n"), -EPIPE);
	assert_int_equal(sw_put(STDERR_FILENO, "one\n", 4), -EPIPE);
	dup2(open("/dev/full", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
	assert_int_equal(sw_put_line(STDERR_FILENO, "one\n"), -ENOSPC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_line_that_nobody_reads_is_lost_and_counted, put_away),
		cmocka_unit_test_teardown(a_line_that_was_cut_gets_an_end, put_away),
		cmocka_unit_test_teardown(a_socket_cannot_hold_it_either, put_away),
		cmocka_unit_test_teardown(a_terminal_cannot_hold_it_either, put_away),
		cmocka_unit_test_teardown(signals_that_do_not_end_it_do_not_end_a_write, put_away),
		cmocka_unit_test_teardown(a_signal_ends_waiting_for_the_reader, put_away),
		cmocka_unit_test_teardown(an_error_is_an_error, put_away),
	};

	if (sw_wait_init())
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
