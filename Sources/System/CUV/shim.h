// libuv, and the casts between its handle types that C makes without a word and Swift cannot write.
#pragma once
#include <errno.h>
#include <sys/socket.h>
#include <uv.h>

static inline uv_handle_t *cuv_handle(void *handle) { return (uv_handle_t *)handle; }
static inline uv_stream_t *cuv_stream(void *handle) { return (uv_stream_t *)handle; }

// What Linux says of who connected a Unix socket: `struct ucred`, which headers show to GNU sources only.
struct cuv_peer {
  int process;
  unsigned user;
  unsigned group;
};

static inline int cuv_peer_of(int descriptor, struct cuv_peer *peer) {
  socklen_t size = sizeof *peer;
  return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, peer, &size) == 0 ? 0 : -errno;
}
