// Attempts to escape from the confinement of a guest.
#ifndef ATTEMPT_H
#define ATTEMPT_H

#include <stdbool.h>
#include <sys/types.h>

// The targets of the attempts, all of the same user.
struct victims {
  // An unconfined process.
  pid_t process;
  // A file outside of the granted ones, readable and writable by its owner.
  const char *file;
  // The folder of the file.
  const char *folder;
  // A file of another guest.
  const char *sibling;
};
extern struct victims victims;

// The layers of the confinement, each of which stops some attempts on its own.
enum layer {
  FILTER = 1 << 0,
  LANDLOCK = 1 << 1,
  CAPABILITIES = 1 << 2,
  LIMITS = 1 << 3,
  NAMESPACES = 1 << 4,
};

// An attempt in a separate process: an expression, negative with errno if it failed, and the layers
// that each stop it in every guest; 0 if only the filter of the ready-made guest stops it.
#define TRY(name, stopped_by, expression)                         \
  do {                                                            \
    if (begin_attempt(name, stopped_by)) end_attempt(expression); \
  } while (0)

// Creates the process. Returns true in the confined process, and false in the parent once the
// outcome is printed.
bool begin_attempt(const char *name, int stopped_by);
_Noreturn void end_attempt(long result);

void attempt_processes(void);
void attempt_messages(void);
void attempt_files(void);
void attempt_machine(void);

#endif
