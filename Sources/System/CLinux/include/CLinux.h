#pragma once
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
/* GNU extensions are wrapped in functions: defining _GNU_SOURCE here would give this module a
   different definition of `fd_set`, and Swift would reject the conflict. */

/* Names the calling thread (at most 15 characters), as `top -H` and debuggers show it. */
void linux_name_this_thread(const char *name);

/* Joins a thread if it ends within this time of the monotonic clock; returns 0, or an error number
   such as ETIMEDOUT, after which the thread can be joined again. */
int linux_join_thread(pthread_t thread, int milliseconds);

/* The processor time of this process in microseconds, user and system. */
int64_t linux_processor_microseconds(void);

/* The resident memory of this process in bytes; -1 if unknown. */
int64_t linux_resident_bytes(void);

/* How many files and sockets this process has open; -1 if unknown. */
int64_t linux_open_files(void);

/* How many files and sockets this process may have open (RLIMIT_NOFILE); -1 for any number. */
int64_t linux_open_files_limit(void);

/* Raises the soft RLIMIT_NOFILE to the hard one; returns what linux_open_files_limit does then. */
int64_t linux_raise_open_files_limit(void);

/* Whether the kernel may write this process's memory to a core dump, and others of its user may
   read it (PR_SET_DUMPABLE). */
void linux_set_dumpable(int is_dumpable);
int linux_is_dumpable(void);

/* From now on, overwrites memory with zeros when it is freed, or ends that: as often as it was asked
   for. A sanitizer has an allocator of its own, under which this does nothing. */
void linux_wipe_freed_memory(int begins);
int linux_can_wipe_freed_memory(void);

/* Keeps some descriptors for libdispatch, which ends a process that has run out of them; returns 0,
   or an error number if there are not even those. */
int linux_reserve_descriptors(void);

/* Reads the beginning of a small file; the number of bytes, or -1. */
int64_t linux_read_file(const char *path, char *text, int64_t size);

/* pipe2(2) whose ends no other program inherits. */
int linux_pipe(int ends[2]);

/* accept4(2) without an address. */
int linux_accept(int listener, int flags);

/* Has TCP probe a socket that is quiet for `seconds` (SO_KEEPALIVE), and break the connection when
   the peer has acknowledged nothing for `milliseconds` (TCP_USER_TIMEOUT). */
void linux_limit_silence(int socket, int seconds, unsigned milliseconds);

/* The number of bytes that a socket's peer has not acknowledged (SIOCOUTQ); -1 if unknown. */
int linux_undelivered(int socket);

/* The environment variables, `NAME=VALUE`, terminated by NULL: glibc's `environ`. */
char *const *linux_environment(void);

/* From now on each of these signals writes its number, one byte, to a pipe, whose read end is
   returned: the same for every call; -1 if the pipe cannot be created. */
int linux_watch_signals(const int *signals, int count);

/* A bounded queue of bytes for a descriptor whose reader may be slow, or gone. One thread writes
   what others add. */
struct linux_output;

/* A queue for this many bytes; NULL without memory. */
struct linux_output *linux_output_new(int descriptor, int64_t size);

/* Frees a queue that no thread uses any more, unless it is to be written before a crash. */
void linux_output_free(struct linux_output *output);

/* Adds bytes if all of them fit; returns 1, or 0 if they do not. Never waits for the reader. */
int linux_output_add(struct linux_output *output, const unsigned char *bytes, int64_t count);

/* Waits for bytes, and writes some; returns 0 when the queue has ended and is empty. For one thread
   only. What the descriptor refuses for good is dropped. */
int linux_output_write(struct linux_output *output);

/* How many bytes wait. */
int64_t linux_output_waiting(struct linux_output *output);

/* How many lines could not be written, on a full disk for example. */
int64_t linux_output_failed(struct linux_output *output);

/* Waits at most so long until the queue is empty; returns 1 if it is. */
int linux_output_drain(struct linux_output *output, int milliseconds);

/* Lets the queue end once it is empty. */
void linux_output_end(struct linux_output *output);

/* From now on a signal that ends the process because of a fault waits, at most for a second, until
   the queue is written; then it does what it did before. */
void linux_output_precede_crash(struct linux_output *output);

/* The nanoseconds since the machine started, with the time for which it slept (CLOCK_BOOTTIME). */
uint64_t linux_boot_nanoseconds(void);

/* 1 while the system calls its wall clock synchronized (adjtimex without STA_UNSYNC), else 0. */
int linux_clock_is_synchronized(void);

/* Sends a message to the service manager's datagram socket, without waiting; `path` may begin with
   `@` for an abstract address. Returns 0, or -1 if it could not be sent. */
int linux_notify(const char *path, const char *message);

/* The commit that was linked into the program, with a `+` if its tree was not clean; else
   `unknown`. */
const char *linux_revision(void);
