#define _GNU_SOURCE
#include "beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

// The structure from linux/openat2.h, which older kernel headers lack.
struct how {
  uint64_t flags;
  uint64_t mode;
  uint64_t resolve;
};

enum { NO_MAGICLINKS = 0x02, NO_SYMLINKS = 0x04, BENEATH = 0x08 };

// The system call's number, which is the same on every architecture except Alpha.
#ifndef SYS_openat2
#define SYS_openat2 437
#endif

_Static_assert(SLUICE_O_PATH == O_PATH, "O_PATH differs on this architecture");

int sluice_open_beneath(int folder, const char *path, int flags, mode_t mode) {
  // The kernel rejects a mode without O_CREAT, and unknown flags.
  struct how how = {
      .flags = (uint64_t)(unsigned)flags,
      .mode = flags & O_CREAT ? mode : 0,
      .resolve = BENEATH | NO_SYMLINKS | NO_MAGICLINKS,
  };
  long descriptor;
  do {
    descriptor = syscall(SYS_openat2, folder, path, &how, sizeof how);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor < 0 ? -errno : (int)descriptor;
}
