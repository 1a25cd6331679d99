// The parts of Lua's base library that scripts may use.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

void script_push_table(lua_State *L, const char *key) { lua_rawgetp(L, LUA_REGISTRYINDEX, key); }

// MARK: errors

static int finish_pcall(lua_State *L, int status, lua_KContext refusals) {
  if (status == LUA_OK || status == LUA_YIELD) return lua_gettop(L);
  script_pass_limit(L, status, (uint64_t)refusals);
  lua_pushboolean(L, 0);
  lua_insert(L, -2);
  return 2;
}

static int pcall(lua_State *L) {
  luaL_checkany(L, 1);
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  lua_KContext refusals = (lua_KContext)script_of(L)->refusals;
  int status = lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, refusals, finish_pcall);
  return finish_pcall(L, status, refusals);
}

static int finish_xpcall(lua_State *L, int status, lua_KContext refusals) {
  if (status == LUA_OK || status == LUA_YIELD) return lua_gettop(L) - 1;
  return finish_pcall(L, status, refusals);
}

// The upvalue is the script's handler. It does not run for a limit, because no instructions are
// counted while a limit is raised (lua_Hook).
static int handle(lua_State *L) {
  if (script_of(L)->limit != LIMIT_NONE) return 1;
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 1);
  return 1;
}

// The handler moves to index 1 and stays there.
static int xpcall(lua_State *L) {
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, handle, 1);
  lua_copy(L, 1, 2);
  lua_replace(L, 1);
  lua_pushboolean(L, 1);
  lua_insert(L, 2);
  lua_KContext refusals = (lua_KContext)script_of(L)->refusals;
  int status = lua_pcallk(L, lua_gettop(L) - 3, LUA_MULTRET, 1, refusals, finish_xpcall);
  return finish_xpcall(L, status, refusals);
}

// MARK: tables

// Finalizers are rejected, because they would run without limit checks.
static int set_metatable(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  if (!lua_isnoneornil(L, 2)) {
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_pushliteral(L, "__gc");
    if (lua_rawget(L, 2) != LUA_TNIL) return luaL_error(L, "a script has no `__gc`");
    lua_pop(L, 1);
  }
  lua_settop(L, 2);
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
    return luaL_error(L, "cannot change a protected metatable");
  lua_setmetatable(L, 1);
  return 1;
}

struct key {
  lua_Integer place;
  int rank;
  lua_Number number;
  const char *text;
  size_t count;
};

static struct key key_of(lua_State *L, int index, lua_Integer place) {
  struct key key = {.place = place};
  switch (lua_type(L, index)) {
  case LUA_TNUMBER: key.number = lua_tonumber(L, index); break;
  case LUA_TSTRING:
    key.rank = 1;
    key.text = lua_tolstring(L, index, &key.count);
    break;
  case LUA_TBOOLEAN: key.rank = 2 + lua_toboolean(L, index); break;
  default: key.rank = 4;
  }
  return key;
}

static int compare(const void *left, const void *right) {
  const struct key *a = left, *b = right;
  if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
  if (a->rank == 0 && a->number != b->number) return a->number < b->number ? -1 : 1;
  if (a->rank == 1) {
    int order = memcmp(a->text, b->text, a->count < b->count ? a->count : b->count);
    if (order != 0) return order;
    if (a->count != b->count) return a->count < b->count ? -1 : 1;
  }
  return a->place < b->place ? -1 : 1;
}

// Returns whether the order of `next` is deterministic. The order is deterministic for numbers and
// booleans. For other keys, it depends on addresses or on Lua's random seed.
static bool is_ordered(lua_State *L, lua_Integer *count) {
  bool is_ordered = true;
  lua_pushnil(L);
  while (lua_next(L, 1)) {
    ++*count;
    int type = lua_type(L, -2);
    is_ordered = is_ordered && (type == LUA_TNUMBER || type == LUA_TBOOLEAN);
    lua_pop(L, 1);
  }
  return is_ordered;
}

static int next_key(lua_State *L) {
  lua_Integer place = lua_tointeger(L, lua_upvalueindex(2));
  while (lua_rawgeti(L, lua_upvalueindex(1), ++place) != LUA_TNIL) {
    lua_pushvalue(L, -1);
    if (lua_rawget(L, lua_upvalueindex(3)) != LUA_TNIL) {
      lua_pushinteger(L, place);
      lua_replace(L, lua_upvalueindex(2));
      return 2;
    }
    lua_pop(L, 2);
  }
  return 1;
}

// Pushes the keys of the table at index 1, sorted: numbers, strings, booleans, then others in
// `next` order.
static void push_keys(lua_State *L, lua_Integer count) {
  struct key *keys = lua_newuserdatauv(L, (size_t)count * sizeof *keys, 0);
  lua_createtable(L, count < INT32_MAX ? (int)count : INT32_MAX, 0);
  int found = lua_gettop(L);
  lua_pushnil(L);
  for (lua_Integer i = 0; i < count && lua_next(L, 1); i++) {
    lua_pop(L, 1);
    keys[i] = key_of(L, -1, i + 1);
    lua_pushvalue(L, -1);
    lua_rawseti(L, found, i + 1);
  }
  lua_settop(L, found);
  qsort(keys, (size_t)count, sizeof *keys, compare);
  lua_createtable(L, count < INT32_MAX ? (int)count : INT32_MAX, 0);
  for (lua_Integer i = 0; i < count; i++) {
    lua_rawgeti(L, found, keys[i].place);
    lua_rawseti(L, -2, i + 1);
  }
}

static int finish_pairs(lua_State *L, int status, lua_KContext context) {
  (void)L, (void)status, (void)context;
  return 3;
}

static int sorted_pairs(lua_State *L) {
  luaL_checkany(L, 1);
  if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
    lua_pushvalue(L, 1);
    lua_callk(L, 1, 3, 0, finish_pairs);
    return 3;
  }
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_Integer count = 0;
  if (is_ordered(L, &count)) {
    script_charge(L, (uint64_t)count / 8);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushvalue(L, 1);
    return 2;
  }
  script_charge(L, (uint64_t)count);
  push_keys(L, count);
  lua_pushinteger(L, 0);
  lua_pushvalue(L, 1);
  lua_pushcclosure(L, next_key, 3);
  lua_pushvalue(L, 1);
  return 2;
}

// MARK: strings

void script_tell(lua_State *L, int index) {
  int type = lua_type(L, index);
  if (type < LUA_TSTRING && type != LUA_TLIGHTUSERDATA) {
    luaL_tolstring(L, index, NULL);
    return;
  }
  if (type == LUA_TSTRING) return lua_pushvalue(L, index);
  if (luaL_getmetafield(L, index, "__tostring") != LUA_TNIL) {
    lua_pop(L, 1);
    luaL_tolstring(L, index, NULL);
    return;
  }
  // The text contains a sequence number, because an address would differ between runs.
  script_push_table(L, &script_ids);
  lua_pushvalue(L, index);
  if (lua_rawget(L, -2) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_pushinteger(L, ++script_of(L)->told);
    lua_pushvalue(L, index);
    lua_pushvalue(L, -2);
    lua_rawset(L, -4);
  }
  lua_pushfstring(L, "%s: %I", luaL_typename(L, index), (LUAI_UACINT)lua_tointeger(L, -1));
  lua_replace(L, -3);
  lua_pop(L, 1);
}

static int tell(lua_State *L) {
  luaL_checkany(L, 1);
  lua_settop(L, 1);
  script_tell(L, 1);
  return 1;
}

void script_open_base(lua_State *L) {
  static const char *const absent[] = {"load",           "loadfile", "dofile", "collectgarbage",
                                       "loadstring",     "require",  "module", "warn"};
  static const luaL_Reg own[] = {
      {"pcall", pcall},   {"xpcall", xpcall}, {"setmetatable", set_metatable},
      {"tostring", tell}, {NULL, NULL},
  };
  lua_pushglobaltable(L);
  for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
    lua_pushnil(L);
    lua_setfield(L, -2, absent[i]);
  }
  luaL_setfuncs(L, own, 0);
  lua_getfield(L, -1, "next");
  lua_pushcclosure(L, sorted_pairs, 1);
  lua_setfield(L, -2, "pairs");
  lua_pop(L, 1);
}
