#pragma once

#include <uv.h>

// Starts `arguments[0]` with an empty environment, our output streams, and `pipe` at descriptor 3.
// Returns 0 or libuv's error; the handles' memory belongs to the loop in either case.
int guest_process_spawn(uv_loop_t *loop, uv_process_t *process, uv_pipe_t *pipe, char **arguments,
                        uv_exit_cb on_exit);
