// SPDX-License-Identifier: GPL-2.0-or-later
/* seekwise check: what this machine allows, in words. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/capability.h>

#include "cmd.h"
#include "seekwise/gate.h"
#include "seekwise/knobs.h"
#include "seekwise/observe.h"

static void line(const char *what, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void line(const char *what, const char *format, ...)
{
	va_list args;

	printf("%-13s", what);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

/* The effective capabilities as a bit mask, from /proc/self/status. */
static uint64_t capabilities(void)
{
	unsigned long long mask = 0;
	char path[256], text[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/self/status", sw_roots.proc);
	f = fopen(path, "re");
	if (!f)
		return 0;
	while (fgets(text, sizeof(text), f))
		if (sscanf(text, "CapEff: %llx", &mask) == 1)
			break;
	fclose(f);
	return mask;
}

static void check_rights(void)
{
	static const struct {
		int bit;
		const char *name;
	} caps[] = { { CAP_BPF, "CAP_BPF" },
		     { CAP_PERFMON, "CAP_PERFMON" },
		     { CAP_SYS_ADMIN, "CAP_SYS_ADMIN" } };
	uint64_t mask = capabilities();
	char text[128] = "";
	size_t i;

	for (i = 0; i < sizeof(caps) / sizeof(caps[0]); i++)
		if (mask >> caps[i].bit & 1) {
			strcat(text, " ");
			strcat(text, caps[i].name);
		}
	line("user", "%s (uid %u), capabilities:%s", geteuid() ? "not root" : "root", geteuid(),
	     text[0] ? text : " none of CAP_BPF, CAP_PERFMON, CAP_SYS_ADMIN");
}

static void check_lockdown(void)
{
	char path[256], text[128], *mode, *end;

	snprintf(path, sizeof(path), "%s/kernel/security/lockdown", sw_roots.sys);
	if (sw_read_file(path, text, sizeof(text)) < 0) {
		line("lockdown", "not told (no securityfs here)");
		return;
	}
	mode = strchr(text, '[');
	end = mode ? strchr(mode, ']') : NULL;
	if (!end)
		return;
	*end = 0;
	line("lockdown", "%s%s", mode + 1,
	     strcmp(mode + 1, "confidentiality") ? "" : ": BPF may not read kernel memory");
}

static void check_container(void)
{
	char path[256], text[128];

	snprintf(path, sizeof(path), "%s/1/comm", sw_roots.proc);
	if (!access("/run/.containerenv", F_OK) || !access("/.dockerenv", F_OK))
		line("container", "yes (then /sys is often read-only, and BPF often refused)");
	snprintf(path, sizeof(path), "%s/kernel/btf/vmlinux", sw_roots.sys);
	line("BTF", "%s", access(path, R_OK) ? "no /sys/kernel/btf/vmlinux" : "present");
	snprintf(path, sizeof(path), "%s/sys/kernel/osrelease", sw_roots.proc);
	if (sw_read_file(path, text, sizeof(text)) > 0)
		line("kernel", "%s", text);
}

/* Loads and attaches for real: whatever forbids it shows here. */
static int check_observing(const struct sw_disks *disks)
{
	struct sw_observer *observer;
	struct sw_how how;
	char why[512];
	int err = sw_observer_open(&observer, disks->disk, disks->count, 0, why, sizeof(why));

	if (err) {
		line("observing", "no: %s", why);
		return err == -EPERM ? SW_NOT_PERMITTED : SW_NO_OBSERVING;
	}
	how = sw_observer_how(observer);
	line("observing", "yes: the programs load, and attach to the block tracepoints%s",
	     how.plain   ? " (raw_tp, as with --btf always: each event costs more)"
	     : how.typed ? ""
			 : " (raw_tp: this kernel does not take tp_btf, each event costs more)");
	line("passes", "%s",
	     how.dispatch
		     ? "measured on the kernel's dispatch function"
		     : "estimated from mq-deadline's count of what it handed out, null where it has "
		       "none: this kernel (its configuration, its lockdown), or --btf, allows no "
		       "program on its dispatch function");
	sw_observer_close(observer);
	return SW_OK;
}

static void print_knobs(const struct sw_disk *disk)
{
	struct sw_settings settings;
	int i, n, column = 0;
	char text[64];

	if (sw_knobs_read(disk, &settings))
		return;
	for (i = 0; i < SW_KNOBS; i++) {
		if (!settings.present[i])
			continue;
		n = snprintf(text, sizeof(text), "%s=%lld  ", sw_knobs[i].name,
			     (long long)settings.value[i]);
		if (column && column + n > 99) {
			putchar('\n');
			column = 0;
		}
		if (!column)
			column = printf("%-13s", "");
		column += printf("%s", text);
	}
	putchar('\n');
}

/* Returns the number of disks that can be tuned. */
static int check_disks(const struct sw_disks *disks)
{
	const struct sw_disk *disk;
	char why[256];
	int i, tunable = 0, yes;

	for (i = 0; i < disks->count; i++) {
		disk = &disks->disk[i];
		yes = sw_tunable(disk, NULL, why, sizeof(why));
		tunable += yes;
		line(disk->name, "%s, %s, %s%s", disk->scheduler,
		     disk->rotational ? "rotational" : "non-rotational",
		     yes ? "ready to be tuned" : "not tuned: ", yes ? "" : why);
		print_knobs(disk);
	}
	return tunable;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	return sw_parse_disk(key, arg, state->input);
}

int sw_cmd_check(int argc, char **argv)
{
	static const struct argp argp = {
		NULL,
		parse,
		"[DISK...]",
		"Says what this machine allows: observing, tuning, and what stands against it.\v"
		"Exit code: 0 both, 3 not permitted, 4 the kernel cannot be observed, 5 no disk "
		"can be tuned.",
		sw_observe_options,
		NULL,
		NULL
	};
	static struct sw_disks disks;
	int code, tunable;

	argp_parse(&argp, argc, argv, 0, NULL, &disks);
	check_container();
	check_rights();
	check_lockdown();
	if (!disks.count)
		code = sw_disks_default(&disks);
	else
		code = SW_OK;
	if (code)
		return code;
	code = check_observing(&disks);
	tunable = check_disks(&disks);
	if (!code && !tunable) {
		line("tuning", "no: no disk here is ready for it");
		code = SW_NOTHING_TO_TUNE;
	} else if (tunable && geteuid()) {
		line("tuning", "no: it takes root to write the knobs");
		code = SW_NOT_PERMITTED;
	} else if (tunable) {
		line("tuning", "yes: %d of %d disks", tunable, disks.count);
	}
	return sw_finish_output(0) ? SW_FAILED : code;
}
