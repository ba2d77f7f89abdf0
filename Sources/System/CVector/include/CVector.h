#pragma once
#include <stdint.h>
/* Sixteen bytes at a time, where Swift has no comparison of vectors that stays one. Every processor
   that the program is built for has these instructions; there is a plain loop for others. */

/* A bit for each of sixteen bytes, the lowest for the first: 1 for a control character, a quotation
   mark, a backslash, and a byte above ASCII. */
static inline uint32_t vector_json_specials(const void *bytes) {
#if defined(__SSE2__)
  typedef signed char vector __attribute__((vector_size(16)));
  typedef vector unaligned __attribute__((aligned(1), may_alias));
  vector text = *(const unaligned *)bytes;
  /* A byte above ASCII is negative. */
  vector found = (vector)(text < 0x20) | (vector)(text == '"') | (vector)(text == '\\');
  return (uint32_t)__builtin_ia32_pmovmskb128((__attribute__((vector_size(16))) char)found);
#else
  uint32_t found = 0;
  for (int index = 0; index < 16; index++) {
    uint8_t byte = ((const uint8_t *)bytes)[index];
    if (byte < 0x20 || byte > 0x7F || byte == '"' || byte == '\\') found |= 1u << index;
  }
  return found;
#endif
}
