// A zygote: a small process that starts others for the host by forking, in namespaces that no ordinary process may make.
//
// It is started once, with one thread and little memory, so that a fork costs little whatever the host has grown to. What
// it forks are children of the host, which sees their end and outlives none of them.
#ifndef SLUICE_ZYGOTE_H
#define SLUICE_ZYGOTE_H

#include <sys/types.h>

#include "cspawn.h"

// The promises of a zygote for its processes, as far as the kernel lets it keep them; see namespaces(7).
enum czygote_promise {
  // They have a user, a network and an IPC namespace without a way out.
  CZYGOTE_NETWORK = 1,
  // Those that ask for it see no process but their own, and what they start ends with them.
  CZYGOTE_PROCESSES = 2,
  // Nothing in the folder is executed, nor mapped for it.
  CZYGOTE_EXECUTION = 4,
  // They can have mounts of their own, a /proc among them.
  CZYGOTE_MOUNTS = 8,
  // Their system calls are filtered from their beginning on, by a filter that all of them share.
  CZYGOTE_FILTER = 16,
};

// The descriptor of a zygote at which it finds its filter of system calls, if it has one.
enum { CZYGOTE_FILTER_DESCRIPTOR = 5 };

enum czygote_option {
  // A PID namespace of its own, in which the process has number 1. It does not die of a signal that it sends itself,
  // as others do: it exits with 128 and the signal's number.
  CZYGOTE_AS_INIT = 1,
  // PID and IPC namespaces of its own, with a process that is number 1 there.
  CZYGOTE_WITH_INIT = 2,
  // The process becomes the request's executable, which must be its first argument, too. Without, the zygote's program goes on
  // in it.
  CZYGOTE_EXECUTES = 4,
  // The zygote's network has a loopback interface from here on.
  CZYGOTE_LOOPBACK = 8,
  // The zygote forks another process meanwhile, as with CZYGOTE_AS_INIT, that waits for the next request, which must be such a one.
  CZYGOTE_AHEAD = 16,
};

// ---- for the host

struct czygote {
  pid_t pid;
  // The connection to it.
  int control;
  // The promises that it keeps, of `enum czygote_promise`.
  int promises;
  // A connection to the process that it has forked for the next request, which waits for that; negative: none.
  int ahead;
};

// Starts `executable --zygote FOLDER`, which is to call `czygote_serve`, and waits until it serves. `filter` is the descriptor of
// a filter for it and all that it forks; negative: none. Returns 0 or a negated errno, and there is no process; -ETIMEDOUT where
// it does not serve within ten seconds: it is killed, and whether it ends is up to the kernel.
int czygote_open(const char *executable, const char *folder, int filter, struct czygote *zygote);

// Has a process forked, with what `request` says. A zygote that does not answer in ten seconds is ended: -ETIMEDOUT. As `cspawn_start`, but an error in the child is told by its exit.
//
// The process begins in the control group (version 2) whose folder's descriptor `group` is, unless that is negative.
int czygote_start(struct czygote *zygote, const struct cspawn_request *request, int options, int group);

// Whether a zygote's connection has not ended, 0 or 1.
int czygote_is_alive(int control);

// Whether a process with CZYGOTE_AS_INIT tells that signal by its status, 0 or 1: the others end it as they end any process, or
// not at all.
int czygote_tells_signal(int signal);

// The process that the zygote of this connection has forked for the next request, which is a child of the caller; 0 where it could not. It
// waits until that is known, and must not be called where no process was forked ahead.
int czygote_forked_ahead(int control);

// Ends the zygote, and waits for its end. What it has started lives on.
void czygote_close(struct czygote *zygote);

// Asks for a user namespace with a network and mounts of its own, as a zygote does, in a child that ends at once. Returns 0, also
// where the answer is not known, or the negated errno with which the kernel refuses.
int czygote_refusal(void);

// ---- for the zygote

// Where the command line begins with `--zygote FOLDER`, serves until the host ends. It returns in each process that it has
// forked, with the arguments of that, and at once where the command line begins otherwise.
//
// `prepare` is called before, for what all of them are to find done; it must start no thread. It gets the promises, of `enum
// czygote_promise`, and returns them with those that it has added. Null: nothing.
void czygote_serve(int *count, char ***arguments, int (*prepare)(int promises));

#endif
