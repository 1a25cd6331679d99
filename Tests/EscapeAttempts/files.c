// These are attempts on files outside of the container, and attempts to execute written files.
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

static const char *inside(const char *name) {
  static char path[4096];
  snprintf(path, sizeof path, "%s/%s", victims.folder, name);
  return path;
}

static long move_out(void) {
  close(open("own", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  return rename("own", inside("hostile"));
}

static long change_times(void) {
  const struct utimbuf times = {1, 1};
  return utime(victims.file, &times);
}
static long add_attribute_at(void) {
  const struct {
    unsigned long value;
    unsigned size, flags;
  } arguments = {(unsigned long)"x", 1, 0};
  return syscall(463 /* setxattrat */, AT_FDCWD, victims.file, 0, "user.escape", &arguments, sizeof arguments);
}
static long watch_folder(void) {
  const int watch = inotify_init1(IN_CLOEXEC);
  return watch < 0 ? -1 : inotify_add_watch(watch, victims.folder, IN_ALL_EVENTS);
}
static long take_handle(void) {
  struct {
    struct file_handle handle;
    char bytes[128];
  } handle = {.handle = {.handle_bytes = 128}};
  int mount;
  return name_to_handle_at(AT_FDCWD, victims.file, &handle.handle, &mount, 0);
}
static long open_handle(void) {
  struct {
    struct file_handle handle;
    char bytes[8];
  } handle = {.handle = {.handle_bytes = 8, .handle_type = 1}};
  return open_by_handle_at(AT_FDCWD, &handle.handle, O_RDONLY);
}

static long set_user_id(void) {
  const int own = open("own", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  return own < 0 ? -1 : fchmod(own, 04755);
}
static long execute_outside(void) {
  char *const arguments[] = {"true", NULL};
  return execve("/bin/true", arguments, NULL);
}
static long execute_memory(void) {
  const long file = syscall(SYS_memfd_create, "payload", 0);
  if (file < 0) return -1;
  char *const arguments[] = {"payload", NULL};
  if (write((int)file, "#!/bin/true\n", 12) != 12) return -1;
  return syscall(SYS_execveat, file, "", arguments, NULL, AT_EMPTY_PATH);
}
static long execute_written(void) {
  const int file = open("payload", O_WRONLY | O_CREAT | O_CLOEXEC, 0700);
  if (file < 0 || write(file, "#!/bin/true\n", 12) != 12) return -1;
  close(file);
  char *const arguments[] = {"payload", NULL};
  return execve("payload", arguments, NULL);
}

static long map_written(void) {
  const int file = open("payload", O_RDWR | O_CREAT | O_CLOEXEC, 0700);
  if (file < 0 || ftruncate(file, 4096) < 0) return -1;
  return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) == MAP_FAILED ? -1 : 0;
}
static long look_at_sibling(void) {
  struct stat status;
  return stat(victims.sibling, &status);
}
static long look_at_sibling_below(void) {
  struct stat status;
  return stat("../sibling/file", &status);
}

void attempt_files(void) {
  TRY("look at a file of another guest", NAMESPACES, look_at_sibling());
  TRY("look at a file of another guest from below", NAMESPACES, look_at_sibling_below());
  TRY("run what was written by mapping it", NAMESPACES, map_written());
  TRY("read a file", LANDLOCK, open(victims.file, O_RDONLY | O_CLOEXEC));
  TRY("write a file", LANDLOCK, open(victims.file, O_WRONLY | O_CLOEXEC));
  TRY("cut a file", LANDLOCK, truncate(victims.file, 0));
  TRY("list a folder", LANDLOCK, open(victims.folder, O_RDONLY | O_DIRECTORY));
  TRY("create a file", LANDLOCK, open(inside("hostile"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  TRY("create a folder", LANDLOCK, mkdir(inside("hostile"), 0700));
  TRY("remove a file", LANDLOCK, unlink(victims.file));
  TRY("move a file into the container", LANDLOCK, rename(victims.file, "stolen"));
  TRY("move a file out of the container", LANDLOCK, move_out());
  TRY("link a file into the container", LANDLOCK, link(victims.file, "stolen"));
  TRY("make a symbolic link", LANDLOCK, symlink(victims.file, "away"));
  TRY("make a named pipe", LANDLOCK, mkfifo("pipe", 0600));
  TRY("make a device", LANDLOCK | CAPABILITIES, mknod("device", S_IFCHR | 0600, 0x103));
  TRY("change the mode of a file", FILTER, chmod(victims.file, 0666));
  TRY("change the mode of a file (fchmodat)", FILTER,
      syscall(SYS_fchmodat, AT_FDCWD, victims.file, 0666));
  TRY("change the mode of a file (fchmodat2)", FILTER,
      syscall(452 /* fchmodat2 */, AT_FDCWD, victims.file, 0666, 0));
  TRY("change the mode of a folder", FILTER, chmod(victims.folder, 0777));
  TRY("change the owner of a file", FILTER, chown(victims.file, getuid(), getgid()));
  TRY("change the owner of a file (lchown)", FILTER, lchown(victims.file, getuid(), getgid()));
  TRY("change the owner of a file (fchownat)", FILTER,
      fchownat(AT_FDCWD, victims.file, getuid(), getgid(), 0));
  TRY("change the times of a file", FILTER, change_times());
  TRY("change the times of a file (utimensat)", FILTER, utimensat(AT_FDCWD, victims.file, NULL, 0));
  TRY("add an attribute to a file", FILTER, setxattr(victims.file, "user.escape", "x", 1, 0));
  TRY("add an attribute to a file (lsetxattr)", FILTER,
      lsetxattr(victims.file, "user.escape", "x", 1, 0));
  TRY("add an attribute to a file (setxattrat)", FILTER, add_attribute_at());
  TRY("remove an attribute of a file", FILTER, removexattr(victims.file, "user.known"));
  TRY("watch a folder", FILTER, watch_folder());
  TRY("watch all files", FILTER, fanotify_init(FAN_CLASS_NOTIF | FAN_REPORT_FID, O_RDONLY));
  TRY("take the handle of a file", FILTER, take_handle());
  TRY("open the handle of a file", FILTER | CAPABILITIES, open_handle());
  TRY("make a set-user-ID program", FILTER, set_user_id());
  TRY("execute a program of the system", LANDLOCK, execute_outside());
  TRY("execute a file in memory", FILTER, execute_memory());
  TRY("execute what was written", LANDLOCK, execute_written());
}
