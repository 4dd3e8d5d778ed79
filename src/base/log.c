// SPDX-License-Identifier: GPL-2.0-or-later
/* One line to stderr for each message, and names of errors. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "seekwise/base.h"
#include "seekwise/wait.h"

#define LINE_SIZE 2048

static enum sw_level highest_level = SW_INFO;

bool sw_log_enabled(enum sw_level level)
{
	return level <= highest_level;
}

void sw_log_level(enum sw_level highest)
{
	highest_level = highest;
}

/* systemd names the stream that it reads; a redirected stderr is another one. */
static bool journal_reads_stderr(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	uintmax_t dev, ino;
	struct stat st;
	int used = 0;

	if (!stream || sscanf(stream, "%ju:%ju%n", &dev, &ino, &used) != 2 || stream[used])
		return false;
	return !fstat(STDERR_FILENO, &st) && st.st_dev == dev && st.st_ino == ino;
}

static int priority_of(enum sw_level level)
{
	static const int priorities[] = {
		[SW_ERROR] = 3,
		[SW_WARN] = 4,
		[SW_INFO] = 6,
		[SW_DEBUG] = 7,
	};

	return priorities[level];
}

/* A name that a user gave may hold anything: it must not forge lines or steer a terminal. */
static void make_one_line(char *text)
{
	size_t n = strlen(text);

	while (n && text[n - 1] == '\n')
		text[--n] = '\0';
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
}

/* In one write(2), so that lines of several processes do not mix. */
static void write_line(const char *prefix, const char *text)
{
	char line[LINE_SIZE + 32];

	snprintf(line, sizeof(line), "%sseekwise: %s\n", prefix, text);
	sw_put_line(STDERR_FILENO, line);
}

void sw_vlog(enum sw_level level, const char *format, va_list args)
{
	int saved_errno = errno;
	char prefix[8] = "", text[LINE_SIZE];
	int n;

	if (level > highest_level)
		return;
	n = vsnprintf(text, sizeof(text), format, args);
	if (n < 0)
		snprintf(text, sizeof(text), "%s", format);
	else if ((size_t)n >= sizeof(text))
		memcpy(text + sizeof(text) - 4, "...", 4);
	make_one_line(text);
	if (journal_reads_stderr())
		snprintf(prefix, sizeof(prefix), "<%d>", priority_of(level));
	write_line(prefix, text);
	errno = saved_errno;
}

void sw_log(enum sw_level level, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	sw_vlog(level, format, args);
	va_end(args);
}

const char *sw_strerror(int err)
{
	static __thread char text[128];
	int number = err < 0 ? -err : err;
	const char *name = strerrorname_np(number), *meaning = strerrordesc_np(number);

	if (name && meaning)
		snprintf(text, sizeof(text), "%s: %s", name, meaning);
	else
		snprintf(text, sizeof(text), "error %d", number);
	return text;
}
