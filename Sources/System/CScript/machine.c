#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

const char script_handlers = 0, script_identities = 0, script_resumers = 0, script_ids = 0,
           script_result = 0;

// MARK: opening

static void keep_table(lua_State *L, const char *key, const char *mode) {
  lua_newtable(L);
  if (mode != NULL) {
    lua_createtable(L, 0, 1);
    lua_pushstring(L, mode);
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
  }
  lua_rawsetp(L, LUA_REGISTRYINDEX, key);
}

static int open(lua_State *L) {
  struct script *script = lua_touserdata(L, 1);
  static const luaL_Reg libraries[] = {
      {LUA_GNAME, luaopen_base},       {LUA_TABLIBNAME, luaopen_table},
      {LUA_STRLIBNAME, luaopen_string}, {LUA_MATHLIBNAME, luaopen_math},
      {LUA_UTF8LIBNAME, luaopen_utf8},
  };
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
    luaL_requiref(L, libraries[i].name, libraries[i].func, 1);
    lua_pop(L, 1);
  }
  keep_table(L, &script_handlers, NULL);
  keep_table(L, &script_identities, "k");
  keep_table(L, &script_resumers, "k");
  keep_table(L, &script_ids, "k");
  script_open_base(L);
  script_open_coroutines(L);
  script_open_strings(L);
  script_open_tables(L);
  script_open_calls(L, script);
  return 0;
}

struct script *script_create(const struct script_environment *environment,
                             struct script_limits limits) {
  struct script *script = calloc(1, sizeof *script);
  if (script == NULL) return NULL;
  script->limits = limits;
  script->environment = *environment;
  // The caller's name may not outlive the call.
  script->environment.name = strdup(environment->name);
  script->L = lua_newstate(script_allocate, script);
  if (script->environment.name == NULL || script->L == NULL || !script_make_timer(script)) {
    script_destroy(script);
    return NULL;
  }
  lua_sethook(script->L, script_check, LUA_MASKCOUNT, INSTRUCTIONS_PER_CHECK);
  lua_pushcfunction(script->L, open);
  lua_pushlightuserdata(script->L, script);
  if (lua_pcall(script->L, 1, 0, 0) != LUA_OK) {
    script_destroy(script);
    return NULL;
  }
  script->environment.calls = script->environment.events = NULL;
  script->spent = 0;
  return script;
}

void script_destroy(struct script *script) {
  if (script == NULL) return;
  if (script->L != NULL) lua_close(script->L);
  if (script->has_timer) timer_delete(script->timer);
  free((char *)script->environment.name);
  free(script);
}

const char *script_error(const struct script *script) { return script->error; }

size_t script_memory(const struct script *script) { return script->memory; }

void script_set_time(struct script *script, int64_t seconds) { script->seconds = seconds; }

// MARK: errors

// Stores the reason why a task failed; the error is on top of `L`.
static void explain(struct script *script, lua_State *L, int status, uint64_t refusals,
                    const char *code) {
  const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
  bool lacked = script->refusals != refusals && text != NULL &&
                strcmp(text, "not enough memory") == 0;
  if (script->limit == LIMIT_NONE && (status == LUA_ERRMEM || lacked)) {
    script->limit = LIMIT_MEMORY;
    strcpy(script->limit_at, script->refused_at);
    if (script->limit_at[0] == '\0')
      snprintf(script->limit_at, sizeof script->limit_at, "%s", script->environment.name);
  }
  if (script->limit != LIMIT_NONE) {
    script_explain_limit(script, script->error, sizeof script->error);
    return;
  }
  char place[192];
  script_locate(script, L, place, sizeof place);
  // An argument of `error` may already begin with a position, or may not be a string.
  size_t name = strlen(script->environment.name);
  bool has_place = text != NULL && strncmp(text, script->environment.name, name) == 0 &&
                   text[name] == ':';
  if (text == NULL) {
    snprintf(script->error, sizeof script->error, "%s: an error that is a %s [%s]", place,
             luaL_typename(L, -1), code);
  } else if (has_place) {
    snprintf(script->error, sizeof script->error, "%.1900s [%s]", text, code);
  } else {
    snprintf(script->error, sizeof script->error, "%s: %.1700s [%s]", place, text, code);
  }
}

// MARK: tasks

struct start {
  struct script *script;
  struct script_task *task;
  const char *text;
  size_t count;
  int event;
};

// Creates a task's thread, which takes the function on top.
static void keep(lua_State *L, struct script_task *task) {
  task->thread = lua_newthread(L);
  lua_sethook(task->thread, script_check, LUA_MASKCOUNT, INSTRUCTIONS_PER_CHECK);
  task->anchor = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_xmove(L, task->thread, 1);
}

// Skips a byte order mark, and a first line that begins with `#`, like Lua's own file loader. The
// end of that line stays, so line numbers are unchanged.
static void skip_first_line(struct start *start) {
  static const char mark[] = {'\xEF', '\xBB', '\xBF'};
  if (start->count >= sizeof mark && memcmp(start->text, mark, sizeof mark) == 0) {
    start->text += sizeof mark;
    start->count -= sizeof mark;
  }
  if (start->count == 0 || *start->text != '#') return;
  while (start->count > 0 && *start->text != '\n') {
    start->text++;
    start->count--;
  }
}

static int start_file(lua_State *L) {
  struct start *start = lua_touserdata(L, 1);
  skip_first_line(start);
  lua_pushfstring(L, "@%s", start->script->environment.name);
  if (luaL_loadbufferx(L, start->text, start->count, lua_tostring(L, -1), "t") != LUA_OK)
    return lua_error(L);
  keep(L, start->task);
  return 0;
}

static int start_callback(lua_State *L) {
  struct start *start = lua_touserdata(L, 1);
  script_push_table(L, &script_handlers);
  lua_rawgeti(L, -1, start->event);
  keep(L, start->task);
  return 0;
}

static struct script_task *begin(struct script *script, lua_CFunction how, struct start start) {
  lua_State *L = script->L;
  uint64_t refusals = script->refusals;
  start.script = script;
  start.task = calloc(1, sizeof *start.task);
  if (start.task == NULL) return NULL;
  lua_pushcfunction(L, how);
  lua_pushlightuserdata(L, &start);
  int status = lua_pcall(L, 1, 0, 0);
  if (status == LUA_OK) return start.task;
  explain(script, L, status, refusals, "script-syntax");
  lua_pop(L, 1);
  free(start.task);
  return NULL;
}

struct script_task *script_compile(struct script *script, const char *text, size_t count) {
  return begin(script, start_file, (struct start){.text = text, .count = count});
}

bool script_handles(const struct script *script, int event) {
  lua_State *L = script->L;
  script_push_table(L, &script_handlers);
  bool handles = lua_rawgeti(L, -1, event) == LUA_TFUNCTION;
  lua_pop(L, 2);
  return handles;
}

struct script_task *script_begin(struct script *script, int event) {
  if (!script_handles(script, event)) return NULL;
  return begin(script, start_callback, (struct start){.event = event});
}

void script_release(struct script *script, struct script_task *task) {
  luaL_unref(script->L, LUA_REGISTRYINDEX, task->anchor);
  free(task);
}

// MARK: resuming

struct feed {
  struct script_task *task;
  const uint8_t *bytes;
  size_t count;
  int pushed;
};

static int feed(lua_State *L) {
  struct feed *feed = lua_touserdata(L, 1);
  lua_State *thread = feed->task->thread;
  if (feed->task->has_begun) {
    lua_pushlstring(L, (const char *)feed->bytes, feed->count);
    feed->pushed = 1;
  } else {
    feed->pushed = script_decode(L, feed->bytes, feed->count);
  }
  luaL_checkstack(thread, feed->pushed, NULL);
  lua_xmove(L, thread, feed->pushed);
  return 0;
}

static int keep_result(lua_State *L) {
  script_encode(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &script_result);
  return 0;
}

static struct script_step failed(struct script *script, lua_State *L, int status,
                                 uint64_t refusals) {
  explain(script, L, status, refusals, "script-error");
  return (struct script_step){.status = SCRIPT_FAILED};
}

static struct script_step done(struct script *script, struct script_task *task, int results) {
  lua_State *L = script->L;
  uint64_t refusals = script->refusals;
  lua_pushcfunction(L, keep_result);
  if (results > 0) {
    lua_pushvalue(task->thread, -results);
    lua_xmove(task->thread, L, 1);
  } else {
    lua_pushnil(L);
  }
  int status = lua_pcall(L, 1, 0, 0);
  if (status != LUA_OK) {
    struct script_step step = failed(script, L, status, refusals);
    lua_pop(L, 1);
    return step;
  }
  lua_rawgetp(L, LUA_REGISTRYINDEX, &script_result);
  struct script_step step = {SCRIPT_DONE, 0, lua_touserdata(L, -1), lua_rawlen(L, -1)};
  lua_pop(L, 1);
  return step;
}

struct script_step script_resume(struct script *script, struct script_task *task,
                                 const uint8_t *bytes, size_t count) {
  lua_State *L = script->L;
  uint64_t refusals = script->refusals;
  // Removes the handled call.
  if (task->has_begun) lua_pop(task->thread, 1);
  script->running = task;
  script->spent = task->spent;
  script->asks = false;
  script->refused_at[0] = '\0';
  script_watch(script);
  struct feed values = {task, bytes, count, 0};
  lua_pushcfunction(L, feed);
  lua_pushlightuserdata(L, &values);
  int results = 0;
  int status = lua_pcall(L, 1, 0, 0);
  struct script_step step;
  if (status != LUA_OK) {
    step = failed(script, L, status, refusals);
    lua_pop(L, 1);
  } else {
    task->has_begun = true;
    status = lua_resume(task->thread, L, values.pushed, &results);
    if (status == LUA_YIELD) {
      lua_State *thread = task->thread;
      step = (struct script_step){SCRIPT_ASKS, script->call, lua_touserdata(thread, -1),
                                  lua_rawlen(thread, -1)};
    } else {
      step = status == LUA_OK ? done(script, task, results)
                              : failed(script, task->thread, status, refusals);
    }
  }
  script_unwatch(script);
  task->spent = script->spent;
  script->running = NULL;
  return step;
}

// MARK: random numbers

static int seed(lua_State *L) {
  uint64_t seed = script_of(L)->seed;
  lua_getglobal(L, "math");
  lua_getfield(L, -1, "random");
  lua_setglobal(L, "random");
  lua_getfield(L, -1, "randomseed");
  lua_pushinteger(L, (lua_Integer)seed);
  lua_pushinteger(L, (lua_Integer)(seed >> 32));
  lua_call(L, 2, 0);
  return 0;
}

bool script_seed(struct script *script, uint64_t value) {
  lua_State *L = script->L;
  script->seed = value;
  lua_pushcfunction(L, seed);
  if (lua_pcall(L, 0, 0, 0) == LUA_OK) return true;
  lua_pop(L, 1);
  return false;
}
