#define _GNU_SOURCE
#include "CLinux.h"
#include <dlfcn.h>
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

/* The next functions of these names: those of an allocator that the user preloads, or glibc's. */
static void next_free(void *block) {
  static void (*_Atomic found)(void *);
  void (*next)(void *) = atomic_load_explicit(&found, memory_order_acquire);
  if (next == NULL) {
    next = (void (*)(void *))dlsym(RTLD_NEXT, "free");
    if (next == NULL) next = __libc_free;
    atomic_store_explicit(&found, next, memory_order_release);
  }
  next(block);
}

static void *next_realloc(void *block, size_t size) {
  static void *(*_Atomic found)(void *, size_t);
  void *(*next)(void *, size_t) = atomic_load_explicit(&found, memory_order_acquire);
  if (next == NULL) {
    next = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
    if (next == NULL) next = __libc_realloc;
    atomic_store_explicit(&found, next, memory_order_release);
  }
  return next(block, size);
}

static int wipes(void) { return atomic_load_explicit(&wipers, memory_order_relaxed) > 0; }

/* Weak: what counts allocations has replacements of its own. */
__attribute__((weak)) void free(void *block) {
  if (block != NULL && wipes()) explicit_bzero(block, malloc_usable_size(block));
  next_free(block);
}

__attribute__((weak)) void *realloc(void *block, size_t size) {
  if (block == NULL || !wipes()) return next_realloc(block, size);
  size_t old = malloc_usable_size(block);
  if (size == 0) {
    explicit_bzero(block, old);
    return next_realloc(block, size);
  }
  if (size <= old && old - size < old / 2) return block;
  void *moved = malloc(size);
  if (moved == NULL) return NULL;
  memcpy(moved, block, size < old ? size : old);
  free(block);
  return moved;
}

#endif
