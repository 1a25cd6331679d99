#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cspawn.h"

// Message boundaries keep writers apart. The sockets are connected, so a writer can send to no
// other process.
int cspawn_output(int ends[2]) {
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) return -errno;
  const int on = 1;
  setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
  shutdown(ends[0], SHUT_WR);
  return 0;
}

long cspawn_receive(int output, void *room, unsigned long size, int *writer) {
  // There is no space for descriptors, so they are dropped.
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(struct ucred))];
  } control;
  struct iovec part = {room, size};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  ssize_t length;
  do length = recvmsg(output, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  while (length < 0 && errno == EINTR);
  if (length < 0) return -errno;
  *writer = 0;
  const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header != NULL && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_CREDENTIALS) {
    struct ucred credentials;
    memcpy(&credentials, CMSG_DATA(header), sizeof credentials);
    *writer = credentials.pid;
  }
  return length;
}
