/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/*
 * A radix tree as deep as the size asks for. Small pages and small nodes: random
 * 4k writes all over a large disk must not cost many times their own size.
 */
#define PAGE_SHIFT 12
#define PAGE_BYTES (1UL << PAGE_SHIFT)
#define NODE_SHIFT 9
#define NODE_SLOTS (1UL << NODE_SHIFT)

struct store {
	pthread_rwlock_t lock;
	unsigned int levels; /* of nodes above the pages */
	uint64_t limit;
	uint64_t used;
	void *root;
};

struct store *store_new(uint64_t size, uint64_t limit)
{
	struct store *store = calloc(1, sizeof(*store));
	uint64_t reach = NODE_SLOTS << PAGE_SHIFT;

	if (!store)
		return NULL;
	store->limit = limit;
	for (store->levels = 1; reach < size; store->levels++)
		reach <<= NODE_SHIFT;
	pthread_rwlock_init(&store->lock, NULL);
	return store;
}

static void free_tree(void *node, unsigned int level)
{
	void **slots = node;
	size_t i;

	if (!node)
		return;
	for (i = 0; level && i < NODE_SLOTS; i++)
		free_tree(slots[i], level - 1);
	free(node);
}

void store_free(struct store *store)
{
	if (!store)
		return;
	free_tree(store->root, store->levels);
	pthread_rwlock_destroy(&store->lock);
	free(store);
}

static size_t slot_of(uint64_t page, unsigned int level)
{
	return (page >> (NODE_SHIFT * (level - 1))) & (NODE_SLOTS - 1);
}

/* The slot that holds page number @page, or NULL where no node leads there. */
static void **find_slot(struct store *store, uint64_t page)
{
	void **slot = &store->root;
	unsigned int level;

	for (level = store->levels; level; level--) {
		if (!*slot)
			return NULL;
		slot = (void **)*slot + slot_of(page, level);
	}
	return slot;
}

/* The same, making the nodes on the way. NULL if there is no memory. */
static void **make_slot(struct store *store, uint64_t page)
{
	void **slot = &store->root;
	unsigned int level;

	for (level = store->levels; level; level--) {
		if (!*slot)
			*slot = calloc(NODE_SLOTS, sizeof(void *));
		if (!*slot)
			return NULL;
		slot = (void **)*slot + slot_of(page, level);
	}
	return slot;
}

static size_t part_of_page(uint64_t off, uint64_t len)
{
	uint64_t rest = PAGE_BYTES - off % PAGE_BYTES;

	return len < rest ? len : rest;
}

void store_read(struct store *store, uint64_t off, void *buf, size_t len)
{
	pthread_rwlock_rdlock(&store->lock);
	while (len) {
		size_t part = part_of_page(off, len);
		void **slot = find_slot(store, off >> PAGE_SHIFT);

		if (slot && *slot)
			memcpy(buf, (char *)*slot + off % PAGE_BYTES, part);
		else
			memset(buf, 0, part);
		buf = (char *)buf + part;
		off += part;
		len -= part;
	}
	pthread_rwlock_unlock(&store->lock);
}

/* The memory of page number @page, made if need be; NULL and *@err otherwise. */
static char *make_page(struct store *store, uint64_t page, int *err)
{
	void **slot = make_slot(store, page);

	*err = -ENOMEM;
	if (slot && !*slot) {
		if (store->used + PAGE_BYTES > store->limit) {
			*err = -ENOSPC;
			return NULL;
		}
		*slot = calloc(1, PAGE_BYTES);
		if (*slot)
			store->used += PAGE_BYTES;
	}
	return slot ? *slot : NULL;
}

int store_write(struct store *store, uint64_t off, const void *buf, size_t len)
{
	int err = 0;

	pthread_rwlock_wrlock(&store->lock);
	while (len) {
		size_t part = part_of_page(off, len);
		char *page = make_page(store, off >> PAGE_SHIFT, &err);

		if (!page)
			break;
		memcpy(page + off % PAGE_BYTES, buf, part);
		buf = (const char *)buf + part;
		off += part;
		len -= part;
	}
	pthread_rwlock_unlock(&store->lock);
	return len ? err : 0;
}

/* Bytes from @off to the end of what the lowest node above it spans. */
static uint64_t rest_of_node(uint64_t off)
{
	uint64_t span = NODE_SLOTS << PAGE_SHIFT;

	return span - off % span;
}

void store_discard(struct store *store, uint64_t off, uint64_t len)
{
	pthread_rwlock_wrlock(&store->lock);
	while (len) {
		uint64_t part = part_of_page(off, len);
		void **slot = find_slot(store, off >> PAGE_SHIFT);

		if (!slot) {
			part = rest_of_node(off);
			part = part < len ? part : len;
		} else if (*slot && part == PAGE_BYTES) {
			free(*slot);
			*slot = NULL;
			store->used -= PAGE_BYTES;
		} else if (*slot) {
			memset((char *)*slot + off % PAGE_BYTES, 0, part);
		}
		off += part;
		len -= part;
	}
	pthread_rwlock_unlock(&store->lock);
}

uint64_t store_used(struct store *store)
{
	uint64_t used;

	pthread_rwlock_rdlock(&store->lock);
	used = store->used;
	pthread_rwlock_unlock(&store->lock);
	return used;
}
