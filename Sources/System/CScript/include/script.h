// A Lua script in a sandbox, with limits that it cannot catch.
//
// Lua raises errors by longjmp, which must not cross Swift frames. No error therefore leaves this
// target, and Lua calls Swift only for logging. A script calls its host by yielding:
// `script_resume` returns, the host handles the call in its own time, and resumes the task with the
// answer.
//
// A script is confined to the thread that created it. The limits measure the processor time of this
// thread.
#ifndef SLUICE_SCRIPT_H
#define SLUICE_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct script;

// One run of the script's file or of a callback.
struct script_task;

// The limits on each task, except for memory.
struct script_limits {
  // Lua virtual machine instructions. C functions are charged in proportion to their work.
  uint64_t instructions;
  // The memory of the whole script, in bytes.
  size_t memory;
  // Processor time, in milliseconds.
  uint32_t milliseconds;
  // Whether to end the process, with status 70, if a single library call continues long after the
  // time limit.
  bool ends_process;
};

struct script_environment {
  // The file name in error messages.
  const char *name;
  // Names of functions that call the host, such as `pasteboard.copy`, and of functions that
  // register a callback, such as `share.loaded`; one per line. They are numbered from 0.
  const char *calls;
  const char *events;
  // Called with each log line, during script_resume.
  void (*log)(void *context, const char *text, size_t count);
  void *context;
};

enum script_status {
  // The task has ended. `bytes` is the first value that its function returned, or nil.
  SCRIPT_DONE,
  // The task waits for the answer to `call`. `bytes` are the account of its scope and the
  // arguments.
  SCRIPT_ASKS,
  // The task raised an error or reached a limit, see script_error. The script must not be resumed.
  SCRIPT_FAILED,
};

// Valid until the next use of the script.
struct script_step {
  enum script_status status;
  int call;
  const uint8_t *bytes;
  size_t count;
};

// Returns null if the memory limit is too low for a script without code, or the system refuses
// memory or a timer.
struct script *script_create(const struct script_environment *environment, struct script_limits limits);
void script_destroy(struct script *script);

// Returns the last error: one sentence that begins with `file:line: `, or `file: ` if no line is
// known, and ends with a code in brackets.
const char *script_error(const struct script *script);

// Returns the script's current memory use in bytes.
size_t script_memory(const struct script *script);

// Compiles source text; bytecode is rejected. Returns the task of the file, or null if it has a
// syntax error or memory is too low.
struct script_task *script_compile(struct script *script, const char *text, size_t count);

// Creates a task for an event's callback; null if the script has none, or no memory is left.
struct script_task *script_begin(struct script *script, int event);
bool script_handles(const struct script *script, int event);

// Runs until the task ends, calls the host or fails. At first, `bytes` are the arguments. Later,
// they are the answer: `=` and values, or `!` and an error message to raise.
struct script_step script_resume(struct script *script, struct script_task *task,
                                 const uint8_t *bytes, size_t count);

// Frees a task that has ended or will not be resumed.
void script_release(struct script *script, struct script_task *task);

// Set the seed of `random`, and a string: a global variable, or a field of a global table such as
// `a.b`. Return false if memory is too low.
bool script_seed(struct script *script, uint64_t seed);
bool script_set_text(struct script *script, const char *name, const char *text, size_t count);

// Sets the result of `device.now()`.
void script_set_time(struct script *script, int64_t seconds);

#ifdef __cplusplus
}
#endif

#endif
