#ifndef FUZZER_H
#define FUZZER_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/// libFuzzer as a library: https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library
int LLVMFuzzerRunDriver(int *argc, char ***argv,
                        int (*callback)(const uint8_t *data, size_t size));

/// How many instructions this thread has executed; where the kernel does not count them, four for
/// each nanosecond of its processor time.
static inline int64_t fuzzer_instructions(void) {
    static int counter = -2;
    if (counter == -2) {
        struct perf_event_attr attributes;
        memset(&attributes, 0, sizeof attributes);
        attributes.type = PERF_TYPE_HARDWARE;
        attributes.size = sizeof attributes;
        attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
        attributes.exclude_kernel = 1;
        counter = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
    }
    int64_t count = 0;
    if (counter >= 0 && read(counter, &count, sizeof count) == sizeof count) return count;
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return ((int64_t)time.tv_sec * 1000000000 + time.tv_nsec) * 4;
}

#endif
