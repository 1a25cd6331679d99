// libuv, the casts between its handle types that C makes without a word and Swift cannot write, and a system
// call that Swift cannot see.
#pragma once
#include <sys/syscall.h>
#include <unistd.h>
#include <uv.h>

static inline uv_handle_t *cuv_handle(void *handle) { return (uv_handle_t *)handle; }
static inline uv_stream_t *cuv_stream(void *handle) { return (uv_stream_t *)handle; }

// Marks all descriptors from `first` on close-on-exec: close_range(2). Before Linux 5.11 that does nothing.
static inline void cuv_close_on_exec_from(unsigned first) {
#ifdef SYS_close_range
  const unsigned close_on_exec = 1U << 2;
  syscall(SYS_close_range, first, ~0U, close_on_exec);
#endif
}
