#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Two hundred drawn loads against the kernel's own event log; DRAWN is another number.
set -euo pipefail
DRAWN=${DRAWN:-200} exec "$(dirname "$0")/../kernel/drawn_test.sh"
