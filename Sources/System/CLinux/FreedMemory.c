#define _GNU_SOURCE
#include "CLinux.h"
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#ifndef __has_feature
#define __has_feature(feature) 0
#endif

static atomic_int wipers;

void linux_wipe_freed_memory(int begins) { atomic_fetch_add(&wipers, begins ? 1 : -1); }

/* A sanitizer replaces these functions itself. */
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)

int linux_can_wipe_freed_memory(void) { return 0; }

#else

int linux_can_wipe_freed_memory(void) { return 1; }

/* The allocator of glibc, under the names by which a replacement may call it. */
extern void __libc_free(void *block);
extern void *__libc_realloc(void *block, size_t size);

static int wipes(void) { return atomic_load_explicit(&wipers, memory_order_relaxed) > 0; }

/* Weak: what counts allocations has replacements of its own. */
__attribute__((weak)) void free(void *block) {
  if (block != NULL && wipes()) explicit_bzero(block, malloc_usable_size(block));
  __libc_free(block);
}

__attribute__((weak)) void *realloc(void *block, size_t size) {
  if (block == NULL || size == 0 || !wipes()) return __libc_realloc(block, size);
  size_t old = malloc_usable_size(block);
  if (size <= old && old - size < old / 2) return block;
  void *moved = malloc(size);
  if (moved == NULL) return NULL;
  memcpy(moved, block, size < old ? size : old);
  free(block);
  return moved;
}

#endif
