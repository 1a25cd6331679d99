// The functions of Lua's table library that loop over a length, which a script can fake.
#include "internal.h"

static lua_Integer length_of(lua_State *L, int index) {
  luaL_checktype(L, index, LUA_TTABLE);
  return luaL_len(L, index);
}

static int insert(lua_State *L) {
  lua_Integer end = (lua_Integer)((lua_Unsigned)length_of(L, 1) + 1);
  lua_Integer place = end;
  switch (lua_gettop(L)) {
  case 2: break;
  case 3:
    place = luaL_checkinteger(L, 2);
    luaL_argcheck(L, (lua_Unsigned)place - 1u < (lua_Unsigned)end, 2, "position out of bounds");
    for (lua_Integer i = end; i > place; i--) {
      script_charge(L, 2);
      lua_geti(L, 1, i - 1);
      lua_seti(L, 1, i);
    }
    break;
  default: return luaL_error(L, "wrong number of arguments to 'insert'");
  }
  lua_seti(L, 1, place);
  return 0;
}

static int take_out(lua_State *L) {
  lua_Integer size = length_of(L, 1);
  lua_Integer place = luaL_optinteger(L, 2, size);
  if (lua_gettop(L) > 1)
    luaL_argcheck(L, (lua_Unsigned)size + 1u - (lua_Unsigned)place <= (lua_Unsigned)size + 1u, 2,
                  "position out of bounds");
  lua_geti(L, 1, place);
  for (; place < size; place++) {
    script_charge(L, 2);
    lua_geti(L, 1, place + 1);
    lua_seti(L, 1, place);
  }
  lua_pushnil(L);
  lua_seti(L, 1, place);
  return 1;
}

static int concatenate(lua_State *L) {
  lua_Integer last = length_of(L, 1);
  size_t count;
  const char *separator = luaL_optlstring(L, 2, "", &count);
  lua_Integer i = luaL_optinteger(L, 3, 1);
  last = luaL_optinteger(L, 4, last);
  luaL_Buffer text;
  luaL_buffinit(L, &text);
  for (; i <= last; i++) {
    script_charge(L, 2);
    lua_geti(L, 1, i);
    if (!lua_isstring(L, -1))
      return luaL_error(L, "invalid value (at index %I) in table for 'concat'", (LUAI_UACINT)i);
    luaL_addvalue(&text);
    if (i == last) break;
    luaL_addlstring(&text, separator, count);
  }
  luaL_pushresult(&text);
  return 1;
}

static int move(lua_State *L) {
  lua_Integer first = luaL_checkinteger(L, 2), last = luaL_checkinteger(L, 3);
  lua_Integer to = luaL_checkinteger(L, 4);
  int target = lua_isnoneornil(L, 5) ? 1 : 5;
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checktype(L, target, LUA_TTABLE);
  if (last >= first) {
    luaL_argcheck(L, first > 0 || last < LUA_MAXINTEGER + first, 3, "too many elements to move");
    luaL_argcheck(L, to <= LUA_MAXINTEGER - (last - first), 4, "destination wrap around");
    bool upwards = to > last || to <= first || (target != 1 && !lua_compare(L, 1, target, LUA_OPEQ));
    for (lua_Integer n = 0; n <= last - first; n++) {
      lua_Integer i = upwards ? n : last - first - n;
      script_charge(L, 2);
      lua_geti(L, 1, first + i);
      lua_seti(L, target, to + i);
    }
  }
  lua_pushvalue(L, target);
  return 1;
}

// Upvalue 1 is Lua's own `sort`. It reads the length itself, and a `__len` metamethod could return
// another length.
static int sort(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  if (luaL_getmetafield(L, 1, "__len") != LUA_TNIL)
    return luaL_argerror(L, 1, "a table with a length of its own");
  lua_Unsigned count = lua_rawlen(L, 1);
  uint64_t rounds = 1;
  for (lua_Unsigned rest = count; rest > 1; rest /= 2) rounds++;
  if (count > UINT32_MAX) count = UINT32_MAX;
  script_charge(L, count * rounds);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 0);
  return 0;
}

void script_open_tables(lua_State *L) {
  static const luaL_Reg own[] = {
      {"insert", insert}, {"remove", take_out}, {"concat", concatenate},
      {"move", move},     {NULL, NULL},
  };
  lua_getglobal(L, "table");
  luaL_setfuncs(L, own, 0);
  lua_getfield(L, -1, "sort");
  lua_pushcclosure(L, sort, 1);
  lua_setfield(L, -2, "sort");
  lua_pop(L, 1);
}
