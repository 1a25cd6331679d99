// escape-attempts [--without LAYER]… [CONFINEMENT]… -- PROCESS FILE FOLDER SIBLING
// escape-attempts --confined PROCESS FILE FOLDER SIBLING
//
// Carries out each attempt in a process of its own, confined as confinement.h says, or as the caller is, and prints a line for each: its name,
// the layers that stop it, and the error with which it failed, or `succeeded`; tabs between them.
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
  // The call that the layer is made by, and what it returns instead: the error of a kernel that has it not, or success.
  unsigned call, answer;
} layers[] = {
    {"landlock", LANDLOCK, SYS_landlock_create_ruleset, ENOSYS},
    {"capabilities", CAPABILITIES, SYS_capset, 0},
    {"limits", LIMITS, SYS_setrlimit, 0},
    // Left out by its option.
    {"filter", FILTER, 0, 0},
    // Left out by whoever starts this program.
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

// Returns where the arguments of the attempts begin.
static int confine(int count, char *arguments[]) {
  if (count > 1 && strcmp(arguments[1], "--confined") == 0) return 2;
  return sluice_confine_from_arguments(count, arguments);
}

// In a child: whatever it does to itself is over with it.
static void carry_out(const struct attempt *attempt, int count, char *arguments[], int result) {
  dup2(result, SLUICE_PROTOCOL_DESCRIPTOR);
  const int first = confine(count, arguments);
  const struct victims victims = {atoi(arguments[first]), arguments[first + 1], arguments[first + 2],
                                  arguments[first + 3]};
  errno = 0;
  const int error = attempt->carry_out(&victims) < 0 ? errno : 0;
  (void)!write(SLUICE_PROTOCOL_DESCRIPTOR, &error, sizeof error);
  _exit(0);
}

static void report(const struct attempt *attempt, int error) {
  printf("%s\t", attempt->name);
  const char *separator = "";
  for (size_t i = 0; i < LAYERS; i++) {
    if (!(attempt->stopped_by & layers[i].layer)) continue;
    printf("%s%s", separator, layers[i].name);
    separator = ",";
  }
  printf("\t%s\n", error == 0 ? "succeeded" : strerrorname_np(error));
}

static void try(const struct attempt *attempt, int count, char *arguments[]) {
  int ends[2];
  if (pipe(ends) < 0) exit(1);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    carry_out(attempt, count, arguments, ends[1]);
  }
  close(ends[1]);
  // Nothing comes of one that became another program.
  int error = 0, status;
  (void)!read(ends[0], &error, sizeof error);
  close(ends[0]);
  waitpid(child, &status, 0);
  report(attempt, error);
}

int main(int count, char *arguments[]) {
  while (count > 2 && strcmp(arguments[1], "--without") == 0) {
    take_layer_away(arguments[2]);
    arguments[2] = arguments[0];
    arguments += 2;
    count -= 2;
  }
  const struct attempt *const tables[] = {process_attempts, message_attempts, file_attempts, machine_attempts};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    for (const struct attempt *attempt = tables[i]; attempt->name != NULL; attempt++)
      try(attempt, count, arguments);
  return 0;
}
