#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cspawn.h"
#include "wire.h"
#include "zygote.h"

// Receives an answer, reaps its helper process, and returns its value or a negated errno.
static int hear(int control) {
  struct answer answer;
  ssize_t length;
  do length = recv(control, &answer, sizeof answer, 0);
  while (length < 0 && errno == EINTR);
  if (length < 0) return errno == EAGAIN ? -ETIMEDOUT : -errno;
  if (length != sizeof answer) return -ECONNRESET;
  int status;
  if (answer.helper > 0) cspawn_reap(answer.helper, &status);
  return answer.value;
}

static int life[2] = {-1, -1};

static void begin_life(void) {
  if (pipe2(life, O_CLOEXEC) < 0) life[0] = -errno;
}

// Returns the read end of a pipe that closes when this process ends, or a negated errno. Nothing is
// ever written to the pipe.
static int life_of_host(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, begin_life);
  return life[0];
}

// Does not wait: a process blocked in the kernel ignores signals, and the wait could last forever.
static void abandon(const struct czygote *zygote) {
  close(zygote->control);
  kill(zygote->pid, SIGKILL);
}

int czygote_open(const char *executable, const char *folder, int filter, struct czygote *zygote) {
  const int life = life_of_host();
  if (life < 0) return life;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) return -errno;
  char *const arguments[] = {(char *)executable, "--zygote", (char *)folder, NULL};
  char *const environment[] = {NULL};
  const int descriptors[] = {CSPAWN_NULL, CSPAWN_NULL, CSPAWN_NULL, ends[1], life, filter};
  _Static_assert(sizeof descriptors / sizeof *descriptors == CZYGOTE_FILTER_DESCRIPTOR + 1, "the filter comes last");
  const struct cspawn_request request = {
      executable, arguments, environment, ".", descriptors, CZYGOTE_FILTER_DESCRIPTOR + (filter >= 0)};
  const int pid = cspawn_start(&request);
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return pid;
  }
  // A zygote that exits closes the connection, so the timeout is only for one that hangs. On a busy machine, an answer
  // may take seconds.
  const struct timeval patience = {.tv_sec = 60};
  setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  *zygote = (struct czygote){.pid = pid, .control = ends[0], .ahead = -1};
  zygote->promises = hear(zygote->control);
  if (zygote->promises >= 0) return 0;
  if (zygote->promises == -ETIMEDOUT) abandon(zygote);
  else czygote_close(zygote);
  return zygote->promises;
}

int czygote_tells_signal(int signal) {
  for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals; i++)
    if (fatal_signals[i] == signal) return 1;
  return 0;
}

int czygote_is_alive(int control) {
  struct pollfd connection = {.fd = control};
  return poll(&connection, 1, 0) == 0;
}

static void end(pid_t pid) {
  int status;
  kill(pid, SIGKILL);
  cspawn_reap(pid, &status);
}

void czygote_close(struct czygote *zygote) {
  const int ahead = zygote->ahead < 0 ? 0 : hear(zygote->control);
  if (ahead > 0) end(ahead);
  if (zygote->ahead >= 0) close(zygote->ahead);
  close(zygote->control);
  end(zygote->pid);
}

static uint32_t count_of(char *const *strings) {
  uint32_t count = 0;
  while (strings[count] != NULL) count++;
  return count;
}

// Appends the string with its terminating zero. Returns the position after it, or null if it does
// not fit.
static char *append(char *next, const char *end, const char *string) {
  const size_t size = strlen(string) + 1;
  if (next == NULL || size > (size_t)(end - next)) return NULL;
  memcpy(next, string, size);
  return next + size;
}

static char *write_strings(char *next, const char *end, const struct cspawn_request *request) {
  next = append(next, end, request->directory);
  for (char *const *string = request->arguments; *string != NULL; string++) next = append(next, end, *string);
  for (char *const *string = request->environment; *string != NULL; string++) next = append(next, end, *string);
  return next;
}

union rights {
  struct cmsghdr header;
  char space[CMSG_SPACE(MOST_PASSED * sizeof(int))];
};

static int send_message(int control, struct iovec *parts, size_t part_count, const int *passed, int count) {
  union rights beside = {0};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = part_count};
  if (count > 0) {
    message.msg_control = &beside;
    message.msg_controllen = CMSG_SPACE((size_t)count * sizeof(int));
    struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
    *rights = (struct cmsghdr){CMSG_LEN((size_t)count * sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(rights), passed, (size_t)count * sizeof(int));
  }
  return sendmsg(control, &message, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

static int send_request(int control, const struct cspawn_request *request, int options, int group) {
  struct start_request start = {
      .options = (uint32_t)options, .descriptor_count = (uint32_t)request->count,
      .argument_count = count_of(request->arguments), .environment_count = count_of(request->environment)};
  int passed[MOST_PASSED], count = 0;
  for (int i = 0; i < request->count; i++)
    if (request->descriptors[i] == CSPAWN_NULL) start.nulls |= 1U << i;
    else passed[count++] = request->descriptors[i];
  if (group >= 0) {
    start.options |= IN_GROUP;
    passed[count++] = group;
  }
  char text[LARGEST_REQUEST];
  const char *end = write_strings(text, text + sizeof text, request);
  if (end == NULL) return -E2BIG;
  struct iovec parts[] = {{&start, sizeof start}, {text, (size_t)(end - text)}};
  return send_message(control, parts, 2, passed, count);
}

// ---- ahead

// Requests a process that waits for its own request. The answer is read when that request is sent.
// On failure, only time is lost.
static void fork_ahead(struct czygote *zygote) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) return;
  struct start_request ahead = {.options = AHEAD};
  struct iovec part = {&ahead, sizeof ahead};
  const int status = send_message(zygote->control, &part, 1, &ends[1], 1);
  close(ends[1]);
  if (status == 0) zygote->ahead = ends[0];
  else close(ends[0]);
}

// Sends the request to the process that was forked ahead. Returns its identifier, or a negated
// errno.
static int use_ahead(struct czygote *zygote, const struct cspawn_request *request, int options) {
  const int connection = zygote->ahead;
  zygote->ahead = -1;
  const int pid = hear(zygote->control);
  const int status = pid < 0 ? pid : send_request(connection, request, options, -1);
  // Sent data stays readable after the connection is closed.
  close(connection);
  if (pid > 0 && status < 0) end(pid);
  return status < 0 ? status : pid;
}

int czygote_forked_ahead(int control) {
  struct answer answer;
  ssize_t length;
  do length = recv(control, &answer, sizeof answer, MSG_PEEK);
  while (length < 0 && errno == EINTR);
  return length == sizeof answer && answer.value > 0 ? answer.value : 0;
}

// ---- starting

static int ask_and_hear(const struct czygote *zygote, const struct cspawn_request *request, int options, int group) {
  const int status = send_request(zygote->control, request, options, group);
  return status == 0 ? hear(zygote->control) : status;
}

int czygote_start(struct czygote *zygote, const struct cspawn_request *request, int options, int group) {
  if (request->count >= MOST_PASSED) return -EINVAL;
  const int waits = zygote->ahead >= 0;
  int pid = waits ? use_ahead(zygote, request, options) : ask_and_hear(zygote, request, options, group);
  // The process forked ahead may have failed or been killed, so try a regular fork.
  if (waits && pid < 0 && pid != -ETIMEDOUT) pid = ask_and_hear(zygote, request, options, group);
  // A late answer would be mistaken for the answer to another request.
  if (pid == -ETIMEDOUT) kill(zygote->pid, SIGKILL);
  else if (options & CZYGOTE_AHEAD) fork_ahead(zygote);
  return pid;
}
