#include "connection.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "frame.h"

bool connection_open(struct connection *connection, int descriptor, size_t in_capacity, size_t out_capacity) {
  *connection = (struct connection){
    .descriptor = descriptor,
    .in = malloc(in_capacity),
    .in_capacity = in_capacity,
    .out = malloc(out_capacity),
    .out_capacity = out_capacity,
  };
  signal(SIGPIPE, SIG_IGN);
  int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) < 0) return false;
  return connection->in && connection->out;
}

void connection_close(struct connection *connection) {
  close(connection->descriptor);
  free(connection->in);
  free(connection->out);
}

static size_t unread(const struct connection *connection) {
  return connection->in_end - connection->in_start;
}

// Moves the remaining bytes to the front, and grows the buffer if the first frame does not fit.
static bool make_room(struct connection *connection) {
  size_t left = unread(connection);
  memmove(connection->in, connection->in + connection->in_start, left);
  connection->in_start = 0;
  connection->in_end = left;
  if (left < FRAME_HEADER) return true;
  size_t needed = FRAME_HEADER + (size_t)frame_length(connection->in);
  if (needed <= connection->in_capacity) return true;
  uint8_t *grown = realloc(connection->in, needed);
  if (!grown) return false;
  connection->in = grown;
  connection->in_capacity = needed;
  return true;
}

static void keep_descriptors(struct connection *connection, struct msghdr *message) {
  for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    for (size_t at = CMSG_LEN(0); at + sizeof(int) <= part->cmsg_len; at += sizeof(int)) {
      int descriptor;
      memcpy(&descriptor, (const char *)part + at, sizeof descriptor);
      if (connection->received_count < RECEIVED_CAPACITY) {
        connection->received[connection->received_count++] = descriptor;
      } else {
        close(descriptor);
      }
    }
  }
}

int connection_take_descriptor(struct connection *connection) {
  if (connection->received_count == 0) return -1;
  int first = connection->received[0];
  connection->received_count--;
  memmove(connection->received, connection->received + 1, connection->received_count * sizeof first);
  return first;
}

enum input connection_read(struct connection *connection) {
  if (!make_room(connection)) return INPUT_FAILED;
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(RECEIVED_CAPACITY * sizeof(int))];
  } control;
  struct iovec data = {
    .iov_base = connection->in + connection->in_end, .iov_len = connection->in_capacity - connection->in_end};
  struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
  ssize_t count;
  do {
    message.msg_control = &control;
    message.msg_controllen = sizeof control.room;
    count = recvmsg(connection->descriptor, &message, MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  if (count > 0 && message.msg_controllen > 0) keep_descriptors(connection, &message);
  if (count < 0 && errno != ECONNRESET) return INPUT_FAILED;
  if (count <= 0) return INPUT_ENDED;
  connection->in_end += (size_t)count;
  return INPUT_READ;
}

enum input connection_read_available(struct connection *connection) {
  struct pollfd readable = {.fd = connection->descriptor, .events = POLLIN};
  return poll(&readable, 1, 0) > 0 ? connection_read(connection) : INPUT_NONE_YET;
}

bool connection_next(struct connection *connection, struct bytes *message) {
  const uint8_t *frame = connection->in + connection->in_start;
  if (unread(connection) < FRAME_HEADER) return false;
  size_t length = frame_length(frame);
  if (unread(connection) - FRAME_HEADER < length) return false;
  *message = (struct bytes){frame + FRAME_HEADER, length};
  connection->in_start += FRAME_HEADER + length;
  return true;
}

uint8_t *connection_begin(struct connection *connection, size_t limit) {
  size_t needed = connection->out_length + FRAME_HEADER + limit;
  if (needed > connection->out_capacity) {
    uint8_t *grown = realloc(connection->out, needed);
    if (!grown) return NULL;
    connection->out = grown;
    connection->out_capacity = needed;
  }
  return connection->out + connection->out_length + FRAME_HEADER;
}

void connection_commit(struct connection *connection, const uint8_t *end) {
  uint8_t *frame = connection->out + connection->out_length;
  size_t size = (size_t)(end - frame);
  frame_set_length(frame, (uint32_t)(size - FRAME_HEADER));
  connection->out_length += size;
}

bool connection_flush(struct connection *connection) {
  const uint8_t *rest = connection->out;
  size_t length = connection->out_length;
  while (length > 0) {
    ssize_t count = write(connection->descriptor, rest, length);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    rest += count;
    length -= (size_t)count;
  }
  connection->out_length = 0;
  return true;
}

bool connection_greet(struct connection *connection, const char *claimed_app) {
  uint8_t hello[256];
  uint8_t *end = wire_put_number(hello, 1, TRANSPORT_VERSION);
  end = wire_put_number(end, 2, APPLICATION_VERSION);
  end = wire_put_string(end, 3, claimed_app);
  end = wire_put_number(end, 4, 1);
  struct bytes content = {hello, (size_t)(end - hello)};
  uint8_t *message = connection_begin(connection, content.length + WIRE_HEADER_ROOM);
  if (!message) return false;
  connection_commit(connection, wire_put_bytes(message, GUEST_HELLO, content));
  return connection_flush(connection);
}
