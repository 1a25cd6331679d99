#include "pattern.h"

#include <ctype.h>
#include <string.h>

enum { OPEN = -1, POSITION = -2, MOST_DEPTH_OF_MATCHING = 200, STEPS_PER_CHECK = 256, ESCAPE = '%' };

static void tick(struct matching *m) {
  if (++m->steps < STEPS_PER_CHECK) return;
  m->steps = 0;
  script_charge(m->L, STEPS_PER_CHECK);
}

void script_prepare(struct matching *m, lua_State *L, const char *text, size_t text_count,
                    const char *pattern, size_t pattern_count) {
  m->L = L;
  m->text = text;
  m->text_end = text + text_count;
  m->pattern_end = pattern + pattern_count;
  m->depth = MOST_DEPTH_OF_MATCHING;
  m->steps = 0;
  m->level = 0;
}

bool script_is_plain(const char *pattern, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (pattern[i] != '\0' && strchr("^$*+?.([%-", pattern[i]) != NULL) return false;
  return true;
}

// MARK: single characters

// Returns the end of a pattern item that matches one character.
static const char *end_of_class(struct matching *m, const char *p) {
  if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (ends with '%%')");
  switch (*p++) {
  case ESCAPE:
    if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (ends with '%%')");
    return p + 1;
  case '[':
    if (p < m->pattern_end && *p == '^') p++;
    // The first character of a set belongs to it, even if it is `]`.
    do {
      if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (missing ']')");
      if (*p++ == ESCAPE && p < m->pattern_end) p++;
    } while (p >= m->pattern_end || *p != ']');
    return p + 1;
  default: return p;
  }
}

static bool is_of_class(int c, int class) {
  bool is;
  switch (tolower(class)) {
  case 'a': is = isalpha(c); break;
  case 'c': is = iscntrl(c); break;
  case 'd': is = isdigit(c); break;
  case 'g': is = isgraph(c); break;
  case 'l': is = islower(c); break;
  case 'p': is = ispunct(c); break;
  case 's': is = isspace(c); break;
  case 'u': is = isupper(c); break;
  case 'w': is = isalnum(c); break;
  case 'x': is = isxdigit(c); break;
  default: return class == c;
  }
  return isupper(class) ? !is : is;
}

// `p` points to the `[`, `last` to the `]`.
static bool is_of_set(int c, const char *p, const char *last) {
  bool is = true;
  if (p[1] == '^') {
    is = false;
    p++;
  }
  while (++p < last) {
    if (*p == ESCAPE) {
      if (is_of_class(c, (unsigned char)*++p)) return is;
    } else if (p[1] == '-' && p + 2 < last) {
      p += 2;
      if ((unsigned char)p[-2] <= c && c <= (unsigned char)*p) return is;
    } else if ((unsigned char)*p == c) {
      return is;
    }
  }
  return !is;
}

static bool matches_one(struct matching *m, const char *s, const char *p, const char *end) {
  tick(m);
  if (s >= m->text_end) return false;
  int c = (unsigned char)*s;
  switch (*p) {
  case '.': return true;
  case ESCAPE: return is_of_class(c, (unsigned char)p[1]);
  case '[': return is_of_set(c, p, end - 1);
  default: return (unsigned char)*p == c;
  }
}

// MARK: items

static const char *match_balanced(struct matching *m, const char *s, const char *p) {
  if (p >= m->pattern_end - 1)
    luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
  if (s >= m->text_end || *s != *p) return NULL;
  int open = *p, close = p[1], depth = 1;
  while (++s < m->text_end) {
    tick(m);
    if (*s == close) {
      if (--depth == 0) return s + 1;
    } else if (*s == open) {
      depth++;
    }
  }
  return NULL;
}

static const char *match_most(struct matching *m, const char *s, const char *p, const char *end) {
  ptrdiff_t count = 0;
  while (matches_one(m, s + count, p, end)) count++;
  for (; count >= 0; count--) {
    const char *result = script_match(m, s + count, end + 1);
    if (result != NULL) return result;
  }
  return NULL;
}

static const char *match_least(struct matching *m, const char *s, const char *p, const char *end) {
  for (;; s++) {
    const char *result = script_match(m, s, end + 1);
    if (result != NULL) return result;
    if (!matches_one(m, s, p, end)) return NULL;
  }
}

static const char *begin_capture(struct matching *m, const char *s, const char *p, int what) {
  if (m->level >= MOST_CAPTURES) luaL_error(m->L, "too many captures");
  m->captures[m->level] = (struct capture){s, what};
  m->level++;
  const char *result = script_match(m, s, p);
  if (result == NULL) m->level--;
  return result;
}

static const char *end_capture(struct matching *m, const char *s, const char *p) {
  int number = m->level - 1;
  while (number >= 0 && m->captures[number].count != OPEN) number--;
  if (number < 0) luaL_error(m->L, "invalid pattern capture");
  m->captures[number].count = s - m->captures[number].start;
  const char *result = script_match(m, s, p);
  if (result == NULL) m->captures[number].count = OPEN;
  return result;
}

static const char *match_again(struct matching *m, const char *s, int digit) {
  int number = digit - '1';
  if (number < 0 || number >= m->level || m->captures[number].count == OPEN) {
    luaL_error(m->L, "invalid capture index %%%d", number + 1);
    return NULL;
  }
  ptrdiff_t count = m->captures[number].count;
  // A position capture has no text.
  if (count == POSITION) return NULL;
  tick(m);
  script_charge(m->L, (uint64_t)count / 16);
  if (m->text_end - s < count || memcmp(m->captures[number].start, s, (size_t)count) != 0)
    return NULL;
  return s + count;
}

static bool is_frontier(struct matching *m, const char *s, const char *p, const char *end) {
  int before = s == m->text ? '\0' : (unsigned char)s[-1];
  int here = s == m->text_end ? '\0' : (unsigned char)*s;
  return !is_of_set(before, p, end - 1) && is_of_set(here, p, end - 1);
}

// Matches an item that begins with `%` and is not a class. Moves `s` behind the match, or sets it
// to null, and returns the rest of the pattern. Returns null for a class.
static const char *match_special(struct matching *m, const char **s, const char *p) {
  switch (p[1]) {
  case 'b':
    *s = match_balanced(m, *s, p + 2);
    return p + 4;
  case 'f': {
    p += 2;
    if (p >= m->pattern_end || *p != '[')
      luaL_error(m->L, "missing '[' after '%%f' in pattern");
    const char *end = end_of_class(m, p);
    if (!is_frontier(m, *s, p, end)) *s = NULL;
    return end;
  }
  case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
    *s = match_again(m, *s, p[1]);
    return p + 2;
  default: return NULL;
  }
}

static const char *match_here(struct matching *m, const char *s, const char *p) {
  while (p != m->pattern_end) {
    tick(m);
    if (*p == '(')
      return p + 1 < m->pattern_end && p[1] == ')' ? begin_capture(m, s, p + 2, POSITION)
                                                   : begin_capture(m, s, p + 1, OPEN);
    if (*p == ')') return end_capture(m, s, p + 1);
    if (*p == '$' && p + 1 == m->pattern_end) return s == m->text_end ? s : NULL;
    if (*p == ESCAPE && p + 1 < m->pattern_end) {
      const char *next = match_special(m, &s, p);
      if (next != NULL) {
        if (s == NULL) return NULL;
        p = next;
        continue;
      }
    }
    const char *end = end_of_class(m, p);
    char suffix = end < m->pattern_end ? *end : '\0';
    if (suffix == '*') return match_most(m, s, p, end);
    if (suffix == '-') return match_least(m, s, p, end);
    bool matches = matches_one(m, s, p, end);
    if (suffix == '+') return matches ? match_most(m, s + 1, p, end) : NULL;
    if (suffix == '?') {
      if (matches) {
        const char *result = script_match(m, s + 1, end + 1);
        if (result != NULL) return result;
      }
      p = end + 1;
      continue;
    }
    if (!matches) return NULL;
    s++;
    p = end;
  }
  return s;
}

const char *script_match(struct matching *m, const char *s, const char *p) {
  if (m->depth-- == 0) luaL_error(m->L, "pattern too complex");
  const char *result = match_here(m, s, p);
  m->depth++;
  return result;
}

// MARK: captures

void script_push_capture(struct matching *m, int number, const char *start, const char *end) {
  if (number >= m->level) {
    if (number != 0) luaL_error(m->L, "invalid capture index %%%d", number + 1);
    lua_pushlstring(m->L, start, (size_t)(end - start));
    return;
  }
  const struct capture *capture = &m->captures[number];
  if (capture->count == POSITION) {
    lua_pushinteger(m->L, capture->start - m->text + 1);
  } else if (capture->count == OPEN) {
    luaL_error(m->L, "unfinished capture");
  } else {
    lua_pushlstring(m->L, capture->start, (size_t)capture->count);
  }
}

int script_push_captures(struct matching *m, const char *start, const char *end) {
  int count = m->level == 0 && start != NULL ? 1 : m->level;
  luaL_checkstack(m->L, count, "too many captures");
  for (int i = 0; i < count; i++) script_push_capture(m, i, start, end);
  return count;
}
