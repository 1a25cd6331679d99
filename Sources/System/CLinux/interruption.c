#define _GNU_SOURCE
#include "interruption.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const int signals[] = {SIGHUP, SIGINT, SIGTERM};

// Guests end with the process that started them. Their descendants, in any process group, then
// become children of this process (PR_SET_CHILD_SUBREAPER of prctl(2)), which kills them until none
// is left.
//
// A process that is already exiting stays in the list until this process ends (PF_EXITING of
// proc(5), unless it has other threads). It is a zombie, or the first process of a PID namespace,
// which waits for that zombie. Processes forked during a scan appear in the next scan. A process
// name is in parentheses and can contain any characters.
static const char script[] =
    "trap '' HUP INT TERM\n"
    "folder=$1 signal=$2 round=0 quiet=0\n"
    "while [ $quiet -lt 2 ] && [ $round -lt 1000 ]; do\n"
    "  round=$((round + 1)) quiet=$((quiet + 1))\n"
    "  for process in /proc/[0-9]*; do\n"
    "    { read -r stat < \"$process/stat\"; } 2>/dev/null || continue\n"
    "    rest=${stat##*) }\n"
    "    case $rest in \"${rest%% *} $$ \"*) ;; *) continue ;; esac\n"
    "    set -- $rest\n"
    "    [ $(($7 & 4)) -ne 0 ] && [ \"${18}\" -lt 2 ] && continue\n"
    "    quiet=0\n"
    "    kill -s KILL \"${process#/proc/}\" 2>/dev/null\n"
    "  done\n"
    "done\n"
    "[ $quiet -eq 2 ] || echo 'sluice: warning: not all processes of guests could be ended' >&2\n"
    "[ -z \"$folder\" ] || rm -rf -- \"$folder\"\n"
    "trap - HUP INT TERM\n"
    "kill -s \"$signal\" $$\n";

static char folder[PATH_MAX];
static sem_t interrupted;
static volatile sig_atomic_t interruption;
static volatile sig_atomic_t child;

static void install(void (*handler)(int)) {
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    struct sigaction old, new = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&new.sa_mask);
    if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
      sigaction(signals[i], &new, NULL);
  }
}

static void die_of(int number) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, number);
  signal(number, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &one, NULL);
  kill(getpid(), number);
}

static void interrupt(int number) {
  interruption = number;
  sem_post(&interrupted);
}

static const char *name_of(int number) {
  switch (number) {
    case SIGHUP: return "HUP";
    case SIGINT: return "INT";
    default: return "TERM";
  }
}

// Other code in this process could create files in the folder during its removal, or fail when they
// are gone. execve(2) ends all other threads. If a thread has started guests, its end sends them
// their parent-death signal. A thread that has started guests must not call execve(2): it would
// survive, and so would its guests.
static void *clean_up_and_die(void *unused) {
  (void)unused;
  while (sem_wait(&interrupted) != 0) continue;
  char *const arguments[] = {
      "sh", "-c", (char *)script, "sh", folder, (char *)name_of(interruption), NULL};
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, NULL);
  execve("/bin/sh", arguments, environ);
  die_of(interruption);
  return NULL;
}

int sluice_clean_up_on_interruption(const char *path) {
  if (strlen(path) >= sizeof folder) return -ENAMETOOLONG;
  strcpy(folder, path);
  if (sem_init(&interrupted, 0, 0) != 0) return -errno;
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  pthread_t thread;
  const int error = pthread_create(&thread, NULL, clean_up_and_die, NULL);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  if (error != 0) return -error;
  pthread_detach(thread);
  install(interrupt);
  return 0;
}

static void pass_on(int number) {
  if (child > 0 && kill((pid_t)child, number) == 0) waitpid((pid_t)child, NULL, 0);
  die_of(number);
}

void sluice_pass_interruptions_on(int pid) {
  child = pid;
  install(pass_on);
}
