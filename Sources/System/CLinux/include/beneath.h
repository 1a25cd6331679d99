// Opening files in a folder that somebody else changes meanwhile.
#ifndef SLUICE_BENEATH_H
#define SLUICE_BENEATH_H

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// O_PATH of open(2), which headers show to GNU sources only.
enum { SLUICE_O_PATH = 010000000 };

// Opens `path`, which must be relative, so that no component of it leaves `folder` or is a symbolic link,
// whatever is renamed meanwhile: openat2(2) with RESOLVE_BENEATH, RESOLVE_NO_SYMLINKS and
// RESOLVE_NO_MAGICLINKS. Returns the descriptor or a negative errno, -ENOSYS before Linux 5.6.
int sluice_open_beneath(int folder, const char *path, int flags, mode_t mode);

#ifdef __cplusplus
}
#endif

#endif
