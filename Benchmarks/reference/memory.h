// Memory that the host lends to a guest for payloads from SHARED_LEAST bytes on.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire.h"

enum {
  SHARED_LEAST = 64 * 1024,
  SHARED_ALIGNMENT = 4096,
};

struct memory {
  // NULL until the host has lent it.
  uint8_t *outbox;
  const uint8_t *inbox;
  size_t outbox_size, inbox_size;
  // The outbox in pieces of one size, and the offsets of those that are free.
  size_t piece;
  uint64_t *free;
  size_t free_count;
};

// Maps what a message SharedMemory with this body lends, and closes the descriptor that came with it. The outbox is
// used for payloads of `size` bytes.
bool memory_adopt(struct memory *memory, struct bytes body, int descriptor, size_t size);

// Takes a piece of the outbox. False where there is none.
bool memory_take(struct memory *memory, uint64_t *offset);

// Takes back the piece that a message Release with this body names.
void memory_release(struct memory *memory, struct bytes body);

// The payload in the inbox that a SharedBytes names; without bytes where there is none.
struct bytes memory_find(const struct memory *memory, struct bytes shared, uint64_t *offset);
