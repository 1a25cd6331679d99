// A Lua script in a sandbox, with limits that it cannot catch.
//
// Lua raises errors by longjmp, which must not jump over Swift. So nothing here lets one out, and Lua
// never calls Swift but to log. What a script asks of its host it asks by yielding: `script_resume` returns, the
// host does what was asked in its own time, and resumes the task with the answer.
//
// For the thread that made the script: its time is measured.
#ifndef SLUICE_SCRIPT_H
#define SLUICE_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct script;

// One run of a function of the script: the file itself, or a callback.
struct script_task;

// What a callback, or the file itself, may take.
struct script_limits {
  // Instructions of Lua's machine; what runs in C costs as much as it does.
  uint64_t instructions;
  // Bytes that all of the script has at a time.
  size_t memory;
  // Milliseconds of processor time.
  uint32_t milliseconds;
  // Whether to end the process, with status 70, where a script is still within one call of Lua's own library
  // long after its time.
  bool ends_process;
};

struct script_environment {
  // The script's file as errors name it.
  const char *name;
  // Names of functions that ask the host, such as `pasteboard.copy`, and of those that take a callback, such as
  // `share.loaded`; a line each. Their numbers count from 0.
  const char *calls;
  const char *events;
  // Called with a line for the log, from within script_resume.
  void (*log)(void *context, const char *text, size_t count);
  void *context;
};

enum script_status {
  // The task has ended; `bytes` is the first value that its function returned.
  SCRIPT_DONE,
  // It waits for the answer to `call`; `bytes` are the account of its scope and its arguments.
  SCRIPT_ASKS,
  // It raised an error, or reached a limit: script_error tells. The script is not to go on.
  SCRIPT_FAILED,
};

// Valid until the script is used again.
struct script_step {
  enum script_status status;
  int call;
  const uint8_t *bytes;
  size_t count;
};

// Null where memory is too short for a script of nothing.
struct script *script_create(const struct script_environment *environment, struct script_limits limits);
void script_destroy(struct script *script);

// What went wrong last: one sentence that begins with `file:line: ` and ends with a code in brackets.
const char *script_error(const struct script *script);

// Bytes that the script has now.
size_t script_memory(const struct script *script);

// Compiles text, never bytecode. The task is the file; null where it has a mistake.
struct script_task *script_compile(struct script *script, const char *text, size_t count);

// A task that runs the callback of an event; null where the script has none, or no memory.
struct script_task *script_begin(struct script *script, int event);
bool script_handles(const struct script *script, int event);

// Runs until the task ends, asks or fails. `bytes` are values: at first the arguments, then an answer, which is
// `=` and values, or `!` and a text to raise as an error.
struct script_step script_resume(struct script *script, struct script_task *task,
                                 const uint8_t *bytes, size_t count);

// Gives a task back that has ended, or will not be resumed.
void script_release(struct script *script, struct script_task *task);

// The seed of `random`, and a text in a global table.
bool script_seed(struct script *script, uint64_t seed);
bool script_set_text(struct script *script, const char *name, const char *text, size_t count);

// What `device.now()` tells.
void script_set_time(struct script *script, int64_t seconds);

#ifdef __cplusplus
}
#endif

#endif
