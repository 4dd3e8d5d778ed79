#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# deps.sh [--if-missing] [vm] [kernel]: installs what building and testing need; with
# vm what the tests on other kernels need as well, with kernel what building one of
# our own needs. --if-missing: only when something is missing. Debian and Ubuntu;
# the Fedora names are printed.
set -euo pipefail

debian=(make gcc clang llvm bpftool libbpf-dev libelf-dev zlib1g-dev pkg-config
	libjson-c-dev libncurses-dev libinih-dev libsystemd-dev
	libfuse3-dev fuse3 libcmocka-dev fio python3 util-linux procps git tmux)
vm=(qemu-system-x86 busybox-static cpio kmod xz-utils zstd blktrace dmsetup debootstrap e2fsprogs)
kernel=(bc bison flex dwarves lz4 libssl-dev patch)
# For make bench and make lint: not everywhere to be had.
optional=(libbpf-tools clang-format cppcheck shellcheck)
fedora=(make gcc clang llvm bpftool libbpf-devel elfutils-libelf-devel zlib-devel pkgconf
	json-c-devel ncurses-devel inih-devel systemd-devel
	fuse3-devel fuse3 libcmocka-devel fio python3 util-linux procps-ng git
	tmux libbpf-tools clang-tools-extra cppcheck ShellCheck)

if_missing=false
tools=(gcc clang bpftool pkg-config fio fusermount3 python3 losetup pgrep git tmux)
for word in "$@"; do
	case $word in
	--if-missing) if_missing=true ;;
	vm)
		debian+=("${vm[@]}")
		tools+=(qemu-system-x86_64 busybox cpio depmod xz zstd blktrace dmsetup debootstrap mke2fs) ;;
	kernel)
		debian+=("${kernel[@]}")
		tools+=(bc bison flex pahole lz4 patch) ;;
	*)
		echo "deps: unknown word '$word': --if-missing, vm, kernel" >&2
		exit 2 ;;
	esac
done

missing() {
	local tool
	for tool in "${tools[@]}"; do
		PATH=$PATH:/usr/sbin:/sbin command -v "$tool" >/dev/null || return 0
	done
	pkg-config --exists libbpf libelf zlib json-c ncursesw inih libsystemd fuse3 cmocka || return 0
	return 1
}

# Ubuntu has no bpftool package of its own: it comes with the kernel's tools.
available() {
	local package
	for package in "$@"; do
		case $package in
		bpftool)
			if apt-cache show bpftool >/dev/null 2>&1; then echo bpftool; else
				echo linux-tools-common linux-tools-generic
			fi ;;
		*) echo "$package" ;;
		esac
	done
}

if $if_missing && ! missing; then
	exit 0
fi
if ! command -v apt-get >/dev/null; then
	echo "deps: no apt-get here; on Fedora: dnf install ${fedora[*]}" >&2
	exit 1
fi
if [ "$(id -u)" != 0 ]; then
	echo "deps: installing packages takes root: sudo make deps" >&2
	exit 3
fi
export DEBIAN_FRONTEND=noninteractive
echo "deps: installing ${debian[*]} ${optional[*]}" >&2
apt-get update -qq
mapfile -t packages < <(available "${debian[@]}" | tr ' ' '\n')
for package in "${optional[@]}"; do
	if apt-cache show "$package" >/dev/null 2>&1; then packages+=("$package"); fi
done
apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
if missing; then
	echo "deps: something is still missing after apt-get install" >&2
	exit 1
fi
