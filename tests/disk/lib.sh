# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Disks for tests, the demo and the bench: source this file, do not run it.
#
#   why=$(disk_why_not)             reason why no modelled disk can be made here, empty if one can
#   why=$(disk_why_not plain)       the same for plainloop_up
#   why=$(disk_why_not file)        the same for modelfile_up
#   trap disks_down EXIT            and: trap 'exit 129' HUP, 'exit 130' INT, 'exit 143' TERM
#   modeldisk_up NAME [OPTION...]   a loop device on a modelled disk; sets DISK (loop3) and DEV (/dev/loop3)
#   modelfile_up NAME [OPTION...]   a modelled disk without a loop device, for a virtual machine; sets FILE
#   plainloop_up NAME SIZE          a loop device on a sparse file in memory; sets DISK and DEV
#   stackloop_up NAME UNDER         a loop device on the loop device of the disk UNDER, which is up; sets
#                                   DISK and DEV. One kernel thread submits all that is sent to it
#   disk_use NAME                   set DISK and DEV to another disk that is up
#   modeldisk_stats NAME            print the statistics of the modelled disk, as of now
#   disk_down NAME                  take one down; no error if it is down already
#   disks_down                      take all down
#
# State is kept in variables of this shell: call the functions directly, not in
# $(...) or a pipe. Only devices made here are touched, and no wait is endless.

_disk_top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
MODELDISK=${MODELDISK:-$_disk_top/.output/modeldisk}
DISK=${DISK:-}
DEV=${DEV:-}
FILE=${FILE:-}

declare -gA _disk_dir=()      # NAME -> private directory
declare -gA _disk_file=()     # NAME -> file under the loop device
declare -gA _disk_pid=()      # NAME -> modeldisk, absent for a plain loop
declare -gA _disk_loop=()     # NAME -> loop3
declare -gA _disk_seq=()      # NAME -> diskseq of our attachment, empty on kernels without it
declare -gA _disk_before=()   # NAME -> loop devices that existed before, as "loop0 loop1 "
declare -gA _disk_settings=() # NAME -> "file value" lines to put back

# Settings of a loop device that outlive its attachment. The scheduler is dealt
# with apart, since a switch resets some of these.
_disk_keys=(nr_requests async_depth nr_sched_batch rotational nomerges rq_affinity
	iostats add_random read_ahead_kb max_sectors_kb wbt_lat_usec)

# Seconds to wait at most for: readiness, requests in flight at the end, the end of modeldisk.
_disk_wait_ready=10
_disk_wait_drain=10
_disk_wait_end=5

_disk_has_lock=''

_disk_say() {
	printf 'disk: %s\n' "$*" >&2
}

# _disk_until SECONDS COMMAND...: try COMMAND until it succeeds; 1 if it never does.
_disk_until() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.05
	done
}

_disk_gone() {
	! kill -0 "$1" 2>/dev/null
}

# A file's first line, empty if it cannot be read.
_disk_read() {
	local line=''
	{ read -r line <"$1"; } 2>/dev/null || true
	printf '%s' "$line"
}

_disk_set() { # FILE VALUE: write quietly, only where it changes something
	[ -w "$1" ] || return 0
	[ "$(_disk_read "$1")" != "$2" ] || return 0
	{ printf '%s\n' "$2" >"$1"; } 2>/dev/null
}

_disk_scheduler() { # LOOP: the active scheduler's name
	local line
	line=$(_disk_read "/sys/block/$1/queue/scheduler")
	line=${line##*[}
	printf '%s' "${line%%]*}"
}

_disk_loops() { # all loop devices there are, as "loop0 loop1 "
	local path
	for path in /sys/block/loop*; do
		[ -d "$path" ] && printf '%s ' "${path##*/}"
	done
	return 0
}

_disk_can_deadline() { # loop devices offer mq-deadline, or there is none yet to ask
	local file found=''
	modprobe -q mq-deadline 2>/dev/null || true
	for file in /sys/block/loop*/queue/scheduler; do
		[ -e "$file" ] || continue
		case $(_disk_read "$file") in
		*mq-deadline*) return 0 ;;
		esac
		found=yes
	done
	[ -z "$found" ]
}

_disk_has_device() { # PATH MODULE
	[ -e "$1" ] || modprobe -q "$2" 2>/dev/null || true
	[ -w "$1" ]
}

disk_why_not() { # [plain|file]
	if [ "$(id -u)" != 0 ]; then
		printf 'not root\n'
	elif [ "${1:-}" = file ]; then
		_modeldisk_why_not
	elif ! command -v losetup >/dev/null; then
		printf 'losetup is not installed\n'
	elif ! _disk_has_device /dev/loop-control loop; then
		printf 'no loop devices here (/dev/loop-control)\n'
	elif ! _disk_can_deadline; then
		printf 'loop devices cannot use mq-deadline here\n'
	elif [ "${1:-}" = plain ]; then
		return 0
	else
		_modeldisk_why_not
	fi
}

_modeldisk_why_not() {
	if ! _disk_has_device /dev/fuse fuse; then
		printf 'no FUSE here (/dev/fuse)\n'
	elif [ ! -x "$MODELDISK" ]; then
		printf 'not built: %s\n' "$MODELDISK"
	fi
}

# Attaching and removing nodes is one at a time for all users of this file, or one would take
# away the free node that the other has just found. A trap that comes in the middle of it, and
# takes disks down, has the lock already: it would wait for itself.
_disk_locked() {
	local lock=/dev/null status=0
	if [ -n "$_disk_has_lock" ]; then
		# the status in words: in a trap, a bare return gives that of before the trap
		"$@" || status=$?
		return "$status"
	fi
	[ ! -w /run/lock ] || lock=/run/lock/seekwise-disk.lock
	{
		flock -w 10 9 2>/dev/null || true
		_disk_has_lock=yes
		"$@" || status=$?
		_disk_has_lock=''
	} 9>>"$lock"
	return "$status"
}

_disk_attach_locked() { # NAME
	local name=$1 file=${_disk_file[$1]} loop
	_disk_before[$name]=$(_disk_loops)
	# direct I/O is refused by some file systems below a plain loop
	loop=$(losetup --find --show --direct-io=on "$file" 2>/dev/null) ||
		{ [ -z "${_disk_pid[$name]:-}" ] && loop=$(losetup --find --show "$file"); } ||
		{ _disk_say "$name: losetup cannot attach $file"; return 1; }
	_disk_loop[$name]=${loop#/dev/}
	_disk_seq[$name]=$(_disk_read "/sys/block/${loop#/dev/}/diskseq")
}

_disk_record() { # NAME: remember the settings of its loop device
	local queue=/sys/block/${_disk_loop[$1]}/queue key lines
	lines="scheduler $(_disk_scheduler "${_disk_loop[$1]}")"$'\n'
	for key in "${_disk_keys[@]}"; do
		[ -w "$queue/$key" ] && lines+="$key $(_disk_read "$queue/$key")"$'\n'
	done
	for key in "$queue"/iosched/*; do
		[ -w "$key" ] && lines+="iosched/${key##*/} $(_disk_read "$key")"$'\n'
	done
	_disk_settings[$1]=$lines
}

# The loop device is still attached as we attached it, not detached and taken by others.
_disk_ours() { # NAME
	local loop=${_disk_loop[$1]:-}
	[ -n "$loop" ] && [ -e "/sys/block/$loop/loop/backing_file" ] || return 1
	if [ -n "${_disk_seq[$1]:-}" ]; then
		[ "$(_disk_read "/sys/block/$loop/diskseq")" = "${_disk_seq[$1]}" ]
	else
		[ "$(_disk_read "/sys/block/$loop/loop/backing_file")" = "${_disk_file[$1]}" ]
	fi
}

# A signal between losetup and our note of it leaves a device that we do not know.
_disk_find_lost() { # NAME
	local path loop
	[ -z "${_disk_loop[$1]:-}" ] && [ -n "${_disk_file[$1]:-}" ] || return 0
	for path in /sys/block/loop*/loop/backing_file; do
		[ "$(_disk_read "$path")" = "${_disk_file[$1]}" ] || continue
		loop=${path#/sys/block/}
		_disk_loop[$1]=${loop%%/*}
		_disk_seq[$1]=$(_disk_read "/sys/block/${_disk_loop[$1]}/diskseq")
	done
}

# Under none, nr_requests is how many requests the driver takes. A switch of the scheduler
# sets the number that is shown anew, but not the driver's: a loop device that somebody used
# before may take fewer than it says. Writing what is shown changes nothing.
_disk_all_tags() { # QUEUE, under none
	local number
	number=$(_disk_read "$1/nr_requests")
	_disk_set "$1/nr_requests" "$((number - 1))" || true
	_disk_set "$1/nr_requests" "$number" || true
}

_disk_attach() { # NAME ROTATIONAL: attach, choose mq-deadline; ROTATIONAL may be empty
	local name=$1 rotational=$2 queue
	_disk_locked _disk_attach_locked "$name" || return 1
	# udev rules may set the scheduler of a new disk: let them go first
	if command -v udevadm >/dev/null; then
		udevadm settle --timeout=5 2>/dev/null || true
	fi
	_disk_record "$name"
	queue=/sys/block/${_disk_loop[$name]}/queue
	# from none, so that nr_requests and the knobs are the defaults
	_disk_set "$queue/scheduler" none || true
	_disk_all_tags "$queue"
	if ! { printf 'mq-deadline\n' >"$queue/scheduler"; } 2>/dev/null ||
		[ "$(_disk_scheduler "${_disk_loop[$name]}")" != mq-deadline ]; then
		_disk_say "$name: ${_disk_loop[$name]} does not take mq-deadline"
		return 1
	fi
	[ -z "$rotational" ] || _disk_set "$queue/rotational" "$rotational" || return 1
}

_disk_begin() { # NAME PARENT: the private directory
	if [ -n "${_disk_dir[$1]:-}" ]; then
		_disk_say "$1 is up already"
		return 1
	fi
	# without links: it is looked for in the kernel's table of mounts
	_disk_dir[$1]=$(cd "$2" && cd "$(mktemp -d "$PWD/seekwise-$1.XXXXXX")" && pwd -P) || {
		unset "_disk_dir[$1]"
		return 1
	}
}

disk_use() { # NAME
	if [ -z "${_disk_loop[$1]:-}" ]; then
		_disk_say "$1 is not up"
		return 1
	fi
	DISK=${_disk_loop[$1]}
	DEV=/dev/$DISK
}

_disk_served() { # NAME: ready, or never going to be
	[ -s "${_disk_dir[$1]}/pid" ] || _disk_gone "${_disk_pid[$1]}"
}

_modeldisk_start() { # NAME OPTION...
	local name=$1 dir=${_disk_dir[$1]}
	shift
	mkdir "$dir/mnt" || return 1
	# ^C at the terminal is for the script, which takes the disk down in order
	(
		trap '' INT HUP
		exec "$MODELDISK" --pid-file="$dir/pid" --stats="$dir/stats" "$@" "$dir/mnt"
	) </dev/null >"$dir/log" 2>&1 &
	_disk_pid[$name]=$!
	# or a plain "wait" of the script would wait for the disk
	disown "${_disk_pid[$name]}" 2>/dev/null || true
	_disk_file[$name]=$dir/mnt/disk
	_disk_until "$_disk_wait_ready" _disk_served "$name" && [ -s "$dir/pid" ] && return 0
	_disk_say "$name: $(tail -n 1 "$dir/log" 2>/dev/null || true)"
	return 1
}

# A disk N times as fast needs deadlines N times as short, or the scheduler meets
# another load than at speed 1. MODELDISK_EXPIRE=kernel keeps the kernel's.
_modeldisk_expire() { # NAME OPTION...
	local iosched=/sys/block/${_disk_loop[$1]}/queue/iosched speed='' key value
	shift
	while [ $# -gt 0 ]; do
		case $1 in
		--speed=*) speed=${1#*=} ;;
		--speed) speed=${2:-} ;;
		esac
		shift
	done
	[ -n "$speed" ] && [ "${MODELDISK_EXPIRE:-scaled}" != kernel ] || return 0
	for key in read_expire write_expire prio_aging_expire; do
		[ -w "$iosched/$key" ] || continue
		value=$(awk -v v="$(_disk_read "$iosched/$key")" -v s="$speed" \
			'BEGIN { v = int(v / s + 0.5); print v < 1 ? 1 : v }')
		_disk_set "$iosched/$key" "$value" || return 1
	done
}

modeldisk_up() { # NAME OPTION...
	local name=$1
	shift
	_disk_begin "$name" "${TMPDIR:-/tmp}" || return 1
	if _modeldisk_start "$name" "$@" && _disk_attach "$name" 1 &&
		_modeldisk_expire "$name" "$@"; then
		disk_use "$name"
		return
	fi
	disk_down "$name"
	return 1
}

modelfile_up() { # NAME OPTION...
	local name=$1
	shift
	_disk_begin "$name" "${TMPDIR:-/tmp}" || return 1
	if _modeldisk_start "$name" "$@"; then
		FILE=${_disk_file[$name]}
		return
	fi
	disk_down "$name"
	return 1
}

plainloop_up() { # NAME SIZE
	local name=$1 size=$2 parent=${TMPDIR:-/tmp}
	[ "$(stat -f -c %T /dev/shm 2>/dev/null)" != tmpfs ] || parent=/dev/shm
	_disk_begin "$name" "$parent" || return 1
	_disk_file[$name]=${_disk_dir[$name]}/disk
	if truncate -s "$size" "${_disk_file[$name]}" && _disk_attach "$name" ''; then
		disk_use "$name"
		return
	fi
	disk_down "$name"
	return 1
}

stackloop_up() { # NAME UNDER
	local name=$1 under=$2
	if [ -z "${_disk_loop[$under]:-}" ]; then
		_disk_say "$under is not up"
		return 1
	fi
	_disk_begin "$name" "${TMPDIR:-/tmp}" || return 1
	_disk_file[$name]=/dev/${_disk_loop[$under]}
	if _disk_attach "$name" ''; then
		disk_use "$name"
		return
	fi
	disk_down "$name"
	return 1
}

_modeldisk_dumps() { # FILE: how many statistics were written so far
	awk '$1 == "dumps" { n = $2 } END { print n + 0 }' "$1" 2>/dev/null || printf '0\n'
}

_modeldisk_dumped() { # FILE COUNT
	[ "$(_modeldisk_dumps "$1")" -gt "$2" ]
}

modeldisk_stats() { # NAME
	local file=${_disk_dir[$1]:-}/stats before
	[ -n "${_disk_pid[$1]:-}" ] || return 1
	before=$(_modeldisk_dumps "$file")
	kill -USR1 "${_disk_pid[$1]}" || return 1
	_disk_until "$_disk_wait_end" _modeldisk_dumped "$file" "$before" || return 1
	cat "$file"
}

# Put the settings back: the scheduler by way of none, which also resets its knobs.
_disk_restore() { # NAME
	local queue=/sys/block/${_disk_loop[$1]}/queue key value
	_disk_set "$queue/scheduler" none || true
	while read -r key value; do
		[ -n "$key" ] || continue
		_disk_set "$queue/$key" "$value" || true
	done <<<"${_disk_settings[$1]:-}"
}

# Detached by somebody else, the loop device still has our settings; not if it was bound anew.
_disk_restore_unbound() { # NAME
	local loop=${_disk_loop[$1]:-}
	[ -n "$loop" ] && [ -e "/sys/block/$loop" ] || return 0
	[ -e "/sys/block/$loop/loop/backing_file" ] || _disk_restore "$1"
}

# Changing the scheduler waits for the requests in flight, without end if nobody answers them.
_disk_restore_bounded() { # NAME: 1 if it takes too long
	local restorer
	_disk_restore "$1" &
	restorer=$!
	_disk_until "$_disk_wait_drain" _disk_gone "$restorer" && return 0
	# a dead disk fails its requests, and the restoring goes on
	_modeldisk_end "$1"
	_disk_until "$_disk_wait_end" _disk_gone "$restorer"
}

_modeldisk_is() { # NAME: its pid is still the process that we started
	local pid=${_disk_pid[$1]:-}
	[ -n "$pid" ] || return 1
	{ tr '\0' '\n' <"/proc/$pid/cmdline" | grep -xF -- "${_disk_dir[$1]}/mnt"; } >/dev/null 2>&1
}

_modeldisk_end() { # NAME
	local mnt=${_disk_dir[$1]}/mnt pid=${_disk_pid[$1]:-}
	if _modeldisk_is "$1"; then
		kill -TERM "$pid" 2>/dev/null || true
		if ! _disk_until "$_disk_wait_end" _disk_gone "$pid"; then
			_disk_say "$1: modeldisk does not end; killed"
			umount -l "$mnt" 2>/dev/null || true
			kill -KILL "$pid" 2>/dev/null || true
			_disk_until "$_disk_wait_end" _disk_gone "$pid" || true
		fi
	fi
	_disk_mounted "$mnt" || return 0
	umount "$mnt" 2>/dev/null || umount -l "$mnt" 2>/dev/null || true
}

_disk_mounted() { # DIRECTORY: looked up in a file, since touching a dead mount may hang
	DIR=$1 awk '{ gsub(/\\040/, " ", $5) } $5 == ENVIRON["DIR"] { found = 1 } END { exit !found }' \
		/proc/self/mountinfo
}

_disk_unbound() { # NAME
	! _disk_ours "$1"
}

_disk_detach() { # NAME
	local loop=${_disk_loop[$1]}
	timeout 10 losetup -d "/dev/$loop" 2>/dev/null || true
	# held open by somebody: the kernel detaches it at the last close
	_disk_until "$_disk_wait_end" _disk_unbound "$1" ||
		_disk_say "$1: $loop is still open; it goes when it is closed"
}

# losetup cannot remove a node before util-linux 2.41, so the ioctl it is (LOOP_CTL_REMOVE).
_disk_remove_node() { # LOOP
	[ ! -e "/sys/block/$1/loop/backing_file" ] || return 0
	command -v perl >/dev/null || return 0
	# shellcheck disable=SC2016 # perl's variables
	perl -e 'open(my $ctl, "+<", "/dev/loop-control") or exit 0; ioctl($ctl, 0x4C81, int($ARGV[0]))' \
		"${1#loop}" || true
}

_disk_down() { # NAME
	local name=$1 dir=${_disk_dir[$1]}
	_disk_find_lost "$name"
	# what is queued need not take its time any more
	! _modeldisk_is "$name" || kill -USR2 "${_disk_pid[$name]}" 2>/dev/null || true
	if _disk_ours "$name"; then
		_disk_restore_bounded "$name" || _disk_say "$name: settings not put back in time"
		_disk_detach "$name"
	else
		_disk_locked _disk_restore_unbound "$name"
	fi
	_modeldisk_end "$name"
	if [ -n "${_disk_loop[$name]:-}" ] && [[ " ${_disk_before[$name]:-} " != *" ${_disk_loop[$name]} "* ]]; then
		_disk_locked _disk_remove_node "${_disk_loop[$name]}"
	fi
	if _disk_mounted "$dir/mnt"; then
		_disk_say "$name: $dir/mnt is still mounted; left"
	else
		rm -rf --one-file-system -- "$dir" || true
	fi
}

disk_down() { # NAME
	local name=$1 traps
	[ -n "${_disk_dir[$name]:-}" ] || return 0
	# a second ^C must not leave half of it behind
	traps=$(trap -p INT TERM HUP)
	trap '' INT TERM HUP
	_disk_down "$name" || true
	unset "_disk_dir[$name]" "_disk_file[$name]" "_disk_pid[$name]" "_disk_loop[$name]" \
		"_disk_seq[$name]" "_disk_before[$name]" "_disk_settings[$name]"
	trap - INT TERM HUP
	eval "$traps"
}

disks_down() {
	local name
	# what stands on another disk goes before it
	for name in "${!_disk_dir[@]}"; do
		[[ ${_disk_file[$name]:-} != /dev/* ]] || disk_down "$name" || true
	done
	for name in "${!_disk_dir[@]}"; do
		disk_down "$name" || true
	done
}
