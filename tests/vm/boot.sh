#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# boot.sh LOG KERNEL INITRD [QEMU-OPTION...]: one machine, its console in LOG.
# VM_TESTS=counts,switches: these tests of the guest only. VM_STRESS_SECONDS: how long
# its stress test lasts (30).
#
# The machine gets a rotational SCSI disk, "QEMU HARDDISK", on a modelled disk of
# its own, VM_DISK_SPEED times as fast as a real one; where none can be made here
# the guest is told why. VM_DISK=no: none is wanted. It serves requests in the order
# of their arrival: among those that it could reorder itself, the scheduler's larger
# batches cost the readers more than the tuner's guard allows.
#
# -cpu max,-cx16 and thread=single: QEMU 7.2 breaks newer guests without them.
set -euo pipefail
# shellcheck source=tests/disk/lib.sh
. "$(dirname "$0")/../disk/lib.sh"
log=$1 kernel=$2 initrd=$3
shift 3
speed=${VM_DISK_SPEED:-4}

machine=
cleanup() {
	trap '' HUP INT TERM
	# timeout passes it on to the machine
	[ -z "$machine" ] || kill "$machine" 2>/dev/null || true
	wait
	disks_down
}
trap cleanup EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Sets disk, the options for QEMU, and said, what the guest is told.
rotational_disk() {
	local why
	why=$(disk_why_not file) || true
	[ "${VM_DISK:-}" != no ] || why="not wanted"
	if [ -z "$why" ]; then
		modelfile_up vm --order=fifo "--speed=$speed" || why="the modelled disk does not start"
	fi
	said=" vm_disk_speed=$speed"
	[ -z "$why" ] || { said=" \"vm_no_disk=$why\""; return 0; }
	disk=(-device "virtio-scsi-pci,id=scsi,num_queues=1"
		-drive "if=none,id=rotational,format=raw,cache=none,aio=threads,file.locking=off,file=$FILE"
		-device "scsi-hd,bus=scsi.0,drive=rotational,rotation_rate=7200")
}

disk=() said=
rotational_disk
# For a kernel in which the drivers are built in; with modules, modprobe takes these as well.
built_in="null_blk.queue_mode=2 null_blk.submit_queues=1 null_blk.poll_queues=0 null_blk.irqmode=2 \
null_blk.completion_nsec=1000000 null_blk.hw_queue_depth=128 null_blk.nr_devices=1 \
scsi_debug.dev_size_mb=64 scsi_debug.max_queue=32 scsi_debug.ndelay=1000000"
timeout -k 5 "${VM_TIMEOUT:-$((900 + 2 * ${VM_STRESS_SECONDS:-0}))}" qemu-system-x86_64 -machine q35 -accel tcg,thread=single \
	-cpu max,-cx16 -smp 2 -m 1536 -nodefaults -nographic -serial stdio -no-reboot \
	-kernel "$kernel" -initrd "$initrd" \
	-append "console=ttyS0 panic=-1 quiet $built_in${VM_TESTS:+ vm_tests=$VM_TESTS}\
${VM_STRESS_SECONDS:+ vm_stress_seconds=$VM_STRESS_SECONDS}$said" \
	"${disk[@]}" "$@" </dev/null >"$log" 2>&1 &
machine=$!
wait "$machine" || true
machine=
grep -q '^VM-END' "$log"
