// These are attempts to exchange bytes with another process.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "attempt.h"

enum { KEY = 0x51u };

static long make_socket(int family, int type, int protocol) {
  return socket(family, type | SOCK_CLOEXEC, protocol);
}
static long listen_unbound(void) {
  const int socket = (int)make_socket(AF_INET, SOCK_STREAM, 0);
  return socket < 0 ? -1 : listen(socket, 1);
}
static long listen_on_pair(void) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) return -1;
  const struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "\0escape"};
  if (bind(pair[0], (const struct sockaddr *)&name, offsetof(struct sockaddr_un, sun_path) + 7) < 0)
    return -1;
  return listen(pair[0], 1);
}
static long connect_and_send(void) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) return -1;
  return sendto(pair[0], "", 1, MSG_FASTOPEN, NULL, 0);
}
static long use_ring(void) {
  char parameters[120] = {0};
  return syscall(SYS_io_uring_setup, 1, parameters);
}

void attempt_messages(void) {
  TRY("share memory (System V)", FILTER, shmget(KEY, 4096, IPC_CREAT | 0600));
  TRY("queue a message (System V)", FILTER, msgget(KEY, IPC_CREAT | 0600));
  TRY("make a semaphore (System V)", FILTER, semget(KEY, 1, IPC_CREAT | 0600));
  TRY("open a message queue", FILTER, syscall(SYS_mq_open, "escape", O_CREAT | O_RDWR, 0600, NULL));
  TRY("add a key", FILTER,
      syscall(SYS_add_key, "user", "escape", "x", 1, -4 /* KEY_SPEC_USER_KEYRING */));
  TRY("request a key", FILTER, syscall(SYS_request_key, "user", "escape", NULL, 0));
  TRY("find the user's keyring", FILTER, syscall(SYS_keyctl, 0 /* KEYCTL_GET_KEYRING_ID */, -4, 1));
  TRY("talk by Netlink", FILTER, make_socket(AF_NETLINK, SOCK_RAW, NETLINK_USERSOCK));
  TRY("list the machine's sockets", FILTER, make_socket(AF_NETLINK, SOCK_RAW, NETLINK_SOCK_DIAG));
  TRY("list the machine's addresses", FILTER, make_socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE));
  TRY("make a Unix socket", FILTER, make_socket(AF_UNIX, SOCK_STREAM, 0));
  TRY("make a Unix socket for datagrams", FILTER, make_socket(AF_UNIX, SOCK_DGRAM, 0));
  TRY("make a TCP socket", FILTER, make_socket(AF_INET, SOCK_STREAM, 0));
  TRY("make a UDP socket", FILTER, make_socket(AF_INET, SOCK_DGRAM, 0));
  TRY("make a UDP socket (IPv6)", FILTER, make_socket(AF_INET6, SOCK_DGRAM, 0));
  // The filter must compare all 64 bits: another family may have the same lower 32 bits.
  TRY("make a UDP socket in disguise", FILTER,
      syscall(SYS_socket, AF_INET | 1ULL << 32, SOCK_DGRAM | 1ULL << 32, 0));
  TRY("make a raw socket", FILTER | CAPABILITIES, make_socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
  TRY("make a packet socket", FILTER | CAPABILITIES, make_socket(AF_PACKET, SOCK_RAW, 0));
  TRY("make a socket of Multipath TCP", FILTER, make_socket(AF_INET, SOCK_STREAM, IPPROTO_MPTCP));
  TRY("make a socket of SCTP", FILTER, make_socket(AF_INET, SOCK_SEQPACKET, 0));
  TRY("make a socket to a virtual machine", FILTER, make_socket(AF_VSOCK, SOCK_STREAM, 0));
  TRY("listen without an address", FILTER, listen_unbound());
  TRY("listen at an abstract address", FILTER, listen_on_pair());
  TRY("send with the connection", FILTER, connect_and_send());
  TRY("call by a ring", FILTER, use_ring());
}
