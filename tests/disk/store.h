/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contents of the modelled disk: pages in memory, only where something was
 * written. Safe to use from several threads.
 */
#ifndef MODELDISK_STORE_H
#define MODELDISK_STORE_H

#include <stddef.h>
#include <stdint.h>

struct store;

/*
 * A store for places below @size, using at most @limit bytes for contents.
 * Returns NULL if there is no memory.
 */
struct store *store_new(uint64_t size, uint64_t limit);
void store_free(struct store *store);

/* Copy @len bytes at @off into @buf; what was never written reads as zeros. */
void store_read(struct store *store, uint64_t off, void *buf, size_t len);

/*
 * Returns 0, or -ENOSPC where the limit is reached, or -ENOMEM; a part may then
 * have been written, as on a real disk.
 */
int store_write(struct store *store, uint64_t off, const void *buf, size_t len);

/* Make @len bytes at @off zeros again and give their memory back. */
void store_discard(struct store *store, uint64_t off, uint64_t len);

/* Bytes of memory that hold contents. */
uint64_t store_used(struct store *store);

#endif /* MODELDISK_STORE_H */
