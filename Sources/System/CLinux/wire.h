// Messages between the host and a zygote: a datagram each, see unix(7).
#ifndef SLUICE_ZYGOTE_WIRE_H
#define SLUICE_ZYGOTE_WIRE_H

#include <signal.h>
#include <stdint.h>

enum {
  // Of the descriptors of the zygote.
  CONTROL_DESCRIPTOR = 3,
  // A pipe whose other end is closed when the host ends.
  LIFE_DESCRIPTOR = 4,
  MOST_PASSED = 16,
  LARGEST_REQUEST = 128 * 1024,
  // Beside the options of `enum czygote_option`: the last descriptor is that of a control group.
  IN_GROUP = 1 << 16,
  // Instead of all others: the one descriptor is that of a connection, on which the process that is forked waits for its own request.
  AHEAD = 1 << 17,
};

// Followed by strings, each with its zero: the directory, the arguments, the environment. The descriptors come beside it.
struct start_request {
  uint32_t options;
  // The number of descriptors, and which of them are /dev/null and not passed, a bit each.
  uint32_t descriptor_count, nulls;
  uint32_t argument_count, environment_count;
};

// Signals that end a process which does not handle them, but for SIGKILL and those of faults.
static const int fatal_signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGABRT, SIGUSR1,   SIGUSR2, SIGPIPE, SIGALRM,
                                    SIGTERM, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGIO,   SIGPWR,  SIGSYS};

struct answer {
  // A process identifier, or a negated errno; in the first answer the promises.
  int32_t value;
  // A child of the host that has ended, or is about to, and is nobody's else to reap; 0: none.
  int32_t helper;
};

#endif
