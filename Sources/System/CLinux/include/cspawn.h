// Starts child processes without copying this process, and handles their exit and output.
#pragma once

struct cspawn_request {
  // The path of the executable; there is no search path.
  const char *executable;
  // Null-terminated.
  char *const *arguments;
  char *const *environment;
  const char *directory;
  // The sources of the child's descriptors 0, 1, 2, …: descriptors of this process, or CSPAWN_NULL.
  const int *descriptors;
  int count;
};

enum { CSPAWN_NULL = -1 };

// Starts a process in its own session and process group, with no signal blocked or ignored.
// Descriptors 0 to 2 that the request omits are /dev/null. All others from 3 on are closed on
// execve(2).
//
// The calling thread waits for the child's execve(2). It is the child's parent for PR_SET_PDEATHSIG
// of prctl(2).
//
// Returns the process identifier; or a negated errno if there is no process.
int cspawn_start(const struct cspawn_request *request);

// Returns a descriptor that becomes readable when the child exits, or a negated errno.
int cspawn_watch(int pid);

// Waits for a child to exit, reaps it, and stores its waitpid(2) status. Returns 0 or a negated
// errno.
int cspawn_reap(int pid, int *status);

// Waits until a child that was sent SIGSTOP has stopped or exited, without reaping it. Gives up
// after about 100 ms. A child that is blocked in the kernel, for example by vfork(2), may not stop,
// but executes none of its own code.
void cspawn_await_stop(int pid);

// Makes this process the parent of its orphaned descendants, if the system permits.
void cspawn_adopt_orphans(void);

// Returns whether `cspawn_adopt_orphans` succeeded: 0 or 1.
int cspawn_adopts_orphans(void);

// Kills the children of this process that are not in `known`, which is in ascending order, and
// reaps those that have exited. Returns the number of children found.
//
// Call it until it returns 0, because the children of a killed process become children of this
// process.
int cspawn_end_orphans(const int *known, int count);

// Creates a socket pair. Processes write messages to the second socket; the first one does not
// block and identifies the writer. Returns 0 or a negated errno.
int cspawn_output(int ends[2]);

// Receives a message from the first socket, truncated to `size`, and sets `writer` to the writing
// process, or 0 if unknown. Returns the message's length, or a negated errno: -EAGAIN if there is
// no message.
long cspawn_receive(int output, void *room, unsigned long size, int *writer);
