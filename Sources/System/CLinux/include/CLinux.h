#pragma once
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
/* GNU extensions live behind functions: defining _GNU_SOURCE here would give this module a second
   idea of what `fd_set` looks like, and Swift would reject the pair. */

/* Names the calling thread (at most 15 characters), as `top -H` and debuggers show it. */
void linux_name_this_thread(const char *name);

/* Microseconds of processor time, user and system, that this process has used. */
int64_t linux_processor_microseconds(void);

/* The bytes of memory that this process has in RAM; -1 if that is not known. */
int64_t linux_resident_bytes(void);

/* How many files and sockets this process may have open (RLIMIT_NOFILE); -1 for any number. */
int64_t linux_open_files_limit(void);

/* Raises the soft RLIMIT_NOFILE to the hard one; returns what linux_open_files_limit does then. */
int64_t linux_raise_open_files_limit(void);

/* Reads the beginning of a small file; the number of bytes, or -1. */
int64_t linux_read_file(const char *path, char *text, int64_t size);

/* accept4(2) without an address. */
int linux_accept(int listener, int flags);

/* Bytes that the peer of a socket has not acknowledged (SIOCOUTQ); -1 if that is not known. */
int linux_undelivered(int socket);

/* The variables of the environment, `NAME=VALUE`, ended by NULL: glibc's `environ`. */
char *const *linux_environment(void);

/* From now on each of these signals writes its number, one byte, to the pipe whose reading end is
   returned: the same for every call; -1 if there is no pipe to be had. */
int linux_watch_signals(const int *signals, int count);
