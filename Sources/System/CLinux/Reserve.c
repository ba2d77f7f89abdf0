#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* libdispatch, which runs Swift's tasks, looks once a second whether its threads run, and ends the
   process with SIGILL when it cannot open /proc/THREAD/stat. A process that has run out of
   descriptors gives it a file that stands in for it: a thread that runs. */
static const char running_thread[] = "1 (thread) R 1\n";
static _Atomic int stand_in = -1;
static _Atomic int is_lent;

/* How many more the program needs to begin with. */
enum { BEGINNING = 14 };

int linux_reserve_descriptors(void) {
  int descriptor = memfd_create("thread", MFD_CLOEXEC);
  if (descriptor < 0) return errno;
  if (write(descriptor, running_thread, sizeof running_thread - 1) < 0) return errno;
  stand_in = descriptor;
  int needed[BEGINNING], count = 0, code = 0;
  while (count < BEGINNING && code == 0) {
    needed[count] = openat(AT_FDCWD, "/dev/null", O_RDONLY | O_CLOEXEC);
    if (needed[count] < 0) code = errno;
    else count++;
  }
  while (count > 0) close(needed[--count]);
  return code;
}

/* Whether a path names the state of a thread of this process. */
static int is_of_thread(const char *path) {
  int number, end = 0;
  if (sscanf(path, "/proc/%d/stat%n", &number, &end) != 1 || end == 0 || path[end] != 0) return 0;
  char task[48];
  snprintf(task, sizeof task, "/proc/self/task/%d", number);
  return faccessat(AT_FDCWD, task, F_OK, 0) == 0;
}

/* Takes the place of the C library's open(2). */
int open(const char *path, int flags, ...) {
  mode_t mode = 0;
  if (flags & (O_CREAT | O_TMPFILE)) {
    va_list arguments;
    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
  }
  int descriptor = openat(AT_FDCWD, path, flags, mode);
  if (descriptor >= 0 || (errno != EMFILE && errno != ENFILE)) return descriptor;
  int code = errno;
  int may_stand_in = stand_in >= 0 && is_of_thread(path) && !atomic_exchange(&is_lent, 1);
  errno = code;
  if (!may_stand_in) return -1;
  lseek(stand_in, 0, SEEK_SET);
  return stand_in;
}

/* Takes the place of the C library's close(2): what stands in is kept. */
int close(int descriptor) {
  if (descriptor >= 0 && descriptor == stand_in && atomic_exchange(&is_lent, 0)) return 0;
  return (int)syscall(SYS_close, descriptor);
}
