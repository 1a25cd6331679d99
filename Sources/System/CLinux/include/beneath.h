// Opens files in a folder that another process may change at the same time.
#ifndef SLUICE_BENEATH_H
#define SLUICE_BENEATH_H

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// O_PATH of open(2), which headers declare only with _GNU_SOURCE.
enum { SLUICE_O_PATH = 010000000 };

// Opens the relative path `path`. No component may leave `folder` or be a symbolic link, even if
// files are renamed meanwhile: openat2(2) with RESOLVE_BENEATH, RESOLVE_NO_SYMLINKS and
// RESOLVE_NO_MAGICLINKS.
//
// Returns the descriptor or a negated errno: -ENOSYS before Linux 5.6.
int sluice_open_beneath(int folder, const char *path, int flags, mode_t mode);

#ifdef __cplusplus
}
#endif

#endif
