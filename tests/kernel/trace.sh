# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Switches the event log of an instance, from inside the command that is observed.
trace_on() { echo >"$1/trace"; echo 1 >"$1/tracing_on"; }
trace_off() { echo 0 >"$1/tracing_on"; cat "$1/trace" >"$2"; }

# Notes in the log how often the program on completions has run, of the observer that runs us.
mark_runs() { # INSTANCE
	local info id n
	if [ -z "${runs_in:-}" ]; then
		for info in /proc/"$PPID"/fdinfo/*; do
			# Links name their program as well.
			grep -qs '^run_cnt:' "$info" || continue
			id=$(sed -n 's/^prog_id:[[:space:]]*//p' "$info")
			case $(PATH=$PATH:/usr/sbin:/sbin bpftool prog show id "$id") in
			*"name "*_complete*) runs_in=$info ;;
			esac
		done
	fi
	[ -n "${runs_in:-}" ] || return 0
	echo "seekwise before" >"$1/trace_marker"
	n=$(sed -n 's/^run_cnt:[[:space:]]*//p' "$runs_in")
	echo "seekwise runs $n" >"$1/trace_marker"
}

# Where udev runs it reads a disk that was written; that shall be over.
settle() {
	if command -v udevadm >/dev/null; then udevadm settle --timeout=10 2>/dev/null || true; fi
	sleep 0.2
}
