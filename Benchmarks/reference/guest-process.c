#include "guest-process.h"

#include "frame.h"

int guest_process_spawn(uv_loop_t *loop, uv_process_t *process, uv_pipe_t *pipe, char **arguments,
                        uv_exit_cb on_exit) {
  int error = uv_pipe_init(loop, pipe, 0);
  if (error) return error;
  uv_stdio_container_t descriptors[] = {
    {.flags = UV_IGNORE},
    {.flags = UV_INHERIT_FD, .data.fd = 1},
    {.flags = UV_INHERIT_FD, .data.fd = 2},
    [GUEST_DESCRIPTOR] = {.flags = UV_CREATE_PIPE | UV_READABLE_PIPE | UV_WRITABLE_PIPE,
                          .data.stream = (uv_stream_t *)pipe},
  };
  char *environment[] = {NULL};
  uv_process_options_t options = {
    .file = arguments[0],
    .args = arguments,
    .env = environment,
    .stdio = descriptors,
    .stdio_count = sizeof descriptors / sizeof *descriptors,
    .exit_cb = on_exit,
  };
  return uv_spawn(loop, process, &options);
}
