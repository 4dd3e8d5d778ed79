// SPDX-License-Identifier: GPL-2.0-or-later
/* Keeping the baseline of a disk from the first write until it is put back. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <sys/stat.h>
#include <unistd.h>

#include "knobs_internal.h"
#include "seekwise/base.h"

static const char suffix[] = "baseline";

static int read_boot_id(char *id, size_t size)
{
	char path[PATH_MAX];
	int n;

	snprintf(path, sizeof(path), "%s/sys/kernel/random/boot_id", sw_roots.proc);
	n = sw_read_file(path, id, size);
	if (n < 0)
		return n;
	return n ? 0 : -ENODATA;
}

/*
 * Knobs live as long as the scheduler's instance: not over a switch and back,
 * nor a new disk of the same name, but over a loop device's detaching. sysfs
 * gives no inode number twice.
 */
static uint64_t instance_of(const struct sw_disk *disk)
{
	char path[PATH_MAX];
	struct stat st;

	snprintf(path, sizeof(path), "%s/block/%s/queue/iosched", sw_roots.sys, disk->name);
	return stat(path, &st) ? 0 : st.st_ino;
}

static int store(const struct sw_stored *stored)
{
	char text[SW_STORED_SIZE];
	int n = sw_stored_format(stored, text);

	return n < 0 ? n : sw_run_save(stored->baseline.disk, suffix, text, (size_t)n);
}

int sw_baseline_save(const struct sw_disk *disk, const struct sw_settings *settings)
{
	struct sw_stored stored = { 0 };
	char path[PATH_MAX];
	int err = sw_run_path(disk->name, suffix, path);

	if (err)
		return err;
	if (!access(path, F_OK))
		return -EEXIST;
	err = read_boot_id(stored.boot_id, sizeof(stored.boot_id));
	if (err)
		return err;
	snprintf(stored.baseline.disk, sizeof(stored.baseline.disk), "%s", disk->name);
	snprintf(stored.baseline.scheduler, sizeof(stored.baseline.scheduler), "%s",
		 disk->scheduler);
	stored.baseline.original = *settings;
	stored.major = disk->major;
	stored.minor = disk->minor;
	stored.instance = instance_of(disk);
	err = store(&stored);
	if (err) /* no half-saved baseline may pass for one that a tuner left */
		sw_run_remove(disk->name, suffix);
	return err;
}

/* 0, -ENOENT, -EBADMSG or -errno; of whatever boot and disk. */
static int load(const struct sw_disk *disk, struct sw_stored *stored)
{
	char path[PATH_MAX], text[SW_STORED_SIZE];
	int n = sw_run_path(disk->name, suffix, path);

	if (!n)
		n = sw_read_file(path, text, sizeof(text));
	if (n < 0)
		return n == -E2BIG ? -EBADMSG : n;
	n = sw_stored_parse(text, stored);
	if (!n && strcmp(stored->baseline.disk, disk->name))
		n = -EBADMSG;
	return n;
}

static bool same_disk(const struct sw_stored *stored, const struct sw_disk *disk)
{
	if ((disk->major || disk->minor) &&
	    (disk->major != stored->major || disk->minor != stored->minor))
		return false;
	return true;
}

static bool same_instance(const struct sw_stored *stored, const struct sw_disk *disk)
{
	uint64_t instance = instance_of(disk);

	return !instance || !stored->instance || instance == stored->instance;
}

/* Still the one whose values are known, or the one that our own switch may have made. */
static bool is_known_scheduler(const struct sw_stored *stored, const struct sw_disk *disk)
{
	const char *last = stored->switched[0] ? stored->switched : stored->baseline.scheduler;

	if (!strcmp(disk->scheduler, stored->switching))
		return true;
	return !strcmp(disk->scheduler, last) && same_instance(stored, disk);
}

/* 0 when the values still hold for the disk; -ESTALE, with what they are of; -errno. */
static int check_stale(const struct sw_stored *stored, const struct sw_disk *disk, const char **of)
{
	char boot_id[sizeof(stored->boot_id)];
	int err = read_boot_id(boot_id, sizeof(boot_id));

	if (err)
		return err;
	if (strcmp(boot_id, stored->boot_id))
		*of = "an earlier boot";
	else if (!same_disk(stored, disk))
		*of = "another disk of that name";
	else if (!is_known_scheduler(stored, disk))
		*of = "a scheduler that was switched since, which sets all knobs anew";
	else
		return 0;
	return -ESTALE;
}

int sw_baseline_load(const struct sw_disk *disk, struct sw_baseline *baseline)
{
	struct sw_stored stored;
	const char *of;
	int err = load(disk, &stored);

	if (!err)
		err = check_stale(&stored, disk, &of);
	if (err)
		return err;
	*baseline = stored.baseline;
	return 0;
}

static bool holds(const struct sw_settings *settings, enum sw_knob_id id, int64_t found)
{
	return settings->present[id] && sw_knob_same(id, settings->value[id], found);
}

/*
 * The value noted last may never have reached the kernel (killed before, EBUSY),
 * so the one before it stays known as ours as long as it is in force.
 */
int sw_baseline_note(const struct sw_disk *disk, enum sw_knob_id id, int64_t value)
{
	struct sw_stored stored;
	struct sw_settings *written = &stored.baseline.written;
	int64_t found;
	int err = load(disk, &stored);

	if (err)
		return err;
	if (written->present[id] && written->value[id] == value)
		return 0;
	if (!sw_knob_read(disk, id, &found) && holds(written, id, found)) {
		stored.previous.value[id] = written->value[id];
		stored.previous.present[id] = true;
	}
	written->value[id] = value;
	written->present[id] = true;
	return store(&stored);
}

int sw_baseline_note_switch(const struct sw_disk *disk, const char *scheduler)
{
	struct sw_stored stored;
	int err = load(disk, &stored);

	if (err)
		return err;
	snprintf(stored.switching, sizeof(stored.switching), "%s", scheduler);
	return store(&stored);
}

/* What is in force right after the switch is nobody's writing. */
int sw_baseline_switched(const struct sw_disk *disk, const struct sw_settings *now)
{
	struct sw_stored stored;
	int err = load(disk, &stored);

	if (err)
		return err;
	stored.baseline.written = *now;
	memset(&stored.previous, 0, sizeof(stored.previous));
	stored.instance = instance_of(disk);
	memcpy(stored.switched, disk->scheduler, sizeof(stored.switched));
	stored.switching[0] = '\0';
	return store(&stored);
}

/*
 * Ours: what we wrote or were about to. What nr_requests draws along is ours
 * too, when nr_requests was.
 */
static bool is_ours(const struct sw_stored *stored, enum sw_knob_id id, int64_t found,
		    bool pool_is_ours)
{
	if (holds(&stored->baseline.written, id, found) || holds(&stored->previous, id, found))
		return true;
	return pool_is_ours && sw_knob_follows(id);
}

/* A queue that is being changed by somebody says EBUSY for some milliseconds: 150 ms at most. */
static bool is_to_try_again(enum sw_write_result result, struct timespec *pause)
{
	if (result != SW_PASSING || pause->tv_nsec >= 160 * 1000 * 1000)
		return false;
	pause->tv_nsec += pause->tv_nsec ? pause->tv_nsec : 10 * 1000 * 1000;
	nanosleep(pause, NULL);
	return true;
}

static enum sw_write_result put_patiently(const struct sw_disk *disk, enum sw_knob_id id,
					  int64_t found, int64_t value, char *why, size_t size)
{
	struct timespec pause = {};
	enum sw_write_result result;
	struct sw_settings known;

	if (sw_knobs_read(disk, &known))
		memset(&known, 0, sizeof(known));
	do
		result = sw_knob_put(disk, id, found, value, &known, why, size, NULL);
	while (is_to_try_again(result, &pause));
	return result;
}

static enum sw_write_result switch_patiently(const struct sw_disk *disk, const char *scheduler,
					     char *why, size_t size)
{
	struct timespec pause = {};
	enum sw_write_result result;

	do
		result = sw_scheduler_write(disk, disk->scheduler, scheduler, why, size);
	while (is_to_try_again(result, &pause));
	return result;
}

/* Writes the baseline's value in place of `found`: 1, 0 it was there already, -errno. */
static int replace(const struct sw_disk *disk, enum sw_knob_id id, int64_t found, int64_t value)
{
	const char *name = sw_knobs[id].name;
	char why[256] = "";
	int err;

	switch (put_patiently(disk, id, found, value, why, sizeof(why))) {
	case SW_WRITTEN:
		sw_log(SW_INFO, "%s: %s put back from %" PRId64 " to %" PRId64, disk->name, name,
		       found, value);
		return 1;
	case SW_UNCHANGED:
		return 0;
	default:
		err = -errno;
		sw_log(SW_ERROR, "%s: %s not put back from %" PRId64 " to %" PRId64 ": %s",
		       disk->name, name, found, value, why);
		return err;
	}
}

/*
 * What a knob goes back to. nr_sched_batch that was nr_requests followed it, and
 * is to follow what nr_requests is now: somebody else may have changed that.
 * A value above it the kernel would refuse.
 */
static int64_t target_of(const struct sw_disk *disk, const struct sw_stored *stored,
			 enum sw_knob_id id)
{
	const int64_t *original = stored->baseline.original.value;
	int64_t pool;

	if (id != SW_NR_SCHED_BATCH || sw_knob_read(disk, SW_NR_REQUESTS, &pool))
		return original[id];
	if (original[id] == original[SW_NR_REQUESTS] || original[id] > pool)
		return pool;
	return original[id];
}

/* 1 put back, 0 nothing to do, -errno. */
static int put_back(const struct sw_disk *disk, const struct sw_stored *stored, enum sw_knob_id id,
		    bool pool_is_ours)
{
	int64_t value = target_of(disk, stored, id), found;
	const char *name = sw_knobs[id].name;
	int err = sw_knob_read(disk, id, &found);

	if (err == -ENOENT || (!err && found == value))
		return 0;
	if (err) {
		sw_log(SW_ERROR, "%s: %s cannot be read: %s", disk->name, name, sw_strerror(err));
		return err;
	}
	if (is_ours(stored, id, found, pool_is_ours))
		return replace(disk, id, found, value);
	sw_log(SW_WARN,
	       "%s: %s holds %" PRId64 ", which seekwise did not write: left alone (the "
	       "baseline was %" PRId64 ")",
	       disk->name, name, found, value);
	return 0;
}

static bool wrote_pool(const struct sw_disk *disk, const struct sw_stored *stored)
{
	int64_t found;

	if (!stored->baseline.written.present[SW_NR_REQUESTS] ||
	    sw_knob_read(disk, SW_NR_REQUESTS, &found))
		return false;
	return found == stored->baseline.original.value[SW_NR_REQUESTS] ||
	       is_ours(stored, SW_NR_REQUESTS, found, false);
}

/* The switch back is worth more than its note: without one it is done as well. */
static int switch_back(struct sw_disk *disk, const char *scheduler)
{
	char why[256] = "";
	int err;

	sw_baseline_note_switch(disk, scheduler);
	if (switch_patiently(disk, scheduler, why, sizeof(why)) != SW_WRITTEN) {
		err = -errno;
		sw_log(SW_ERROR, "%s: scheduler not put back from %s to %s: %s", disk->name,
		       disk->scheduler, scheduler, why);
		return err;
	}
	sw_log(SW_INFO, "%s: scheduler put back from %s to %s", disk->name, disk->scheduler,
	       scheduler);
	return sw_disk_refresh(disk);
}

/* 1 put back, 0 it is in force, -errno. Our own switch set all knobs anew, and so does this one. */
static int put_scheduler_back(struct sw_disk *disk, struct sw_stored *stored)
{
	const char *scheduler = stored->baseline.scheduler;
	bool other = strcmp(disk->scheduler, scheduler);
	int err = 0;

	if (!other && strcmp(stored->switching, scheduler))
		return 0;
	if (other)
		err = switch_back(disk, scheduler);
	if (!err)
		err = sw_knobs_read(disk, &stored->baseline.written);
	if (err)
		return err;
	memset(&stored->previous, 0, sizeof(stored->previous));
	sw_baseline_switched(disk, &stored->baseline.written);
	return other;
}

/* In the order of the enum; each is read when its turn comes, as the ones before may move it. */
static int put_all_back(const struct sw_disk *disk, const struct sw_stored *stored)
{
	bool pool_is_ours = wrote_pool(disk, stored);
	int id, n, put = 0, err = 0;

	for (id = 0; id < SW_KNOBS; id++) {
		if (!stored->baseline.original.present[id])
			continue;
		n = put_back(disk, stored, id, pool_is_ours);
		if (n < 0)
			err = n;
		else
			put += n;
	}
	return err ? err : put;
}

static int drop_stale(const struct sw_disk *disk, const char *of)
{
	sw_log(SW_INFO, "%s: baseline dropped: it is of %s", disk->name, of);
	return sw_baseline_drop(disk);
}

static int unusable(const struct sw_disk *disk, int err)
{
	sw_log(SW_ERROR, "%s: the baseline in %s/%s.%s cannot be used: %s%s", disk->name,
	       sw_roots.run, disk->name, suffix, sw_strerror(err),
	       err == -EBADMSG ? "; look at the knobs, then remove it by hand" : "");
	return err;
}

/* Only what surely is of the past is dropped; an error in between leaves the file. */
int sw_baseline_restore(const struct sw_disk *disk)
{
	struct sw_disk now = {}; /* by its name alone: a detached loop device keeps its knobs */
	struct sw_stored stored;
	const char *of = NULL;
	int err = load(disk, &stored), n, switched;

	memcpy(now.name, disk->name, sizeof(now.name));

	if (err == -ENOENT)
		return 0;
	if (err)
		return unusable(disk, err);
	err = sw_disk_refresh(&now);
	if (err == -ENODEV)
		return drop_stale(disk, "a disk that is gone");
	if (!err)
		err = check_stale(&stored, &now, &of);
	if (err == -ESTALE && of)
		return drop_stale(disk, of);
	if (err)
		return unusable(disk, err);
	switched = put_scheduler_back(&now, &stored);
	if (switched < 0)
		return switched;
	n = put_all_back(&now, &stored);
	err = n < 0 ? n : sw_baseline_drop(disk);
	return err ? err : n + switched;
}

int sw_baseline_drop(const struct sw_disk *disk)
{
	return sw_run_remove(disk->name, suffix);
}

/* "sda.baseline" to "sda" */
static bool take_disk(const char *file, char name[SW_DISK_NAME])
{
	const char *dot = strrchr(file, '.');
	size_t n = dot ? (size_t)(dot - file) : 0;

	if (!n || n >= SW_DISK_NAME || file[0] == '.' || strcmp(dot + 1, suffix))
		return false;
	/* No disk has such a name: somebody's stray file. */
	if (strspn(file, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_!.") !=
	    strlen(file))
		return false;
	snprintf(name, SW_DISK_NAME, "%.*s", (int)n, file);
	return true;
}

int sw_baseline_list(char names[][SW_DISK_NAME], int max)
{
	DIR *folder = opendir(sw_roots.run);
	char name[SW_DISK_NAME];
	struct dirent *entry;
	int n = 0;

	if (!folder)
		return errno == ENOENT ? 0 : -errno;
	while (n >= 0 && (entry = readdir(folder))) {
		if (!take_disk(entry->d_name, name))
			continue;
		if (n < max)
			memcpy(names[n++], name, sizeof(name));
		else
			n = -E2BIG;
	}
	closedir(folder);
	return n;
}
