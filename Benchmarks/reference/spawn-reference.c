// This program measures how fast a minimal C program with libuv starts guests, and their cost. The
// result is a lower bound for any host.
//
// usage: spawn-reference CHILD [COUNT]

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "buffer.h"
#include "frame.h"
#include "guest-process.h"
#include "host-frame.h"

enum {
  DEFAULT_COUNT = 1000,
  FRAME_LIMIT = 1024 * 1024,
  // The capacity suffices for a child's only message.
  HELLO_CAPACITY = 128,
};

struct child {
  struct fleet *fleet;
  uv_process_t process;
  uv_pipe_t pipe;
  uint8_t hello[HELLO_CAPACITY];
  size_t length;
};

struct fleet {
  uv_loop_t loop;
  struct child *children;
  size_t count;
  size_t ready;
  uint64_t start_ns, spawned_ns, ready_ns;
  struct buffer frame;
};

_Noreturn static void fail(const char *what, const char *why) {
  fprintf(stderr, "spawn-reference: %s: %s\n", what, why);
  exit(EXIT_FAILURE);
}

// ---- results

// Returns the proportional set size of a process, in KiB.
static unsigned long pss_kib(int pid) {
  char path[64], line[256];
  snprintf(path, sizeof path, "/proc/%d/smaps_rollup", pid);
  FILE *file = fopen(path, "r");
  if (!file) fail(path, "cannot be read");
  unsigned long kib = 0;
  while (fgets(line, sizeof line, file)) {
    if (sscanf(line, "Pss: %lu kB", &kib) == 1) break;
  }
  fclose(file);
  return kib;
}

static void report(const struct fleet *fleet) {
  unsigned long total_kib = 0;
  for (size_t i = 0; i < fleet->count; i++) total_kib += pss_kib(fleet->children[i].process.pid);
  double ready_ms = (double)(fleet->ready_ns - fleet->start_ns) / 1e6;
  double spawned_ms = (double)(fleet->spawned_ns - fleet->start_ns) / 1e6;
  printf("RESULT reference_spawn n=%zu ready_ms=%.1f spawned_ms=%.1f guest_ms=%.3f pss_kib=%.1f total_mib=%.1f\n",
         fleet->count, ready_ms, spawned_ms, ready_ms / (double)fleet->count,
         (double)total_kib / (double)fleet->count, (double)total_kib / 1024);
}

// ---- talking with children

static void write_frame(struct child *child) {
  struct buffer *frame = &child->fleet->frame;
  uv_buf_t bytes = uv_buf_init((char *)frame->bytes, (unsigned)frame->length);
  int written = uv_try_write((uv_stream_t *)&child->pipe, &bytes, 1);
  if (written != (int)frame->length) fail("write", written < 0 ? uv_strerror(written) : "partial");
}

static void stop_all(struct fleet *fleet) {
  fleet->frame.length = 0;
  host_frame_append_stop(&fleet->frame);
  for (size_t i = 0; i < fleet->count; i++) write_frame(&fleet->children[i]);
}

static void welcome(struct child *child, const Sluice__GuestMessage *message) {
  struct fleet *fleet = child->fleet;
  if (message->body_case != SLUICE__GUEST_MESSAGE__BODY_HELLO) fail("handshake", "not a hello");
  fleet->frame.length = 0;
  host_frame_append_welcome(&fleet->frame, message->request, "minimal", "org.sluice.benchmark.minimal",
                            FRAME_LIMIT);
  write_frame(child);
  if (++fleet->ready < fleet->count) return;
  fleet->ready_ns = uv_hrtime();
  report(fleet);
  stop_all(fleet);
}

static void on_allocate(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
  (void)suggested;
  struct child *child = handle->data;
  *buffer = uv_buf_init((char *)child->hello + child->length, (unsigned)(HELLO_CAPACITY - child->length));
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
  (void)buffer;
  struct child *child = stream->data;
  if (count == UV_EOF) {
    uv_close((uv_handle_t *)stream, NULL);
    return;
  }
  if (count < 0) fail("read", uv_strerror((int)count));
  child->length += (size_t)count;
  if (child->length < FRAME_HEADER) return;
  size_t length = frame_length(child->hello);
  if (child->length < FRAME_HEADER + length) return;
  Sluice__GuestMessage *message = sluice__guest_message__unpack(NULL, length, child->hello + FRAME_HEADER);
  if (!message) fail("handshake", "malformed message");
  welcome(child, message);
  sluice__guest_message__free_unpacked(message, NULL);
}

// ---- starting children

static void on_exit_of_child(uv_process_t *process, int64_t status, int signal_number) {
  if (status != 0 || signal_number != 0) fail("child", "ended with an error");
  uv_close((uv_handle_t *)process, NULL);
}

static void start(struct child *child, char *program) {
  char *arguments[] = {program, NULL};
  int error = guest_process_spawn(&child->fleet->loop, &child->process, &child->pipe, arguments,
                                  on_exit_of_child);
  if (error) fail(program, uv_strerror(error));
  child->pipe.data = child;
  uv_read_start((uv_stream_t *)&child->pipe, on_allocate, on_read);
}

static void allow_many_descriptors(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

int main(int count, char **arguments) {
  char *end = "";
  long children = count == 3 ? strtol(arguments[2], &end, 10) : DEFAULT_COUNT;
  if (count < 2 || count > 3 || *end || children < 1) {
    fprintf(stderr, "usage: %s CHILD [COUNT]\n", arguments[0]);
    return 64;
  }
  signal(SIGPIPE, SIG_IGN);
  allow_many_descriptors();
  struct fleet fleet = {.count = (size_t)children};
  fleet.children = calloc(fleet.count, sizeof *fleet.children);
  if (!fleet.children) fail("calloc", strerror(ENOMEM));
  uv_loop_init(&fleet.loop);

  fleet.start_ns = uv_hrtime();
  for (size_t i = 0; i < fleet.count; i++) {
    fleet.children[i].fleet = &fleet;
    start(&fleet.children[i], arguments[1]);
  }
  fleet.spawned_ns = uv_hrtime();
  uv_run(&fleet.loop, UV_RUN_DEFAULT);

  uv_loop_close(&fleet.loop);
  buffer_free(&fleet.frame);
  free(fleet.children);
  return EXIT_SUCCESS;
}
