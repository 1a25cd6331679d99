// libuv, and the casts between its handle types that C makes without a word and Swift cannot write.
#pragma once
#include <uv.h>

static inline uv_handle_t *cuv_handle(void *handle) { return (uv_handle_t *)handle; }
static inline uv_stream_t *cuv_stream(void *handle) { return (uv_stream_t *)handle; }
