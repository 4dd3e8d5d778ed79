#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the trial and the controller decide on simulated disks, over a hundred hours of disk
# time and more: DECIDE_HOURS. unit/decide_test is the same over a few hours.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
log=$(mktemp)
trap 'rm -f "$log"' EXIT
DECIDE_HOURS=${DECIDE_HOURS:-120} .output/tests/decide_test >"$log" 2>&1
code=$?
grep -vE '^\[' "$log" | sed 's/^/INFO /'
sed -nE 's/^\[       OK \] test_/PASS /p; s/^\[  FAILED  \] (test_.*)/FAIL \1/p' "$log"
exit "$code"
