// libedit's GNU readline interface, and functions for its global variables, because Swift cannot
// import mutable C globals.
#pragma once
#include <editline/readline.h>
#include <stdlib.h>

// Returns the completions of the word between two columns of the line.
typedef char **(*cedit_completion)(const char *word, int start, int end);

static inline void cedit_complete_with(cedit_completion completion) {
  rl_attempted_completion_function = completion;
  // Only white space separates words: `share from=ma` completes `from=ma`.
  rl_completer_word_break_characters = (char *)" \t";
  rl_basic_word_break_characters = " \t";
}

// Disables file name completion if no word matches.
static inline void cedit_complete_no_files(void) { rl_attempted_completion_over = 1; }

// Sets the character that follows a completed word: a space, or 0 for none.
static inline void cedit_append(int character) { rl_completion_append_character = character; }

static inline const char *cedit_line(void) { return rl_line_buffer; }
