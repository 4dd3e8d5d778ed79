// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hold [OBJECT]: statistics of BPF programs are on, or else the programs of OBJECT
 * are attached, for as long as this process lives. It says "ready" then.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

static int attach_all(const char *path)
{
	struct bpf_object *obj = bpf_object__open_file(path, NULL);
	struct bpf_program *prog;

	if (!obj || bpf_object__load(obj))
		return -1;
	bpf_object__for_each_program (prog, obj) {
		if (!bpf_program__attach(prog))
			return -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	/* Not to outlive a bench that was killed. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	/* The shell starts what is in the background with SIGINT ignored. */
	signal(SIGINT, SIG_DFL);
	if (argc > 1 ? attach_all(argv[1]) : bpf_enable_stats(BPF_STATS_RUN_TIME) < 0) {
		perror(argc > 1 ? argv[1] : "bpf_enable_stats");
		return 1;
	}
	puts("ready");
	fflush(stdout);
	pause();
	return 0;
}
