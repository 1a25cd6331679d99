// escape-attempts [--without LAYER]… [CONFINEMENT]… -- PROCESS FILE FOLDER SIBLING
// escape-attempts --confined PROCESS FILE FOLDER SIBLING
//
// Performs each attempt in a separate process, confined by the options of confinement.h or like the
// caller. Prints a line for each: its name, the layers that stop it, and its error or `succeeded`,
// separated by tabs.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attempt.h"
#include "confinement.h"

static const struct {
  const char *name;
  enum layer layer;
  // The call that creates the layer, and its replaced result. The result is the error of a kernel
  // without the call, or success.
  unsigned call, answer;
} layers[] = {
    {"landlock", LANDLOCK, SYS_landlock_create_ruleset, ENOSYS},
    {"capabilities", CAPABILITIES, SYS_capset, 0},
    {"limits", LIMITS, SYS_setrlimit, 0},
    // An option disables this layer.
    {"filter", FILTER, 0, 0},
    // The program that starts this one disables these layers.
    {"namespaces", NAMESPACES, 0, 0},
};
enum { LAYERS = sizeof layers / sizeof *layers };

static void take_away(unsigned call, unsigned answer) {
  struct sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | answer),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog filter = {.len = sizeof program / sizeof *program, .filter = program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) < 0) {
    perror("escape-attempts: cannot take a layer away");
    exit(1);
  }
}

static void take_layer_away(const char *name) {
  for (size_t i = 0; i < LAYERS; i++)
    if (strcmp(layers[i].name, name) == 0) return take_away(layers[i].call, layers[i].answer);
  fprintf(stderr, "escape-attempts: no layer `%s`\n", name);
  exit(2);
}

// Returns the index of the attempts' first argument.
static int confine(int count, char *arguments[]) {
  if (count > 1 && strcmp(arguments[1], "--confined") == 0) return 2;
  return sluice_confine_from_arguments(count, arguments);
}

struct victims victims;
static int argument_count;
static char **all_arguments;

static void report(const char *name, int stopped_by, int error) {
  printf("%s\t", name);
  const char *separator = "";
  for (size_t i = 0; i < LAYERS; i++) {
    if (!(stopped_by & layers[i].layer)) continue;
    printf("%s%s", separator, layers[i].name);
    separator = ",";
  }
  printf("\t%s\n", error == 0 ? "succeeded" : strerrorname_np(error));
}

bool begin_attempt(const char *name, int stopped_by) {
  int ends[2];
  if (pipe(ends) < 0) exit(1);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    // The attempt's changes to itself end with the process.
    close(ends[0]);
    dup2(ends[1], SLUICE_PROTOCOL_DESCRIPTOR);
    char **const of_attempts = all_arguments + confine(argument_count, all_arguments);
    victims = (struct victims){atoi(of_attempts[0]), of_attempts[1], of_attempts[2], of_attempts[3]};
    errno = 0;
    return true;
  }
  close(ends[1]);
  // A process that executed another program reports nothing.
  int error = 0, status;
  (void)!read(ends[0], &error, sizeof error);
  close(ends[0]);
  waitpid(child, &status, 0);
  report(name, stopped_by, error);
  return false;
}

void end_attempt(long outcome) {
  const int error = outcome < 0 ? errno : 0;
  (void)!write(SLUICE_PROTOCOL_DESCRIPTOR, &error, sizeof error);
  _exit(0);
}

int main(int count, char *arguments[]) {
  while (count > 2 && strcmp(arguments[1], "--without") == 0) {
    take_layer_away(arguments[2]);
    arguments[2] = arguments[0];
    arguments += 2;
    count -= 2;
  }
  argument_count = count;
  all_arguments = arguments;
  attempt_processes();
  attempt_messages();
  attempt_files();
  attempt_machine();
  return 0;
}
