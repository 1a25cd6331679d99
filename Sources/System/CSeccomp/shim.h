// libseccomp, which compiles lists of system calls to kernel filters, and memory files that
// contain the filters.
#pragma once
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/memfd.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

// Headers declare memfd_create(2) and the seals only with _GNU_SOURCE.

static inline int sluice_file_in_memory(const char *name) {
  return (int)syscall(SYS_memfd_create, name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

// Makes the file and its seals immutable.
static inline int sluice_seal(int file) {
  enum { ADD_SEALS = 1033, SEAL = 1, SHRINK = 2, GROW = 4, WRITE = 8 };
  return fcntl(file, ADD_SEALS, SEAL | SHRINK | GROW | WRITE);
}

// Writes the start of a filter: calls numbered `first` or higher fail with `error`. Returns 0 or
// -1.
static inline int sluice_refuse_from(unsigned first, unsigned error, int file) {
  const struct sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, first, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
  };
  return write(file, program, sizeof program) == sizeof program ? 0 : -1;
}
