// A minimal ready-made guest. It starts from a zygote like `sluice-guest`, with the same
// namespaces, filter and confinement, and then behaves like `minimal-child`. Its cost is therefore
// that of the kernel, the zygote and the host.

#include "confinement.h"
#include "zygote.h"

int minimal_child(void);

static int prepare(int promises) {
  const int can_filter = promises & CZYGOTE_PROCESSES && sluice_filter_calls(CZYGOTE_FILTER_DESCRIPTOR) > 0;
  return can_filter ? promises | CZYGOTE_FILTER : promises;
}

int main(int count, char *arguments[]) {
  czygote_serve(&count, &arguments, prepare);
  (void)sluice_confine_from_arguments(count, arguments);
  return minimal_child();
}
