// libuv, and the casts between its handle types, which are implicit in C and impossible in Swift.
#pragma once
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <uv.h>

static inline uv_handle_t *cuv_handle(void *handle) { return (uv_handle_t *)handle; }
static inline uv_stream_t *cuv_stream(void *handle) { return (uv_stream_t *)handle; }

// Sends `count` bytes, with a descriptor attached to the first (SCM_RIGHTS of unix(7)). Returns the
// number of bytes sent, or a negated errno.
static inline ssize_t cuv_send_descriptor(int socket, const void *bytes, size_t count, int descriptor) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } control = {.header = {
    .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
  memcpy(CMSG_DATA(&control.header), &descriptor, sizeof descriptor);
  struct iovec data = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {
    .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.room};
  ssize_t sent = sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  return sent < 0 ? -errno : sent;
}

// The credentials of a Unix socket's peer: `struct ucred`, which headers declare only with
// _GNU_SOURCE.
struct cuv_peer {
  int process;
  unsigned user;
  unsigned group;
};

static inline int cuv_peer_of(int descriptor, struct cuv_peer *peer) {
  socklen_t size = sizeof *peer;
  return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, peer, &size) == 0 ? 0 : -errno;
}
