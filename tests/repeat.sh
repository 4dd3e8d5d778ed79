#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# repeat.sh N [TEST...]: runs each test N times alone, and N times with two busy loops beside
# it, and prints a table of its failures with their seeds. TEST is a path (tests/kernel/top_test.sh,
# .output/tests/parse_test), or vm, the one kernel of "make check"; without, all of "make check".
# Builds first what they need. A run in which nothing could be tested is counted as skipped.
#
# REPEAT_KEEP names a folder for what the failed runs printed; CONDITIONS="quiet busy".
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
usage="usage: repeat.sh N [TEST...]: N is a number from 1 to 1000; no TEST: all of make check (root)"
[[ ${1:-} =~ ^[0-9]{1,4}$ ]] && [ "$1" -ge 1 ] && [ "$1" -le 1000 ] || { echo "$usage" >&2; exit 2; }
times=$1
shift
keep=${REPEAT_KEEP:-$(mktemp -d)}
mkdir -p "$keep"
loops=()

beside() { # quiet, busy
	[ "$1" = busy ] || return 0
	for _ in 1 2; do
		(while :; do :; done) &
		loops+=($!)
	done
}
beside_end() {
	[ ${#loops[@]} = 0 ] || kill "${loops[@]}" 2>/dev/null
	wait
	loops=()
}
trap beside_end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

run_one() { # TEST
	case $1 in
	vm) KERNELS=one VM_TESTS=${VM_TESTS:-counts,merges,sched-batch} timeout -k 60 2400 tests/vm/run.sh ;;
	*) timeout -k 60 600 "$1" ;;
	esac
}

# As tests/run.sh judges it: it ended well, no case failed, and there was one.
failed_in() { # LOG CODE
	[ "$2" != 0 ] || grep -qE '^FAIL |^\[  FAILED  \]' "$1" || ! grep -qE '^(PASS|SKIP) |^\[  PASSED  \]' "$1"
}

tested_in() { # LOG
	grep -qE '^PASS |^\[  PASSED  \]' "$1"
}

make -s all tests >&2 || exit 1
[ $# -gt 0 ] || set -- .output/tests/*_test tests/kernel/*_test.sh vm
total=0
printf '%-34s %-6s %4s %7s %6s %9s  %s\n' test beside runs skipped failed seconds "seeds of the failures"
for test in "$@"; do
	for condition in ${CONDITIONS:-quiet busy}; do
		failures=0 skipped=0 seeds='' start=$SECONDS
		beside "$condition"
		for ((i = 1; i <= times; i++)); do
			log=$keep/$(tr / - <<<"${test#.output/}").$condition.$i
			run_one "$test" >"$log" 2>&1 </dev/null
			if failed_in "$log" $?; then
				failures=$((failures + 1))
				seeds+=" $(grep -oE '\(SEED=[^ ]+' "$log" | head -1 | tr -d '(')($i)"
			else
				tested_in "$log" || skipped=$((skipped + 1))
				rm -f "$log"
			fi
		done
		beside_end
		total=$((total + failures))
		printf '%-34s %-6s %4d %7d %6d %9s  %s\n' "$test" "$condition" "$times" "$skipped" \
			"$failures" "$(((SECONDS - start) / times))" "${seeds:--}"
	done
done
if [ "$total" = 0 ]; then
	echo "0 failures"
	rmdir --ignore-fail-on-non-empty "$keep"
else
	echo "$total failures; what failed is in $keep"
fi
[ "$total" = 0 ]
