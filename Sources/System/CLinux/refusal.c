#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "namespaces.h"
#include "zygote.h"

int czygote_refusal(void) {
  const pid_t child = fork_with(0);
  if (child < 0) return child;
  if (child == 0) _exit(unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWNS) == 0 ? 0 : errno);
  int status;
  pid_t ended;
  do ended = waitpid(child, &status, __WALL);
  while (ended < 0 && errno == EINTR);
  return ended == child && WIFEXITED(status) ? -WEXITSTATUS(status) : 0;
}
