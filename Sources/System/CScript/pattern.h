// Lua's patterns, matched with an eye on the limits: a pattern may take longer than the universe lasts.
#ifndef SLUICE_PATTERN_H
#define SLUICE_PATTERN_H

#include "internal.h"

enum { MOST_CAPTURES = 32 };

struct capture {
  const char *start;
  ptrdiff_t count;
};

struct matching {
  lua_State *L;
  const char *text, *text_end, *pattern_end;
  // How deep it may still descend.
  int depth;
  // Steps since limits were looked at.
  unsigned steps;
  int level;
  struct capture captures[MOST_CAPTURES];
};

void script_prepare(struct matching *matching, lua_State *L, const char *text, size_t text_count,
                    const char *pattern, size_t pattern_count);
// The end of what `pattern` matches at `text`; null: nothing.
const char *script_match(struct matching *matching, const char *text, const char *pattern);
// Pushes a capture, or the whole match where there are none.
void script_push_capture(struct matching *matching, int number, const char *start, const char *end);
int script_push_captures(struct matching *matching, const char *start, const char *end);
// Whether the pattern is a plain text.
bool script_is_plain(const char *pattern, size_t count);

#endif
