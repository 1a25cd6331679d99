// Shared memory that the host lends to a guest for payloads of at least SHARED_LEAST bytes.
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
  // The outbox; NULL until the host has lent memory.
  uint8_t *outbox;
  const uint8_t *inbox;
  size_t outbox_size, inbox_size;
  // The outbox is divided into pieces of equal size. `free` contains the offsets of the free
  // pieces.
  size_t piece;
  uint64_t *free;
  size_t free_count;
};

// Maps the memory of a SharedMemory message, and closes the descriptor that accompanied it. The
// outbox is divided for payloads of `size` bytes.
bool memory_adopt(struct memory *memory, struct bytes body, int descriptor, size_t size);

// Takes a piece of the outbox. Returns false if no piece is free.
bool memory_take(struct memory *memory, uint64_t *offset);

// Frees the piece that a Release message names.
void memory_release(struct memory *memory, struct bytes body);

// Returns the payload in the inbox that a SharedBytes names; empty if the SharedBytes is invalid.
struct bytes memory_find(const struct memory *memory, struct bytes shared, uint64_t *offset);
