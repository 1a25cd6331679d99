#define _GNU_SOURCE
#include "escape.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "connection.h"

// Reports an attempt by its return value, which is negative with errno if it failed.
static void report(const char *attempt, const char *target, long outcome) {
  char line[2304];
  snprintf(line, sizeof line, "%s %s: %s", attempt, target,
           outcome < 0 ? strerrorname_np(errno) : "OPENED");
  send_log(line);
}

static int try_open(const char *path, int flags) {
  int descriptor = open(path, flags | O_CLOEXEC, 0600);
  if (descriptor >= 0) close(descriptor);
  return descriptor;
}

static void try_path(const char *path) {
  struct stat status;
  bool folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
  report("read", path, try_open(path, O_RDONLY));
  if (folder) {
    char inside[2048];
    snprintf(inside, sizeof inside, "%s/hostile", path);
    report("create", inside, try_open(inside, O_WRONLY | O_CREAT | O_EXCL));
  } else {
    report("write", path, try_open(path, O_WRONLY));
    // The file is truncated to its current size. The attempt must be visible, but not destructive.
    report("truncate", path, truncate(path, status.st_size));
    // The link is in the own container, where the guest could read the file.
    report("link", path, link(path, "stolen"));
  }
}

static void try_memory(pid_t process) {
  char target[64], memory[64], byte;
  snprintf(target, sizeof target, "%d", process);
  snprintf(memory, sizeof memory, "/proc/%d/mem", process);
  report("read", memory, try_open(memory, O_RDONLY));
  report("write", memory, try_open(memory, O_RDWR));

  // Small addresses are never mapped. EFAULT would mean that the attempt itself was allowed.
  struct iovec here = {&byte, 1}, there = {(void *)1, 1};
  report("process_vm_readv", target, process_vm_readv(process, &here, 1, &there, 1, 0));

  long attached = ptrace(PTRACE_ATTACH, process, NULL, NULL);
  report("ptrace", target, attached);
  if (attached == 0) ptrace(PTRACE_DETACH, process, NULL, NULL);
}

static void try_limits(void) {
  const struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
  report("raise", "RLIMIT_AS", setrlimit(RLIMIT_AS, &limit));
}

static struct sockaddr_in loopback(uint16_t port) {
  return (struct sockaddr_in){
      .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
}

void try_ports(char *const ports[]) {
  for (; *ports != NULL; ports++) {
    const struct sockaddr_in port = loopback((uint16_t)atoi(*ports));
    int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    report("connect", *ports, connect(connection, (const struct sockaddr *)&port, sizeof port));
    close(connection);
  }
}

void babble_at(const char *port) {
  char much[9000];
  memset(much, 'x', sizeof much);
  const struct { const char *text; size_t length; } words[] = {
      {"", 0}, {"GET / HTTP/1.1\r\n\r\n", 18}, {"\x16\x03\x01", 3}, {much, sizeof much}};
  const struct sockaddr_in address = loopback((uint16_t)atoi(port));
  for (int i = 0; i < 48; i++) {
    const int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(connection, (const struct sockaddr *)&address, sizeof address) < 0) exit(1);
    (void)!send(connection, words[i % 4].text, words[i % 4].length, MSG_NOSIGNAL);
  }
}

void try_to_escape(char *const paths[]) {
  const pid_t parent = getppid();
  char target[64];
  snprintf(target, sizeof target, "%d", parent);
  for (; *paths != NULL; paths++) try_path(*paths);
  try_memory(parent);
  // In a PID namespace, the host has no number, so the attempt targets any other process.
  report("signal", target, kill(parent > 0 ? parent : -1, 0));
  try_limits();
  // This is the last attempt, which tests wait for.
  report("socket", "tcp", socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
}
