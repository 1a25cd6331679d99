// What the files of this target share.
#ifndef SLUICE_SCRIPT_INTERNAL_H
#define SLUICE_SCRIPT_INTERNAL_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <signal.h>
#include <time.h>

#include "script.h"

enum {
  // Instructions between two looks at the limits.
  INSTRUCTIONS_PER_CHECK = 100,
  // Bytes that are allocated at the price of an instruction.
  BYTES_PER_INSTRUCTION = 64,
  // Depth of tables that are handed over.
  MOST_DEPTH = 8,
  MOST_LOGGED = 4096,
};

enum script_limit { LIMIT_NONE, LIMIT_INSTRUCTIONS, LIMIT_MEMORY, LIMIT_TIME };

struct script_task {
  lua_State *thread;
  // Its place in the registry, which keeps it.
  int anchor;
  bool has_begun;
  // What it has taken of its limits.
  uint64_t spent;
  uint64_t nanoseconds;
};

struct script {
  lua_State *L;
  struct script_limits limits;
  struct script_environment environment;
  size_t memory;
  // How often there was too little memory, and where that was last.
  uint64_t refusals;
  char refused_at[192];
  // The limit that was reached, and where. Once set, nothing of the script runs any more.
  enum script_limit limit;
  char limit_at[192];
  // The task at work, and what it has spent.
  struct script_task *running;
  uint64_t spent;
  // Whether the task at work has yielded in order to ask, and what.
  bool asks;
  int call;
  // Objects that were told apart by `tostring`.
  lua_Integer told;
  int64_t seconds;
  uint64_t seed;
  timer_t timer;
  bool has_timer;
  volatile sig_atomic_t is_running;
  volatile sig_atomic_t is_late;
  char error[2048];
};

// Keys of the registry.
extern const char script_handlers, script_identities, script_resumers, script_ids, script_result;

struct script *script_of(lua_State *L);

// limits.c
void *script_allocate(void *script, void *block, size_t old_size, size_t new_size);
void script_watch(struct script *script);
void script_unwatch(struct script *script);
bool script_make_timer(struct script *script);
void script_check(lua_State *L, lua_Debug *activation);
// Takes so many instructions off what is left; raises where that is too much.
void script_charge(lua_State *L, uint64_t instructions);
// Raises again what no script may catch: to be called with an error on top.
void script_pass_limit(lua_State *L, int status, uint64_t refusals);
// Writes `file:line` of the function of Lua that is at work, or the file alone.
void script_locate(struct script *script, lua_State *L, char *place, size_t size);
void script_explain_limit(const struct script *script, char *text, size_t size);

// values.c
// Pushes a userdata with the values from `first` to the top.
void script_encode(lua_State *L, int first);
// Pushes values, and returns how many.
int script_decode(lua_State *L, const uint8_t *bytes, size_t count);

// The libraries: each opens what it has in a state whose own libraries are open.
void script_open_base(lua_State *L);
void script_open_coroutines(lua_State *L);
void script_open_strings(lua_State *L);
void script_open_tables(lua_State *L);
void script_open_calls(lua_State *L, struct script *script);

// Raises where a function in C waits for the caller, which thus cannot yield.
int script_refuse_to_wait(lua_State *L);

// Pushes text that tells a value apart, the same in every run.
void script_tell(lua_State *L, int index);

// Pushes the weak table of the registry that `key` names.
void script_push_table(lua_State *L, const char *key);

#endif
