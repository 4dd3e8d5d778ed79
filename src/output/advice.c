// SPDX-License-Identifier: GPL-2.0-or-later
/* Verdict and advice in words: the report's end for people. */
#include "advice.h"

#include <string.h>

#include "format.h"

/* In less, what was there before the window outweighs what came. */
#define LEAST_SECONDS 0.05
#define LABEL 18  /* columns, as of the figures above */
#define COMMAND 6 /* farther left: the longest command fits a line */

#define TEXT_OF(x) #x
#define NUMBER(x) TEXT_OF(x)
#define TOO_MUCH_LOST                                                                              \
	"more than 1 of " NUMBER(                                                                  \
		SW_LOSSES_ONE_IN) " requests were lost to the observer, and what "                 \
				  "is not whole proves nothing"

const char *sw_unjudged(const struct sw_report_disk *disk)
{
	if (disk->gone)
		return "the disk went away before the end";
	if (sw_window_seconds(&disk->window) < LEAST_SECONDS)
		return "the window is too short to tell";
	if (disk->window.torn)
		return "the record could not be read in one piece, and what is not whole proves nothing";
	if (sw_window_lossy(&disk->window))
		return TOO_MUCH_LOST;
	return 0;
}

struct sw_facts sw_facts_of_report(const struct sw_report_disk *disk)
{
	return sw_facts_of(&disk->disk, &disk->knobs, &disk->around, &disk->window);
}

struct words {
	char *text;
	size_t size, used;
};

static void add(struct words *words, const char *text, size_t length)
{
	if (length > words->size - 1 - words->used)
		length = words->size - 1 - words->used;
	memcpy(words->text + words->used, text, length);
	words->used += length;
	words->text[words->used] = '\0';
}

/* That a sentence cannot do without: "requests" is a word of the sentence. */
static bool has_unit(const char *unit)
{
	return !strcmp(unit, "ms") || !strncmp(unit, "KiB", 3);
}

static void add_number(struct words *words, const struct sw_facts *facts, const char *path)
{
	char text[SW_NUMBER + 8] = "-";
	struct sw_fact fact;

	if (!sw_fact_get(facts, path, &fact) || !fact.value.known)
		;
	else if (fact.figure)
		sw_value_text(fact.figure, &fact.value, text);
	else if (!fact.value.whole)
		snprintf(text, sizeof(text), "%.1f %s", fact.value.number, fact.unit);
	else
		snprintf(text, sizeof(text), "%llu%s%s", (unsigned long long)fact.value.count,
			 has_unit(fact.unit) ? " " : "", has_unit(fact.unit) ? fact.unit : "");
	add(words, text, strlen(text));
}

/* Below /dev, '/' stands where sysfs has '!'. */
static void device_name(const char *disk, char text[SW_DISK_NAME])
{
	snprintf(text, SW_DISK_NAME, "%s", disk);
	for (; *text; text++)
		if (*text == '!')
			*text = '/';
}

static void add_name(struct words *words, const struct sw_advice *row, const struct sw_facts *facts,
		     const char *name)
{
	char text[SW_DISK_NAME] = "";

	if (!strcmp(name, "disk"))
		snprintf(text, sizeof(text), "%s", facts->disk->name);
	else if (!strcmp(name, "dev"))
		device_name(facts->disk->name, text);
	else if (!strcmp(name, "array"))
		snprintf(text, sizeof(text), "%s", facts->around->array);
	else if (!strcmp(name, "scheduler"))
		snprintf(text, sizeof(text), "%s", facts->disk->scheduler);
	else if (!strcmp(name, "zoned"))
		snprintf(text, sizeof(text), "%s", facts->disk->zoned);
	else if (!strcmp(name, "async"))
		snprintf(text, sizeof(text), "%s", sw_facts_async_file(facts));
	else if (!strcmp(name, "value") && row->value)
		snprintf(text, sizeof(text), "%lld", (long long)row->value(facts));
	add(words, text, strlen(text));
}

void sw_advice_words(const char *template, const struct sw_advice *row,
		     const struct sw_facts *facts, char *text, size_t size)
{
	struct words words = { text, size, 0 };
	char name[SW_FACT_PATH];
	size_t length;

	text[0] = '\0';
	for (; *template; template += length) {
		length = strcspn(template, "{$");
		add(&words, template, length);
		template += length;
		if (!*template)
			return;
		length = *template == '{' ? strcspn(template, "}")
					  : 1 + strspn(template + 1, "abcdefghijklmnopqrstuvwxyz");
		snprintf(name, sizeof(name), "%.*s", (int)length - 1, template + 1);
		if (*template == '{') {
			add_number(&words, facts, name);
			length++;
		} else {
			add_name(&words, row, facts, name);
		}
	}
}

static void write_sentence(FILE *out, const char *label, const char *sentence)
{
	char text[1024];
	struct sw_lines lines;

	sw_printable(sentence, text, sizeof(text));
	sw_lines_start(&lines, out, label, LABEL, 1);
	sw_lines_words(&lines, text);
	sw_lines_end(&lines);
}

static void write_row(FILE *out, const char *label, const struct sw_advice *row,
		      const struct sw_facts *facts)
{
	char text[1024], line[1024];
	int i;

	sw_advice_words(row->text, row, facts, text, sizeof(text));
	write_sentence(out, label, text);
	for (i = 0; i < SW_ADVICE_COMMANDS && row->commands[i]; i++) {
		sw_advice_words(row->commands[i], row, facts, text, sizeof(text));
		sw_printable(text, line, sizeof(line));
		fprintf(out, "%*s%s\n", COMMAND, "", line);
	}
}

void sw_write_judged(FILE *out, const struct sw_report_disk *disk)
{
	const struct sw_advice *rows[SW_ADVICE_MAX];
	const char *why = sw_unjudged(disk);
	struct sw_facts facts;
	char text[512];
	unsigned int i, n;

	fputc('\n', out);
	if (why) {
		snprintf(text, sizeof(text), "none: %s", why);
		write_sentence(out, "  verdict", text);
		return;
	}
	facts = sw_facts_of_report(disk);
	sw_verdict_text(&facts.sample, text, sizeof(text));
	write_sentence(out, "  verdict", text);
	n = sw_advise(&facts, rows);
	if (!n)
		write_sentence(out, "  advice", "none");
	if (n > 1)
		write_sentence(out, "  advice",
			       "one thing at a time, in this order, each measured:");
	for (i = 0; i < n; i++)
		write_row(out, n > 1 ? "" : "  advice", rows[i], &facts);
	if (facts.verdict != SW_IDLE_DISK && !disk->window.groups) {
		snprintf(text, sizeof(text),
			 "More is known with the detail groups: seekwise report --groups all %s",
			 disk->disk.name);
		write_sentence(out, "", text);
	}
}
