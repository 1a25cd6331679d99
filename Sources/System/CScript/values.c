// Encodes values as bytes: a tag, followed by its content. Numbers have the machine's byte order.
//
//   z nil   t true   f false   i integer (8)   d float (8)   s length (4) and bytes
//   l count (4) and values, count (4) and a string with a value each: a table
#include <string.h>

#include "internal.h"

// MARK: encoding

static size_t measure(lua_State *L, int index, int depth);

static size_t measure_table(lua_State *L, int index, int depth) {
  if (depth == MOST_DEPTH) luaL_error(L, "a table within more than %d others", MOST_DEPTH - 1);
  luaL_checkstack(L, 4, NULL);
  size_t size = 9;
  lua_Unsigned count = lua_rawlen(L, index);
  for (lua_Unsigned i = 1; i <= count; i++) {
    lua_rawgeti(L, index, (lua_Integer)i);
    size += measure(L, lua_gettop(L), depth + 1);
    lua_pop(L, 1);
    script_charge(L, 1);
  }
  lua_pushnil(L);
  while (lua_next(L, index)) {
    if (lua_type(L, -2) == LUA_TSTRING) {
      size += 4 + lua_rawlen(L, -2) + measure(L, lua_gettop(L), depth + 1);
    } else if (!lua_isinteger(L, -2) || (lua_Unsigned)lua_tointeger(L, -2) - 1 >= count) {
      luaL_error(L, "a table with a key that is neither a text nor of a list");
    }
    lua_pop(L, 1);
  }
  return size;
}

static size_t measure(lua_State *L, int index, int depth) {
  switch (lua_type(L, index)) {
  case LUA_TNONE:
  case LUA_TNIL:
  case LUA_TBOOLEAN: return 1;
  case LUA_TNUMBER: return 9;
  case LUA_TSTRING:
    if (lua_rawlen(L, index) > UINT32_MAX) luaL_error(L, "a text of more than 4 GiB");
    return 5 + lua_rawlen(L, index);
  case LUA_TTABLE: return measure_table(L, index, depth);
  default:
    return (size_t)luaL_error(L, "a %s cannot be handed over", luaL_typename(L, index));
  }
}

static uint8_t *put(uint8_t *to, const void *bytes, size_t count) {
  memcpy(to, bytes, count);
  return to + count;
}

static uint8_t *put_count(uint8_t *to, size_t count) {
  uint32_t number = (uint32_t)count;
  return put(to, &number, sizeof number);
}

static uint8_t *put_text(lua_State *L, int index, uint8_t *to) {
  size_t count;
  const char *text = lua_tolstring(L, index, &count);
  return put(put_count(to, count), text, count);
}

static uint8_t *write_value(lua_State *L, int index, uint8_t *to);

// No script code runs between measuring and writing, so the table is unchanged.
static uint8_t *write_table(lua_State *L, int index, uint8_t *to) {
  lua_Unsigned count = lua_rawlen(L, index);
  *to++ = 'l';
  to = put_count(to, count);
  for (lua_Unsigned i = 1; i <= count; i++) {
    lua_rawgeti(L, index, (lua_Integer)i);
    to = write_value(L, lua_gettop(L), to);
    lua_pop(L, 1);
  }
  uint8_t *fields = to;
  to += 4;
  size_t number = 0;
  lua_pushnil(L);
  while (lua_next(L, index)) {
    if (lua_type(L, -2) == LUA_TSTRING) {
      to = write_value(L, lua_gettop(L), put_text(L, lua_gettop(L) - 1, to));
      number++;
    }
    lua_pop(L, 1);
  }
  put_count(fields, number);
  return to;
}

static uint8_t *write_value(lua_State *L, int index, uint8_t *to) {
  switch (lua_type(L, index)) {
  case LUA_TBOOLEAN: *to++ = lua_toboolean(L, index) ? 't' : 'f'; return to;
  case LUA_TNUMBER:
    if (lua_isinteger(L, index)) {
      lua_Integer integer = lua_tointeger(L, index);
      *to++ = 'i';
      return put(to, &integer, sizeof integer);
    }
    lua_Number number = lua_tonumber(L, index);
    *to++ = 'd';
    return put(to, &number, sizeof number);
  case LUA_TSTRING: *to++ = 's'; return put_text(L, index, to);
  case LUA_TTABLE: return write_table(L, index, to);
  default: *to++ = 'z'; return to;
  }
}

void script_encode(lua_State *L, int first) {
  int last = lua_gettop(L);
  luaL_checkstack(L, 4 * MOST_DEPTH, NULL);
  size_t size = 0;
  for (int index = first; index <= last; index++) size += measure(L, index, 0);
  uint8_t *to = lua_newuserdatauv(L, size, 0);
  for (int index = first; index <= last; index++) to = write_value(L, index, to);
}

// MARK: decoding

struct reader {
  const uint8_t *next, *end;
};

static const uint8_t *take(lua_State *L, struct reader *reader, size_t count) {
  if ((size_t)(reader->end - reader->next) < count) luaL_error(L, "an answer that is cut off");
  const uint8_t *bytes = reader->next;
  reader->next += count;
  return bytes;
}

static uint32_t take_count(lua_State *L, struct reader *reader) {
  uint32_t count;
  memcpy(&count, take(L, reader, sizeof count), sizeof count);
  return count;
}

static void push_text(lua_State *L, struct reader *reader) {
  uint32_t count = take_count(L, reader);
  lua_pushlstring(L, (const char *)take(L, reader, count), count);
}

static void push_value(lua_State *L, struct reader *reader);

static void push_table(lua_State *L, struct reader *reader) {
  luaL_checkstack(L, 4, NULL);
  lua_newtable(L);
  uint32_t count = take_count(L, reader);
  for (uint32_t i = 1; i <= count; i++) {
    push_value(L, reader);
    lua_rawseti(L, -2, i);
  }
  uint32_t fields = take_count(L, reader);
  for (uint32_t i = 0; i < fields; i++) {
    push_text(L, reader);
    push_value(L, reader);
    lua_rawset(L, -3);
  }
}

static void push_value(lua_State *L, struct reader *reader) {
  switch (*take(L, reader, 1)) {
  case 't': lua_pushboolean(L, 1); break;
  case 'f': lua_pushboolean(L, 0); break;
  case 'i': {
    lua_Integer integer;
    memcpy(&integer, take(L, reader, sizeof integer), sizeof integer);
    lua_pushinteger(L, integer);
    break;
  }
  case 'd': {
    lua_Number number;
    memcpy(&number, take(L, reader, sizeof number), sizeof number);
    lua_pushnumber(L, number);
    break;
  }
  case 's': push_text(L, reader); break;
  case 'l': push_table(L, reader); break;
  default: lua_pushnil(L);
  }
}

int script_decode(lua_State *L, const uint8_t *bytes, size_t count) {
  struct reader reader = {bytes, bytes + count};
  int pushed = 0;
  for (; reader.next < reader.end; pushed++) {
    luaL_checkstack(L, 8, NULL);
    push_value(L, &reader);
  }
  return pushed;
}
