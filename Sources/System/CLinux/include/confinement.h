// Confinement of the calling process: the boundary between a guest and everything that does not
// belong to it.
//
// A guest confines itself first, while it is single-threaded. Confinement cannot be undone.
//
// Landlock restricts files and, on newer kernels, TCP, abstract sockets and signals (landlock(7)).
// On any kernel with Landlock, a process can trace only processes with at least the same
// restrictions (ptrace(2)), so other memory is inaccessible.
//
// Landlock does not cover file metadata (stat, chmod, extended attributes), System V objects,
// pathname sockets before ABI 9, and UDP before ABI 10. The system call filter does.
//
// Neither limits the total resources of a guest's child processes. Each child has the limits below
// for itself.
#ifndef SLUICE_CONFINEMENT_H
#define SLUICE_CONFINEMENT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// Descriptors 0 to 2 and this one stay open. All others are closed, a filter's after it is read.
enum { SLUICE_PROTOCOL_DESCRIPTOR = 3 };

// The file with the system call filter, an array of struct sock_filter (seccomp(2)). It is closed
// once read.
enum { SLUICE_FILTER_DESCRIPTOR = 4 };

// From this ABI (Linux 6.12) on, Landlock keeps all promises to guests. ABI 3 adds truncation, ABI
// 4 TCP, ABI 5 device control, and ABI 6 signals and abstract sockets.
enum { SLUICE_COMPLETE_LANDLOCK_ABI = 6 };

// Exit statuses of sluice_confine_from_arguments, following sysexits.h.
enum {
  SLUICE_EXIT_USAGE = 64,
  SLUICE_EXIT_CONFINEMENT_FAILED = 71,
  SLUICE_EXIT_CONFINEMENT_LACKING = 77,
};

enum sluice_access {
  // Read, list and execute. A missing path grants nothing.
  SLUICE_ACCESS_READ,
  // Read, list, write, create, rename and remove, but not execute. A missing path is an error.
  //
  // Only files and folders can be created. The host enters containers to wipe them and to deliver
  // documents. It must find no links that lead out, no blocking pipes and no devices there.
  SLUICE_ACCESS_WRITE,
  // Read files by known paths, but neither list nor execute. A missing path grants nothing.
  SLUICE_ACCESS_READ_FILES,
};

// Access to a file, or to a folder and everything below it.
struct sluice_grant {
  const char *path;
  enum sluice_access access;
};

enum sluice_port_access {
  // Connect to the port of any address, because Landlock does not restrict addresses.
  SLUICE_PORT_CONNECT,
  // Listen on the port. If it is zero, the kernel chooses a port.
  SLUICE_PORT_BIND,
};

// Access to a TCP port. Before ABI 4, the kernel restricts no ports, and nothing is granted.
struct sluice_port_grant {
  uint16_t port;
  enum sluice_port_access access;
};

// Zero means no limit. A limit can only lower the current one.
struct sluice_confinement {
  const struct sluice_grant *grants;
  size_t grant_count;
  const struct sluice_port_grant *ports;
  size_t port_count;
  // The parent with which the process dies; zero if none.
  pid_t parent;
  // The maximum address space in bytes. Unlike with RLIMIT_DATA, shared mappings count, so a guest
  // cannot evade the limit. A runtime that reserves much more than it uses (a JIT, a sanitizer)
  // needs a high limit.
  uint64_t memory_limit;
  // The maximum file size in bytes.
  uint64_t file_size_limit;
  uint64_t descriptor_limit;
  // The maximum number of pending signals and POSIX timers. All processes of the user in the user
  // namespace count towards it.
  uint64_t pending_signal_limit;
  // Whether the filter in SLUICE_FILTER_DESCRIPTOR applies: 0 or 1.
  int filters_calls;
  // A folder in which only granted paths are visible, in a private mount namespace; null if none.
  const char *view;
  // Whether to mount a /proc for the process's PID namespace: 0 or 1.
  int mounts_processes;
  // The folder that becomes the process's root; null to keep the current root.
  const char *root;
};

struct sluice_confinement_report {
  // The kernel's Landlock ABI; 0 if there is none, in which case files are not confined.
  int landlock_abi;
  // Whether system calls are filtered: 0 or 1.
  int calls_filtered;
  // The operation that failed, to follow "cannot", and its path; null if there is none.
  const char *failure;
  const char *path;
};

// Confines the calling process without allocating memory. Returns 0 or a negated errno. After an
// error, the process is partly confined and must not continue.
int sluice_confine(const struct sluice_confinement *confinement,
                   struct sluice_confinement_report *report);

// Returns the calling process's limit on pending signals of its user (RLIMIT_SIGPENDING of
// getrlimit(2)); 0 if unknown.
uint64_t sluice_pending_signal_limit(void);

// Confines the calling process according to its command line:
//
//   [--parent PID] [--write PATH]… [--read PATH]… [--read-files PATH]… [--connect PORT]… [--bind PORT]…
//   [--memory BYTES] [--file-size BYTES] [--descriptors COUNT] [--pending-signals COUNT]
//   [--filter-calls] [--require-confinement] [--view FOLDER] [--mount-processes] [--root FOLDER]
//   [--] …
//
// Returns the index of the first argument that is not such an option.
//
// If Landlock or a requested filter is missing or incomplete, warns on standard error, or refuses
// with --require-confinement. If it refuses or fails, it does not return. It reports the reason in
// one sentence and exits with a status from above.
int sluice_confine_from_arguments(int count, char *const arguments[]);

// Returns the null-terminated list of paths that dynamically linked programs and common
// interpreters read. They must be granted in addition to the executable, and /dev/null also for
// writing.
//
// The list does not include /proc, although a Swift program traps without it if its libdispatch has
// worker threads. It reads /proc/TID/stat of each, and threads that do not exist yet cannot be
// granted.
//
// Such a guest needs SLUICE_ACCESS_READ_FILES for /proc. It can then guess process numbers and read
// the command line and status of these processes. Memory, environment and open files stay
// inaccessible, because Landlock treats reading them as tracing.
const char *const *sluice_runtime_paths(void);

// Returns the kernel's Landlock ABI, or a negated errno. -EOPNOTSUPP means that Landlock is built
// in but not enabled at boot. -ENOSYS means that it is not built in, or hidden by a container's
// filter.
int sluice_landlock_abi(void);

// Returns whether the kernel supports system call filters: 0 or 1.
int sluice_can_filter_calls(void);

// Filters the system calls of the calling process and its descendants, and sets no_new_privs.
// `file` contains an array of struct sock_filter and is closed. Returns 1, 0 if the kernel does not
// support filters, or a negated errno.
int sluice_filter_calls(int file);

// Returns whether systemd has marked a control group as delegated (Delegate= in
// systemd.resource-control(5)): 0 or 1.
int sluice_is_delegated(const char *folder);

// Protects the host's memory from all processes of the same user without capabilities, even without
// Landlock. Also prevents core files, which would contain keys (PR_SET_DUMPABLE in prctl(2)).
// Returns 0 or a negated errno.
int sluice_guard_host_memory(void);

#ifdef __cplusplus
}
#endif

#endif
