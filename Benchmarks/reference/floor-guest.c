// The least that a ready-made guest can be: it comes from a zygote as `sluice-guest` does, with the same namespaces, filter and
// confinement, and then does what `minimal-child` does. What it takes is the kernel's, the zygote's and the host's.

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
