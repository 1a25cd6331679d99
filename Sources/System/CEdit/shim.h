// libedit's interface of GNU readline, and its global variables as functions, since Swift takes no mutable ones from C.
#pragma once
#include <editline/readline.h>
#include <stdlib.h>

// The words that complete what is written between two columns of the line.
typedef char **(*cedit_completion)(const char *word, int start, int end);

static inline void cedit_complete_with(cedit_completion completion) {
  rl_attempted_completion_function = completion;
  // Quotes and signs are no ends of words here: `share from=ma` completes `from=ma`.
  rl_completer_word_break_characters = (char *)" \t";
  rl_basic_word_break_characters = " \t";
}

// No names of files where no word fits.
static inline void cedit_complete_no_files(void) { rl_attempted_completion_over = 1; }

// What follows a completed word: a blank, or nothing.
static inline void cedit_append(int character) { rl_completion_append_character = character; }

static inline const char *cedit_line(void) { return rl_line_buffer; }
