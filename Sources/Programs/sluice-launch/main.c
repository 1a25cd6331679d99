// sluice-launch [CONFINEMENT]… [--] EXECUTABLE [ARGUMENT]… sluice-launch --zygote FOLDER
//
// The program confines itself as described in confinement.h, and then executes EXECUTABLE. A guest
// in any language is thus confined before its first instruction. The program is linked statically,
// so confinement needs no loader and no library.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "confinement.h"
#include "zygote.h"

// The exit statuses of POSIX shells and env(1).
enum { EXIT_CANNOT_EXECUTE = 126, EXIT_NOT_FOUND = 127 };

int main(int count, char *arguments[]) {
  czygote_serve(&count, &arguments, NULL);
  int first = sluice_confine_from_arguments(count, arguments);
  if (first == count) {
    fprintf(stderr, "sluice-launch: no executable given\n");
    return SLUICE_EXIT_USAGE;
  }
  execv(arguments[first], arguments + first);
  const int error = errno;
  fprintf(stderr, "sluice-launch: cannot execute `%s`: %s\n", arguments[first], strerror(error));
  return error == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_EXECUTE;
}
