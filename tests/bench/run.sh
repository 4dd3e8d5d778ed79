#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh [PART...]: measures what seekwise costs, on loop devices of its own (root).
# Without a part, all of them, in about half an hour:
#
#   overhead   ns of BPF run time for each request, beside libbpf-tools' biolatency -D
#   floor      the same for requests of a disk that is not observed, beside empty programs
#   iops       requests per second of a saturated disk, observed and not
#   scale      ns per request with 1 and 64 disks observed, on one CPU and on two
#   sim        the simulator of tests/sim beside the real kernel on a modelled disk
#   user       CPU time and memory of the program itself with 64 disks, beside biolatency -D
#
# What is compared alternates within one run, and the result is the median of the
# rounds' ratios. It wants a machine that does nothing else. ROUNDS and SECONDS_EACH
# set how many rounds there are and how long each measurement takes; each part has
# defaults of its own.
set -euo pipefail
cd "$(dirname "$0")/../.."

parts=(overhead floor iops scale user sim)
for part in "$@"; do
	[[ " ${parts[*]} " == *" $part "* ]] || {
		echo "bench: unknown part '$part': ${parts[*]}" >&2
		exit 2
	}
done
[ $# = 0 ] || parts=("$@")

# shellcheck source=tests/bench/lib.sh
. tests/bench/lib.sh
why=$(disk_why_not plain)
[ -z "$why" ] || { say "cannot run here: $why"; exit 1; }
for file in "$seekwise" "$hold" .output/bench/snapshot; do
	[ -x "$file" ] || { say "not built: $file; make bench builds it"; exit 1; }
done

for part in "${parts[@]}"; do
	# shellcheck disable=SC1090 # one of those above
	. "tests/bench/$part.sh"
	"bench_$part"
done
