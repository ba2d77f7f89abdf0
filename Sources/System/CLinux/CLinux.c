#define _GNU_SOURCE
#include "CLinux.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

void linux_name_this_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int linux_join_thread(pthread_t thread, int milliseconds) {
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += milliseconds / 1000;
  end.tv_nsec += (long)(milliseconds % 1000) * 1000000;
  if (end.tv_nsec >= 1000000000) {
    end.tv_sec += 1;
    end.tv_nsec -= 1000000000;
  }
  return pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &end);
}

uint64_t linux_boot_nanoseconds(void) {
  struct timespec time;
  if (clock_gettime(CLOCK_BOOTTIME, &time) != 0) clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

int linux_clock_is_synchronized(void) {
  struct timex state;
  memset(&state, 0, sizeof state);
  int result = adjtimex(&state);
  return result >= 0 && result != TIME_ERROR && (state.status & STA_UNSYNC) == 0;
}

int64_t linux_processor_microseconds(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return ((int64_t)usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
         usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

void linux_set_dumpable(int is_dumpable) { prctl(PR_SET_DUMPABLE, is_dumpable ? 1 : 0, 0, 0, 0); }

int linux_is_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 1; }

int64_t linux_open_files_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return -1;
  return (int64_t)limit.rlim_cur;
}

int64_t linux_raise_open_files_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur != limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  return linux_open_files_limit();
}

int64_t linux_read_file(const char *path, char *text, int64_t size) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  ssize_t count = read(file, text, (size_t)size);
  close(file);
  return count;
}

int64_t linux_resident_bytes(void) {
  char text[128];
  int64_t count = linux_read_file("/proc/self/statm", text, sizeof text - 1);
  long long all = 0, resident = 0;
  if (count <= 0) return -1;
  text[count] = 0;
  if (sscanf(text, "%lld %lld", &all, &resident) != 2) return -1;
  return resident * sysconf(_SC_PAGESIZE);
}

int64_t linux_open_files(void) {
  DIR *folder = opendir("/proc/self/fd");
  int64_t count = 0;
  if (folder == NULL) return -1;
  for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder))
    if (entry->d_name[0] != '.') count++;
  closedir(folder);
  return count - 1; /* Without the folder itself. */
}

int linux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int linux_accept(int listener, int flags) { return accept4(listener, NULL, NULL, flags); }

int linux_undelivered(int socket) {
  int count = 0;
  return ioctl(socket, SIOCOUTQ, &count) == 0 ? count : -1;
}

char *const *linux_environment(void) { return environ; }

static int signal_pipe[2] = {-1, -1};

static void note_signal(int number) {
  int saved = errno;
  unsigned char byte = (unsigned char)number;
  ssize_t ignored = write(signal_pipe[1], &byte, 1);
  (void)ignored;
  errno = saved;
}

int linux_watch_signals(const int *signals, int count) {
  if (signal_pipe[0] < 0 && pipe2(signal_pipe, O_CLOEXEC) != 0) return -1;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (int index = 0; index < count; index++) sigaction(signals[index], &action, NULL);
  return signal_pipe[0];
}

int linux_notify(const char *path, const char *message) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t length = strlen(path);
  if (length == 0 || length >= sizeof address.sun_path) return -1;
  memcpy(address.sun_path, path, length);
  if (path[0] == '@') address.sun_path[0] = 0;
  int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
  ssize_t sent = sendto(descriptor, message, strlen(message), MSG_NOSIGNAL | MSG_DONTWAIT,
                        (const struct sockaddr *)&address, size);
  close(descriptor);
  return sent < 0 ? -1 : 0;
}
