// Memory files that two processes map, and memory of this process, for calls that C headers declare
// only with _GNU_SOURCE.
#pragma once
#include <stddef.h>

// Creates a memory file with the fixed size of `size` bytes. Returns its descriptor, or a negated
// errno.
int shared_memory_make(size_t size);

// Forbids new writable mappings and writes; existing writable mappings stay. Returns 0 or a negated
// errno.
int shared_memory_forbid_writing(int descriptor);

// Forbids further seals. Returns 0 or a negated errno.
int shared_memory_settle(int descriptor);

// Keeps up to `size` bytes of freed memory for reuse, including large buffers.
void shared_memory_keep_freed(int size);

// Allocates pages for a range of the file, so accesses cannot fail. Returns 0 or a negated errno.
int shared_memory_fill(int descriptor, size_t offset, size_t length);
