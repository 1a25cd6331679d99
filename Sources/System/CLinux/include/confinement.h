// Confinement of the calling process: what stands between a guest and everything that is not its own.
//
// A guest calls this before anything else, while it is single-threaded; nothing can be undone after.
// Landlock decides which files it reaches, and with newer kernels also TCP, abstract sockets and
// signals, see landlock(7). Memory of other processes is out of reach with any Landlock: a confined
// process may trace only processes that are confined at least as much, see ptrace(2).
//
// Landlock sees no metadata of files (stat, chmod, extended attributes), no System V objects, no pathname
// sockets before ABI 9 and no UDP before ABI 10: the filter of system calls is for those. Neither bounds
// the sum of what the processes take that the guest forks, each of which has the limits below anew.
#ifndef SLUICE_CONFINEMENT_H
#define SLUICE_CONFINEMENT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// Descriptors 0 to 2 and this one stay open; every other is closed.
enum { SLUICE_PROTOCOL_DESCRIPTOR = 3 };

// The file with the filter of system calls, an array of struct sock_filter (seccomp(2)). Closed once read.
enum { SLUICE_FILTER_DESCRIPTOR = 4 };

// From this ABI (Linux 6.12) on, Landlock keeps what a guest is promised. Before 3 it does not stop
// truncating, before 4 TCP, before 5 device control, before 6 signals and abstract sockets.
enum { SLUICE_COMPLETE_LANDLOCK_ABI = 6 };

// Exit statuses of sluice_confine_from_arguments, after sysexits.h.
enum {
  SLUICE_EXIT_USAGE = 64,
  SLUICE_EXIT_CONFINEMENT_FAILED = 71,
  SLUICE_EXIT_CONFINEMENT_LACKING = 77,
};

enum sluice_access {
  // Read, list and execute. A path that does not exist grants nothing.
  SLUICE_ACCESS_READ,
  // Read, list, write, create, rename and remove, but not execute. A path that does not exist is an
  // error. Only files and folders can be created: the host enters containers to wipe them and to hand
  // out documents, and shall meet no symbolic link out, no pipe that blocks and no device.
  SLUICE_ACCESS_WRITE,
  // Read files whose path one knows, but neither list nor execute. A path that does not exist grants
  // nothing.
  SLUICE_ACCESS_READ_FILES,
};

// Access to a file, or to a folder with everything below it.
struct sluice_grant {
  const char *path;
  enum sluice_access access;
};

enum sluice_port_access {
  // Connect to that port of any address: Landlock knows ports, and no addresses.
  SLUICE_PORT_CONNECT,
  // Take that port, to listen on it. Zero is whichever the kernel chooses.
  SLUICE_PORT_BIND,
};

// Access to a TCP port. Kernels before ABI 4 forbid none, and nothing is granted there.
struct sluice_port_grant {
  uint16_t port;
  enum sluice_port_access access;
};

// Zero means: no such limit. A limit only ever lowers the one in force.
struct sluice_confinement {
  const struct sluice_grant *grants;
  size_t grant_count;
  const struct sluice_port_grant *ports;
  size_t port_count;
  // The process to die with. Zero: none.
  pid_t parent;
  // Bytes of address space. Shared mappings count too, unlike with RLIMIT_DATA, so a guest cannot get
  // around it; a runtime that reserves more than it uses (a JIT, a sanitizer) needs a generous one.
  uint64_t memory_limit;
  // Bytes of the largest file.
  uint64_t file_size_limit;
  uint64_t descriptor_limit;
  // Signals that wait and POSIX timers, of all processes of the user in the user namespace together, at which this one
  // gets no more.
  uint64_t pending_signal_limit;
  // Whether the filter in SLUICE_FILTER_DESCRIPTOR applies, 0 or 1.
  int filters_calls;
  // A folder in which nothing is to be seen but what is granted there, in a mount namespace of the process's own. Null: none.
  const char *view;
  // Whether a /proc of the process's own PID namespace is mounted, 0 or 1.
  int mounts_processes;
  // The folder that becomes the process's root. Null: the root that it has.
  const char *root;
};

struct sluice_confinement_report {
  // The kernel's Landlock ABI, or 0 where it has none and files are not confined.
  int landlock_abi;
  // Whether system calls are filtered, 0 or 1.
  int calls_filtered;
  // What failed, to be read after "cannot", and the path that it failed for. Null: nothing, none.
  const char *failure;
  const char *path;
};

// Confines the calling process. Returns 0, or a negative errno; the process is then confined in part
// and must not go on. Allocates nothing.
int sluice_confine(const struct sluice_confinement *confinement,
                   struct sluice_confinement_report *report);

// The number of signals that may wait for processes of the user (RLIMIT_SIGPENDING, getrlimit(2)), as the calling process
// has it.
uint64_t sluice_pending_signal_limit(void);

// Confines the calling process as its command line asks:
//
//   [--parent PID] [--write PATH]… [--read PATH]… [--read-files PATH]… [--connect PORT]… [--bind PORT]…
//   [--memory BYTES] [--file-size BYTES] [--descriptors COUNT] [--pending-signals COUNT]
//   [--filter-calls] [--require-confinement] [--view FOLDER] [--mount-processes] [--root FOLDER]
//   [--] …
//
// Returns the index of the first argument that is not such an option. Where Landlock is lacking or
// incomplete it warns on standard error, or with --require-confinement refuses. It does not return
// when it refuses or fails: it says why in one sentence and exits with a status from above.
int sluice_confine_from_arguments(int count, char *const arguments[]);

// What dynamically linked programs and the common interpreters read: grant these, and the executable
// itself. Null-terminated. /dev/null is to be granted for writing besides.
//
// Not among them is /proc, though a Swift program whose libdispatch has worker threads traps without:
// it reads /proc/TID/stat of each, and there is no granting threads that do not exist yet. Such a guest
// needs SLUICE_ACCESS_READ_FILES for /proc, at the price that it reads the command line and status of
// every process whose number it guesses, though not its memory, its environment or its open files,
// which Landlock counts as tracing.
const char *const *sluice_runtime_paths(void);

// The kernel's Landlock ABI, or a negated errno where there is none: -EOPNOTSUPP where it is built in and was not enabled at
// boot, -ENOSYS where it is not built in, or a container's filter hides it.
int sluice_landlock_abi(void);

// Whether the kernel takes filters of system calls, 0 or 1.
int sluice_can_filter_calls(void);

// Filters the system calls of the calling process, and of all that it forks, by the filter in `file`, an array of struct sock_filter,
// which it closes; new privileges are renounced. Returns 1, 0 where the kernel takes no filters, or a negated errno.
int sluice_filter_calls(int file);

// Whether systemd has marked a control group as delegated (systemd.resource-control(5), Delegate=), 0 or 1.
int sluice_is_delegated(const char *folder);

// For the host: denies its memory to every process of the same user that has no capabilities, even
// where Landlock is lacking, and leaves no core file with its keys. See PR_SET_DUMPABLE in prctl(2).
// Returns 0 or a negative errno.
int sluice_guard_host_memory(void);

#ifdef __cplusplus
}
#endif

#endif
