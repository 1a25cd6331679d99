// The namespaces of a zygote.
#ifndef SLUICE_ZYGOTE_NAMESPACES_H
#define SLUICE_ZYGOTE_NAMESPACES_H

#include <sys/types.h>

// Moves the calling process, which has one thread, into namespaces of its own. Returns what they keep, of `enum
// czygote_promise`: as much as the kernel allows, perhaps nothing.
int make_namespaces(const char *folder);

// Forks as fork(2), with `flags` of clone(2), leaving the C library in order.
pid_t fork_with(unsigned long flags);

// The same, with the child in the control group whose folder's descriptor `group` is, unless that is negative, or the system
// does not let processes begin in groups.
pid_t fork_into(int group, unsigned long flags);

// Forks a child of the caller's parent into a control group, as `fork_into`, and into PID and IPC namespaces of its own, where another process is number 1: that
// ends when the child does, and all others with it.
//
// Returns 0 in the child. In the caller it returns a negated errno, or the identifier of a helper, which calls `tell` with
// what the caller would have returned, and with its own identifier; it is the caller's parent's to reap.
pid_t fork_beside_init(int group, void (*tell)(pid_t child, pid_t helper));

// Raises the loopback interface of the calling process's network namespace, as far as it may.
void raise_loopback(void);

#endif
