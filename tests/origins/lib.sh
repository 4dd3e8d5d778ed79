# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the scripts of tests/origins share. Sourced; the script sets -euo pipefail itself.
#
#   SECONDS_EACH  length of one measurement (2)
#   ROUNDS        measurements of each variant (3)
#   ONLY          "VARIANT...": measure these alone
#   ORIGINS_OUT   a folder that keeps the reports, as VARIANT.ROUND.json; else they go
#
# A variant is a function that makes its settings and starts its load. "compare VARIANT..."
# measures each in turn, ROUNDS times; "table" prints the rows of its standard input.
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
SEEKWISE=${SEEKWISE:-$top/.output/seekwise}
SECONDS_EACH=${SECONDS_EACH:-2}
ROUNDS=${ROUNDS:-3}
# Seconds from the start of a load to its measurement.
SETTLE=${SETTLE:-0.8}
# shellcheck source=tests/disk/lib.sh
. "$top/tests/disk/lib.sh"

work=$(mktemp -d)
reports=${ORIGINS_OUT:-$work/reports}
mkdir -p "$reports"
export SEEKWISE_RUN=$work/run
loads=()
variants=()
# The disks that are reported; none: $DISK.
watched=()
# Settings of $DISK that are not the kernel's defaults, as FILE=VALUE below queue/.
kept=()

cleanup() {
	local status=$?
	trap - EXIT INT TERM HUP
	unload
	files_down || true
	disks_down
	rm -rf --one-file-system -- "$work"
	exit "$status"
}
trap cleanup EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

skip() {
	echo "SKIP ${0##*/}: $*"
	exit 0
}

need() { # [plain]
	local why
	why=$(disk_why_not "$@") || true
	[ -z "$why" ] || skip "$why"
	command -v fio >/dev/null || skip "fio is not installed"
}

need_files() {
	command -v mkfs.ext4 >/dev/null || skip "mkfs.ext4 is not installed"
	grep -qw ext4 /proc/filesystems || modprobe -q ext4 || skip "this kernel has no ext4"
}

knob() { # FILE VALUE, below queue/ of $DISK
	echo "$2" >"/sys/block/$DISK/queue/$1"
}

# The deadlines of a modelled disk are as much shorter as it is faster: a switch of the
# scheduler would lose that.
keep_deadlines() {
	local file
	for file in read_expire write_expire prio_aging_expire; do
		[ ! -e "/sys/block/$DISK/queue/iosched/$file" ] ||
			kept+=("iosched/$file=$(<"/sys/block/$DISK/queue/iosched/$file")")
	done
}

# settings [scheduler=NAME] [FILE=VALUE...]: all else as kept, or the kernel's default.
settings() {
	local scheduler=mq-deadline pair
	case ${1:-} in
	scheduler=*)
		scheduler=${1#*=}
		shift
		;;
	esac
	# from none, so that nr_requests and the knobs are the defaults
	knob scheduler none
	[ "$scheduler" = none ] || knob scheduler "$scheduler"
	for pair in "${kept[@]}" "$@"; do
		case $scheduler,$pair in
		mq-deadline,* | *,[!i]*) [ ! -e "/sys/block/$DISK/queue/${pair%%=*}" ] || knob "${pair%%=*}" "${pair#*=}" ;;
		esac
	done
}

# files_up COUNT MEGABYTES: files on $DEV, their space allocated, at $work/mnt/1, 2, ...
# Requests of 128 kB, so that the 128 that a loop device takes are as much as 32 of 512 kB.
files_up() {
	local n
	kept+=(max_sectors_kb=128 wbt_lat_usec=0)
	settings
	mkfs.ext4 -q -O ^has_journal -E nodiscard,lazy_itable_init=0 "$DEV" "$(($1 * $2 + 256))M" >/dev/null
	mkdir "$work/mnt"
	mount "$DEV" "$work/mnt"
	for ((n = 1; n <= $1; n++)); do
		fallocate -l "${2}M" "$work/mnt/$n"
	done
	# Write-back begins early and does not stop, without a look at the machine's own limits.
	bdi=/sys/class/bdi/$(<"/sys/block/$DISK/dev")
	if [ -w "$bdi/strict_limit" ] && [ -w "$bdi/max_bytes" ]; then
		echo 1 >"$bdi/strict_limit"
		echo $((128 << 20)) >"$bdi/max_bytes"
	fi
}

files_down() {
	[ -d "$work/mnt" ] || return 0
	umount "$work/mnt" || umount -l "$work/mnt"
	rmdir "$work/mnt"
	if [ -w "$bdi/strict_limit" ]; then
		echo 0 >"$bdi/strict_limit"
		echo 100 >"$bdi/max_ratio"
	fi
}

# load FIO-OPTION...: in the background, until the measurement is over.
# Without --invalidate=0 fio flushes the disk before each job, and waits behind the others.
load() {
	fio --invalidate=0 --time_based --runtime=600 --output=/dev/null "$@" </dev/null 2>/dev/null &
	loads+=($!)
}

unload() {
	local pid
	for pid in "${loads[@]}"; do kill "$pid" 2>/dev/null || true; done
	# it ends with an error when it is told to end
	for pid in "${loads[@]}"; do wait "$pid" 2>/dev/null || true; done
	loads=()
}

measure() { # VARIANT ROUND
	local disks=("${watched[@]}") pid
	[ ${#disks[@]} -gt 0 ] || disks=("$DISK")
	"$1"
	sleep "$SETTLE"
	"$SEEKWISE" report --json --groups all -d "${SECONDS_EACH}s" "${disks[@]}" \
		>"$reports/$1.$2.json" 2>"$work/said" || { cat "$work/said" >&2; return 1; }
	for pid in "${loads[@]}"; do
		kill -0 "$pid" 2>/dev/null || { echo "${0##*/}: the load of $1 ended early" >&2; return 1; }
	done
	unload
}

# Every other round goes backwards, so that a drift of the machine favours no variant.
compare() { # VARIANT...
	local round variant order
	variants=()
	for variant in "$@"; do
		[[ -n ${ONLY:-} && " $ONLY " != *" $variant "* ]] || variants+=("$variant")
	done
	for ((round = 1; round <= ROUNDS; round++)); do
		order=("${variants[@]}")
		[ $((round % 2)) = 1 ] || mapfile -t order < <(printf '%s\n' "${variants[@]}" | tac)
		for variant in "${order[@]}"; do measure "$variant" "$round"; done
	done
}

heading() { # TITLE, then text on standard input
	printf '\n=== %s\n\n' "$1"
	sed 's/^/  /'
	printf '  kernel  %s; each column: %d round(s) of %s s, in turn with the others\n\n' \
		"$(uname -r)" "$ROUNDS" "$SECONDS_EACH"
}

table() { # [VARIANT=HEADING...], then the rows on standard input
	python3 "$top/tests/origins/table.py" "$reports" "${variants[*]}" "$@"
	echo
}
