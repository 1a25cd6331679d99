// The namespaces of a zygote.
#ifndef SLUICE_ZYGOTE_NAMESPACES_H
#define SLUICE_ZYGOTE_NAMESPACES_H

#include <sys/types.h>

// Moves the calling, single-threaded process into its own namespaces. Returns the guarantees that
// the kernel permits, from `enum czygote_promise`; possibly none.
int make_namespaces(const char *folder);

// Forks like fork(2), with `flags` of clone(2), and keeps the C library's state consistent.
pid_t fork_with(unsigned long flags);

// Forks like `fork_with`, with the child in the control group. `group` is the descriptor of the
// group's folder. The child stays in the caller's group if `group` is negative or the system
// refuses.
pid_t fork_into(int group, unsigned long flags);

// Forks a child of the caller's parent into a control group, like `fork_into`, and into its own PID
// and IPC namespaces. Another process is number 1 there, and ends with the child and all other
// processes.
//
// Returns 0 in the child. In the caller, returns a negated errno, or the identifier of a helper
// process. The helper calls `tell` with the child's identifier or a negated errno, and with its own
// identifier. The caller's parent must reap the helper.
pid_t fork_beside_init(int group, void (*tell)(pid_t child, pid_t helper));

// Raises the loopback interface of the process's network namespace, if permitted.
void raise_loopback(void);

#endif
