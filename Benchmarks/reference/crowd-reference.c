// This program measures how fast many processes start, answer and exit, each in its own PID
// namespace. The result is the minimum for any implementation that uses clone3(2) from a small
// process.
//
// usage: crowd-reference [COUNT]
#include <errno.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// All processes share these pipes, because later processes would inherit copies of separate
// connections.
static int questions[2], answers[2], stops[2];

_Noreturn static void fail(const char *what) {
  fprintf(stderr, "crowd-reference: %s: %s\n", what, strerror(errno));
  exit(EXIT_FAILURE);
}

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static long available_kib(void) {
  char line[128];
  long kib = 0;
  FILE *file = fopen("/proc/meminfo", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (sscanf(line, "MemAvailable: %ld", &kib) == 1) break;
  if (file != NULL) fclose(file);
  return kib;
}

// Answers one question, and exits when all processes must exit.
_Noreturn static void answer(void) {
  char byte;
  close(stops[1]);
  if (read(questions[0], &byte, 1) != 1 || write(answers[1], &byte, 1) != 1) _exit(1);
  _exit(read(stops[0], &byte, 1) == 0 ? 0 : 1);
}

static pid_t start(void) {
  struct clone_args arguments = {.flags = CLONE_NEWPID, .exit_signal = SIGCHLD};
  const pid_t pid = (pid_t)syscall(SYS_clone3, &arguments, sizeof arguments);
  if (pid < 0) fail("clone3");
  if (pid == 0) answer();
  return pid;
}

static void await_answers(long count) {
  char byte = 'x';
  for (long i = 0; i < count; i++)
    if (write(questions[1], &byte, 1) != 1) fail("write");
  for (long i = 0; i < count; i++)
    if (read(answers[0], &byte, 1) != 1) fail("read");
}

static void stop(const pid_t *children, long count) {
  close(stops[1]);
  for (long i = 0; i < count; i++) waitpid(children[i], NULL, 0);
}

int main(int count, char **arguments) {
  const long children_count = count > 1 ? atol(arguments[1]) : 10000;
  pid_t *children = calloc((size_t)children_count, sizeof *children);
  if (children == NULL || children_count < 1) fail("COUNT");
  if (pipe(questions) < 0 || pipe(answers) < 0 || pipe(stops) < 0) fail("pipe");
  if (unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0) fail("unshare");
  const long before = available_kib();
  const double began = milliseconds();
  for (long i = 0; i < children_count; i++) children[i] = start();
  const double up = milliseconds();
  await_answers(children_count);
  const double answered = milliseconds();
  const long each = (before - available_kib()) / children_count;
  const double measured = milliseconds();
  stop(children, children_count);
  const double down = milliseconds();
  printf("RESULT crowd_reference n=%ld ms=%.0f up_ms=%.0f answers_ms=%.0f down_ms=%.0f each_kib=%ld\n", children_count,
         answered - began + down - measured, up - began, answered - up, down - measured, each);
  free(children);
  return EXIT_SUCCESS;
}
