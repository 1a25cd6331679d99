// Payloads that are different each time and verified completely. Both ends of every benchmark use
// them.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Fills a payload with bytes derived from `counter`. The payload begins with the counter, as a
// little-endian integer.
static inline void fresh_fill(uint8_t *to, size_t size, uint64_t counter) {
  size_t words = size / sizeof counter;
  for (size_t i = 0; i < words; i++) {
    uint64_t word = counter + i;
    memcpy(to + i * sizeof word, &word, sizeof word);
  }
  memset(to + words * sizeof counter, (int)(counter & 0xff), size % sizeof counter);
}

// Returns whether the payload is the one for `counter`. It reads every byte.
static inline bool fresh_is(const uint8_t *from, size_t size, uint64_t counter) {
  size_t words = size / sizeof counter;
  uint64_t wrong = 0;
  for (size_t i = 0; i < words; i++) {
    uint64_t word;
    memcpy(&word, from + i * sizeof word, sizeof word);
    wrong |= word ^ (counter + i);
  }
  for (size_t i = words * sizeof counter; i < size; i++) wrong |= from[i] ^ (counter & 0xff);
  return wrong == 0;
}
