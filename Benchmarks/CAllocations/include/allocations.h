#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

#include <stdint.h>

/// How many times this thread has asked for memory since it began.
uint64_t allocations_of_this_thread(void);

/// The processor time that this thread has used, in nanoseconds.
uint64_t processor_time_of_this_thread(void);

#endif
