// Starting a process without copying this one.
#pragma once

struct cspawn_request {
  // No search path is used.
  const char *executable;
  // Both end with a null pointer.
  char *const *arguments;
  char *const *environment;
  const char *directory;
  // What the child's descriptors 0, 1, 2, ... are: descriptors of this process, or CSPAWN_NULL.
  const int *descriptors;
  int count;
};

enum { CSPAWN_NULL = -1 };

// Starts a process in a session and process group of its own, with no signal blocked or ignored. Descriptors 0 to 2 that
// the request leaves out are /dev/null; all others from 3 on are closed on execve(2).
//
// The calling thread waits until the child has called execve, and is its parent for prctl(2)'s PR_SET_PDEATHSIG.
//
// Returns the process identifier; or a negated errno, and there is no process.
int cspawn_start(const struct cspawn_request *request);

// Returns a descriptor that is readable once the child has ended, or a negated errno.
int cspawn_watch(int pid);

// Waits for a process that has ended. Returns its status as waitpid(2) gives it, or a negated errno.
int cspawn_reap(int pid, int *status);

// Waits until a child to which SIGSTOP was sent has stopped, or ended, and leaves both to be waited for. One that waits in the kernel, as
// behind vfork(2), may not stop: after some 100 ms it is left to that, where it executes nothing of its own.
void cspawn_await_stop(int pid);

// Has processes that lose their parent below this process become its children.
void cspawn_adopt_orphans(void);

// Whether it has been called.
int cspawn_adopts_orphans(void);

// Kills the children of this process that are not among `known`, which ascends, and reaps those of them that have ended. Returns how many
// there were. Until there are none, call it again: what one of them started becomes a child of this process when it ends.
int cspawn_end_orphans(const int *known, int count);

// Connects a socket that processes write to, the second, with one that tells who has written, the first, which does not block. A
// write is a message. Returns 0 or a negated errno.
int cspawn_output(int ends[2]);

// Receives a message from the first of the two sockets, as far as there is room for it, and sets `writer` to the process that
// wrote it. Returns its length or a negated errno.
long cspawn_receive(int output, void *room, unsigned long size, int *writer);
