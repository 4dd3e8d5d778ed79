// SPDX-License-Identifier: GPL-2.0-or-later
/* The live view: plain lines, and the full screen on a pseudo-terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

#include "seekwise/output.h"

static const struct sw_disk sda = { .name = "sda", .scheduler = "mq-deadline" };

static struct sw_window example(void)
{
	struct sw_window w = { .start_ns = 1,
			       .end_ns = 2000000001,
			       .held_mean = 12.34,
			       .device_mean = 31.9,
			       .deadline = true };
	struct sw_issued_dir *reads = &w.sum.issued.dir[SW_READ];

	w.sum.completed.dir[SW_READ].ios = 300;
	w.sum.completed.dir[SW_WRITE].ios = 50000;
	w.sum.completed.dir[SW_READ].bytes = w.sum.completed.dir[SW_WRITE].bytes = 12500000;
	reads->located = 200;
	reads->sequential = 150;
	reads->wraps[SW_TO_HEAD] = reads->wraps[SW_EXPIRED] = 3;
	w.sum.passed.dir[SW_READ] =
		(struct sw_passed_dir){ .batches = 4, .batch_sum = 50, .batch_max = 16 };
	w.sum.issued.dir[SW_WRITE].expired = 5;
	reads->waits = 1;
	reads->wait_sum = reads->wait_max = 2500000;
	w.sum.issued_hist.wait[SW_READ][113] = 1; /* 36864...40959 units of 64 ns */
	return w;
}

#define TEXT 512

/* Both end what they write with 0. */
static char *plain_row(const struct sw_top_row *row, char text[TEXT])
{
	FILE *out = fmemopen(text, TEXT, "w");

	assert_non_null(out);
	assert_int_equal(sw_top_plain_row(out, row, 3723), 0);
	fclose(out);
	return text;
}

static char *header(char text[TEXT])
{
	FILE *out = fmemopen(text, TEXT, "w");

	assert_non_null(out);
	assert_int_equal(sw_top_plain_header(out), 0);
	fclose(out);
	return text;
}

static unsigned int lines_of(const char *text)
{
	unsigned int lines = 0;
	size_t column = 0;

	for (; *text; text++) {
		column = *text == '\n' ? 0 : column + 1;
		lines += *text == '\n';
		assert_true(column < 100);
	}
	return lines;
}

static void test_row(void **state)
{
	struct sw_window w = example();
	struct sw_top_row row = sw_top_row_from(&sda, &w);
	char room[TEXT], more[TEXT], *text = plain_row(&row, room), *titles = header(more);

	(void)state;
	assert_string_equal(text,
			    "01:02:03 sda      mq-deadline  150  25k 12.5 2.5ms 2.5ms     -     "
			    "-  75    3  12.5 12.3 31.9 2.50\n");
	assert_int_equal(lines_of(titles), 2);
	/* The last title ends where the last cell does. */
	assert_int_equal(strlen(strchr(titles, '\n') + 1), strlen(text));
	assert_non_null(strstr(titles, " wait "));
	assert_non_null(strstr(titles, " service "));
}

static void test_not_measured_is_a_dash(void **state)
{
	static const struct sw_disk vda = { .name = "vda" };
	struct sw_window w = { 0 };
	struct sw_top_row row = sw_top_row_from(&vda, &w);
	char room[TEXT], *text = plain_row(&row, room);

	(void)state;
	assert_string_equal(text,
			    "01:02:03 vda      -              -    -    -     -     -     -     "
			    "-   -    -     -    -    -    -\n");
}

static void test_gone(void **state)
{
	struct sw_top_row row = sw_top_row_from(&sda, 0);
	char room[TEXT], *text = plain_row(&row, room);

	(void)state;
	assert_true(row.gone);
	assert_string_equal(text, "01:02:03 sda      gone\n");
}

static void test_losses(void **state)
{
	struct sw_window w = example();
	struct sw_top_row row;
	char room[TEXT], *text;

	(void)state;
	w.sum.issued.no_insert = 2;
	w.sum.issued.negative = w.sum.completed.negative = 1;
	w.sum.requeued.requeues = 9;
	row = sw_top_row_from(&sda, &w);
	assert_string_equal(row.losses, "losses 4: no_insert 2, negative 2");
	text = plain_row(&row, room);
	assert_non_null(strstr(text, " 2.50!\n         losses 4: no_insert 2, negative 2\n"));
	w.sum.issued.no_insert = w.sum.issued.negative = w.sum.completed.negative = 0;
	row = sw_top_row_from(&sda, &w);
	assert_string_equal(row.losses, "");
}

static void test_huge_values_fit(void **state)
{
	struct sw_disk disk = { 0 };
	struct sw_window w;
	struct sw_top_row row;
	char room[TEXT], *text;

	(void)state;
	memset(disk.name, 'n', sizeof(disk.name) - 1);
	memset(disk.scheduler, 's', sizeof(disk.scheduler) - 1);
	memset(&w, 0xff, sizeof(w));
	w.deadline = w.kyber = w.caches = true;
	w.start_ns = 0;
	w.end_ns = 1;
	w.held_mean = w.device_mean = 1e300;
	row = sw_top_row_from(&disk, &w);
	text = plain_row(&row, room);
	assert_int_equal(lines_of(text), 2);
	assert_non_null(strstr(text, "nnnnnnn~ ssssssssss~ "));
}

/* In columns of 4 and 5: what rounds up takes the next unit, not the next column. */
static void test_short_numbers(void **state)
{
	static const struct {
		uint64_t ios;
		const char *text;
	} cases[] = { { 0, " 0 " },          { 1, "1 " },         { 9999, " 9999 " },
		      { 10000, " 10k " },    { 999499, "999k " }, { 999500, "1.0M " },
		      { 123456789, "123M " } };
	struct sw_window w = { .start_ns = 1, .end_ns = 1000000001 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sw_top_row row;
		char room[TEXT], *text;

		w.sum.completed.dir[SW_READ].ios = cases[i].ios;
		row = sw_top_row_from(&sda, &w);
		text = plain_row(&row, room);
		assert_memory_equal(text + 35 - strlen(cases[i].text), cases[i].text,
				    strlen(cases[i].text));
	}
}

static void test_short_times(void **state)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} cases[] = { { 300, "0.3us" },           { 9949, "9.9us" },
		      { 9951, " 10us" },          { 999400, "999us" },
		      { 999600, "1.0ms" },        { 999600000, " 1.0s" },
		      { 9999000000000, "9999s" }, { 36000000000000, "  10h" },
		      { UINT64_MAX, " >1yr" } };
	struct sw_window w = { .start_ns = 1, .end_ns = 2 };
	size_t i;

	(void)state;
	w.sum.completed.dir[SW_READ].served = 1;
	w.sum.completed_hist.service[SW_READ][SW_HIST_BUCKETS - 1] = 1;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sw_top_row row;
		char room[TEXT], *text;

		w.sum.completed.dir[SW_READ].service_max = cases[i].ns;
		row = sw_top_row_from(&sda, &w);
		row.cells[5] = (double)cases[i].ns / 1000;
		text = plain_row(&row, room);
		assert_memory_equal(text + 57, cases[i].text, 5);
	}
}

static void test_header_comes_again(void **state)
{
	struct sw_window w = example();
	struct sw_top_row rows[3] = { sw_top_row_from(&sda, &w), sw_top_row_from(&sda, 0),
				      sw_top_row_from(&sda, &w) };
	char *text = 0, *at;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	unsigned int lines = 0, headers = 0;
	int i;

	(void)state;
	for (i = 0; i < 14; i++)
		assert_int_equal(sw_top_plain(out, rows, 3, i, &lines, 20), 0);
	fclose(out);
	for (at = text; (at = strstr(at, "time ")); at++)
		headers++;
	/* After 7 intervals of 3 rows. */
	assert_int_equal(headers, 2);
	assert_int_equal(lines_of(text), 14 * 3 + 2 * headers);
	free(text);
}

static void test_write_errors(void **state)
{
	struct sw_top_row row = sw_top_row_from(&sda, 0);
	FILE *out = fopen("/dev/full", "w");
	unsigned int lines = 0;

	(void)state;
	assert_non_null(out);
	assert_int_equal(sw_top_plain_header(out), -ENOSPC);
	assert_int_equal(sw_top_plain_row(out, &row, 0), -ENOSPC);
	assert_int_equal(sw_top_plain(out, &row, 1, 0, &lines, 20), -ENOSPC);
	fclose(out);
}

/* A child on a terminal of its own; what it writes is gathered in `seen`. */
struct terminal {
	int master;
	pid_t child;
	char seen[65536];
	size_t size;
	struct termios before;
};

static void start(struct terminal *t, const char *term, const char *locale, int (*body)(void))
{
	struct winsize size = { .ws_row = 24, .ws_col = 100 };
	int slave;

	t->size = 0;
	assert_int_equal(openpty(&t->master, &slave, 0, 0, &size), 0);
	assert_int_equal(tcgetattr(slave, &t->before), 0);
	t->child = fork();
	assert_true(t->child >= 0);
	if (!t->child) {
		setenv("TERM", term, 1);
		setenv("LC_ALL", locale, 1);
		close(t->master);
		if (login_tty(slave))
			_exit(99);
		/* No clean-up of the test program's own. */
		_exit(body());
	}
	close(slave);
}

/* Reads until `text` came or nothing comes any more. */
static bool sees(struct terminal *t, const char *text)
{
	ssize_t n;

	for (;;) {
		t->seen[t->size] = 0;
		if (text && strstr(t->seen, text))
			return true;
		n = read(t->master, t->seen + t->size, sizeof(t->seen) - 1 - t->size);
		if (n <= 0)
			return false;
		t->size += (size_t)n;
	}
}

static int ends_with(struct terminal *t)
{
	int status;

	sees(t, 0);
	assert_int_equal(waitpid(t->child, &status, 0), t->child);
	close(t->master);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int only_open(void)
{
	return sw_screen_open() == -ENOTSUP ? 42 : 1;
}

static void test_screen_is_not_for_all(void **state)
{
	struct terminal t;

	(void)state;
	start(&t, "dumb", "C.UTF-8", only_open);
	assert_int_equal(ends_with(&t), 42);
	/* Root's locale is often C: what is drawn is plain ASCII, so that will do. */
	start(&t, "xterm", "C", only_open);
	assert_int_equal(ends_with(&t), 1);
	start(&t, "no-such-terminal", "C.UTF-8", only_open);
	assert_int_equal(ends_with(&t), 42);
}

static void test_screen_needs_a_terminal(void **state)
{
	pid_t child = fork();
	int status, null;

	(void)state;
	if (!child) {
		null = open("/dev/null", O_RDWR);
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		setenv("TERM", "xterm", 1);
		setenv("LC_ALL", "C.UTF-8", 1);
		_exit(only_open());
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(WEXITSTATUS(status), 42);
}

/* Draws once for each key, and tells in the status what it was. */
static int live_view(void)
{
	static const char *const names[] = { "none", "quit", "paused", "again" };
	struct sw_window w = example();
	struct sw_top_row rows[40];
	enum sw_key key = SW_KEY_NONE;
	struct termios after;
	int i;

	w.torn = 1;
	for (i = 0; i < 40; i++)
		rows[i] = sw_top_row_from(&sda, i ? 0 : &w);
	if (sw_screen_open() || sw_screen_open())
		return 1;
	while (key != SW_KEY_QUIT) {
		sw_screen_draw(rows, 40, names[key]);
		key = sw_screen_key(60000);
	}
	sw_screen_close();
	sw_screen_close();
	sw_screen_draw(rows, 1, "closed");
	if (sw_screen_key(60000) != SW_KEY_QUIT || tcgetattr(0, &after))
		return 2;
	return after.c_lflag & ICANON && after.c_lflag & ECHO ? 42 : 3;
}

static void press(struct terminal *t, const char *key)
{
	assert_int_equal(write(t->master, key, strlen(key)), (ssize_t)strlen(key));
}

static void test_screen(void **state)
{
	struct winsize size = { .ws_row = 10, .ws_col = 40 };
	struct terminal t;

	(void)state;
	start(&t, "xterm", "C.UTF-8", live_view);
	assert_true(sees(&t, "h help"));
	assert_non_null(strstr(t.seen, "none"));
	/* curses may jump over longer gaps. */
	assert_non_null(strstr(t.seen, "mq-deadline"));
	assert_non_null(strstr(t.seen, "12.5 2.5ms 2.5ms"));
	assert_non_null(strstr(t.seen, "losses 1: torn 1"));
	assert_non_null(strstr(t.seen, "gone"));
	/* 24 lines: 3 above, 1 below, 2 of the first disk, 17 others, and how many are left. */
	assert_non_null(strstr(t.seen, "22 more"));
	press(&t, "p");
	assert_true(sees(&t, "paused"));
	press(&t, "h");
	assert_true(sees(&t, "q quit"));
	assert_int_equal(ioctl(t.master, TIOCSWINSZ, &size), 0);
	/* 10 lines, of which help takes 5. */
	assert_true(sees(&t, "40 more"));
	press(&t, "q");
	assert_int_equal(ends_with(&t), 42);
	/* The other screen of the terminal is back. */
	assert_non_null(strstr(t.seen, "\x1b[?1049l"));
	assert_null(strstr(t.seen, "closed"));
}

/* Draws again for each byte, without asking for keys. */
static int draws_alone(void)
{
	struct sw_top_row rows[40];
	ssize_t n = 1;
	char key;
	int i;

	for (i = 0; i < 40; i++)
		rows[i] = sw_top_row_from(&sda, 0);
	if (sw_screen_open())
		return 1;
	do {
		if (n > 0)
			sw_screen_draw(rows, 40, "status");
		n = read(STDIN_FILENO, &key, 1);
	} while ((n < 0 && errno == EINTR) || (n == 1 && key != 'q'));
	sw_screen_close();
	return 42;
}

static void test_drawing_follows_the_size(void **state)
{
	struct winsize small = { .ws_row = 10, .ws_col = 40 },
		       large = { .ws_row = 50, .ws_col = 120 };
	struct terminal t;

	(void)state;
	start(&t, "xterm", "C.UTF-8", draws_alone);
	assert_true(sees(&t, "21 more"));
	assert_int_equal(ioctl(t.master, TIOCSWINSZ, &small), 0);
	press(&t, "x");
	assert_true(sees(&t, "35 more"));
	t.size = 0;
	assert_int_equal(ioctl(t.master, TIOCSWINSZ, &large), 0);
	press(&t, "x");
	/* All 40 fit; the help line is now the 50th. */
	assert_true(sees(&t, "\x1b[50"));
	assert_null(strstr(t.seen, "more"));
	press(&t, "q");
	assert_int_equal(ends_with(&t), 42);
}

static int forgets_to_close(void)
{
	if (sw_screen_open())
		return 1;
	sw_screen_draw(0, 0, "open");
	exit(42);
}

static void test_screen_closes_at_exit(void **state)
{
	struct terminal t;

	(void)state;
	start(&t, "xterm", "C.UTF-8", forgets_to_close);
	assert_int_equal(ends_with(&t), 42);
	assert_non_null(strstr(t.seen, "open"));
	assert_non_null(strstr(t.seen, "\x1b[?1049l"));
}

/* The window of the terminal is closed: no endless loop over a dead input. */
static int hangs_on(void)
{
	signal(SIGHUP, SIG_IGN);
	if (sw_screen_open())
		return 1;
	sw_screen_draw(0, 0, "open");
	while (sw_screen_key(60000) != SW_KEY_QUIT)
		;
	return 42;
}

static void test_terminal_goes_away(void **state)
{
	struct terminal t;
	int status;

	(void)state;
	start(&t, "xterm", "C.UTF-8", hangs_on);
	assert_true(sees(&t, "open"));
	close(t.master);
	assert_int_equal(waitpid(t.child, &status, 0), t.child);
	assert_int_equal(WEXITSTATUS(status), 42);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_row),
		cmocka_unit_test(test_not_measured_is_a_dash),
		cmocka_unit_test(test_gone),
		cmocka_unit_test(test_losses),
		cmocka_unit_test(test_huge_values_fit),
		cmocka_unit_test(test_short_numbers),
		cmocka_unit_test(test_short_times),
		cmocka_unit_test(test_header_comes_again),
		cmocka_unit_test(test_write_errors),
		cmocka_unit_test(test_screen_is_not_for_all),
		cmocka_unit_test(test_screen_needs_a_terminal),
		cmocka_unit_test(test_screen),
		cmocka_unit_test(test_drawing_follows_the_size),
		cmocka_unit_test(test_screen_closes_at_exit),
		cmocka_unit_test(test_terminal_goes_away),
	};

	setenv("TZ", "UTC", 1);
	/* Rather ended than waiting for a screen for ever. */
	alarm(300);
	return cmocka_run_group_tests(tests, 0, 0);
}
