# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel whose BTF is not to be found: said in one line, and --btf FILE does instead.
# shellcheck shell=sh disable=SC2154 # lib.sh
cp /sys/kernel/btf/vmlinux /tmp/vmlinux.btf
mount -t tmpfs none /sys/kernel/btf
seekwise report -d 1s nullb0 >/tmp/out 2>/tmp/err
same btf-missing-code $? 4
same btf-missing-is-one-line "$(wc -l </tmp/err)" 1
if grep -q 'no BTF of the kernel.*--btf FILE' /tmp/err; then pass btf-missing-is-said; else fail "btf: $(head -c 300 /tmp/err)"; fi
seekwise report --btf /etc/passwd.none nullb0 -d 1s >/tmp/out 2>/tmp/err
same btf-bad-file-code $? 4
grep -q 'passwd.none cannot be used as BTF: ENOENT' /tmp/err || fail "btf-bad-file: $(head -c 300 /tmp/err)"

scheduler mq-deadline nullb0
before=$(stat_of nullb0)
# shellcheck disable=SC2046 # words
seekwise report --json --btf /tmp/vmlinux.btf nullb0 -- $(load nullb0 --rw=randrw --iodepth=32 \
	--number_ios=1000) >/tmp/report.json 2>/tmp/err || fail "btf: $(head -c 300 /tmp/err)"
same_as_stat btf-counts nullb0 "$before"
# Of a module the file tells nothing: then null, not 0.
[ ! -e /sys/module/mq_deadline/initstate ] ||
	same btf-module-is-null "$(grep -oE '"batches":(null|\{)' /tmp/report.json | head -1)" '"batches":null'
: >/tmp/empty
seekwise report --btf /tmp/empty nullb0 -d 1s >/tmp/out 2>/tmp/err
same btf-empty-code $? 4
grep -q 'empty cannot be used as BTF: ENOENT' /tmp/err && fail "btf-empty: $(cat /tmp/err)"
mkfifo /tmp/fifo
seekwise report --btf /tmp/fifo nullb0 -d 1s >/tmp/out 2>/tmp/err
same btf-fifo-code $? 4
umount /sys/kernel/btf
