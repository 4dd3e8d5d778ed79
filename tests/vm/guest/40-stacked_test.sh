# SPDX-License-Identifier: GPL-2.0-or-later
# Devices that are no plain disks: stacks and the sums over their members, partitions,
# large device numbers, zoned disks, hidden paths of NVMe. Counts equal those of the
# kernel's own statistics exactly.
# shellcheck shell=sh disable=SC2154 # lib.sh

# Where configfs is a module, it came with null_blk, after init tried to mount it.
mount -t configfs config /sys/kernel/config 2>/dev/null
for module in dm-round-robin raid0 raid1 nvme-loop nvmet-tcp nvme-tcp; do
	modprobe $module 2>/dev/null
done

# A line for each device and each stack of the last report; a stack's members have entries
# of their own in its shares.
entries() { sed 's/"shares":\[[^]]*\],//g; s/{"name":"/\n&/g' /tmp/report.json | grep '^{"name":'; }
entry() { entries | grep "^{\"name\":\"$1\""; } # NAME

reported() { # NAME: ios and bytes of reads, of writes
	entry "$1" | grep -oE '"(ios|bytes)":[0-9]+' | head -4 | sed 's/.*://' | tr '\n' ' '
}

stats_of() { # DISK...: a line of each one's statistics, in bytes
	for d in "$@"; do
		echo "$d $(stat_of "$d")"
	done | awk '{ print $1, $2, $3 * 512, $4, $5 * 512 }'
}

# Loads, run as "sh FILE DISK". Reads and writes at once, by programs that start fast even
# in emulation:
cat >/tmp/mix <<'END'
dd "if=/dev/$1" of=/dev/null bs=4k count=200 iflag=direct &
dd if=/dev/zero "of=/dev/$1" bs=16k count=80 seek=100 oflag=direct
wait
END
# The second round finds full zones and resets them:
cat >/tmp/fill-zones <<'END'
exec fio --name=w "--filename=/dev/$1" --direct=1 --rw=write --zonemode=zbd --bs=64k \
	--offset=8M --size=8M --io_size=16M --output=/tmp/fio.out
END

# observe NAME LOAD DISK... -- ARGUMENT...: a report of the arguments while the load runs on
# the first; what /sys/block counted meanwhile for each DISK is in /tmp/stats.
observe() {
	name=$1 load=$2 disks=''
	shift 2
	while [ "$1" != -- ]; do
		disks="$disks $1"
		shift
	done
	shift
	# shellcheck disable=SC2086 # words
	stats_of $disks >/tmp/before
	seekwise report --json "$@" -- sh "/tmp/$load" "${1##*/}" >/tmp/report.json 2>/tmp/err ||
		fail "$name: $(tail -c 300 /tmp/err)"
	# shellcheck disable=SC2086 # words
	stats_of $disks | paste -d ' ' /tmp/before - |
		awk '{ print $1, $7 - $2, $8 - $3, $9 - $4, $10 - $5 }' >/tmp/stats
}

stat_line() { # DISK
	sed -n "s/^$1 //p" /tmp/stats
}

# members_match NAME: each observed disk against its own statistics.
members_match() {
	no_losses "$1" /tmp/report.json
	while read -r member stats; do
		same "$1-$member" "$(reported "$member")" "$stats "
	done </tmp/stats
}

# is_sum NAME STACK MEMBER MEMBER: of the members' statistics, and it is said of what.
is_sum() {
	same "$1-sum" "$(reported "$2")" "$(awk '{ a += $2; b += $3; c += $4; d += $5 } END { print a, b, c, d }' /tmp/stats) "
	same "$1-members" "$(entry "$2" | grep -oE '"members":\[[^]]*\]')" "\"members\":[\"$3\",\"$4\"]"
	if grep -q "$2 stands for .*$3 and $4" /tmp/err; then
		pass "$1-is-said"
	else
		fail "$1: $(head -c 200 /tmp/err)"
	fi
}

dm() { # NAME TABLE: makes a dm device; its name in $made
	made=''
	command -v dmsetup >/dev/null || { skip "$1: there is no dmsetup"; return; }
	dmsetup --noudevsync --noudevrules create "$1" --table "$2" >/tmp/dm 2>&1 ||
		{ skip "$1: this kernel cannot make it: $(head -1 /tmp/dm)"; return; }
	made=$(basename "$(dirname "$(dirname "$(grep -l "^$1\$" /sys/block/dm-*/dm/name)")")")
}

drop_dm() { dmsetup --noudevsync --noudevrules remove "$1"; }

# md NAME LEVEL DISK...: an array without superblocks, by sysfs alone.
md() {
	array=/sys/block/$1/md level=$2
	made=''
	modprobe md-mod 2>/dev/null
	echo "$1" 2>/dev/null >/sys/module/md_mod/parameters/new_array || return 0
	[ -d "$array" ] && made=$1 || return 0
	shift 2
	echo none >"$array/metadata_version"
	echo "$level" >"$array/level" || { made=''; return 0; }
	echo $# >"$array/raid_disks"
	[ "$level" = raid0 ] && echo 65536 >"$array/chunk_size"
	slot=0
	for d in "$@"; do
		cat "/sys/block/$d/dev" >"$array/new_dev"
		echo $(($(cat "/sys/block/$d/size") / 2)) >"$array/dev-$d/size"
		echo $slot >"$array/dev-$d/slot"
		slot=$((slot + 1))
	done
	if [ "$level" != raid0 ]; then
		echo $(($(cat "/sys/block/$d/size") / 2)) >"$array/component_size"
		echo none >"$array/resync_start"
	fi
	echo active >"$array/array_state" || made=''
	[ -e "/dev/$made" ] || mknod "/dev/$made" b 9 9
}

drop_md() {
	echo clear >"/sys/block/$1/md/array_state"
	sleep 0.2
}

# dm over md: two stacks on the same members, and a member by its own name as well. Each
# counts once in each sum. Where md cannot be had, dm's stripes stand in for it.
tower_tests() {
	md md9 raid0 "$a" "$b"
	lower=$made
	if [ -z "$lower" ]; then
		skip "md-raid0: this kernel has no driver for it, or none without superblocks"
		dm sw-stripe "0 131072 striped 2 128 /dev/$a 0 /dev/$b 0"
		lower=$made
	fi
	[ "$lower" ] || return
	dm sw-linear "0 65536 linear /dev/$lower 0"
	upper=$made
	# shellcheck disable=SC2086 # upper may be none
	observe tower mix "$a" "$b" -- $upper "$lower" "$a"
	members_match tower
	is_sum tower-lower "$lower" "$a" "$b"
	same tower-each-once "$(entries | wc -l)" "$(if [ "$upper" ]; then echo 4; else echo 3; fi)"
	if [ "$upper" ]; then
		is_sum tower-upper "$upper" "$a" "$b"
		drop_dm sw-linear
	fi
	if [ "$lower" = md9 ]; then drop_md md9; else drop_dm sw-stripe; fi
}

mirror_tests() {
	md md9 raid1 "$a" "$b"
	if [ -z "$made" ]; then
		skip "md-raid1: this kernel has no driver for it, or none without superblocks"
		return
	fi
	observe mirror mix "$a" "$b" -- md9
	members_match mirror
	is_sum mirror md9 "$a" "$b"
	drop_md md9
}

# Request-based: it makes requests of its own and clones of them for its paths. So it
# is a disk like any other, and no sum, which would count them twice.
multipath_tests() {
	dm sw-multipath "0 131072 multipath 0 0 1 1 round-robin 0 2 1 /dev/$a 1 /dev/$b 1"
	[ "$made" ] || return
	observe dm-multipath mix "$made" "$a" "$b" -- "$made" "$a" "$b"
	members_match dm-multipath
	same dm-multipath-is-no-stack "$(grep -oE '"stacks":.*' /tmp/report.json)" '"stacks":[]}'
	drop_dm sw-multipath
}

# An MBR with one partition of 16 MiB at 1 MiB, for the sectors of 512 bytes.
partition_table() { # FILE
	printf '\0\0\0\0\203\0\0\0\0\010\0\0\0\200\0\0' | dd of="$1" bs=1 seek=446 conv=notrunc
	printf '\125\252' | dd of="$1" bs=1 seek=510 conv=notrunc
}

# Minors 44 and 300 are the same in eight bits; partitions of loop have major 259.
number_tests() {
	for n in 44 300; do
		dd if=/dev/zero of=/tmp/disk$n bs=1M count=24
		[ -e /dev/loop$n ] || mknod /dev/loop$n b 7 $n
		partition_table /tmp/disk$n
		losetup -P /dev/loop$n /tmp/disk$n || { skip "minor $n: no loop device of that number"; return; }
	done
	sleep 0.2
	number=$(cat /sys/class/block/loop300p1/dev)
	same partition-is-259 "${number%:*}" 259
	[ -e /dev/loop300p1 ] || mknod /dev/loop300p1 b "${number%:*}" "${number#*:}"
	observe minor-300 mix loop300 loop44 -- /dev/loop300p1 loop44
	members_match minor-300
	same minor-44-is-quiet "$(reported loop44)" "0 0 0 0 "
	same partition-is-said "$(head -1 /tmp/err)" "seekwise: loop300p1 is a partition of loop300"
	for n in 44 300; do
		losetup -d /dev/loop$n
		rm -f /tmp/disk$n
	done
}

zoned_tests() {
	null_disk zoned size=64 zoned=1 zone_size=4 zone_nr_conv=2 memory_backed=0 blocksize=4096
	zoned=$made
	[ "$zoned" ] && grep -q host-managed "/sys/block/$zoned/queue/zoned" ||
		{ skip "zoned: null_blk makes none here"; return; }
	scheduler mq-deadline "$zoned"
	seekwise check "$zoned" >/tmp/check 2>&1
	same zoned-check-code $? 5
	grep -q 'zoned (host-managed): observed only' /tmp/check && pass zoned-check || fail "zoned-check: $(tail -2 /tmp/check)"
	seekwise tune -d 2s "$zoned" >/tmp/out 2>&1
	same zoned-tune-code $? 5
	grep -q 'zoned (host-managed): observed only' /tmp/out && pass zoned-tune || fail "zoned-tune: $(tail -2 /tmp/out)"
	observe zoned fill-zones "$zoned" -- "$zoned"
	resets=$(entry "$zoned" | grep -oE '"others":\{[^}]*\}' | grep -oE '"zone":[0-9]+' | sed 's/.*://')
	say "INFO zoned: $resets zone operations, reported $(reported "$zoned"), /sys/block has $(stat_line "$zoned")"
	[ "${resets:-0}" -gt 0 ] && pass zoned-operations-apart || fail "zoned: no zone operations"
	# The kernel's statistics have resets among the writes.
	same zoned-counts "$(reported "$zoned")" "$(stat_line "$zoned" | awk -v z="$resets" '{ print $1, $2, $3 - z, $4 }') "
	drop_null_disk zoned
}

# Two ways to one namespace, over the loopback of nvme or of tcp.
nvme_connect() {
	target=/sys/kernel/config/nvmet
	space=$target/subsystems/seekwise/namespaces/1
	[ -d $target ] && [ -e /dev/nvme-fabrics ] || return 1
	transport=loop
	[ -d /sys/module/nvme_loop ] || transport=tcp
	mkdir $target/subsystems/seekwise && mkdir $space || return 1
	echo 1 >$target/subsystems/seekwise/attr_allow_any_host
	echo "/dev/$a" >$space/device_path && echo 1 >$space/enable || return 1
	host='hostnqn=nqn.2014-08.org.nvmexpress:uuid:11111111-2222-3333-4444-555555555555,hostid=11111111-2222-3333-4444-555555555555'
	for port in 1 2; do
		mkdir $target/ports/$port
		echo $transport >$target/ports/$port/addr_trtype
		if [ $transport = tcp ]; then
			echo ipv4 >$target/ports/$port/addr_adrfam
			echo 127.0.0.1 >$target/ports/$port/addr_traddr
			echo 442$port >$target/ports/$port/addr_trsvcid
			address=traddr=127.0.0.1,trsvcid=442$port
		else
			echo way$port >$target/ports/$port/addr_traddr
			address=traddr=way$port
		fi
		ln -s $target/subsystems/seekwise $target/ports/$port/subsystems/seekwise || return 1
		printf 'transport=%s,%s,nqn=seekwise,%s' $transport $address "$host" >/dev/nvme-fabrics || return 1
	done
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		[ -e /sys/block/nvme0c1n1 ] && [ -b /dev/nvme0n1 ] && return
		sleep 0.25
	done
	return 1
}

nvme_disconnect() {
	for controller in /sys/class/nvme/nvme*; do
		echo 1 >"$controller/delete_controller"
	done
	rm -f "$target"/ports/*/subsystems/seekwise
	rmdir "$target"/ports/* "$space" "$target/subsystems/seekwise"
}

nvme_tests() {
	if ! nvme_connect >/dev/null 2>&1; then
		skip "nvme: this kernel has no target, loopback or multipath of it"
		return
	fi
	say "INFO nvme over $transport: $(grep nvme /proc/diskstats | awk '{ print $1 ":" $2, $3 }' | tr '\n' ' ')"
	if grep -qE '^ *0 +0 nvme0c0n1' /proc/diskstats; then
		seekwise report -d 1s nvme0n1 >/tmp/out 2>/tmp/err
		same nvme-refused-code $? 2
		grep -q 'NVMe multipath device, and this kernel does not tell' /tmp/err && pass nvme-refused ||
			fail "nvme: $(head -c 200 /tmp/err)"
		nvme_disconnect
		return
	fi
	echo round-robin >/sys/class/nvme-subsystem/nvme-subsys0/iopolicy
	observe nvme mix nvme0c0n1 nvme0c1n1 -- nvme0n1 nvme0c1n1
	members_match nvme
	is_sum nvme nvme0n1 nvme0c0n1 nvme0c1n1
	awk '$2 == 0 { exit 1 }' /tmp/stats && pass nvme-both-paths || fail "nvme: $(cat /tmp/stats)"
	nvme_disconnect
}

null_disk sw-a size=96 memory_backed=1
a=$made
null_disk sw-b size=96 memory_backed=1
b=$made
if [ "$a" ] && [ "$b" ]; then
	tower_tests
	mirror_tests
	multipath_tests
	nvme_tests
	drop_null_disk sw-a
	drop_null_disk sw-b
else
	skip "stacks: null_blk makes no disks through configfs here"
fi
number_tests
zoned_tests
