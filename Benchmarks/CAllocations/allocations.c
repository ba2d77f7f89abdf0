// Counts allocations: stands before the C library's own functions, and passes every call on.
#define _GNU_SOURCE
#include "allocations.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static __thread uint64_t count_of_this_thread;

uint64_t allocations_of_this_thread(void) { return count_of_this_thread; }

uint64_t processor_time_of_this_thread(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void *malloc(size_t size) {
  count_of_this_thread++;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  count_of_this_thread++;
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  count_of_this_thread++;
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count_of_this_thread++;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  count_of_this_thread++;
  void *found = __libc_memalign(alignment, size);
  if (found == NULL) return ENOMEM;
  *memory = found;
  return 0;
}
