/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For tests alone (make DROP=1): a kernel that runs no program for some completions. Of
 * those of observed disks one in sw_drop_one_in is thrown away, counted from the first; 0: none.
 */
#ifndef SEEKWISE_DROP_BPF_H
#define SEEKWISE_DROP_BPF_H

#ifdef SW_DROP

const volatile __u64 sw_drop_one_in = 0;
__u64 sw_drop_seen;

static __always_inline bool sw_drop(void)
{
	return sw_drop_one_in &&
	       sw_fetch_add(&sw_drop_seen, 1) % sw_drop_one_in == sw_drop_one_in / 2;
}

#else

static __always_inline bool sw_drop(void)
{
	return false;
}

#endif

#endif
