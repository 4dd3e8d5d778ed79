#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs the tiers that are named (unit, kernel, vm, long) and counts. The last line is
# "N passed, N failed, N skipped".
#
# A kernel test prints a line for each of its cases that begins with PASS, FAIL
# or SKIP. One that ends with an error, or prints none, counts as failed.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

passed=0 failed=0 skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

run_unit() {
	local test=$1 name good bad
	name=${test##*/}
	if timeout -k 10 300 "$test" >"$log" 2>&1; then bad=0; else bad=1; fi
	good=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$log" | awk '{n += $1} END {print n + 0}')
	if [ "$bad" = 0 ] && [ "$good" -gt 0 ]; then
		printf 'ok    unit/%s (%d)\n' "$name" "$good"
	else
		bad=$(sed -n 's/^\[  FAILED  \] \([0-9]*\) test.*/\1/p' "$log" | awk '{n += $1} END {print n + 0}')
		[ "$bad" -gt 0 ] || bad=1
		failed=$((failed + bad))
		printf 'FAIL  unit/%s\n' "$name"
		sed 's/^/      | /' "$log" | tail -40
	fi
	passed=$((passed + good))
}

run_kernel() { # TEST SECONDS
	local test=$1 name start code good bad skip
	name=${test#tests/}
	start=$SECONDS
	timeout -k 60 "$2" "$test" >"$log" 2>&1 </dev/null
	code=$?
	good=$(grep -c '^PASS ' "$log")
	bad=$(grep -c '^FAIL ' "$log")
	skip=$(grep -c '^SKIP ' "$log")
	if [ "$code" != 0 ] && [ "$bad" = 0 ]; then
		echo "FAIL ended with exit code $code" >>"$log"
		bad=1
	elif [ $((good + bad + skip)) = 0 ]; then
		echo "FAIL asserted nothing" >>"$log"
		bad=1
	fi
	passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + skip))
	if [ "$bad" = 0 ]; then
		printf 'ok    %s (%d, %d s)\n' "$name" "$good" $((SECONDS - start))
		grep -E '^(SKIP|INFO) ' "$log" | sed 's/^/      /'
	else
		printf 'FAIL  %s (%d s)\n' "$name" $((SECONDS - start))
		sed 's/^/      | /' "$log" | tail -60
	fi
}

for tier in "$@"; do
	case $tier in
	unit) for test in "${OUT:-.output}"/tests/*_test; do run_unit "$test"; done ;;
	kernel) for test in tests/kernel/*_test.sh; do run_kernel "$test" 600; done ;;
	long)
		for test in tests/long/*_test.sh; do
			run_kernel "$test" $((3600 + ${STRESS_SECONDS:-3600}))
		done ;;
	vm)
		echo "vm: their consoles are in .output/vm/logs"
		# six machines, two at a time
		run_kernel tests/vm/run.sh $((2400 + 3 * ${VM_STRESS_SECONDS:-0})) ;;
	*)
		echo "run.sh: unknown tier '$tier': unit, kernel, vm, long" >&2
		exit 2 ;;
	esac
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
