#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# initramfs.sh base FILE           what every machine gets: busybox, fio, seekwise, the tests
# initramfs.sh modules FILE ROOT RELEASE   the modules of one kernel, unpacked below ROOT
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

pack() { (cd "$root" && find . | cpio --quiet -o -H newc -R 0:0) >"$1.tmp" && mv "$1.tmp" "$1"; }

# A program with the libraries that it loads.
add_program() {
	local program=$1 to=$2 lib
	install -D "$program" "$root$to"
	ldd "$program" | grep -oE '/[^ ]+' | while read -r lib; do
		[ -e "$root$lib" ] || install -D "$(readlink -f "$lib")" "$root$lib"
	done
}

base() {
	mkdir -p "$root"/{bin,sbin,proc,sys,dev,tmp,run,etc,tests}
	install "$(command -v busybox)" "$root/bin/busybox"
	for applet in $("$root/bin/busybox" --list); do
		[ -e "$root/bin/$applet" ] || ln -s busybox "$root/bin/$applet"
	done
	# The kernel calls /sbin/modprobe when a scheduler that is a module is chosen.
	ln -sf ../bin/busybox "$root/sbin/modprobe"
	add_program "$(command -v fio)" /bin/fio
	add_program "$top/.output/seekwise" /bin/seekwise
	# If it is here: the guest has a test that is skipped without.
	for tool in blktrace blkparse dmsetup; do
		! command -v $tool >/dev/null || add_program "$(command -v $tool)" /bin/$tool
	done
	install "$top/tests/vm/guest/init" "$root/init"
	install -m 0644 "$top"/tests/vm/guest/*.sh "$root/tests"
	pack "$1"
}

modules() {
	local file=$1 from=$2 release=$3 tree name path
	tree=$from/lib/modules/$release
	[ -d "$tree" ] || tree=$from/usr/lib/modules/$release
	mkdir -p "$root/lib/modules/$release"
	# What depmod would make of the whole tree takes long: only what is wanted is copied.
	[ -e "$tree/modules.dep.bin" ] || depmod -b "${tree%/lib/modules/*}" "$release"
	for name in null_blk scsi_debug sd_mod virtio_pci virtio_blk virtio_scsi loop dm-mod \
		dm-multipath dm-round-robin raid0 raid1 nvmet-tcp nvme-tcp \
		nvme-loop nvme ext4 mq-deadline kyber-iosched bfq; do
		modprobe -d "${tree%/lib/modules/*}" -S "$release" --show-depends "$name" 2>/dev/null |
			awk '$1 == "insmod" { print $2 }' || true
	done | sort -u | while read -r path; do
		case $path in
		*.xz) xz -dc "$path" >"$root/lib/modules/$release/$(basename "${path%.xz}")" ;;
		*.zst) zstd -qdc "$path" >"$root/lib/modules/$release/$(basename "${path%.zst}")" ;;
		*) cp "$path" "$root/lib/modules/$release/" ;;
		esac
	done
	cp "$tree"/modules.{builtin,order,builtin.modinfo} "$root/lib/modules/$release/" 2>/dev/null || true
	depmod -b "$root" "$release"
	pack "$file"
}

"$@"
