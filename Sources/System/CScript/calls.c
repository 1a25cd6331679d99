// A script's calls to its host, and the callbacks that it registers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

// MARK: acting identity

// Pushes the account of the innermost scope, of this coroutine or the coroutines that wait for it;
// nil if no scope sets an account.
static void push_identity(lua_State *L) {
  luaL_checkstack(L, 8, NULL);
  int place = lua_gettop(L) + 1;
  script_push_table(L, &script_identities);
  script_push_table(L, &script_resumers);
  lua_pushthread(L);
  while (lua_isthread(L, -1)) {
    lua_pushvalue(L, -1);
    if (lua_rawget(L, place) != LUA_TNIL) break;
    lua_pop(L, 1);
    lua_rawget(L, place + 1);
  }
  // False means that the scope has unset the account.
  if (lua_type(L, -1) != LUA_TSTRING) lua_pushnil(L);
  lua_replace(L, place);
  lua_settop(L, place);
}

static void set_identity(lua_State *L, int index) {
  script_push_table(L, &script_identities);
  lua_pushthread(L);
  lua_pushvalue(L, index);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

// Restores the account of the outer scope, which is at index 1.
static int left(lua_State *L, int status, lua_KContext context) {
  (void)context;
  set_identity(L, 1);
  if (status != LUA_OK && status != LUA_YIELD) return lua_error(L);
  return lua_gettop(L) - 1;
}

static int within(lua_State *L) {
  if (!lua_isnoneornil(L, 1) && lua_type(L, 1) != LUA_TSTRING)
    return luaL_typeerror(L, 1, "account, or nil");
  luaL_checktype(L, 2, LUA_TFUNCTION);
  if (lua_isnil(L, 1)) {
    lua_pushboolean(L, 0);
    lua_replace(L, 1);
  }
  script_push_table(L, &script_identities);
  lua_pushthread(L);
  lua_rawget(L, -2);
  lua_replace(L, -2);
  // The account of the outer scope is on top.
  set_identity(L, 1);
  lua_replace(L, 1);
  return left(L, lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, left), 0);
}

static int present_identity(lua_State *L) {
  push_identity(L);
  return 1;
}

// MARK: asynchronous calls

static int answered(lua_State *L, int status, lua_KContext context) {
  (void)status, (void)context;
  size_t count;
  const char *bytes = lua_tolstring(L, -1, &count);
  if (bytes == NULL || count == 0) return luaL_error(L, "no answer");
  if (bytes[0] == '!') {
    luaL_where(L, 1);
    lua_pushlstring(L, bytes + 1, count - 1);
    lua_concat(L, 2);
    return lua_error(L);
  }
  return script_decode(L, (const uint8_t *)bytes + 1, count - 1);
}

int script_refuse_to_wait(lua_State *L) {
  return luaL_error(L, "nothing can wait in what a function of Lua's own calls: a comparison, a replacement, "
                       "an error handler, a metamethod");
}

static int ask(lua_State *L) {
  struct script *script = script_of(L);
  if (!lua_isyieldable(L)) return script_refuse_to_wait(L);
  push_identity(L);
  lua_insert(L, 1);
  script_encode(L, 1);
  script->call = (int)lua_tointeger(L, lua_upvalueindex(1));
  script->asks = true;
  return lua_yieldk(L, 1, 0, answered);
}

static int listen(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  script_push_table(L, &script_handlers);
  lua_pushvalue(L, 1);
  lua_rawseti(L, -2, lua_tointeger(L, lua_upvalueindex(1)));
  return 0;
}

// MARK: synchronous calls

static int print(lua_State *L) {
  struct script *script = script_of(L);
  int count = lua_gettop(L);
  luaL_Buffer line;
  luaL_buffinit(L, &line);
  for (int index = 1; index <= count; index++) {
    if (index > 1) luaL_addchar(&line, '\t');
    script_tell(L, index);
    luaL_addvalue(&line);
  }
  luaL_pushresult(&line);
  size_t length;
  const char *text = lua_tolstring(L, -1, &length);
  if (length > MOST_LOGGED) length = MOST_LOGGED;
  // The line is charged by its length, because the host buffers lines until it can send them.
  script_charge(L, 100 + 16 * length);
  script->environment.log(script->environment.context, text, length);
  return 0;
}

static int present_time(lua_State *L) {
  lua_pushinteger(L, script_of(L)->seconds);
  return 1;
}

static int present_date(lua_State *L) {
  struct tm parts;
  time_t time = (time_t)luaL_optinteger(L, 1, script_of(L)->seconds);
  char text[64];
  if (gmtime_r(&time, &parts) == NULL || strftime(text, sizeof text, "%FT%TZ", &parts) == 0)
    return luaL_argerror(L, 1, "a time that no calendar has");
  lua_pushstring(L, text);
  return 1;
}

// MARK: unknown names

static int compare_names(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

// Raises the error about a name that a table of functions lacks. It lists the names in the table, unless there are too
// many. The upvalue is the table's name.
static int refuse_name(lua_State *L) {
  const char *names[64];
  size_t count = 0;
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  script_tell(L, 2);
  lua_pushnil(L);
  while (lua_next(L, 1)) {
    script_charge(L, 2);
    lua_pop(L, 1);
    if (lua_type(L, -1) != LUA_TSTRING) continue;
    if (count == sizeof names / sizeof *names) {
      count = 0;
      break;
    }
    names[count++] = lua_tostring(L, -1);
  }
  lua_settop(L, 3);
  qsort(names, count, sizeof *names, compare_names);
  luaL_Buffer list;
  luaL_buffinit(L, &list);
  for (size_t i = 0; i < count; i++) {
    luaL_addstring(&list, i == 0 ? ": `" : ", `");
    luaL_addstring(&list, names[i]);
    luaL_addchar(&list, '`');
  }
  luaL_pushresult(&list);
  return luaL_error(L, "`%s` has no `%s`%s", lua_tostring(L, lua_upvalueindex(1)),
                    lua_tostring(L, 3), lua_tostring(L, 4));
}

// Makes the table on top refuse unknown names. The table's name is below it.
static void refuse_unknown_names(lua_State *L) {
  lua_createtable(L, 0, 1);
  lua_pushvalue(L, -3);
  lua_pushcclosure(L, refuse_name, 1);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
}

// MARK: opening

// Stores the value on top under `name`, in the global table named before its full stop, if any.
static void set_named(lua_State *L, const char *name, size_t count) {
  const char *stop = memchr(name, '.', count);
  lua_pushglobaltable(L);
  if (stop != NULL) {
    lua_pushlstring(L, name, (size_t)(stop - name));
    lua_pushvalue(L, -1);
    if (lua_rawget(L, -3) != LUA_TTABLE) {
      lua_pop(L, 1);
      lua_newtable(L);
      refuse_unknown_names(L);
      lua_pushvalue(L, -2);
      lua_pushvalue(L, -2);
      lua_rawset(L, -5);
    }
    lua_replace(L, -3);
    lua_pop(L, 1);
    count -= (size_t)(stop + 1 - name);
    name = stop + 1;
  }
  lua_pushlstring(L, name, count);
  lua_pushvalue(L, -3);
  lua_rawset(L, -3);
  lua_pop(L, 2);
}

static void open_lines(lua_State *L, const char *names, lua_CFunction function) {
  for (int number = 0; *names != '\0'; number++) {
    size_t count = strcspn(names, "\n");
    lua_pushinteger(L, number);
    lua_pushcclosure(L, function, 1);
    set_named(L, names, count);
    names += count + (names[count] == '\n');
  }
}

struct text {
  const char *name, *text;
  size_t count;
};

static int set_text(lua_State *L) {
  const struct text *text = lua_touserdata(L, 1);
  lua_pushlstring(L, text->text, text->count);
  set_named(L, text->name, strlen(text->name));
  return 0;
}

bool script_set_text(struct script *script, const char *name, const char *text, size_t count) {
  struct text value = {name, text, count};
  lua_State *L = script->L;
  lua_pushcfunction(L, set_text);
  lua_pushlightuserdata(L, &value);
  if (lua_pcall(L, 1, 0, 0) == LUA_OK) return true;
  lua_pop(L, 1);
  return false;
}

void script_open_calls(lua_State *L, struct script *script) {
  static const struct {
    const char *name;
    lua_CFunction function;
  } own[] = {
      {"log", print},
      {"print", print},
      {"accounts.within", within},
      {"accounts.thread", present_identity},
      {"device.now", present_time},
      {"device.date", present_date},
  };
  open_lines(L, script->environment.calls, ask);
  open_lines(L, script->environment.events, listen);
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
    lua_pushcfunction(L, own[i].function);
    set_named(L, own[i].name, strlen(own[i].name));
  }
}
