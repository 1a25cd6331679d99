// A growable byte buffer. A zeroed buffer is empty. If memory runs out, the program ends.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
  uint8_t *bytes;
  size_t length;
  size_t capacity;
};

// Returns space for `extra` bytes after the content. The caller adds the number of written bytes to
// `length`.
static inline uint8_t *buffer_reserve(struct buffer *buffer, size_t extra) {
  size_t needed = buffer->length + extra;
  if (needed > buffer->capacity) {
    size_t capacity = buffer->capacity ? buffer->capacity : 4096;
    while (capacity < needed) capacity *= 2;
    buffer->bytes = realloc(buffer->bytes, capacity);
    if (!buffer->bytes) {
      perror("realloc");
      abort();
    }
    buffer->capacity = capacity;
  }
  return buffer->bytes + buffer->length;
}

static inline void buffer_set(struct buffer *buffer, const uint8_t *bytes, size_t length) {
  buffer->length = 0;
  if (length == 0) return;
  memcpy(buffer_reserve(buffer, length), bytes, length);
  buffer->length = length;
}

static inline void buffer_free(struct buffer *buffer) {
  free(buffer->bytes);
  *buffer = (struct buffer){0};
}
