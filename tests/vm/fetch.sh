#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fetch.sh SUITE PATTERN...: downloads the newest packages of a Debian suite
# whose names match, unpacks them below $VM_CACHE/SUITE/root, installs nothing.
# Prints the kernel release that came, its image and its modules.
set -euo pipefail
cache=${VM_CACHE:?}/$1 suite=$1
shift

# The mirror that this machine uses itself.
mirror() {
	local uri
	uri=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
		grep -oE '(https?|file)://[^ ]+/debian/?( |$)' | head -1 | tr -d ' ')
	uri=${uri%/}
	[ -n "$uri" ] || { echo "no Debian mirror in this machine's apt sources" >&2; exit 1; }
	case $suite in
	*-security) echo "${uri%/debian}/debian-security" ;;
	*) echo "$uri" ;;
	esac
}

mkdir -p "$cache/lists/partial" "$cache/archives/partial" "$cache/root"
exec 9>"$cache/lock"
flock 9
echo "deb [arch=amd64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(mirror) $suite main" \
	>"$cache/sources.list"
options=(-o "Dir::Etc::sourcelist=$cache/sources.list" -o Dir::Etc::sourceparts=-
	-o "Dir::State::Lists=$cache/lists" -o "Dir::Cache=$cache" -o Dir::State::status=/dev/null
	-o APT::Sandbox::User=root -o Acquire::Retries=2 -o APT::Update::Error-Mode=any)
apt-get "${options[@]}" update -qq
cd "$cache/archives"
for pattern in "$@"; do
	name=$(apt-cache "${options[@]}" pkgnames | grep -xE "$pattern" | sort -V | tail -1 || true)
	[ -n "$name" ] || { echo "$suite has no package like $pattern" >&2; exit 1; }
	if [ ! -e "$cache/$name.done" ]; then
		apt-get "${options[@]}" download -qq "$name"
		dpkg -x "${name}"_*.deb "$cache/root"
		rm -f "${name}"_*.deb
		touch "$cache/$name.done"
	fi
done
