// The frame header of every message. It is the message's length, as an unsigned 32-bit
// little-endian integer.
#pragma once

#include <stdint.h>

enum {
  FRAME_HEADER = 4,
  GUEST_DESCRIPTOR = 3,
  TRANSPORT_VERSION = 1,
  APPLICATION_VERSION = 2,
};

static inline uint32_t frame_length(const uint8_t *header) {
  return (uint32_t)header[0] | (uint32_t)header[1] << 8 | (uint32_t)header[2] << 16 | (uint32_t)header[3] << 24;
}

static inline void frame_set_length(uint8_t *header, uint32_t length) {
  header[0] = (uint8_t)length;
  header[1] = (uint8_t)(length >> 8);
  header[2] = (uint8_t)(length >> 16);
  header[3] = (uint8_t)(length >> 24);
}
