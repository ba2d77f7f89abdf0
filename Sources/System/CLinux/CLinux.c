#define _GNU_SOURCE
#include "CLinux.h"
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

void linux_name_this_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int64_t linux_processor_microseconds(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return ((int64_t)usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
         usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

int linux_accept(int listener, int flags) { return accept4(listener, NULL, NULL, flags); }

char *const *linux_environment(void) { return environ; }
