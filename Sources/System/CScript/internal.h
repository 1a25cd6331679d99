// Declarations that the files of this target share.
#ifndef SLUICE_SCRIPT_INTERNAL_H
#define SLUICE_SCRIPT_INTERNAL_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <signal.h>
#include <time.h>

#include "script.h"

enum {
  // The number of instructions between limit checks.
  INSTRUCTIONS_PER_CHECK = 100,
  // The number of allocated bytes that cost as much as an instruction.
  BYTES_PER_INSTRUCTION = 64,
  // The maximum nesting depth of encoded tables.
  MOST_DEPTH = 8,
  MOST_LOGGED = 4096,
};

enum script_limit { LIMIT_NONE, LIMIT_INSTRUCTIONS, LIMIT_MEMORY, LIMIT_TIME };

struct script_task {
  lua_State *thread;
  // The registry reference that keeps the thread alive.
  int anchor;
  bool has_begun;
  // The instructions and processor time used so far. The time is offset while the task runs.
  uint64_t spent;
  uint64_t nanoseconds;
};

struct script {
  lua_State *L;
  struct script_limits limits;
  struct script_environment environment;
  size_t memory;
  // The number of refused allocations, and the position of the last one.
  uint64_t refusals;
  char refused_at[192];
  // The limit that was reached, and the position. Once set, the next check raises an error again.
  enum script_limit limit;
  char limit_at[192];
  // The running task, and its consumption in instructions.
  struct script_task *running;
  uint64_t spent;
  // Whether the running task has yielded to call the host, and the call's number.
  bool asks;
  int call;
  // The number of objects that `tostring` has numbered.
  lua_Integer told;
  int64_t seconds;
  uint64_t seed;
  timer_t timer;
  bool has_timer;
  volatile sig_atomic_t is_running;
  volatile sig_atomic_t is_late;
  char error[2048];
};

// Registry keys.
extern const char script_handlers, script_identities, script_resumers, script_ids, script_result;

struct script *script_of(lua_State *L);

// limits.c
void *script_allocate(void *script, void *block, size_t old_size, size_t new_size);
void script_watch(struct script *script);
void script_unwatch(struct script *script);
bool script_make_timer(struct script *script);
void script_check(lua_State *L, lua_Debug *activation);
// Charges instructions; raises an error if too few are left.
void script_charge(lua_State *L, uint64_t instructions);
// Raises the error on top again if it is a limit, because scripts must not catch it.
void script_pass_limit(lua_State *L, int status, uint64_t refusals);
// Writes `file:line` of the running Lua function, or only the file name if no function has a line.
void script_locate(struct script *script, lua_State *L, char *place, size_t size);
void script_explain_limit(const struct script *script, char *text, size_t size);

// values.c
// Pushes a userdata with the encoded values from `first` to the top.
void script_encode(lua_State *L, int first);
// Decodes and pushes values, and returns their number.
int script_decode(lua_State *L, const uint8_t *bytes, size_t count);

// Each function opens its library in a state with Lua's own libraries.
void script_open_base(lua_State *L);
void script_open_coroutines(lua_State *L);
void script_open_strings(lua_State *L);
void script_open_tables(lua_State *L);
void script_open_calls(lua_State *L, struct script *script);

// Raises the error for a caller that cannot yield, because a C function waits for it.
int script_refuse_to_wait(lua_State *L);

// Pushes the text of a value, as `tostring` returns it. It is the same in every run.
void script_tell(lua_State *L, int index);

// Pushes the registry table for `key`.
void script_push_table(lua_State *L, const char *key);

#endif
