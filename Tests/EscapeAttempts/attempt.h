// Attempts to get out of the confinement of a guest.
#ifndef ATTEMPT_H
#define ATTEMPT_H

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

// The layers of the confinement, each of which stops some attempts by itself.
enum layer {
  FILTER = 1 << 0,
  LANDLOCK = 1 << 1,
  CAPABILITIES = 1 << 2,
  LIMITS = 1 << 3,
  NAMESPACES = 1 << 4,
};

struct attempt {
  const char *name;
  // Negative, with errno, where it failed.
  long (*carry_out)(const struct victims *victims);
  // The layers each of which stops it in every guest; 0 for what only the filter of the ready-made guest stops.
  int stopped_by;
};

// Tables that end with a null name.
extern const struct attempt process_attempts[], message_attempts[], file_attempts[], machine_attempts[];

#endif
