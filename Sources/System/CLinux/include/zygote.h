// A zygote: a small process that forks others for the host, in namespaces that an unprivileged
// process cannot create by itself.
//
// It is started once, with one thread and little memory, so a fork is cheap regardless of the
// host's size. The forked processes are children of the host, which sees their exit, and they die
// with the host.
#ifndef SLUICE_ZYGOTE_H
#define SLUICE_ZYGOTE_H

#include <sys/types.h>

#include "cspawn.h"

// The guarantees for a zygote's processes, as far as the kernel permits them; see namespaces(7).
enum czygote_promise {
  // Isolated user, network and IPC namespaces.
  CZYGOTE_NETWORK = 1,
  // Processes that request it see only their own processes, and their descendants end with them.
  CZYGOTE_PROCESSES = 2,
  // Files in the folder can be neither executed nor mapped as executable.
  CZYGOTE_EXECUTION = 4,
  // Processes can have private mounts, including /proc.
  CZYGOTE_MOUNTS = 8,
  // A shared filter restricts system calls from the start of each process.
  CZYGOTE_FILTER = 16,
};

// The zygote's descriptor of its system call filter, if it has one.
enum { CZYGOTE_FILTER_DESCRIPTOR = 5 };

enum czygote_option {
  // A PID namespace in which the process is number 1. Except for SIGKILL and faults, it does not
  // die from signals, but exits with status 128 plus the signal's number.
  CZYGOTE_AS_INIT = 1,
  // PID and IPC namespaces in which another process is number 1.
  CZYGOTE_WITH_INIT = 2,
  // The process executes the request's executable, which must also be its first argument.
  // Otherwise, the zygote's program continues in it.
  CZYGOTE_EXECUTES = 4,
  // Adds a loopback interface to the zygote's network.
  CZYGOTE_LOOPBACK = 8,
  // After this request, the zygote forks a process that waits for the next request. The next
  // request must have CZYGOTE_AS_INIT and no control group.
  CZYGOTE_AHEAD = 16,
};

// ---- for the host

struct czygote {
  pid_t pid;
  // The connection to the zygote.
  int control;
  // The guarantees, from `enum czygote_promise`.
  int promises;
  // The connection to the process that waits for the next request; negative if there is none.
  int ahead;
};

// Starts `executable --zygote FOLDER`, which must call `czygote_serve`, and waits until it serves.
// `filter` is the descriptor of a filter for the zygote and its forks; negative for none.
//
// Returns 0, or a negated errno if there is no process. Returns -ETIMEDOUT if it does not serve
// within a minute. It has then been sent SIGKILL, but may still be blocked in the kernel.
int czygote_open(const char *executable, const char *folder, int filter, struct czygote *zygote);

// Requests a fork. If the zygote does not answer within a minute, kills it and returns
// -ETIMEDOUT. Otherwise returns as `cspawn_start` does, but the child reports its errors by its
// exit status.
//
// `group` is a descriptor of the folder of the child's initial control group (version 2); negative
// for the zygote's group.
int czygote_start(struct czygote *zygote, const struct cspawn_request *request, int options, int group);

// Returns whether the zygote's connection is open: 0 or 1.
int czygote_is_alive(int control);

// Returns whether a process with CZYGOTE_AS_INIT reports this signal by its exit status: 0 or 1.
// Other signals end it as they end any process, or not at all.
int czygote_tells_signal(int signal);

// Waits for the fork that was requested ahead on this connection, and returns it. It is a child of
// the caller; 0 if the fork failed. Must not be called if no fork was requested ahead.
int czygote_forked_ahead(int control);

// Ends the zygote and a process that it forked ahead, and waits for their exit. Its other
// processes continue.
void czygote_close(struct czygote *zygote);

// Tries to create a user namespace with network and mount namespaces, in a child that exits at
// once. Returns 0 on success or if the result is unknown, otherwise the negated errno.
int czygote_refusal(void);

// ---- for the zygote

// If the command line begins with `--zygote FOLDER`, serves until the host ends, and returns only
// in each forked process, with that process's arguments. Otherwise, returns at once.
//
// `prepare` is called before serving, for state that all forks share; null for none. It must not
// start threads. It receives the guarantees, from `enum czygote_promise`, and returns them with its
// own added.
void czygote_serve(int *count, char ***arguments, int (*prepare)(int promises));

#endif
