#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# make check-vm: the tests of tests/vm/guest on other kernels, in QEMU under
# software emulation, two machines at a time. KERNELS="5.10 7.2" names some of
# them; 7.2 or newest is Debian sid's, whatever it is by now; systemd is no kernel,
# but the service under a real systemd (systemd.sh); one is patched, or 6.1 where there is no
# image of that. Prints a line for each case that begins with PASS, FAIL or SKIP, and one for
# each kernel with its version and result.
#
# Debian's kernels are fetched through apt and unpacked below .output/vm (or
# VM_CACHE), not installed. "patched" is a kernel with queue/nr_sched_batch whose
# image VM_PATCHED_IMAGE names.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
export VM_CACHE=${VM_CACHE:-$PWD/.output/vm}
logs=$PWD/.output/vm/logs
work=$(mktemp -d)
# Each machine is waited for: it takes its modelled disk down.
trap 'kill $(jobs -p) 2>/dev/null; wait; rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir -p "$VM_CACHE" "$logs"
all="patched 5.10 6.1 6.12 newest systemd"

# kernel NAME: suite and package pattern.
source_of() {
	case $1 in
	5.10) echo 'bullseye linux-image-5\.10\.0-[0-9]+-cloud-amd64' ;;
	6.1) echo 'bookworm linux-image-6\.1\.0-[0-9]+-cloud-amd64' ;;
	6.12) echo 'trixie linux-image-6\.12\.[0-9]+\+deb13-cloud-amd64' ;;
	newest | 7.*) echo 'sid linux-binary-[0-9.]+\+deb14-amd64 linux-modules-[0-9.]+\+deb14-amd64' ;;
	*) return 1 ;;
	esac
}

# The image of the kernel with nr_sched_batch, in $image; 1: there is none.
patched_image() {
	image=${VM_PATCHED_IMAGE:-}
	# One that "make check-vm-patched" has kept does as well.
	[ -n "$image" ] || image=$(find "$VM_CACHE/patched" -name 'bzImage-*' ! -name '*.tmp' \
		-printf '%T@ %p\n' 2>/dev/null | sort -n | tail -1 | cut -d ' ' -f 2-)
	[ -r "$image" ]
}

# Sets image and puts the machine's initramfs together. Prints why not.
prepare() { # NAME
	local name=$1 root release
	if [ "$name" = patched ]; then
		patched_image || {
			echo "no kernel with nr_sched_batch: VM_PATCHED_IMAGE names one, make check-vm-patched builds one"
			return 1
		}
		cp "$work/base.cpio" "$work/$name.img"
		return 0
	fi
	# shellcheck disable=SC2046 # suite and patterns are words
	tests/vm/fetch.sh $(source_of "$name") >"$work/$name.fetch" 2>&1 ||
		{ grep -m1 -iE "^E:|no space|has no package" "$work/$name.fetch" || tail -1 "$work/$name.fetch"; return 1; }
	root=$VM_CACHE/$(source_of "$name" | cut -d ' ' -f 1)/root
	release=$(cd "$root" && find lib/modules usr/lib/modules -mindepth 1 -maxdepth 1 2>/dev/null |
		sed 's|.*/||' | sort -V | tail -1)
	image=$root/boot/vmlinuz-$release
	[ -e "$image" ] || image=$root/usr/lib/modules/$release/vmlinuz
	[ -e "$image" ] || { echo "no kernel image in the packages"; return 1; }
	tests/vm/initramfs.sh modules "$work/$name.cpio" "$root" "$release" >"$work/$name.fetch" 2>&1 ||
		{ tail -1 "$work/$name.fetch"; return 1; }
	cat "$work/base.cpio" "$work/$name.cpio" >"$work/$name.img"
}

# One machine. Tried once more only if it never reached its init.
machine() { # NAME
	local name=$1 why image='' log=$logs/$1.log try
	# in the background, as a signal would wait for the end of a machine otherwise
	trap 'kill $(jobs -p) 2>/dev/null; wait; exit 143' TERM
	if [ "$name" = systemd ]; then
		tests/vm/systemd.sh &
		wait $!
		return
	fi
	if [ "$name" != patched ] && ! source_of "$name" >"$work/$name.why"; then
		echo "FAIL vm/$name: no such kernel here: $all"
		return
	fi
	prepare "$name" >"$work/$name.why" || {
		why=$(tail -1 "$work/$name.why")
		echo "SKIP vm/$name: $why"
		return
	}
	for try in 1 2; do
		tests/vm/boot.sh "$log" "$image" "$work/$name.img" &
		wait $! && break
		grep -aq '^INFO kernel' "$log" && break
		[ "$try" = 2 ] || echo "INFO vm/$name: it did not reach its init, once more"
	done
	tr -d '\r' <"$log" | grep -aE '^(PASS|FAIL|SKIP|INFO) ' | sed -E "s#^(PASS|FAIL|SKIP|INFO) #\1 vm/$name/#"
	tr -d '\r' <"$log" | grep -aq '^VM-END' || echo "FAIL vm/$name: the end marker is missing; see $log"
}

for tool in qemu-system-x86_64 busybox cpio depmod apt-get; do
	if ! PATH=$PATH:/usr/sbin:/sbin command -v $tool >/dev/null; then
		echo "SKIP vm: $tool is not installed"
		exit 0
	fi
done
PATH=$PATH:/usr/sbin:/sbin
tests/vm/initramfs.sh base "$work/base.cpio" || { echo "FAIL vm: no initramfs"; exit 1; }
names=${KERNELS:-$all}
if [ "$names" = one ]; then
	if patched_image; then names=patched; else names=6.1; fi
fi
for name in $names; do
	[ "$(jobs -rp | wc -l)" -lt 2 ] || wait -n
	machine "$name" >"$work/$name.out" &
done
wait
for name in $names; do
	[ -s "$work/$name.out" ] || echo "FAIL vm/$name: it ended without a word" >"$work/$name.out"
done
[ -n "${names// /}" ] || echo "FAIL vm: no kernel is named" >"$work/none.out"
cat "$work"/*.out
# How each ended: the newest kernel is another one from time to time.
for name in $names; do
	release=$(sed -nE "s#^INFO vm/$name/kernel ([^ ]+).*#\1#p" "$work/$name.out")
	echo "INFO vm/$name: ${release:-kernel not known}: $(grep -c '^PASS ' "$work/$name.out") passed," \
		"$(grep -c '^FAIL ' "$work/$name.out") failed, $(grep -c '^SKIP ' "$work/$name.out") skipped"
done
! grep -q '^FAIL ' "$work"/*.out
