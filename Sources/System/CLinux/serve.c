#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "namespaces.h"
#include "text.h"
#include "wire.h"
#include "zygote.h"

// The values of sysexits.h and of the POSIX shell.
enum { EXIT_SYSTEM = 71, EXIT_CANNOT_EXECUTE = 126, EXIT_NOT_FOUND = 127 };

// A received request, with the descriptors that were passed.
struct received {
  struct start_request request;
  char text[LARGEST_REQUEST];
  size_t length;
  int descriptors[MOST_PASSED];
  int passed;
};

static int take_descriptors(struct msghdr *message, int *descriptors) {
  int count = 0;
  for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part != NULL; part = CMSG_NXTHDR(message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    count = (int)((part->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    memcpy(descriptors, CMSG_DATA(part), (size_t)count * sizeof(int));
  }
  return count;
}

// Returns 0, a negated errno for an invalid request, or 1 if the host has ended.
static int await(struct received *received) {
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(MOST_PASSED * sizeof(int))];
  } control;
  struct iovec parts[] = {{&received->request, sizeof received->request}, {received->text, sizeof received->text}};
  struct msghdr message = {
      .msg_iov = parts, .msg_iovlen = 2, .msg_control = &control, .msg_controllen = sizeof control};
  ssize_t length;
  do length = recvmsg(CONTROL_DESCRIPTOR, &message, MSG_CMSG_CLOEXEC);
  while (length < 0 && errno == EINTR);
  if (length <= 0) return 1;
  received->passed = take_descriptors(&message, received->descriptors);
  if (length < (ssize_t)sizeof received->request || message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) return -E2BIG;
  const size_t before = received->length;
  received->length = (size_t)length - sizeof received->request;
  // The next process must not see earlier requests.
  if (before > received->length) memset(received->text + received->length, 0, before - received->length);
  return 0;
}

// ---- in the child

// Imitates death by the signal, because process 1 of a namespace ignores signals that it sends
// itself.
static void exit_as_by_signal(int signal) { _exit(128 + signal); }

static void die_of_signals(void) {
  for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals; i++)
    signal(fatal_signals[i], exit_as_by_signal);
}

static int place_descriptors(struct received *received) {
  const int count = (int)received->request.descriptor_count;
  int sources[MOST_PASSED];
  // Moves the descriptors above all target numbers.
  for (int i = 0; i < received->passed; i++)
    if ((sources[i] = fcntl(received->descriptors[i], F_DUPFD_CLOEXEC, 2 * MOST_PASSED)) < 0) return -1;
  int next = 0;
  for (int i = 0; i < count; i++) {
    if (received->request.nulls & 1U << i) {
      const int null = open("/dev/null", i == 0 ? O_RDONLY : O_RDWR);
      if (null < 0 || (null != i && dup2(null, i) < 0)) return -1;
      if (null != i) close(null);
    } else if (next == received->passed || dup2(sources[next++], i) < 0) {
      return -1;
    }
  }
  return (int)close_range((unsigned)count, ~0U, 0);
}

// Returns `count` consecutive strings of the text as a null-terminated array; null if some are
// missing.
static char **vector(char **next, const char *end, uint32_t count) {
  char **strings = calloc((size_t)count + 1, sizeof *strings);
  if (strings == NULL) return NULL;
  for (uint32_t i = 0; i < count; i++) {
    char *zero = *next < end ? memchr(*next, 0, (size_t)(end - *next)) : NULL;
    if (zero == NULL) return NULL;
    strings[i] = *next;
    *next = zero + 1;
  }
  return strings;
}

static void become(struct received *received, int *count, char ***arguments) {
  const struct start_request *request = &received->request;
  char *next = received->text;
  const char *end = received->text + received->length;
  char **directory = vector(&next, end, 1);
  *arguments = vector(&next, end, request->argument_count);
  environ = vector(&next, end, request->environment_count);
  *count = (int)request->argument_count;
  signal(SIGCHLD, SIG_DFL);
  if (request->options & CZYGOTE_AS_INIT) die_of_signals();
  // A program that leads a session cannot leave its process group. The ready-made guest never tries
  // to, so it stays in the zygote's session. Each session is a scheduler group (autogroups of
  // sched(7)), and thousands of groups take memory and time.
  if (request->options & CZYGOTE_AS_INIT) setpgid(0, 0);
  else setsid();
  if (directory == NULL || *arguments == NULL || environ == NULL || place_descriptors(received) < 0 ||
      chdir(directory[0]) < 0)
    _exit(EXIT_SYSTEM);
  free(directory);
  if (!(request->options & CZYGOTE_EXECUTES)) return;
  execv((*arguments)[0], *arguments);
  _exit(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_EXECUTE);
}

// ---- serving

static void say(int value, pid_t helper) {
  struct answer answer = {value, helper};
  struct iovec part = {&answer, sizeof answer};
  const struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  // If the host has ended, the next request reports it.
  (void)!sendmsg(CONTROL_DESCRIPTOR, &message, MSG_NOSIGNAL);
}

// Waits for this process's own request, in a process that was forked ahead.
static void await_own(struct received *received) {
  if (dup2(received->descriptors[0], CONTROL_DESCRIPTOR) < 0) _exit(EXIT_SYSTEM);
  close(received->descriptors[0]);
  received->passed = 0;
  if (await(received) != 0) _exit(0);
}

static pid_t start_ahead(struct received *received) {
  if (received->passed != 1) return -EINVAL;
  const pid_t child = fork_with(CLONE_PARENT | CLONE_NEWPID);
  if (child == 0) await_own(received);
  return child;
}

// Starts the requested process. Returns 0 in the child.
static pid_t start(struct received *received) {
  const uint32_t options = received->request.options;
  if (options & AHEAD) return start_ahead(received);
  if (received->request.descriptor_count > MOST_PASSED || (options & IN_GROUP && received->passed == 0)) return -EINVAL;
  if (options & CZYGOTE_LOOPBACK) raise_loopback();
  const int group = options & IN_GROUP ? received->descriptors[received->passed - 1] : -1;
  if (options & CZYGOTE_WITH_INIT) return fork_beside_init(group, say);
  return fork_into(group, CLONE_PARENT | (options & CZYGOTE_AS_INIT ? CLONE_NEWPID : 0));
}

static void serve(int *count, char ***arguments) {
  static struct received received;
  for (;;) {
    int child = await(&received);
    if (child > 0) exit(0);
    if (child == 0) {
      child = start(&received);
      if (child == 0) return become(&received, count, arguments);
    }
    for (int i = 0; i < received.passed; i++) close(received.descriptors[i]);
    received.passed = 0;
    const int helper_tells = child > 0 && received.request.options & CZYGOTE_WITH_INIT;
    if (!helper_tells) say(child, 0);
  }
}

// If the machine runs out of memory, the kernel should end guests before their host. Some memory
// that guests cause is charged to no process.
static void offer_itself(void) {
  const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  (void)!write(file, "1000", 4);
  close(file);
}

void czygote_serve(int *count, char ***arguments, int (*prepare)(int promises)) {
  if (*count < 3 || strcmp((*arguments)[1], "--zygote") != 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  offer_itself();
  int promises = make_namespaces((*arguments)[2]);
  // The kernel reaps the zygote's own helper processes.
  signal(SIGCHLD, SIG_IGN);
  move_text_to_huge_pages();
  if (prepare != NULL) promises = prepare(promises);
  say(promises, 0);
  serve(count, arguments);
}
