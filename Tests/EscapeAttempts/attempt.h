// Attempts to get out of the confinement of a guest.
#ifndef ATTEMPT_H
#define ATTEMPT_H

#include <stdbool.h>
#include <sys/types.h>

// What the attempts aim at, all of the same user.
struct victims {
  // A process that is not confined.
  pid_t process;
  // A file outside of what is granted, for reading and writing by its owner.
  const char *file;
  // The folder that it is in.
  const char *folder;
  // A file of another guest.
  const char *sibling;
};
extern struct victims victims;

// The layers of the confinement, each of which stops some attempts by itself.
enum layer {
  FILTER = 1 << 0,
  LANDLOCK = 1 << 1,
  CAPABILITIES = 1 << 2,
  LIMITS = 1 << 3,
  NAMESPACES = 1 << 4,
};

// An attempt in a process of its own: an expression, negative with errno where it failed, and the
// layers each of which stops it in every guest; 0 for what only the filter of the ready-made guest stops.
#define TRY(name, stopped_by, expression)                         \
  do {                                                            \
    if (begin_attempt(name, stopped_by)) end_attempt(expression); \
  } while (0)

// Makes the process. In it, confined, it returns true; where it was made, false, once the outcome is printed.
bool begin_attempt(const char *name, int stopped_by);
_Noreturn void end_attempt(long result);

void attempt_processes(void);
void attempt_messages(void);
void attempt_files(void);
void attempt_machine(void);

#endif
