#define _GNU_SOURCE
#include "cspawn.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_DESCRIPTORS = 16 };

// Marks all descriptors from `first` on as close-on-exec. Has no effect before Linux 5.11.
static void close_on_exec_from(unsigned first) {
#ifdef SYS_close_range
  const unsigned close_on_exec = 1U << 2;
  syscall(SYS_close_range, first, ~0U, close_on_exec);
#endif
}

// Duplicates sources below `count` to higher numbers, because they could be overwritten before they
// are used. Returns 0 or an errno.
static int move_sources_up(const struct cspawn_request *request, int *sources, int count) {
  for (int i = 0; i < count; i++) {
    const int given = i < request->count ? request->descriptors[i] : CSPAWN_NULL;
    sources[i] = given;
    if (given == CSPAWN_NULL || given >= count) continue;
    sources[i] = fcntl(given, F_DUPFD_CLOEXEC, count);
    if (sources[i] < 0) return errno;
  }
  return 0;
}

static void close_moved(const struct cspawn_request *request, const int *sources, int count) {
  for (int i = 0; i < count && i < request->count; i++)
    if (sources[i] >= 0 && sources[i] != request->descriptors[i]) close(sources[i]);
}

static int describe_files(
    posix_spawn_file_actions_t *files, const char *directory, const int *sources, int count) {
  int error = posix_spawn_file_actions_addchdir_np(files, directory);
  for (int i = 0; i < count && error == 0; i++)
    error = sources[i] == CSPAWN_NULL
                ? posix_spawn_file_actions_addopen(files, i, "/dev/null", i == 0 ? O_RDONLY : O_RDWR, 0)
                : posix_spawn_file_actions_adddup2(files, sources[i], i);
  return error;
}

static int describe_signals(posix_spawnattr_t *attributes) {
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  int error = posix_spawnattr_setsigdefault(attributes, &all);
  if (error == 0) error = posix_spawnattr_setsigmask(attributes, &none);
  if (error == 0)
    error = posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  return error;
}

static int spawn(const struct cspawn_request *request, const int *sources, int count, pid_t *pid) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&files);
  if (error != 0) return error;
  error = posix_spawnattr_init(&attributes);
  if (error == 0) {
    error = describe_files(&files, request->directory, sources, count);
    if (error == 0) error = describe_signals(&attributes);
    if (error == 0)
      error = posix_spawn(
          pid, request->executable, &files, &attributes, request->arguments, request->environment);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&files);
  return error;
}

struct watch {
  pid_t pid;
  int end;
};

static void *await_end(void *data) {
  const struct watch watch = *(struct watch *)data;
  siginfo_t info;
  free(data);
  while (waitid(P_PID, (id_t)watch.pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) continue;
  close(watch.end);
  return NULL;
}

static int start_watch(struct watch *watch) {
  pthread_t thread;
  sigset_t all, old;
  // The new thread inherits this mask, so signals are delivered only to other threads.
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  const int error = pthread_create(&thread, NULL, await_end, watch);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  if (error == 0) pthread_detach(thread);
  return error;
}

// A fallback for kernels without pidfd_open(2), such as valgrind's: a thread closes a pipe when the
// process has exited. Returns the pipe's descriptor, or a negated errno.
static int watch_by_thread(pid_t pid) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return -errno;
  struct watch *watch = malloc(sizeof *watch);
  int error = ENOMEM;
  if (watch != NULL) {
    *watch = (struct watch){pid, ends[1]};
    error = start_watch(watch);
  }
  if (error == 0) return ends[0];
  free(watch);
  close(ends[0]);
  close(ends[1]);
  return -error;
}

int cspawn_watch(int pid) {
  const int descriptor = (int)syscall(SYS_pidfd_open, pid, 0);
  if (descriptor >= 0) return descriptor;
  return errno == ENOSYS ? watch_by_thread(pid) : -errno;
}

int cspawn_start(const struct cspawn_request *request) {
  const int count = request->count < 3 ? 3 : request->count;
  if (count > MOST_DESCRIPTORS) return -EINVAL;
  int sources[MOST_DESCRIPTORS];
  pid_t pid = 0;
  int error = move_sources_up(request, sources, count);
  if (error != 0) return -error;
  close_on_exec_from(STDERR_FILENO + 1);
  error = spawn(request, sources, count, &pid);
  close_moved(request, sources, count);
  return error != 0 ? -error : pid;
}

int cspawn_reap(int pid, int *status) {
  pid_t reaped;
  do reaped = waitpid(pid, status, 0);
  while (reaped < 0 && errno == EINTR);
  return reaped < 0 ? -errno : 0;
}

void cspawn_await_stop(int pid) {
  enum { LOOKS = 2000 };
  const struct timespec pause = {.tv_nsec = 50 * 1000};
  for (int look = 0; look < LOOKS; look++) {
    siginfo_t info = {0};
    const int status = waitid(P_PID, (id_t)pid, &info, WSTOPPED | WEXITED | WNOWAIT | WNOHANG);
    if (status < 0 ? errno != EINTR : info.si_pid != 0) return;
    nanosleep(&pause, NULL);
  }
}

static atomic_int adopts;

void cspawn_adopt_orphans(void) {
  if (prctl(PR_SET_CHILD_SUBREAPER, 1) == 0) adopts = 1;
}

int cspawn_adopts_orphans(void) { return adopts; }

// Returns the parent of a process; 0 if the process no longer exists (proc_pid_stat(5)).
static pid_t parent_of(pid_t pid) {
  char path[32], text[512];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return 0;
  text[length] = 0;
  // The name is in parentheses and may itself contain parentheses.
  const char *end = strrchr(text, ')');
  int parent = 0;
  if (end == NULL || sscanf(end + 1, " %*c %d", &parent) != 1) return 0;
  return parent;
}

static int compare(const void *left, const void *right) {
  const int a = *(const int *)left, b = *(const int *)right;
  return (a > b) - (a < b);
}

static int is_among(const int *known, int count, int pid) {
  return bsearch(&pid, known, (size_t)count, sizeof *known, compare) != NULL;
}

int cspawn_end_orphans(const int *known, int count) {
  DIR *processes = opendir("/proc");
  if (processes == NULL) return 0;
  int found = 0;
  for (struct dirent *entry; (entry = readdir(processes)) != NULL;) {
    if (!isdigit((unsigned char)entry->d_name[0])) continue;
    const pid_t pid = atoi(entry->d_name);
    if (parent_of(pid) != getpid() || is_among(known, count, pid)) continue;
    found++;
    kill(pid, SIGKILL);
    waitpid(pid, NULL, WNOHANG);
  }
  closedir(processes);
  return found;
}
