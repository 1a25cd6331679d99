// Messages between the host and a zygote: one datagram each, see unix(7).
#ifndef SLUICE_ZYGOTE_WIRE_H
#define SLUICE_ZYGOTE_WIRE_H

#include <signal.h>
#include <stdint.h>

enum {
  // The zygote's descriptors.
  CONTROL_DESCRIPTOR = 3,
  // A pipe that closes when the host ends.
  LIFE_DESCRIPTOR = 4,
  MOST_PASSED = 16,
  LARGEST_REQUEST = 128 * 1024,
  // In addition to `enum czygote_option`: the last descriptor is that of a control group.
  IN_GROUP = 1 << 16,
  // Excludes all other options. The only descriptor is a connection on which the forked process
  // waits for its own request.
  AHEAD = 1 << 17,
};

// A request, followed by zero-terminated strings: the directory, the arguments, the environment.
// Descriptors are sent as ancillary data.
struct start_request {
  uint32_t options;
  // The number of descriptors, and a bit for each that is /dev/null and therefore not passed.
  uint32_t descriptor_count, nulls;
  uint32_t argument_count, environment_count;
};

// Signals that end a process without a handler, except for SIGKILL, signals for faults, and
// real-time signals.
static const int fatal_signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGABRT, SIGUSR1,   SIGUSR2, SIGPIPE, SIGALRM,
                                    SIGTERM, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGIO,   SIGPWR,  SIGSYS};

struct answer {
  // A process identifier or a negated errno; in the first answer, the guarantees.
  int32_t value;
  // A child of the host that has exited or is about to, which the host must reap; 0 if none.
  int32_t helper;
};

#endif
