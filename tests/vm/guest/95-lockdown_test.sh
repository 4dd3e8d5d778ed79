# SPDX-License-Identifier: GPL-2.0-or-later
# Lockdown, which only goes up: observing works in its integrity mode, and is refused in
# words in confidentiality. Nothing can come after this test.
# shellcheck shell=sh disable=SC2154 # lib.sh
lockdown=/sys/kernel/security/lockdown
mount -t securityfs none /sys/kernel/security 2>/dev/null
[ -e $lockdown ] || { say "INFO lockdown: this kernel has none"; exit 0; }
disk=$(debug_disk)
echo integrity >$lockdown
counts lockdown-integrity "$disk" --rw=randread --iodepth=8 --number_ios=200
echo confidentiality >$lockdown
seekwise report -d 1s "$disk" >/tmp/out 2>/tmp/err
same lockdown-confidentiality-code $? 3
grep -q 'lockdown=confidentiality' /tmp/err && pass lockdown-is-said || fail "lockdown: $(head -c 300 /tmp/err)"
seekwise check "$disk" >/tmp/check 2>&1
same lockdown-check-code $? 3
grep -q '^lockdown *confidentiality: BPF may not read' /tmp/check && pass lockdown-check ||
	fail "lockdown: $(grep lockdown /tmp/check)"
