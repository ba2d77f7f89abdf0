#define _GNU_SOURCE
#include "CLinux.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

void linux_name_this_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

/* The time on the monotonic clock after so many milliseconds. */
static struct timespec time_after(int milliseconds) {
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += milliseconds / 1000;
  end.tv_nsec += (long)(milliseconds % 1000) * 1000000;
  if (end.tv_nsec >= 1000000000) {
    end.tv_sec += 1;
    end.tv_nsec -= 1000000000;
  }
  return end;
}

int linux_join_thread(pthread_t thread, int milliseconds) {
  struct timespec end = time_after(milliseconds);
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

void linux_limit_silence(int socket, int seconds, unsigned milliseconds) {
  int on = 1, interval = seconds < 3 ? 1 : seconds / 3, probes = 3;
  setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &seconds, sizeof seconds);
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
  setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &milliseconds, sizeof milliseconds);
}

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

struct linux_output {
  int descriptor;
  uint64_t size;
  unsigned char *bytes;
  /* How many bytes were ever added and written; a signal handler reads both. */
  _Atomic uint64_t added, written;
  /* How many lines could not be written, for an error that is no lack of room in a pipe. */
  _Atomic int64_t failed;
  int has_ended;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
};

struct linux_output *linux_output_new(int descriptor, int64_t size) {
  struct linux_output *output = calloc(1, sizeof *output);
  if (output == NULL) return NULL;
  output->bytes = malloc((size_t)size);
  if (output->bytes == NULL) {
    free(output);
    return NULL;
  }
  output->descriptor = descriptor;
  output->size = (uint64_t)size;
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_mutex_init(&output->mutex, NULL);
  pthread_cond_init(&output->changed, &attributes);
  pthread_condattr_destroy(&attributes);
  return output;
}

int64_t linux_output_waiting(struct linux_output *output) {
  uint64_t written = output->written;
  return (int64_t)(output->added - written);
}

int64_t linux_output_failed(struct linux_output *output) { return output->failed; }

int linux_output_add(struct linux_output *output, const unsigned char *bytes, int64_t count) {
  pthread_mutex_lock(&output->mutex);
  uint64_t waiting = (uint64_t)linux_output_waiting(output);
  int fits = (uint64_t)count <= output->size - waiting;
  if (fits) {
    uint64_t place = output->added % output->size, first = output->size - place;
    if (first > (uint64_t)count) first = (uint64_t)count;
    memcpy(output->bytes + place, bytes, first);
    memcpy(output->bytes, bytes + first, (uint64_t)count - first);
    output->added += (uint64_t)count;
    pthread_cond_broadcast(&output->changed);
  }
  pthread_mutex_unlock(&output->mutex);
  return fits;
}

int linux_output_write(struct linux_output *output) {
  pthread_mutex_lock(&output->mutex);
  while (output->added == output->written && !output->has_ended)
    pthread_cond_wait(&output->changed, &output->mutex);
  uint64_t count = output->added - output->written, place = output->written % output->size;
  pthread_mutex_unlock(&output->mutex);
  if (count == 0) return 0;
  if (count > output->size - place) count = output->size - place;
  ssize_t written = write(output->descriptor, output->bytes + place, count);
  if (written < 0 && errno == EINTR) return 1;
  if (written < 0 && errno == EAGAIN) {
    struct pollfd room = {.fd = output->descriptor, .events = POLLOUT};
    poll(&room, 1, -1);
    return 1;
  }
  if (written < 0)
    for (uint64_t index = 0; index < count; index++)
      if (output->bytes[place + index] == '\n') output->failed++;
  pthread_mutex_lock(&output->mutex);
  output->written += written < 0 ? count : (uint64_t)written;
  pthread_cond_broadcast(&output->changed);
  pthread_mutex_unlock(&output->mutex);
  return 1;
}

int linux_output_drain(struct linux_output *output, int milliseconds) {
  struct timespec end = time_after(milliseconds);
  pthread_mutex_lock(&output->mutex);
  int result = 0;
  while (output->added != output->written && result != ETIMEDOUT)
    result = pthread_cond_timedwait(&output->changed, &output->mutex, &end);
  int is_empty = output->added == output->written;
  pthread_mutex_unlock(&output->mutex);
  return is_empty;
}

void linux_output_end(struct linux_output *output) {
  pthread_mutex_lock(&output->mutex);
  output->has_ended = 1;
  pthread_cond_broadcast(&output->changed);
  pthread_mutex_unlock(&output->mutex);
}

static struct linux_output *_Atomic crash_output;

void linux_output_free(struct linux_output *output) {
  if (crash_output == output) return;
  pthread_cond_destroy(&output->changed);
  pthread_mutex_destroy(&output->mutex);
  free(output->bytes);
  free(output);
}

static const int faults[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
#define FAULT_COUNT ((int)(sizeof faults / sizeof *faults))
static struct sigaction earlier_actions[FAULT_COUNT];

/* Only calls what a signal handler may; the writer's thread goes on meanwhile. */
static void write_before_crash(int number) {
  struct linux_output *output = crash_output;
  for (int step = 0; step < 100 && output->added != output->written; step++) poll(NULL, 0, 10);
  for (int index = 0; index < FAULT_COUNT; index++)
    if (faults[index] == number) sigaction(number, &earlier_actions[index], NULL);
  raise(number);
}

void linux_output_precede_crash(struct linux_output *output) {
  struct linux_output *none = NULL;
  if (!atomic_compare_exchange_strong(&crash_output, &none, output)) return;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = write_before_crash;
  action.sa_flags = SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (int index = 0; index < FAULT_COUNT; index++)
    sigaction(faults[index], &action, &earlier_actions[index]);
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
