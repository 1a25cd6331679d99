// Lua's patterns, matched within the limits, because a pattern may need exponential time.
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
  // The remaining recursion depth.
  int depth;
  // The number of steps since the last limit check.
  unsigned steps;
  int level;
  struct capture captures[MOST_CAPTURES];
};

void script_prepare(struct matching *matching, lua_State *L, const char *text, size_t text_count,
                    const char *pattern, size_t pattern_count);
// Returns the end of the match of `pattern` at `text`; null if it does not match.
const char *script_match(struct matching *matching, const char *text, const char *pattern);
// Pushes a capture, or the whole match if there are no captures.
void script_push_capture(struct matching *matching, int number, const char *start, const char *end);
int script_push_captures(struct matching *matching, const char *start, const char *end);
// Returns whether the pattern contains no special characters.
bool script_is_plain(const char *pattern, size_t count);

#endif
