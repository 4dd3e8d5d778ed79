#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The shipped unit under a real systemd: Debian 12 with its own kernel, in QEMU.
# Prints a line for each case that begins with PASS, FAIL, SKIP or INFO.
#
# The root file system is made by debootstrap, once, and kept as an image below
# .output/vm (or VM_CACHE); a machine works on a copy that goes with it. seekwise
# comes in by "make install" through the initramfs. Its cases: systemd/check.sh.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
export VM_CACHE=${VM_CACHE:-$PWD/.output/vm}
log=$PWD/.output/vm/logs/systemd.log
packages=systemd,systemd-sysv,dbus,fio,libbpf1,libjson-c5,libncursesw6,libinih1,libsystemd0,libelf1
# Another list of packages is another image.
image=$VM_CACHE/bookworm/root-$(cksum <<<"$packages" | cut -d ' ' -f 1).ext4
work=$(mktemp -d)
machine=''
building=''
cleanup() {
	trap '' HUP INT TERM
	[ -z "$machine" ] || kill "$machine" 2>/dev/null
	wait
	if [ -n "$building" ]; then
		umount "$building/proc" "$building/sys" 2>/dev/null
		rm -rf --one-file-system "$building" "$image.tmp"
	fi
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir -p "$(dirname "$log")" "$VM_CACHE"

skip() { echo "SKIP vm/systemd: $*"; exit 0; }

# From the mirror that fetch.sh took the kernel from.
build_image() {
	local mirror start=$SECONDS
	mirror=$(sed -n 's/^deb \[[^]]*\] \([^ ]*\) .*/\1/p' "$VM_CACHE/bookworm/sources.list")
	building=$(mktemp -d "$VM_CACHE/bookworm/debootstrap.XXXXXX")
	chmod 0755 "$building"
	debootstrap --variant=minbase --include="$packages" bookworm "$building" "$mirror" \
		>"$work/debootstrap" 2>&1 || return 1
	rm -rf "$building"/var/cache/apt/* "$building"/var/lib/apt/lists/* \
		"$building"/usr/share/{doc,locale,man}
	mke2fs -q -t ext4 -d "$building" "$image.tmp" 768M >"$work/debootstrap" 2>&1 || return 1
	rm -rf --one-file-system "$building"
	building=
	mv "$image.tmp" "$image"
	echo "INFO vm/systemd/root file system made in $((SECONDS - start)) s"
}

# What is laid over the root file system, and the init that does it.
pack() { # FILE
	local root=$work/initramfs
	mkdir -p "$root"/{bin,sbin,proc,sys,dev,root} "$root/over"/{tests,etc/systemd/system}
	install "$(command -v busybox)" "$root/bin/busybox"
	ln -s busybox "$root/bin/sh"
	install tests/vm/systemd/init "$root/init"
	make -s install DESTDIR="$root/over" PREFIX=/usr >"$work/install" 2>&1 || return 1
	install -m 0644 tests/vm/guest/lib.sh "$root/over/tests"
	install tests/vm/systemd/check.sh "$root/over/tests"
	install -m 0644 tests/vm/systemd/check.service "$root/over/etc/systemd/system"
	(cd "$root" && find . | cpio --quiet -o -H newc -R 0:0) >"$1"
}

PATH=$PATH:/usr/sbin:/sbin
[ "$(id -u)" = 0 ] || skip "debootstrap takes root"
for tool in qemu-system-x86_64 busybox cpio depmod apt-get debootstrap mke2fs; do
	command -v "$tool" >/dev/null || skip "$tool is not installed"
done
# Any 6.1 will do, and apt does not let two fetch at a time.
compgen -G "$VM_CACHE/bookworm/linux-image-6.1.0-*-cloud-amd64.done" >/dev/null ||
	tests/vm/fetch.sh bookworm 'linux-image-6\.1\.0-[0-9]+-cloud-amd64' >"$work/fetch" 2>&1 ||
	skip "$(tail -n 1 "$work/fetch")"
exec 9>"$VM_CACHE/bookworm/image.lock"
flock 9
[ -e "$image" ] || build_image || skip "no root file system: $(tail -n 1 "$work/debootstrap")"
flock -u 9
start=$SECONDS
kernels=$VM_CACHE/bookworm/root
release=$(find "$kernels/lib/modules" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort -V | tail -1)
if ! tests/vm/initramfs.sh modules "$work/modules" "$kernels" "$release" >"$work/install" 2>&1 ||
	! pack "$work/base"; then
	echo "FAIL vm/systemd: no initramfs: $(tail -n 1 "$work/install")"
	exit 1
fi
cat "$work/base" "$work/modules" >"$work/initrd"
VM_TIMEOUT=${VM_TIMEOUT:-480} tests/vm/boot.sh "$log" "$kernels/boot/vmlinuz-$release" "$work/initrd" \
	-drive "if=none,id=root,format=raw,snapshot=on,file=$image" -device virtio-blk-pci,drive=root &
machine=$!
wait "$machine"
machine=
tr -d '\r' <"$log" | grep -aE '^(PASS|FAIL|SKIP|INFO) ' |
	sed -E 's#^(PASS|FAIL|SKIP|INFO) #\1 vm/systemd/#' | tee "$work/out"
if ! tr -d '\r' <"$log" | grep -aq '^VM-END'; then
	echo "FAIL vm/systemd: the end marker is missing; see $log" | tee -a "$work/out"
fi
echo "INFO vm/systemd/all took $((SECONDS - start)) s"
! grep -q '^FAIL ' "$work/out"
