// Payloads that are other ones each time and looked at in full: what both ends of every measurement do with them.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Writes every byte of a payload, which begins with `counter` as a little-endian integer.
static inline void fresh_fill(uint8_t *to, size_t size, uint64_t counter) {
  size_t words = size / sizeof counter;
  for (size_t i = 0; i < words; i++) {
    uint64_t word = counter + i;
    memcpy(to + i * sizeof word, &word, sizeof word);
  }
  memset(to + words * sizeof counter, (int)(counter & 0xff), size % sizeof counter);
}

// Reads every byte of a payload: whether it is the one that was written for `counter`.
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
