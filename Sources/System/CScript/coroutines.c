// A script's coroutines. If one calls the host, all coroutines that wait for it also wait: each
// yields the call outwards and passes the answer inwards.
#include "internal.h"

static lua_State *coroutine_at(lua_State *L, int index) {
  lua_State *coroutine = lua_tothread(L, index);
  if (coroutine == NULL) luaL_typeerror(L, index, "coroutine");
  return coroutine;
}

static bool is_task(lua_State *L) { return script_of(L)->running->thread == L; }

// Records that `L` waits for `coroutine`, or that no coroutine does.
static void set_resumer(lua_State *L, lua_State *coroutine, bool waits) {
  luaL_checkstack(L, 4, NULL);
  script_push_table(L, &script_resumers);
  lua_pushthread(coroutine);
  lua_xmove(coroutine, L, 1);
  if (waits) {
    lua_pushthread(L);
  } else {
    lua_pushnil(L);
  }
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

static bool has_resumer(lua_State *L, lua_State *coroutine) {
  luaL_checkstack(L, 4, NULL);
  script_push_table(L, &script_resumers);
  lua_pushthread(coroutine);
  lua_xmove(coroutine, L, 1);
  bool has = lua_rawget(L, -2) != LUA_TNIL;
  lua_pop(L, 2);
  return has;
}

// The failure value of a resumption, with the error on top. Otherwise the value is the number of
// results on top.
enum { FAILED = -1 };

static int again(lua_State *L, int status, lua_KContext wraps);
static int fail_wrap(lua_State *L, lua_State *coroutine);

// Finishes a call of `resume` or of a function created by `wrap`.
static int finish(lua_State *L, lua_State *coroutine, int count, lua_KContext wraps) {
  if (count == FAILED) {
    if (wraps) return fail_wrap(L, coroutine);
    lua_pushboolean(L, 0);
    lua_insert(L, -2);
    return 2;
  }
  if (wraps) return count;
  lua_pushboolean(L, 1);
  lua_insert(L, -(count + 1));
  return count + 1;
}

static int fail_wrap(lua_State *L, lua_State *coroutine) {
  int status = lua_status(coroutine);
  if (status != LUA_OK && status != LUA_YIELD) {
    lua_resetthread(coroutine);
    lua_xmove(coroutine, L, 1);
  }
  if (lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

// Resumes `coroutine`, which has `count` values on its stack.
static int step(lua_State *L, lua_State *coroutine, int count, lua_KContext wraps) {
  struct script *script = script_of(L);
  uint64_t refusals = script->refusals;
  int results = 0;
  set_resumer(L, coroutine, true);
  // One check interval is charged in advance, because the instructions since the coroutine's last
  // check are not counted.
  script_charge(L, INSTRUCTIONS_PER_CHECK);
  int status = lua_resume(coroutine, L, count, &results);
  if (status == LUA_YIELD && script->asks) {
    if (!lua_isyieldable(L)) {
      script->asks = false;
      return script_refuse_to_wait(L);
    }
    lua_xmove(coroutine, L, 1);
    return lua_yieldk(L, 1, wraps, again);
  }
  set_resumer(L, coroutine, false);
  if (status != LUA_OK && status != LUA_YIELD) {
    lua_pushvalue(coroutine, -1);
    lua_xmove(coroutine, L, 1);
    script_pass_limit(L, status, refusals);
    return finish(L, coroutine, FAILED, wraps);
  }
  if (!lua_checkstack(L, results + 1)) {
    lua_pop(coroutine, results);
    lua_pushliteral(L, "too many results to resume");
    return finish(L, coroutine, FAILED, wraps);
  }
  lua_xmove(coroutine, L, results);
  return finish(L, coroutine, results, wraps);
}

// Resumes after the host's answer, which is on top.
static int again(lua_State *L, int status, lua_KContext wraps) {
  (void)status;
  lua_State *coroutine = lua_tothread(L, wraps ? lua_upvalueindex(1) : 1);
  lua_xmove(L, coroutine, 1);
  return step(L, coroutine, 1, wraps);
}

static int begin(lua_State *L, lua_State *coroutine, int count, lua_KContext wraps) {
  int status = lua_status(coroutine);
  bool is_dead = (status == LUA_OK && lua_gettop(coroutine) == 0) ||
                 (status != LUA_OK && status != LUA_YIELD);
  bool is_suspended = coroutine != L && !is_task(coroutine) && !has_resumer(L, coroutine);
  if (is_dead || !is_suspended || !lua_checkstack(coroutine, count)) {
    lua_pushstring(L, is_dead && is_suspended ? "cannot resume dead coroutine"
                      : is_suspended          ? "too many arguments to resume"
                                              : "cannot resume non-suspended coroutine");
    return finish(L, coroutine, FAILED, wraps);
  }
  lua_xmove(L, coroutine, count);
  return step(L, coroutine, count, wraps);
}

static int resume(lua_State *L) {
  lua_State *coroutine = coroutine_at(L, 1);
  return begin(L, coroutine, lua_gettop(L) - 1, false);
}

static int resume_wrapped(lua_State *L) {
  return begin(L, lua_tothread(L, lua_upvalueindex(1)), lua_gettop(L), true);
}

static int create(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_State *coroutine = lua_newthread(L);
  // The coroutine starts with a full check interval, independent of its creator's.
  lua_sethook(coroutine, script_check, LUA_MASKCOUNT, INSTRUCTIONS_PER_CHECK);
  lua_pushvalue(L, 1);
  lua_xmove(L, coroutine, 1);
  return 1;
}

static int wrap(lua_State *L) {
  create(L);
  lua_pushcclosure(L, resume_wrapped, 1);
  return 1;
}

static int yield(lua_State *L) {
  if (is_task(L)) return luaL_error(L, "attempt to yield from outside a coroutine");
  return lua_yield(L, lua_gettop(L));
}

static const char *status_of(lua_State *L, lua_State *coroutine) {
  if (coroutine == L) return "running";
  if (is_task(coroutine) || has_resumer(L, coroutine)) return "normal";
  switch (lua_status(coroutine)) {
  case LUA_YIELD: return "suspended";
  case LUA_OK: return lua_gettop(coroutine) == 0 ? "dead" : "suspended";
  default: return "dead";
  }
}

static int status(lua_State *L) {
  lua_pushstring(L, status_of(L, coroutine_at(L, 1)));
  return 1;
}

static int close(lua_State *L) {
  lua_State *coroutine = coroutine_at(L, 1);
  const char *status = status_of(L, coroutine);
  if (*status != 's' && *status != 'd')
    return luaL_error(L, "cannot close a %s coroutine", status);
  uint64_t refusals = script_of(L)->refusals;
  int result = lua_resetthread(coroutine);
  if (result == LUA_OK) {
    lua_pushboolean(L, 1);
    return 1;
  }
  lua_xmove(coroutine, L, 1);
  script_pass_limit(L, result, refusals);
  lua_pushboolean(L, 0);
  lua_insert(L, -2);
  return 2;
}

static int running(lua_State *L) {
  lua_pushthread(L);
  lua_pushboolean(L, is_task(L));
  return 2;
}

static int is_yieldable(lua_State *L) {
  lua_State *coroutine = lua_isthread(L, 1) ? lua_tothread(L, 1) : L;
  lua_pushboolean(L, !is_task(coroutine) && lua_isyieldable(coroutine));
  return 1;
}

void script_open_coroutines(lua_State *L) {
  static const luaL_Reg own[] = {
      {"create", create}, {"resume", resume},   {"yield", yield},
      {"wrap", wrap},     {"status", status},   {"running", running},
      {"close", close},   {"isyieldable", is_yieldable}, {NULL, NULL},
  };
  luaL_newlib(L, own);
  lua_setglobal(L, "coroutine");
}
