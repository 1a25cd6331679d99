// Files in memory that two processes map, and memory of this process: what only headers for GNU sources declare.
#pragma once
#include <stddef.h>

// A file in memory of `size` bytes, whose size never changes; the negative errno where there is none.
int shared_memory_make(size_t size);

// From here on nobody may map it for writing, or write to it, who does not already: 0, or the negative errno.
int shared_memory_forbid_writing(int descriptor);

// From here on nobody forbids more: 0, or the negative errno.
int shared_memory_settle(int descriptor);

// Keeps up to `size` bytes of freed memory for the next buffers, however large, instead of giving them back.
void shared_memory_keep_freed(int size);

// Gives a range of the file its pages, so that touching them cannot fail: 0, or the negative errno.
int shared_memory_fill(int descriptor, size_t offset, size_t length);
