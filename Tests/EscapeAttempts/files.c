// Attempts on files outside of the container, and to execute what was written.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#include "attempt.h"

typedef const struct victims Victims;

static const char *inside(Victims *victims, const char *name) {
  static char path[4096];
  snprintf(path, sizeof path, "%s/%s", victims->folder, name);
  return path;
}

static long read_file(Victims *victims) { return open(victims->file, O_RDONLY | O_CLOEXEC); }
static long write_file(Victims *victims) { return open(victims->file, O_WRONLY | O_CLOEXEC); }
static long cut_file(Victims *victims) { return truncate(victims->file, 0); }
static long list_folder(Victims *victims) { return open(victims->folder, O_RDONLY | O_DIRECTORY); }
static long create_file(Victims *victims) {
  return open(inside(victims, "hostile"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
}
static long create_folder(Victims *victims) { return mkdir(inside(victims, "hostile"), 0700); }
static long remove_file(Victims *victims) { return unlink(victims->file); }
static long move_file(Victims *victims) { return rename(victims->file, "stolen"); }
static long move_out(Victims *victims) {
  close(open("own", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  return rename("own", inside(victims, "hostile"));
}
static long link_file(Victims *victims) { return link(victims->file, "stolen"); }
static long link_symbolically(Victims *victims) { return symlink(victims->file, "away"); }
static long make_pipe(Victims *victims) {
  (void)victims;
  return mkfifo("pipe", 0600);
}
static long make_device(Victims *victims) {
  (void)victims;
  return mknod("device", S_IFCHR | 0600, 0x103);
}

static long change_mode(Victims *victims) { return chmod(victims->file, 0666); }
static long change_mode_at(Victims *victims) {
  return syscall(SYS_fchmodat, AT_FDCWD, victims->file, 0666);
}
static long change_mode_at_2(Victims *victims) {
  return syscall(452 /* fchmodat2 */, AT_FDCWD, victims->file, 0666, 0);
}
static long change_mode_of_folder(Victims *victims) { return chmod(victims->folder, 0777); }
static long change_owner(Victims *victims) { return chown(victims->file, getuid(), getgid()); }
static long change_owner_of_link(Victims *victims) { return lchown(victims->file, getuid(), getgid()); }
static long change_owner_at(Victims *victims) {
  return fchownat(AT_FDCWD, victims->file, getuid(), getgid(), 0);
}
static long change_times(Victims *victims) {
  const struct utimbuf times = {1, 1};
  return utime(victims->file, &times);
}
static long change_times_at(Victims *victims) {
  return utimensat(AT_FDCWD, victims->file, NULL, 0);
}
static long add_attribute(Victims *victims) { return setxattr(victims->file, "user.escape", "x", 1, 0); }
static long add_attribute_to_link(Victims *victims) {
  return lsetxattr(victims->file, "user.escape", "x", 1, 0);
}
static long add_attribute_at(Victims *victims) {
  const struct {
    unsigned long value;
    unsigned size, flags;
  } arguments = {(unsigned long)"x", 1, 0};
  return syscall(463 /* setxattrat */, AT_FDCWD, victims->file, 0, "user.escape", &arguments, sizeof arguments);
}
static long remove_attribute(Victims *victims) { return removexattr(victims->file, "user.known"); }
static long watch_folder(Victims *victims) {
  const int watch = inotify_init1(IN_CLOEXEC);
  return watch < 0 ? -1 : inotify_add_watch(watch, victims->folder, IN_ALL_EVENTS);
}
static long watch_all(Victims *victims) {
  (void)victims;
  return fanotify_init(FAN_CLASS_NOTIF | FAN_REPORT_FID, O_RDONLY);
}
static long take_handle(Victims *victims) {
  struct {
    struct file_handle handle;
    char bytes[128];
  } handle = {.handle = {.handle_bytes = 128}};
  int mount;
  return name_to_handle_at(AT_FDCWD, victims->file, &handle.handle, &mount, 0);
}
static long open_handle(Victims *victims) {
  (void)victims;
  struct {
    struct file_handle handle;
    char bytes[8];
  } handle = {.handle = {.handle_bytes = 8, .handle_type = 1}};
  return open_by_handle_at(AT_FDCWD, &handle.handle, O_RDONLY);
}

static long set_user_id(Victims *victims) {
  (void)victims;
  const int own = open("own", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  return own < 0 ? -1 : fchmod(own, 04755);
}
static long execute_outside(Victims *victims) {
  (void)victims;
  char *const arguments[] = {"true", NULL};
  return execve("/bin/true", arguments, NULL);
}
static long execute_memory(Victims *victims) {
  (void)victims;
  const long file = syscall(SYS_memfd_create, "payload", 0);
  if (file < 0) return -1;
  char *const arguments[] = {"payload", NULL};
  if (write((int)file, "#!/bin/true\n", 12) != 12) return -1;
  return syscall(SYS_execveat, file, "", arguments, NULL, AT_EMPTY_PATH);
}
static long execute_written(Victims *victims) {
  (void)victims;
  const int file = open("payload", O_WRONLY | O_CREAT | O_CLOEXEC, 0700);
  if (file < 0 || write(file, "#!/bin/true\n", 12) != 12) return -1;
  close(file);
  char *const arguments[] = {"payload", NULL};
  return execve("payload", arguments, NULL);
}

static long map_written(Victims *victims) {
  (void)victims;
  const int file = open("payload", O_RDWR | O_CREAT | O_CLOEXEC, 0700);
  if (file < 0 || ftruncate(file, 4096) < 0) return -1;
  return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) == MAP_FAILED ? -1 : 0;
}
static long look_at_sibling(Victims *victims) {
  struct stat status;
  return stat(victims->sibling, &status);
}
static long look_at_sibling_below(Victims *victims) {
  (void)victims;
  struct stat status;
  return stat("../sibling/file", &status);
}

const struct attempt file_attempts[] = {
    {"look at a file of another guest", look_at_sibling, NAMESPACES},
    {"look at a file of another guest from below", look_at_sibling_below, NAMESPACES},
    {"run what was written by mapping it", map_written, NAMESPACES},
    {"read a file", read_file, LANDLOCK},
    {"write a file", write_file, LANDLOCK},
    {"cut a file", cut_file, LANDLOCK},
    {"list a folder", list_folder, LANDLOCK},
    {"create a file", create_file, LANDLOCK},
    {"create a folder", create_folder, LANDLOCK},
    {"remove a file", remove_file, LANDLOCK},
    {"move a file into the container", move_file, LANDLOCK},
    {"move a file out of the container", move_out, LANDLOCK},
    {"link a file into the container", link_file, LANDLOCK},
    {"make a symbolic link", link_symbolically, LANDLOCK},
    {"make a named pipe", make_pipe, LANDLOCK},
    {"make a device", make_device, LANDLOCK | CAPABILITIES},
    {"change the mode of a file", change_mode, FILTER},
    {"change the mode of a file (fchmodat)", change_mode_at, FILTER},
    {"change the mode of a file (fchmodat2)", change_mode_at_2, FILTER},
    {"change the mode of a folder", change_mode_of_folder, FILTER},
    {"change the owner of a file", change_owner, FILTER},
    {"change the owner of a file (lchown)", change_owner_of_link, FILTER},
    {"change the owner of a file (fchownat)", change_owner_at, FILTER},
    {"change the times of a file", change_times, FILTER},
    {"change the times of a file (utimensat)", change_times_at, FILTER},
    {"add an attribute to a file", add_attribute, FILTER},
    {"add an attribute to a file (lsetxattr)", add_attribute_to_link, FILTER},
    {"add an attribute to a file (setxattrat)", add_attribute_at, FILTER},
    {"remove an attribute of a file", remove_attribute, FILTER},
    {"watch a folder", watch_folder, FILTER},
    {"watch all files", watch_all, FILTER},
    {"take the handle of a file", take_handle, FILTER},
    {"open the handle of a file", open_handle, FILTER | CAPABILITIES},
    {"make a set-user-ID program", set_user_id, FILTER},
    {"execute a program of the system", execute_outside, LANDLOCK},
    {"execute a file in memory", execute_memory, FILTER},
    {"execute what was written", execute_written, LANDLOCK},
    {0},
};
