# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Switches the event log of an instance, from inside the command that is observed.
trace_on() { echo >"$1/trace"; echo 1 >"$1/tracing_on"; }
trace_off() { echo 0 >"$1/tracing_on"; cat "$1/trace" >"$2"; }

# Where udev runs it reads a disk that was written; that shall be over.
settle() {
	if command -v udevadm >/dev/null; then udevadm settle --timeout=10 2>/dev/null || true; fi
	sleep 0.2
}
