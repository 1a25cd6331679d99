// Attempts to exchange bytes with another process.
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

typedef const struct victims Victims;

enum { KEY = 0x51u };

static long share_memory(Victims *victims) {
  (void)victims;
  return shmget(KEY, 4096, IPC_CREAT | 0600);
}
static long queue_message(Victims *victims) {
  (void)victims;
  return msgget(KEY, IPC_CREAT | 0600);
}
static long make_semaphore(Victims *victims) {
  (void)victims;
  return semget(KEY, 1, IPC_CREAT | 0600);
}
static long open_queue(Victims *victims) {
  (void)victims;
  return syscall(SYS_mq_open, "escape", O_CREAT | O_RDWR, 0600, NULL);
}
static long add_key(Victims *victims) {
  (void)victims;
  return syscall(SYS_add_key, "user", "escape", "x", 1, -4 /* KEY_SPEC_USER_KEYRING */);
}
static long request_key(Victims *victims) {
  (void)victims;
  return syscall(SYS_request_key, "user", "escape", NULL, 0);
}
static long read_keyring(Victims *victims) {
  (void)victims;
  return syscall(SYS_keyctl, 0 /* KEYCTL_GET_KEYRING_ID */, -4, 1);
}

static long make_socket(int family, int type, int protocol) {
  return socket(family, type | SOCK_CLOEXEC, protocol);
}
static long netlink(Victims *victims) {
  (void)victims;
  return make_socket(AF_NETLINK, SOCK_RAW, NETLINK_USERSOCK);
}
static long list_sockets(Victims *victims) {
  (void)victims;
  return make_socket(AF_NETLINK, SOCK_RAW, NETLINK_SOCK_DIAG);
}
static long list_addresses(Victims *victims) {
  (void)victims;
  return make_socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
}
static long unix_stream(Victims *victims) {
  (void)victims;
  return make_socket(AF_UNIX, SOCK_STREAM, 0);
}
static long unix_datagram(Victims *victims) {
  (void)victims;
  return make_socket(AF_UNIX, SOCK_DGRAM, 0);
}
static long tcp(Victims *victims) {
  (void)victims;
  return make_socket(AF_INET, SOCK_STREAM, 0);
}
static long udp(Victims *victims) {
  (void)victims;
  return make_socket(AF_INET, SOCK_DGRAM, 0);
}
static long udp6(Victims *victims) {
  (void)victims;
  return make_socket(AF_INET6, SOCK_DGRAM, 0);
}
// The filter must not take a family for another that has the same lower 32 bits.
static long udp_in_disguise(Victims *victims) {
  (void)victims;
  return syscall(SYS_socket, AF_INET | 1ULL << 32, SOCK_DGRAM | 1ULL << 32, 0);
}
static long raw(Victims *victims) {
  (void)victims;
  return make_socket(AF_INET, SOCK_RAW, IPPROTO_ICMP);
}
static long packet(Victims *victims) {
  (void)victims;
  return make_socket(AF_PACKET, SOCK_RAW, 0);
}
static long multipath(Victims *victims) {
  (void)victims;
  return make_socket(AF_INET, SOCK_STREAM, IPPROTO_MPTCP);
}
static long sctp(Victims *victims) {
  (void)victims;
  return make_socket(AF_INET, SOCK_SEQPACKET, 0);
}
static long virtual_machine(Victims *victims) {
  (void)victims;
  return make_socket(AF_VSOCK, SOCK_STREAM, 0);
}
static long listen_unbound(Victims *victims) {
  (void)victims;
  const int socket = (int)make_socket(AF_INET, SOCK_STREAM, 0);
  return socket < 0 ? -1 : listen(socket, 1);
}
static long listen_on_pair(Victims *victims) {
  (void)victims;
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) return -1;
  const struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "\0escape"};
  if (bind(pair[0], (const struct sockaddr *)&name, offsetof(struct sockaddr_un, sun_path) + 7) < 0)
    return -1;
  return listen(pair[0], 1);
}
static long connect_and_send(Victims *victims) {
  (void)victims;
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) return -1;
  return sendto(pair[0], "", 1, MSG_FASTOPEN, NULL, 0);
}
static long use_ring(Victims *victims) {
  (void)victims;
  char parameters[120] = {0};
  return syscall(SYS_io_uring_setup, 1, parameters);
}

const struct attempt message_attempts[] = {
    {"share memory (System V)", share_memory, FILTER},
    {"queue a message (System V)", queue_message, FILTER},
    {"make a semaphore (System V)", make_semaphore, FILTER},
    {"open a message queue", open_queue, FILTER},
    {"add a key", add_key, FILTER},
    {"request a key", request_key, FILTER},
    {"find the user's keyring", read_keyring, FILTER},
    {"talk by Netlink", netlink, FILTER},
    {"list the machine's sockets", list_sockets, FILTER},
    {"list the machine's addresses", list_addresses, FILTER},
    {"make a Unix socket", unix_stream, FILTER},
    {"make a Unix socket for datagrams", unix_datagram, FILTER},
    {"make a TCP socket", tcp, FILTER},
    {"make a UDP socket", udp, FILTER},
    {"make a UDP socket (IPv6)", udp6, FILTER},
    {"make a UDP socket in disguise", udp_in_disguise, FILTER},
    {"make a raw socket", raw, FILTER | CAPABILITIES},
    {"make a packet socket", packet, FILTER | CAPABILITIES},
    {"make a socket of Multipath TCP", multipath, FILTER},
    {"make a socket of SCTP", sctp, FILTER},
    {"make a socket to a virtual machine", virtual_machine, FILTER},
    {"listen without an address", listen_unbound, FILTER},
    {"listen at an abstract address", listen_on_pair, FILTER},
    {"send with the connection", connect_and_send, FILTER},
    {"call by a ring", use_ring, FILTER},
    {0},
};
