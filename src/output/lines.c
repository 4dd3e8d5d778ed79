// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of text that keep within SW_COLUMNS, and output that is composed first. */
#include <errno.h>
#include <langinfo.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "format.h"
#include "seekwise/output.h"
#include "seekwise/wait.h"

void sw_lines_start(struct sw_lines *lines, FILE *out, const char *label, int indent, int gap)
{
	int length = (int)strlen(label);

	*lines = (struct sw_lines){ .out = out,
				    .indent = indent,
				    .gap = gap,
				    .column = length > indent ? length : indent };
	/* One that leaves no space behind it keeps the first item off, as an item would. */
	lines->started = length && length >= indent && label[length - 1] != ' ';
	fprintf(out, "%-*s", indent, label);
}

static bool is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Cuts what would not fit a line of its own; bytes stand in for columns. */
static int cut(char *text, int room)
{
	int length = (int)strlen(text);

	if (length <= room)
		return length;
	length = room - 3;
	while (length > 0 && is_continuation(text[length]))
		length--;
	strcpy(text + length, "...");
	return length + 3;
}

void sw_lines_item(struct sw_lines *lines, const char *format, ...)
{
	char text[512];
	va_list args;
	int length;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	length = cut(text, SW_COLUMNS - lines->indent);
	if (lines->started && lines->column + lines->gap + length > SW_COLUMNS) {
		fprintf(lines->out, "\n%*s", lines->indent, "");
		lines->column = lines->indent;
		lines->started = false;
	}
	fprintf(lines->out, "%*s%s", lines->started ? lines->gap : 0, "", text);
	lines->column += length + (lines->started ? lines->gap : 0);
	lines->started = true;
}

void sw_lines_words(struct sw_lines *lines, const char *text)
{
	size_t length;

	for (text += strspn(text, " \n"); *text; text += strspn(text, " \n")) {
		length = strcspn(text, " \n");
		sw_lines_item(lines, "%.*s", (int)length, text);
		text += length;
	}
}

void sw_lines_end(struct sw_lines *lines)
{
	fputc('\n', lines->out);
}

/* Bytes of the printable character that text begins with; 0 if it is none. */
static size_t printable_bytes(const char *text)
{
	mbstate_t state = { 0 };
	wchar_t wide;
	size_t n;

	if (*text >= ' ' && *text <= '~')
		return 1;
	if (strcmp(nl_langinfo(CODESET), "UTF-8"))
		return 0;
	n = mbrtowc(&wide, text, strlen(text), &state);
	return n <= MB_CUR_MAX && iswprint((wint_t)wide) ? n : 0;
}

void sw_printable(const char *text, char *copy, size_t size)
{
	size_t n, used = 0;

	while (*text) {
		n = printable_bytes(text);
		if (used + (n ? n : 1) >= size)
			break;
		if (n)
			memcpy(copy + used, text, n);
		else
			copy[used] = '?';
		used += n ? n : 1;
		text += n ? n : 1;
	}
	copy[used] = 0;
}

FILE *sw_compose(struct sw_composed *composed)
{
	*composed = (struct sw_composed){ 0 };
	composed->file = open_memstream(&composed->text, &composed->size);
	return composed->file;
}

static int write_out(FILE *out, const char *text, size_t n)
{
	int fd = fileno(out);

	errno = 0;
	/* Its reader may be one who does not read: not through the stream. */
	if (fd >= 0 && !fflush(out))
		return sw_put(fd, text, n);
	if (fd >= 0 || fwrite(text, 1, n, out) != n || fflush(out))
		return errno ? -errno : -EIO;
	return 0;
}

int sw_compose_end(struct sw_composed *composed, FILE *out)
{
	int err = 0;

	if (!composed->file)
		return -ENOMEM;
	if (ferror(composed->file))
		err = -ENOMEM;
	if (fclose(composed->file))
		err = -ENOMEM;
	if (!err)
		err = write_out(out, composed->text, composed->size);
	free(composed->text);
	return err;
}
