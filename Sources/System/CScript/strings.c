// Lua's string functions whose running time depends on their arguments, and functions whose
// results would differ between runs.
#define _GNU_SOURCE
#include <string.h>

#include "pattern.h"

// MARK: finding

// Returns the start of a search, from 0; beyond the end if the argument is.
static size_t start_of(lua_State *L, int index, size_t count) {
  lua_Integer place = luaL_optinteger(L, index, 1);
  if (place > 0) return (size_t)place - 1;
  if (place == 0 || place < -(lua_Integer)count) return 0;
  return count - (size_t)-place;
}

static int find_plain(lua_State *L, const char *text, size_t count, size_t start,
                      const char *pattern, size_t pattern_count) {
  script_charge(L, (count - start) / 16);
  const char *found = memmem(text + start, count - start, pattern, pattern_count);
  if (found == NULL) {
    lua_pushnil(L);
    return 1;
  }
  lua_pushinteger(L, found - text + 1);
  lua_pushinteger(L, (found - text) + (lua_Integer)pattern_count);
  return 2;
}

enum purpose { FIND, MATCH };

static int search(lua_State *L, enum purpose purpose) {
  size_t count, pattern_count;
  const char *text = luaL_checklstring(L, 1, &count);
  const char *pattern = luaL_checklstring(L, 2, &pattern_count);
  size_t start = start_of(L, 3, count);
  if (start > count) {
    lua_pushnil(L);
    return 1;
  }
  if (purpose == FIND && (lua_toboolean(L, 4) || script_is_plain(pattern, pattern_count)))
    return find_plain(L, text, count, start, pattern, pattern_count);
  struct matching matching;
  bool is_anchored = pattern_count > 0 && *pattern == '^';
  script_prepare(&matching, L, text, count, pattern, pattern_count);
  const char *s = text + start;
  do {
    matching.level = 0;
    const char *end = script_match(&matching, s, pattern + is_anchored);
    if (end != NULL) {
      if (purpose == MATCH) return script_push_captures(&matching, s, end);
      lua_pushinteger(L, s - text + 1);
      lua_pushinteger(L, end - text);
      return script_push_captures(&matching, NULL, NULL) + 2;
    }
  } while (s++ < matching.text_end && !is_anchored);
  lua_pushnil(L);
  return 1;
}

static int find(lua_State *L) { return search(L, FIND); }
static int match(lua_State *L) { return search(L, MATCH); }

// MARK: all matches

struct matches {
  struct matching matching;
  const char *next, *pattern;
  // The end of the previous match; null if there is none.
  const char *last;
};

// The upvalues are the text, the pattern and the state.
static int next_match(lua_State *L) {
  struct matches *matches = lua_touserdata(L, lua_upvalueindex(3));
  matches->matching.L = L;
  for (; matches->next <= matches->matching.text_end; matches->next++) {
    const char *start = matches->next;
    matches->matching.level = 0;
    matches->matching.depth = 200;
    const char *end = script_match(&matches->matching, start, matches->pattern);
    if (end != NULL && end != matches->last) {
      matches->next = matches->last = end;
      return script_push_captures(&matches->matching, start, end);
    }
  }
  return 0;
}

static int all_matches(lua_State *L) {
  size_t count, pattern_count;
  const char *text = luaL_checklstring(L, 1, &count);
  const char *pattern = luaL_checklstring(L, 2, &pattern_count);
  size_t start = start_of(L, 3, count);
  if (start > count) start = count + 1;
  lua_settop(L, 2);
  struct matches *matches = lua_newuserdatauv(L, sizeof *matches, 0);
  script_prepare(&matches->matching, L, text, count, pattern, pattern_count);
  matches->next = text + start;
  matches->pattern = pattern;
  matches->last = NULL;
  lua_pushcclosure(L, next_match, 3);
  return 1;
}

// MARK: replacing

static void add_template(struct matching *m, luaL_Buffer *result, const char *start,
                         const char *end) {
  lua_State *L = m->L;
  size_t count;
  const char *template = lua_tolstring(L, 3, &count), *last = template + count;
  for (const char *p = template; p < last; p++) {
    if (*p != '%') {
      luaL_addchar(result, *p);
      continue;
    }
    p++;
    if (p < last && *p == '%') {
      luaL_addchar(result, '%');
    } else if (p < last && *p == '0') {
      luaL_addlstring(result, start, (size_t)(end - start));
    } else if (p < last && *p >= '1' && *p <= '9') {
      script_push_capture(m, *p - '1', start, end);
      luaL_tolstring(L, -1, NULL);
      lua_remove(L, -2);
      luaL_addvalue(result);
    } else {
      luaL_error(L, "invalid use of '%%' in replacement string");
    }
  }
}

// Appends the replacement of a match; returns false if the match stays unchanged.
static bool add_replacement(struct matching *m, luaL_Buffer *result, const char *start,
                            const char *end) {
  lua_State *L = m->L;
  switch (lua_type(L, 3)) {
  case LUA_TFUNCTION:
    lua_pushvalue(L, 3);
    lua_call(L, script_push_captures(m, start, end), 1);
    break;
  case LUA_TTABLE:
    script_push_capture(m, 0, start, end);
    lua_gettable(L, 3);
    break;
  default: add_template(m, result, start, end); return true;
  }
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    luaL_addlstring(result, start, (size_t)(end - start));
    return false;
  }
  if (!lua_isstring(L, -1)) luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  luaL_addvalue(result);
  return true;
}

static int replace(lua_State *L) {
  size_t count, pattern_count;
  const char *text = luaL_checklstring(L, 1, &count);
  const char *pattern = luaL_checklstring(L, 2, &pattern_count);
  int type = lua_type(L, 3);
  luaL_argexpected(L, type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION ||
                          type == LUA_TTABLE, 3, "string/function/table");
  lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)count + 1);
  bool is_anchored = pattern_count > 0 && *pattern == '^', is_changed = false;
  struct matching matching;
  luaL_Buffer result;
  script_prepare(&matching, L, text, count, pattern, pattern_count);
  luaL_buffinit(L, &result);
  const char *s = text, *last = NULL;
  lua_Integer replaced = 0;
  while (replaced < most) {
    matching.level = 0;
    const char *end = script_match(&matching, s, pattern + is_anchored);
    if (end != NULL && end != last) {
      replaced++;
      is_changed = add_replacement(&matching, &result, s, end) || is_changed;
      s = last = end;
    } else if (s < matching.text_end) {
      luaL_addchar(&result, *s++);
    } else {
      break;
    }
    if (is_anchored) break;
  }
  if (is_changed) {
    luaL_addlstring(&result, s, (size_t)(matching.text_end - s));
    luaL_pushresult(&result);
  } else {
    lua_pushvalue(L, 1);
  }
  lua_pushinteger(L, replaced);
  return 2;
}

// MARK: repetition, formatting and seeds

// Lua's own function runs as many iterations as requested, even for empty strings.
static int repeat(lua_State *L) {
  size_t count, separator;
  luaL_checklstring(L, 1, &count);
  lua_Integer times = luaL_checkinteger(L, 2);
  luaL_optlstring(L, 3, "", &separator);
  if (times <= 0 || count + separator == 0) {
    lua_pushliteral(L, "");
    return 1;
  }
  size_t most = script_of(L)->limits.memory;
  // Work is not started if its result would exceed the memory limit.
  if ((lua_Unsigned)times > 2 * most / (count + separator) + 1) times = (lua_Integer)(2 * most);
  lua_settop(L, 3);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_pushinteger(L, times);
  lua_replace(L, 3);
  lua_call(L, 3, 1);
  return 1;
}

// Returns whether Lua would format the value as an address.
static bool has_address(lua_State *L, int index) {
  int type = lua_type(L, index);
  if (type < LUA_TTABLE && type != LUA_TLIGHTUSERDATA) return false;
  if (luaL_getmetafield(L, index, "__tostring") == LUA_TNIL) return true;
  lua_pop(L, 1);
  return false;
}

static int format(lua_State *L) {
  size_t count;
  const char *text = luaL_checklstring(L, 1, &count);
  for (const char *p = text; p < text + count; p++) {
    if (*p != '%') continue;
    p += 1 + strspn(p + 1, "-+ #0123456789.");
    if (*p == 'p') return luaL_error(L, "a script has no addresses (`%%p`)");
  }
  for (int index = 2; index <= lua_gettop(L); index++) {
    if (!has_address(L, index)) continue;
    script_tell(L, index);
    lua_replace(L, index);
  }
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 1);
  return 1;
}

// Without arguments, Lua seeds from the time and an address.
static int set_seed(lua_State *L) {
  if (lua_gettop(L) == 0) {
    lua_pushinteger(L, (lua_Integer)script_of(L)->seed);
    lua_pushinteger(L, (lua_Integer)(script_of(L)->seed >> 32));
  }
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 0);
  return 0;
}

static void wrap(lua_State *L, const char *library, const char *name, lua_CFunction function) {
  lua_getglobal(L, library);
  lua_getfield(L, -1, name);
  lua_pushcclosure(L, function, 1);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

void script_open_strings(lua_State *L) {
  static const luaL_Reg own[] = {
      {"find", find}, {"match", match}, {"gmatch", all_matches}, {"gsub", replace}, {NULL, NULL},
  };
  lua_getglobal(L, "string");
  luaL_setfuncs(L, own, 0);
  lua_pushnil(L);
  lua_setfield(L, -2, "dump");
  lua_pop(L, 1);
  wrap(L, "string", "rep", repeat);
  wrap(L, "string", "format", format);
  wrap(L, "math", "randomseed", set_seed);
  // Scripts must not change the metatable that all strings share.
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 2);
}
