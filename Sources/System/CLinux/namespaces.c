#define _GNU_SOURCE
#include "namespaces.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <net/if.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wire.h"
#include "zygote.h"

// ---- forking

// The C library caches the thread's number. fork(2) updates it, but a direct clone(2) does not. The
// kernel knows its address from set_tid_address(2).
static pid_t forked(pid_t child, pid_t *number) {
  if (child == 0 && number != NULL) *number = (pid_t)syscall(SYS_set_tid_address, number);
  return child < 0 ? -errno : child;
}

pid_t fork_with(unsigned long flags) {
  pid_t *number = NULL;
  prctl(PR_GET_TID_ADDRESS, &number, 0, 0, 0);
  return forked((pid_t)syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL, NULL), number);
}

pid_t fork_into(int group, unsigned long flags) {
  if (group < 0) return fork_with(flags);
  pid_t *number = NULL;
  prctl(PR_GET_TID_ADDRESS, &number, 0, 0, 0);
  // With CLONE_PARENT, the child inherits the caller's exit signal.
  struct clone_args arguments = {
      .flags = flags | CLONE_INTO_CGROUP, .exit_signal = flags & CLONE_PARENT ? 0 : SIGCHLD, .cgroup = (unsigned)group};
  const pid_t child = forked((pid_t)syscall(SYS_clone3, &arguments, sizeof arguments), number);
  // Containers refuse clone3(2), because filters cannot inspect its flags. Kernels before Linux 5.7
  // lack CLONE_INTO_CGROUP.
  const int is_refused = child == -ENOSYS || child == -EPERM || child == -EACCES || child == -EINVAL;
  return is_refused ? fork_with(flags) : child;
}

static void interrupt_poll(int signal) { (void)signal; }

// Runs as process 1 of a PID namespace. Reaps its orphans, and exits when process 2 or the host
// does. It awaits orphans instead of ignoring SIGCHLD, because the kernel does not count the
// processor time of ignored children.
_Noreturn static void be_init(int start) {
  char go;
  sigset_t blocked, unblocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGCHLD);
  sigprocmask(SIG_BLOCK, &blocked, &unblocked);
  sigdelset(&unblocked, SIGCHLD);
  signal(SIGCHLD, interrupt_poll);
  prctl(PR_SET_NAME, "init");
  if (read(start, &go, 1) != 1) _exit(1);
  if (dup2(LIFE_DESCRIPTOR, 0) < 0) _exit(1);
  syscall(SYS_close_range, 1, ~0U, 0);
  // poll(2) always reports the end of the host's pipe, so no event is requested for it.
  struct pollfd ends[] = {{.fd = (int)syscall(SYS_pidfd_open, 2, 0), .events = POLLIN}, {.fd = 0}};
  // If process 2 no longer exists, its parent has already reaped it.
  while (ends[0].fd >= 0 && ppoll(ends, 2, NULL, &unblocked) < 0 && errno == EINTR) {
    while (waitpid(-1, NULL, WNOHANG) > 0) continue;
  }
  _exit(0);
}

// Moves the caller's future children to the PID namespace of `process`, and the caller itself to
// its IPC namespace.
static int enter_namespaces_of(pid_t process) {
  const int descriptor = (int)syscall(SYS_pidfd_open, process, 0);
  if (descriptor < 0) return -errno;
  const int status = setns(descriptor, CLONE_NEWPID | CLONE_NEWIPC) < 0 ? -errno : 0;
  close(descriptor);
  return status;
}

// A separate process enters the namespaces, because it cannot leave them again.
static pid_t enter_and_fork(pid_t init, int group, int start, void (*tell)(pid_t child, pid_t helper)) {
  pid_t child = enter_namespaces_of(init);
  if (child == 0) child = fork_into(group, CLONE_PARENT);
  if (child == 0) return 0;
  if (child > 0) (void)!write(start, "", 1);
  tell(child, getpid());
  _exit(0);
}

pid_t fork_beside_init(int group, void (*tell)(pid_t child, pid_t helper)) {
  int start[2];
  if (pipe2(start, O_CLOEXEC) < 0) return -errno;
  const pid_t init = fork_with(CLONE_NEWPID | CLONE_NEWIPC);
  if (init == 0) {
    close(start[1]);
    be_init(start[0]);
  }
  const pid_t helper = init < 0 ? init : fork_with(CLONE_PARENT);
  if (helper == 0) return enter_and_fork(init, group, start[1], tell);
  close(start[0]);
  close(start[1]);
  return helper;
}

// ---- namespaces

static int write_file(const char *path, const char *text) {
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return -1;
  const ssize_t written = write(file, text, strlen(text));
  close(file);
  return written == (ssize_t)strlen(text) ? 0 : -1;
}

// Maps only the process's own user and group into its user namespace.
static int keep_identity(uid_t user, gid_t group) {
  char line[64];
  if (write_file("/proc/self/setgroups", "deny") < 0) return -1;
  snprintf(line, sizeof line, "%u %u 1\n", user, user);
  if (write_file("/proc/self/uid_map", line) < 0) return -1;
  snprintf(line, sizeof line, "%u %u 1\n", group, group);
  return write_file("/proc/self/gid_map", line);
}

// Hides new mounts from other namespaces, and forbids execution of the folder's files.
static int forbid_execution(const char *folder) {
  if (mount("none", "/", NULL, MS_REC | MS_SLAVE, NULL) < 0) return -1;
  const int tree = open_tree(AT_FDCWD, folder, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
  if (tree < 0) return -1;
  struct mount_attr attributes = {.attr_set = MOUNT_ATTR_NOEXEC | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV};
  int status = mount_setattr(tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &attributes, sizeof attributes);
  if (status == 0) status = move_mount(tree, "", AT_FDCWD, folder, MOVE_MOUNT_F_EMPTY_PATH);
  close(tree);
  return status;
}

// Runs the attempt in a process with its own namespaces, and returns whether it succeeded.
static int can(unsigned long flags, int (*attempt)(void)) {
  const pid_t child = fork_with(flags);
  if (child == 0) _exit(attempt() == 0 ? 0 : 1);
  int status = -1;
  return child > 0 && waitpid(child, &status, __WALL) == child && status == 0;
}

void raise_loopback(void) {
  struct ifreq interface = {.ifr_name = "lo", .ifr_flags = IFF_UP};
  const int connection = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  // Fails without a private network namespace. The interface is then up already, or not under this
  // process's control.
  ioctl(connection, SIOCSIFFLAGS, &interface);
  close(connection);
}

static int nothing(void) { return 0; }

// A container that hides parts of its own /proc may forbid this mount.
static int mount_processes(void) {
  return mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
}

int make_namespaces(const char *folder) {
  const uid_t user = geteuid();
  const gid_t group = getegid();
  char *directory = getcwd(NULL, 0);
  int promises = 0;
  if (unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWNS) == 0 && keep_identity(user, group) == 0) {
    promises = CZYGOTE_NETWORK;
    if (can(CLONE_NEWPID | CLONE_NEWIPC, nothing)) promises |= CZYGOTE_PROCESSES;
    if (forbid_execution(folder) == 0) {
      promises |= CZYGOTE_EXECUTION;
      if (can(CLONE_NEWPID | CLONE_NEWNS, mount_processes)) promises |= CZYGOTE_MOUNTS;
    }
    // Relative paths into the folder would bypass the new mount.
    if (directory != NULL) (void)!chdir(directory);
  }
  free(directory);
  return promises;
}
