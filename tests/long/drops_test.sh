#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# On a kernel that runs no program for one completion in 10000 (a build that throws them away),
# advice and tuning are those of any other kernel: their tests hold. With one in 100 the
# tuner refuses in words.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/../kernel/lib.sh"
need_kernel
export SEEKWISE=$top/.output/drop/seekwise

for test in advice tune; do
	SEEKWISE_DROP=10000 "$top/tests/long/${test}_test.sh" >"$work/$test" || true
	sed -E "s/^(PASS|FAIL|SKIP|INFO) /\1 dropping-$test-/" "$work/$test"
	! grep -q '^FAIL ' "$work/$test" && grep -q '^PASS ' "$work/$test" || failed=1
done

modeldisk_up drops --speed 10
set_knob fifo_batch 1
load_up 600
sleep 2
SEEKWISE_DROP=100 "$SEEKWISE" tune -d 40s "$DISK" >"$work/tune" || fail "tune: exit code"
sed 's/^/INFO /' "$work/tune"
grep -q 'lost too many events' "$work/tune" && pass much-lost-is-said || fail "much lost: $(cat "$work/tune")"
check much-lost-nothing-tried "$(grep -c trying "$work/tune" || true)" = 0
check much-lost-nothing-written "$(knob fifo_batch)" = 1
load_down
