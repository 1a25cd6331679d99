// A bump allocator for unpacked messages: freeing does nothing, and a reset is a single store.
#pragma once

#include <stddef.h>
#include <protobuf-c/protobuf-c.h>

enum {
  ARENA_ALIGNMENT = 16,
  // An unpacked message may be larger than its frame. Unpacking fails if it does not fit.
  ARENA_CAPACITY = 32 << 20,
};

struct arena {
  size_t used;
  _Alignas(ARENA_ALIGNMENT) unsigned char bytes[ARENA_CAPACITY];
};

static inline void *arena_allocate(void *data, size_t size) {
  struct arena *arena = data;
  if (size > ARENA_CAPACITY - arena->used) return NULL;
  void *result = arena->bytes + arena->used;
  size_t next = arena->used + size;
  arena->used = (next + ARENA_ALIGNMENT - 1) & ~(size_t)(ARENA_ALIGNMENT - 1);
  return result;
}

static inline void arena_ignore_free(void *data, void *pointer) {
  (void)data;
  (void)pointer;
}

static inline ProtobufCAllocator arena_allocator(struct arena *arena) {
  return (ProtobufCAllocator){
    .alloc = arena_allocate, .free = arena_ignore_free, .allocator_data = arena};
}

static inline void arena_reset(struct arena *arena) { arena->used = 0; }
