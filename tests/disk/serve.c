/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The FUSE side: one directory with one file, "disk", of fixed size. */
#include "modeldisk.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fuse.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#define DISK_NAME "disk"
#define DISK_INO (FUSE_ROOT_ID + 1)
#define CACHE_SECS 3600.0
#define TRANSFER_MAX (1U << 20)

/* The loop driver keeps 128 requests in the device, and FUSE may cut one into several. */
#define BACKGROUND_MAX 1024

/* Read from /dev/fuse so often before looking for signals again. */
#define BURST 64

#ifndef FOPEN_PARALLEL_DIRECT_WRITES
#define FOPEN_PARALLEL_DIRECT_WRITES (1 << 6)
#endif

struct session {
	struct disk *disk;
	struct fuse_session *fuse;
	int signal_fd;
	bool answered_init;
	bool ready; /* pid file written */
	bool mounted;
	struct fuse_buf buf;
};

static struct session *session_of(fuse_req_t req)
{
	return fuse_req_userdata(req);
}

static uint64_t disk_size(const struct session *session)
{
	return session->disk->options->config.size;
}

static struct stat stat_of(const struct session *session, fuse_ino_t ino)
{
	struct stat st = { .st_ino = ino, .st_nlink = 1, .st_uid = getuid(), .st_gid = getgid() };

	if (ino == FUSE_ROOT_ID) {
		st.st_mode = S_IFDIR | 0700;
		st.st_nlink = 2;
		return st;
	}
	st.st_mode = S_IFREG | 0600;
	st.st_size = (off_t)disk_size(session);
	st.st_blksize = 4096;
	if (session->disk->store)
		st.st_blocks = (blkcnt_t)(store_used(session->disk->store) / 512);
	return st;
}

static void op_init(void *userdata, struct fuse_conn_info *conn)
{
	struct session *session = userdata;

	conn->max_background = BACKGROUND_MAX;
	conn->congestion_threshold = BACKGROUND_MAX;
	conn->max_write = TRANSFER_MAX;
	/* direct I/O of the loop driver must not wait for its answers one by one */
	if (conn->capable & FUSE_CAP_ASYNC_DIO)
		conn->want |= FUSE_CAP_ASYNC_DIO;
	session->answered_init = true;
}

static void op_lookup(fuse_req_t req, fuse_ino_t parent, const char *name)
{
	struct fuse_entry_param entry = {
		.ino = DISK_INO,
		.attr_timeout = CACHE_SECS,
		.entry_timeout = CACHE_SECS,
	};

	if (parent != FUSE_ROOT_ID || strcmp(name, DISK_NAME) != 0) {
		fuse_reply_err(req, ENOENT);
		return;
	}
	entry.attr = stat_of(session_of(req), DISK_INO);
	fuse_reply_entry(req, &entry);
}

static void op_getattr(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	struct stat st = stat_of(session_of(req), ino);

	(void)fi;
	fuse_reply_attr(req, &st, CACHE_SECS);
}

static void op_readdir(fuse_req_t req, fuse_ino_t ino, size_t size, off_t off,
		       struct fuse_file_info *fi)
{
	static const struct {
		const char *name;
		fuse_ino_t ino;
	} entries[] = { { ".", FUSE_ROOT_ID }, { "..", FUSE_ROOT_ID }, { DISK_NAME, DISK_INO } };
	char buf[512];
	size_t used = 0, limit = size < sizeof(buf) ? size : sizeof(buf);
	off_t i;

	(void)fi;
	if (ino != FUSE_ROOT_ID) {
		fuse_reply_err(req, ENOTDIR);
		return;
	}
	for (i = off; i < (off_t)(sizeof(entries) / sizeof(entries[0])); i++) {
		struct stat st = stat_of(session_of(req), entries[i].ino);
		size_t len = fuse_add_direntry(req, buf + used, limit - used, entries[i].name, &st,
					       i + 1);

		if (len > limit - used)
			break;
		used += len;
	}
	fuse_reply_buf(req, buf, used);
}

/*
 * The answer is made by hand: libfuse before 3.15 cannot say that direct writes
 * may run side by side, and without that the file is a disk of queue depth 1.
 */
static void op_open(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	struct fuse_open_out out = { .open_flags = FOPEN_DIRECT_IO | FOPEN_PARALLEL_DIRECT_WRITES };

	(void)fi;
	if (ino != DISK_INO)
		fuse_reply_err(req, EISDIR);
	else
		fuse_reply_buf(req, (const char *)&out, sizeof(out));
}

static void op_read(fuse_req_t req, fuse_ino_t ino, size_t size, off_t off,
		    struct fuse_file_info *fi)
{
	struct session *session = session_of(req);
	uint64_t end = disk_size(session), start = (uint64_t)off;

	(void)ino;
	(void)fi;
	if (start >= end || !size) {
		fuse_reply_buf(req, NULL, 0);
		return;
	}
	if (size > end - start)
		size = end - start;
	session->disk->requests.reads++;
	session->disk->requests.read_bytes += size;
	submit(session->disk, req, false, start, size);
}

static void op_write(fuse_req_t req, fuse_ino_t ino, const char *buf, size_t size, off_t off,
		     struct fuse_file_info *fi)
{
	struct session *session = session_of(req);
	struct disk *disk = session->disk;
	uint64_t end = disk_size(session), start = (uint64_t)off;
	int err = 0;

	(void)ino;
	(void)fi;
	if (start > end || size > end - start) {
		fuse_reply_err(req, ENOSPC);
		return;
	}
	if (!size) {
		fuse_reply_write(req, 0);
		return;
	}
	/* @buf is gone after this call; until the answer the contents are undefined anyway */
	if (disk->store)
		err = store_write(disk->store, start, buf, size);
	if (err) {
		fuse_reply_err(req, -err);
		return;
	}
	disk->requests.writes++;
	disk->requests.write_bytes += size;
	submit(disk, req, true, start, size);
}

/* Writes are answered when they are done, so there is never anything to flush. */
static void op_fsync(fuse_req_t req, fuse_ino_t ino, int datasync, struct fuse_file_info *fi)
{
	(void)ino;
	(void)datasync;
	(void)fi;
	session_of(req)->disk->requests.flushes++;
	fuse_reply_err(req, 0);
}

/* Discards and zeroing of the loop device; they move no head. */
static void op_fallocate(fuse_req_t req, fuse_ino_t ino, int mode, off_t off, off_t len,
			 struct fuse_file_info *fi)
{
	struct session *session = session_of(req);
	uint64_t end = disk_size(session), start = (uint64_t)off, size = (uint64_t)len;

	(void)ino;
	(void)fi;
	if (!(mode & (FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE))) {
		fuse_reply_err(req, EOPNOTSUPP);
		return;
	}
	if (start > end || size > end - start) {
		fuse_reply_err(req, ENOSPC);
		return;
	}
	if (session->disk->store)
		store_discard(session->disk->store, start, size);
	session->disk->requests.discards++;
	fuse_reply_err(req, 0);
}

static const struct fuse_lowlevel_ops ops = {
	.init = op_init,
	.lookup = op_lookup,
	.getattr = op_getattr,
	.readdir = op_readdir,
	.open = op_open,
	.read = op_read,
	.write = op_write,
	.fsync = op_fsync,
	.fallocate = op_fallocate,
};

static void fill_pid(FILE *file, void *arg)
{
	(void)arg;
	fprintf(file, "%ld\n", (long)getpid());
}

/* Say that the disk is there, once the kernel has been answered. */
static int mark_ready(struct session *session)
{
	const char *path = session->disk->options->pid_file;

	if (session->ready || !session->answered_init)
		return 0;
	session->ready = true;
	return path ? write_file(path, fill_pid, NULL) : 0;
}

static void handle_signals(struct session *session)
{
	struct disk *disk = session->disk;
	struct signalfd_siginfo info;

	while (read(session->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGUSR1) {
			stats_write(disk);
		} else if (info.ssi_signo == SIGUSR2) {
			atomic_store(&disk->hurry, true);
			workers_wake(disk);
		} else {
			atomic_store(&disk->stop, true);
		}
	}
}

/* Take what the kernel has for us. Returns false when the mount has gone. */
static bool receive(struct session *session)
{
	int i, res;

	for (i = 0; i < BURST; i++) {
		res = fuse_session_receive_buf(session->fuse, &session->buf);
		if (res == -EAGAIN || res == -EINTR)
			return true;
		if (res <= 0)
			return false;
		fuse_session_process_buf(session->fuse, &session->buf);
	}
	return true;
}

static int serve_loop(struct session *session)
{
	struct pollfd fds[] = {
		{ .fd = fuse_session_fd(session->fuse), .events = POLLIN },
		{ .fd = session->signal_fd, .events = POLLIN },
	};
	int err;

	while (!atomic_load(&session->disk->stop)) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return -errno;
		if (fds[1].revents)
			handle_signals(session);
		if (fds[0].revents && !receive(session))
			return 0;
		err = mark_ready(session);
		if (err)
			return err;
	}
	return 0;
}

static int session_open(struct session *session)
{
	char *argv[] = { "modeldisk", "-o", "fsname=modeldisk,subtype=modeldisk", NULL };
	struct fuse_args args = FUSE_ARGS_INIT(3, argv);
	sigset_t signals;
	int fd;

	/* exactly the blocked ones: main() leaves out what its caller ignores */
	sigprocmask(SIG_SETMASK, NULL, &signals);
	session->signal_fd = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
	if (session->signal_fd < 0)
		return -errno;
	session->fuse = fuse_session_new(&args, &ops, sizeof(ops), session);
	fuse_opt_free_args(&args);
	if (!session->fuse)
		return -EINVAL;
	if (fuse_session_mount(session->fuse, session->disk->options->mountpoint))
		return -EIO;
	session->mounted = true;
	fd = fuse_session_fd(session->fuse);
	if (fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) < 0)
		return -errno;
	return 0;
}

static void session_close(struct session *session)
{
	if (session->mounted)
		fuse_session_unmount(session->fuse);
	if (session->fuse)
		fuse_session_destroy(session->fuse);
	if (session->signal_fd >= 0)
		close(session->signal_fd);
	if (session->ready && session->disk->options->pid_file)
		unlink(session->disk->options->pid_file);
	free(session->buf.mem);
}

int serve(struct disk *disk)
{
	struct session session = { .disk = disk, .signal_fd = -1 };
	int err;

	err = workers_start(disk);
	if (err) {
		say(-err, "cannot start the threads");
		return err;
	}
	err = session_open(&session);
	if (err)
		say(-err, "cannot serve at %s", disk->options->mountpoint);
	else
		err = serve_loop(&session);
	/* statistics first: they are read from the arms; answers next: they need the session */
	if (session.mounted)
		stats_write(disk);
	workers_stop(disk);
	session_close(&session);
	return err;
}
