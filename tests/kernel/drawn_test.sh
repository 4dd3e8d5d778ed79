#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Figures of a report against the kernel's own event log, on loads that are drawn
# (draw.py). SEED=... repeats a run, DRAWN=... is how many.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/kernel/workload.sh
. "$(dirname "$0")/workload.sh"
need_kernel plain

drawn=${DRAWN:-12}
plainloop_up drawn 256M
trace_up "$DISK"
info "seed $seed, $drawn loads (SEED=$seed DRAWN=$drawn repeats them)"
while read -r name scheduler figures options; do
	use_scheduler "$scheduler" || continue
	info "$name: $scheduler, groups $figures, fio $options"
	# shellcheck disable=SC2086 # words
	groups=$figures workload "$name" --runtime=5 $options
done < <(python3 "$top/tests/kernel/draw.py" "$seed" "$drawn")
