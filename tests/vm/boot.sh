#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# boot.sh LOG KERNEL INITRD [QEMU-OPTION...]: one machine, its console in LOG.
# VM_TESTS=counts,switches: these tests of the guest only.
# -cpu max,-cx16 and thread=single: QEMU 7.2 breaks newer guests without them.
set -euo pipefail
log=$1 kernel=$2 initrd=$3
shift 3
# For a kernel in which the drivers are built in; with modules, modprobe takes these as well.
built_in="null_blk.queue_mode=2 null_blk.submit_queues=1 null_blk.poll_queues=0 null_blk.irqmode=2 \
null_blk.completion_nsec=1000000 null_blk.hw_queue_depth=128 null_blk.nr_devices=1 \
scsi_debug.dev_size_mb=64 scsi_debug.max_queue=32 scsi_debug.ndelay=1000000"
timeout -k 5 "${VM_TIMEOUT:-300}" qemu-system-x86_64 -machine q35 -accel tcg,thread=single \
	-cpu max,-cx16 -smp 2 -m 1536 -nodefaults -nographic -serial stdio -no-reboot \
	-kernel "$kernel" -initrd "$initrd" -append "console=ttyS0 panic=-1 quiet $built_in${VM_TESTS:+ vm_tests=$VM_TESTS}" \
	"$@" </dev/null >"$log" 2>&1 || true
grep -q '^VM-END' "$log"
