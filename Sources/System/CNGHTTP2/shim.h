#pragma once
#include <nghttp2/nghttp2.h>
#include <string.h>

static inline int apns_bytes_equal(const void *one, const void *other, size_t count) {
    return memcmp(one, other, count) == 0;
}
