#define _GNU_SOURCE
#include "CSharedMemory.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// Available since Linux 5.1, but missing in the older headers of some distributions.
#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

// Available since Linux 6.3, but missing in the older headers of some distributions.
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

// The file cannot be executed, because guests write to it. On older kernels, it has no execute
// permission, and guests cannot change modes.
static int make_file(void) {
  int descriptor = memfd_create("payloads", MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
  if (descriptor >= 0 || errno != EINVAL) return descriptor;
  descriptor = memfd_create("payloads", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor >= 0) fchmod(descriptor, 0600);
  return descriptor;
}

int shared_memory_make(size_t size) {
  int descriptor = make_file();
  if (descriptor < 0) return -errno;
  if (ftruncate(descriptor, (off_t)size) == 0 &&
      fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0) {
    return descriptor;
  }
  int error = -errno;
  close(descriptor);
  return error;
}

int shared_memory_forbid_writing(int descriptor) {
  return fcntl(descriptor, F_ADD_SEALS, F_SEAL_FUTURE_WRITE) == 0 ? 0 : -errno;
}

int shared_memory_settle(int descriptor) {
  return fcntl(descriptor, F_ADD_SEALS, F_SEAL_SEAL) == 0 ? 0 : -errno;
}

void shared_memory_keep_freed(int size) {
  // The maximum that mallopt(3) accepts.
  mallopt(M_MMAP_THRESHOLD, 32 * 1024 * 1024);
  mallopt(M_TRIM_THRESHOLD, size);
}

int shared_memory_fill(int descriptor, size_t offset, size_t length) {
  return fallocate(descriptor, 0, (off_t)offset, (off_t)length) == 0 ? 0 : -errno;
}
