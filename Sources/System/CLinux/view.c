#define _GNU_SOURCE
#include "view.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

// A granted file or folder in the view's folder.
struct piece {
  char path[PATH_MAX];
  // The mount for this path.
  int tree;
  int is_folder;
};

static int fail(struct sluice_confinement_report *report, const char *path) {
  report->path = path;
  return -errno;
}

static int is_below(const char *path, const char *folder) {
  const size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && path[length] == '/';
}

// Opens a grant before the folder is hidden. Returns 1; 0 if it is outside the folder or, unless
// it is for writing, does not exist; or a negated errno.
static int hold(const struct sluice_grant *grant, const char *folder, struct piece *piece) {
  struct stat status;
  if (realpath(grant->path, piece->path) == NULL || stat(piece->path, &status) < 0)
    return errno == ENOENT && grant->access != SLUICE_ACCESS_WRITE ? 0 : -errno;
  if (!is_below(piece->path, folder)) return 0;
  piece->is_folder = S_ISDIR(status.st_mode);
  piece->tree = open_tree(AT_FDCWD, piece->path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
  return piece->tree < 0 ? -errno : 1;
}

// Creates the parent folders below `folder`, and the mount point.
static int make_place(const struct piece *piece, const char *folder) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s", piece->path);
  for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
    *slash = 0;
    if (mkdir(path, 0711) < 0 && errno != EEXIST) return -1;
  }
  const int made = piece->is_folder ? mkdir(path, 0700) : mknod(path, S_IFREG | 0600, 0);
  return made < 0 && errno != EEXIST ? -1 : 0;
}

static int put(const struct piece *piece, const char *folder) {
  if (make_place(piece, folder) < 0) return -1;
  return move_mount(piece->tree, "", AT_FDCWD, piece->path, MOVE_MOUNT_F_EMPTY_PATH);
}

// Mounts an empty file system over the folder. It contains only mount points, and becomes read-only
// at the end.
static int hide(const char *folder) {
  return mount("view", folder, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "size=64k,mode=711");
}

static int close_view(const char *folder) {
  struct mount_attr attributes = {.attr_set = MOUNT_ATTR_RDONLY};
  return mount_setattr(AT_FDCWD, folder, 0, &attributes, sizeof attributes);
}

static int show_only_grants(const struct sluice_confinement *confinement, struct sluice_confinement_report *report) {
  static char folder[PATH_MAX], directory[PATH_MAX];
  static struct piece pieces[128];
  int count = 0;
  if (realpath(confinement->view, folder) == NULL || getcwd(directory, sizeof directory) == NULL)
    return fail(report, confinement->view);
  for (size_t i = 0; i < confinement->grant_count; i++) {
    const char *path = confinement->grants[i].path;
    if (count == sizeof pieces / sizeof *pieces) return errno = E2BIG, fail(report, path);
    const int held = hold(&confinement->grants[i], folder, &pieces[count]);
    if (held < 0) return fail(report, path);
    count += held;
  }
  if (hide(folder) < 0) return fail(report, confinement->view);
  for (int i = 0; i < count; i++) {
    if (put(&pieces[i], folder) < 0) return fail(report, pieces[i].path);
    close(pieces[i].tree);
  }
  if (close_view(folder) < 0 || chdir(directory) < 0) return fail(report, confinement->view);
  return 0;
}

int sluice_mount_view(const struct sluice_confinement *confinement, struct sluice_confinement_report *report) {
  if (confinement->view == NULL && !confinement->mounts_processes) return 0;
  if (unshare(CLONE_NEWNS) < 0) return -errno;
  if (confinement->mounts_processes &&
      mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0)
    return fail(report, "/proc");
  return confinement->view == NULL ? 0 : show_only_grants(confinement, report);
}
