#pragma once

#include <uv.h>

// Starts `arguments[0]` with an empty environment, this process's output streams, and `pipe` as
// descriptor 3. Returns 0 or a libuv error. In either case, the event loop owns the handles.
int guest_process_spawn(uv_loop_t *loop, uv_process_t *process, uv_pipe_t *pipe, char **arguments,
                        uv_exit_cb on_exit);
