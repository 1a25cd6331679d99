// This header is for attempts to escape from the confinement of a guest.
#ifndef ATTEMPT_H
#define ATTEMPT_H

#include <stdbool.h>
#include <sys/types.h>

// The targets of the attempts. They all belong to the same user.
struct victims {
  // An unconfined process.
  pid_t process;
  // A file outside of the granted files, which its owner can read and write.
  const char *file;
  // The folder of the file.
  const char *folder;
  // A file of another guest.
  const char *sibling;
};
extern struct victims victims;

// The layers of the confinement. Each layer stops some attempts on its own.
enum layer {
  FILTER = 1 << 0,
  LANDLOCK = 1 << 1,
  CAPABILITIES = 1 << 2,
  LIMITS = 1 << 3,
  NAMESPACES = 1 << 4,
};

// Makes an attempt in a separate process. The expression is negative with errno if it failed. The
// layers each stop the attempt in every guest; 0 if only the filter of the ready-made guest stops
// it.
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
