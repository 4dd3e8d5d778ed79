#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# build.sh: builds the kernel with queue/nr_sched_batch from Debian's linux-source-6.1,
# with nr_sched_batch.patch and config of this folder, and keeps the image in
# VM_CACHE (.output/vm). Prints the image's path. An image that was made of the
# same patch, configuration and source is taken as it is. On two cores the build
# takes about 20 minutes and 3 GB.
set -euo pipefail
cd "$(dirname "$0")"
here=$PWD
export VM_CACHE=${VM_CACHE:-$(cd ../../.. && pwd)/.output/vm}
mkdir -p "$VM_CACHE/patched"

for tool in make gcc bison flex bc pahole patch xz lz4; do
	command -v $tool >/dev/null || { echo "$tool is missing; packaging/deps.sh vm kernel installs it" >&2; exit 1; }
done
../fetch.sh bookworm 'linux-source-6\.1' >&2
source=$VM_CACHE/bookworm/root/usr/src/linux-source-6.1.tar.xz
sum=$(cat "$here"/{nr_sched_batch.patch,config} <(stat -c %s "$source") | sha256sum | cut -c1-12)
image=$VM_CACHE/patched/bzImage-6.1-nr_sched_batch-$sum
if [ -e "$image" ]; then
	echo "$image"
	exit 0
fi

tree=$(mktemp -d "$VM_CACHE/patched/tree.XXXXXX")
trap 'rm -rf "$tree"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
log=$VM_CACHE/patched/build.log
echo "building $image; its log is $log" >&2
tar -C "$tree" --strip-components=1 -xf "$source"
cd "$tree"
{
	patch -p1 <"$here/nr_sched_batch.patch"
	make tinyconfig
	scripts/kconfig/merge_config.sh -m .config "$here/config"
	make olddefconfig
} >"$log" 2>&1 || { tail -5 "$log" >&2; exit 1; }
# What a dependency turned off would be missed only much later.
if grep -vxFf .config "$here/config" | grep -E '^CONFIG_'; then
	echo "these lines of $here/config did not come into force" >&2
	exit 1
fi >&2
make -j"$(nproc)" bzImage >>"$log" 2>&1 || { tail -20 "$log" >&2; exit 1; }
cp arch/x86/boot/bzImage "$image.tmp"
mv "$image.tmp" "$image"
echo "$image"
