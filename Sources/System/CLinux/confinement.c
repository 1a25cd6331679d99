#define _GNU_SOURCE
#include "confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "landlock.h"
#include "view.h"

typedef struct sluice_confinement Confinement;
typedef struct sluice_confinement_report Report;

static int result(long status) { return status < 0 ? -errno : 0; }

// Disables set-user-ID programs and file capabilities, as Landlock requires.
static int renounce_new_privileges(const Confinement *confinement, Report *report) {
  (void)confinement, (void)report;
  return result(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
}

// Returns whether the other end of the protocol's connection is open. An exiting process closes its
// files before its children are notified.
static int has_host(void) {
  struct pollfd connection = {.fd = SLUICE_PROTOCOL_DESCRIPTOR};
  return poll(&connection, 1, 0) == 0;
}

// The signal survives execve(2). If the parent died before the signal was set, the signal is never
// sent, so the parent must be checked afterwards.
//
// "Parent" means the thread that forked (PR_SET_PDEATHSIG in prctl(2)), so the host forks on its
// main thread. A parent in another PID namespace has the identifier 0.
static int follow_parent(const Confinement *confinement, Report *report) {
  (void)report;
  if (confinement->parent == 0) return 0;
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0) return -errno;
  const pid_t parent = getppid();
  return parent == confinement->parent || (parent == 0 && has_host()) ? 0 : -ESRCH;
}

static int close_descriptors(const Confinement *confinement, Report *report) {
  (void)report;
  const int first = SLUICE_PROTOCOL_DESCRIPTOR + 1 + confinement->filters_calls;
#ifdef SYS_close_range
  if (syscall(SYS_close_range, first, ~0U, 0) == 0) return 0;
#endif
  // Linux before 5.9 has no close_range(2).
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return -errno;
  for (rlim_t descriptor = first; descriptor < limit.rlim_cur; descriptor++)
    close((int)descriptor);
  return 0;
}

// Returns everything that the kernel's Landlock can restrict. A handled right that is not granted
// is denied.
static struct landlock_ruleset_attr handled_by(int abi) {
  static const struct {
    int abi;
    struct landlock_ruleset_attr adds;
  } generations[] = {
      {1, {.handled_access_fs = LANDLOCK_ACCESS_FS_ABI_1}},
      {2, {.handled_access_fs = LANDLOCK_ACCESS_FS_REFER}},
      {3, {.handled_access_fs = LANDLOCK_ACCESS_FS_TRUNCATE}},
      {4, {.handled_access_net = LANDLOCK_ACCESS_NET_BIND_TCP | LANDLOCK_ACCESS_NET_CONNECT_TCP}},
      {5, {.handled_access_fs = LANDLOCK_ACCESS_FS_IOCTL_DEV}},
      {6, {.scoped = LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | LANDLOCK_SCOPE_SIGNAL}},
      {9, {.handled_access_fs = LANDLOCK_ACCESS_FS_RESOLVE_UNIX}},
      {10, {.handled_access_net = LANDLOCK_ACCESS_NET_BIND_UDP | LANDLOCK_ACCESS_NET_SEND_UDP}},
  };
  struct landlock_ruleset_attr handled = {0};
  for (size_t i = 0; i < sizeof generations / sizeof *generations; i++) {
    if (generations[i].abi > abi) break;
    handled.handled_access_fs |= generations[i].adds.handled_access_fs;
    handled.handled_access_net |= generations[i].adds.handled_access_net;
    handled.scoped |= generations[i].adds.scoped;
  }
  return handled;
}

static uint64_t rights_of(enum sluice_access access) {
  if (access == SLUICE_ACCESS_READ_FILES) return LANDLOCK_ACCESS_FS_READ_FILE;
  const uint64_t look = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
  if (access == SLUICE_ACCESS_READ) return look | LANDLOCK_ACCESS_FS_EXECUTE;
  return look | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE |
         LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR |
         LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REFER;
}

// A rule for a file must not include rights of folders (EINVAL of landlock_add_rule(2)).
static int add_rule(int ruleset, int path, uint64_t rights) {
  struct stat status;
  if (fstat(path, &status) < 0) return -errno;
  if (!S_ISDIR(status.st_mode)) rights &= LANDLOCK_ACCESS_FS_OF_FILES;
  const struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = path};
  return result(syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0));
}

static int grant(int ruleset, const struct sluice_grant *grant, uint64_t handled, Report *report) {
  int path = open(grant->path, O_PATH | O_CLOEXEC);
  if (path < 0 && errno == ENOENT && grant->access != SLUICE_ACCESS_WRITE) return 0;
  int status = path < 0 ? -errno : add_rule(ruleset, path, rights_of(grant->access) & handled);
  if (path >= 0) close(path);
  if (status < 0) {
    report->failure = "give access to";
    report->path = grant->path;
  }
  return status;
}

static int grant_port(int ruleset, const struct sluice_port_grant *grant, uint64_t handled,
                      Report *report) {
  const struct landlock_net_port_attr rule = {
      .allowed_access = handled & (grant->access == SLUICE_PORT_BIND ? LANDLOCK_ACCESS_NET_BIND_TCP
                                                                     : LANDLOCK_ACCESS_NET_CONNECT_TCP),
      .port = grant->port,
  };
  // A kernel that cannot restrict ports rejects the rule (ENOMSG of landlock_add_rule(2)).
  if (rule.allowed_access == 0) return 0;
  int status = result(syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_NET_PORT, &rule, 0));
  if (status < 0) report->failure = "give access to a port";
  return status;
}

static int restrict_access(const Confinement *confinement, Report *report) {
  const int abi = sluice_landlock_abi();
  // Landlock is not built in, disabled at boot, or hidden by a container's filter.
  if (abi < 1) return 0;
  report->landlock_abi = abi;

  // An older kernel accepts a longer structure if the unknown part is zero.
  const struct landlock_ruleset_attr handled = handled_by(abi);
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0);
  if (ruleset < 0) return -errno;
  int status = 0;
  for (size_t i = 0; i < confinement->grant_count && status == 0; i++)
    status = grant(ruleset, &confinement->grants[i], handled.handled_access_fs, report);
  for (size_t i = 0; i < confinement->port_count && status == 0; i++)
    status = grant_port(ruleset, &confinement->ports[i], handled.handled_access_net, report);
  if (status == 0) status = result(syscall(SYS_landlock_restrict_self, ruleset, 0));
  close(ruleset);
  return status;
}

static int lower_limit(int resource, rlim_t most) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) < 0) return -errno;
  if (most < limit.rlim_max) limit.rlim_max = most;
  limit.rlim_cur = limit.rlim_max;
  return result(setrlimit(resource, &limit));
}

static int limit_resources(const Confinement *confinement, Report *report) {
  (void)report;
  const struct {
    int resource;
    rlim_t most;
  } limits[] = {
      // One byte instead of none. A core dump that is piped to a program ignores the limit, but at
      // one byte the kernel does not start the program (core(5)). A guest's memory must stay
      // confined.
      {RLIMIT_CORE, 1},
      {RLIMIT_AS, confinement->memory_limit},
      {RLIMIT_FSIZE, confinement->file_size_limit},
      {RLIMIT_NOFILE, confinement->descriptor_limit},
      {RLIMIT_SIGPENDING, confinement->pending_signal_limit},
  };
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    if (limits[i].most == 0) continue;
    int status = lower_limit(limits[i].resource, limits[i].most);
    if (status < 0) return status;
  }
  return 0;
}

// If the host runs as root, so do its guests. With capabilities, they could raise their limits,
// load kernel modules and send raw packets. Because of no_new_privs, execve(2) does not restore
// capabilities.
static int drop_capabilities(const Confinement *confinement, Report *report) {
  (void)confinement, (void)report;
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
  return result(syscall(SYS_capset, &header, none));
}

int sluice_filter_calls(int file) {
  struct stat status;
  if (fstat(file, &status) < 0) return -errno;
  const size_t size = (size_t)status.st_size;
  if (size == 0 || size % sizeof(struct sock_filter) != 0 || size > BPF_MAXINSNS * sizeof(struct sock_filter)) return -EINVAL;
  // On the stack, the program would take private pages in every process.
  struct sock_filter *program = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (program == MAP_FAILED) return -errno;
  const struct sock_fprog filter = {.len = (unsigned short)(size / sizeof *program), .filter = program};
  int result = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (result == 0) result = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
  const int error = errno;
  munmap(program, size);
  close(file);
  if (result == 0) return 1;
  // The kernel has no filters. As without Landlock, this is not an error.
  return error == EINVAL ? 0 : -error;
}

static int filter_calls(const Confinement *confinement, Report *report) {
  if (!confinement->filters_calls) return 0;
  const int filtered = sluice_filter_calls(SLUICE_FILTER_DESCRIPTOR);
  report->calls_filtered = filtered > 0;
  return filtered < 0 ? filtered : 0;
}

static int enter_root(const Confinement *confinement, Report *report) {
  if (confinement->root == NULL) return 0;
  report->path = confinement->root;
  if (chroot(confinement->root) < 0) return -errno;
  report->path = NULL;
  return 0;
}

int sluice_confine(const Confinement *confinement, Report *report) {
  static const struct {
    const char *purpose;
    int (*take)(const Confinement *, Report *);
  } steps[] = {
      {"renounce new privileges", renounce_new_privileges},
      {"tie its life to its parent's", follow_parent},
      {"close inherited descriptors", close_descriptors},
      {"mount its own view", sluice_mount_view},
      {"restrict access with Landlock", restrict_access},
      {"take as its root", enter_root},
      {"limit its resources", limit_resources},
      {"drop capabilities", drop_capabilities},
      {"filter system calls", filter_calls},
  };
  *report = (Report){0};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    int status = steps[i].take(confinement, report);
    if (status == 0) continue;
    if (report->failure == NULL) report->failure = steps[i].purpose;
    return status;
  }
  return 0;
}

const char *const *sluice_runtime_paths(void) {
  static const char *const paths[] = {
      // Shared libraries, the loader and its cache (ld.so(8)), and interpreters' modules.
      "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache",
      // Swift's runtime, if installed with a toolchain instead of a package.
      "/opt/swift/usr/lib/swift/linux",
      // The number of processors (get_nprocs(3)).
      "/sys/devices/system/cpu",
      // Time zones.
      "/usr/share/zoneinfo", "/etc/localtime",
      // Harmless devices that programs expect.
      "/dev/null", "/dev/zero", "/dev/random", "/dev/urandom",
      NULL,
  };
  return paths;
}

uint64_t sluice_pending_signal_limit(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_SIGPENDING, &limit) < 0 ? 0 : limit.rlim_cur;
}

int sluice_landlock_abi(void) {
  const long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return abi < 0 ? -errno : (int)abi;
}

int sluice_can_filter_calls(void) {
  // Only a kernel with filters reads the program, so the null pointer fails with EFAULT, before
  // privileges are checked.
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0, 0) < 0 && errno == EFAULT;
}

int sluice_is_delegated(const char *folder) {
  char mark = 0;
  return getxattr(folder, "trusted.delegate", &mark, 1) == 1 && mark == '1';
}

int sluice_guard_host_memory(void) { return result(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)); }
