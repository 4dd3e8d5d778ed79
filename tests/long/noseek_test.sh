#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A disk without seek cost: tune ends at the baseline, with the reason said.
# NOSEEK_SECONDS shortens its ten minutes.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/../kernel/lib.sh"
need_kernel
duration=${NOSEEK_SECONDS:-600}

modeldisk_up flat --no-seek --overhead 500
load_up $((duration + 60))
sleep 1
"$SEEKWISE" tune --keep -d "${duration}s" "$DISK" | tee "$work/tune" || fail "tune: exit code"
check ends-at-the-baseline "$(knob fifo_batch)" = 16
check nothing-kept "$(grep -c 'kept: .* more work' "$work/tune" || true)" = 0
grep -qE 'undone|stays' "$work/tune" && pass reason-is-said || fail "no reason: $(cat "$work/tune")"
load_down
