// Attempts on the kernel and the machine, and on namespaces.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <sched.h>
#include <signal.h>
#include <sys/io.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include "attempt.h"

typedef const struct victims Victims;

static long leave(int flags) { return unshare(flags); }
static long new_users(Victims *victims) {
  (void)victims;
  return leave(CLONE_NEWUSER);
}
static long new_mounts(Victims *victims) {
  (void)victims;
  return leave(CLONE_NEWNS);
}
static long new_network(Victims *victims) {
  (void)victims;
  return leave(CLONE_NEWUSER | CLONE_NEWNET);
}
static long clone_with(unsigned long flags) {
  const long child = syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL, NULL);
  if (child == 0) _exit(0);
  return child;
}
static long clone_users(Victims *victims) {
  (void)victims;
  return clone_with(CLONE_NEWUSER);
}
static long clone_processes(Victims *victims) {
  (void)victims;
  return clone_with(CLONE_NEWUSER | CLONE_NEWPID);
}
static long fork_as_zygote(Victims *victims) {
  (void)victims;
  return clone_with(CLONE_NEWPID | CLONE_PARENT);
}
static long clone_by_structure(Victims *victims) {
  (void)victims;
  unsigned long arguments[11] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD};
  const long child = syscall(SYS_clone3, arguments, sizeof arguments);
  if (child == 0) _exit(0);
  return child;
}
static long enter_namespace(Victims *victims) {
  const long process = syscall(SYS_pidfd_open, victims->process, 0);
  return process < 0 ? -1 : setns((int)process, CLONE_NEWUTS);
}
static long mount_memory(Victims *victims) {
  (void)victims;
  return mount("none", ".", "tmpfs", 0, NULL);
}
static long unmount(Victims *victims) {
  (void)victims;
  return umount2(".", MNT_DETACH);
}
static long open_filesystem(Victims *victims) {
  (void)victims;
  return syscall(SYS_fsopen, "tmpfs", 0);
}
static long take_tree(Victims *victims) {
  return syscall(SYS_open_tree, AT_FDCWD, victims->folder, 0);
}
static long change_root(Victims *victims) { return chroot(victims->folder); }
static long pivot(Victims *victims) {
  (void)victims;
  return syscall(SYS_pivot_root, ".", ".");
}

static long load_program(Victims *victims) {
  (void)victims;
  char attributes[128] = {1};
  return syscall(SYS_bpf, 0, attributes, sizeof attributes);
}
// One that allows everything.
static struct sock_filter nothing = BPF_STMT(BPF_RET | BPF_K, 0x7FFF0000);
static const struct sock_fprog no_filter = {.len = 1, .filter = &nothing};
static long make_filter(Victims *victims) {
  (void)victims;
  return syscall(SYS_seccomp, 1 /* SECCOMP_SET_MODE_FILTER */, 0, &no_filter);
}
static long make_filter_by_prctl(Victims *victims) {
  (void)victims;
  return prctl(PR_SET_SECCOMP, 2 /* SECCOMP_MODE_FILTER */, &no_filter, 0, 0);
}
static long attach_filter(Victims *victims) {
  (void)victims;
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) return -1;
  return setsockopt(pair[0], SOL_SOCKET, SO_ATTACH_FILTER, &no_filter, sizeof no_filter);
}
static long take_requests(Victims *victims) {
  (void)victims;
  unsigned long context = 0;
  return syscall(SYS_io_setup, 1, &context);
}
static long measure(Victims *victims) {
  (void)victims;
  struct {
    unsigned type, size;
    unsigned long config, rest[14];
  } attributes = {.type = 1, .size = 64, .config = 0};
  return syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
}
static long handle_faults(Victims *victims) {
  (void)victims;
  return syscall(SYS_userfaultfd, O_CLOEXEC | 1 /* UFFD_USER_MODE_ONLY */);
}
static long load_kernel(Victims *victims) {
  (void)victims;
  return syscall(SYS_kexec_load, 0, 0, NULL, 0);
}
static long load_module(Victims *victims) {
  (void)victims;
  return syscall(SYS_init_module, NULL, 0, "");
}
static long unload_module(Victims *victims) {
  (void)victims;
  return syscall(SYS_delete_module, "none", O_NONBLOCK);
}
// The wrong magic numbers: it would fail with EINVAL.
static long reboot_machine(Victims *victims) {
  (void)victims;
  return syscall(SYS_reboot, 0, 0, 0, NULL);
}
static long swap(Victims *victims) {
  (void)victims;
  return syscall(SYS_swapoff, "/nowhere");
}
static long account_processes(Victims *victims) {
  (void)victims;
  return acct(NULL);
}
static long limit_disk(Victims *victims) {
  (void)victims;
  return syscall(SYS_quotactl, 0x80000100 /* Q_SYNC */, NULL, 0, NULL);
}
static long read_kernel_log(Victims *victims) {
  (void)victims;
  return syscall(SYS_syslog, 10 /* SYSLOG_ACTION_SIZE_BUFFER */, NULL, 0);
}
static long name_machine(Victims *victims) {
  (void)victims;
  return sethostname("", 0);
}
static long set_clock(Victims *victims) {
  (void)victims;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return clock_settime(CLOCK_REALTIME, &now);
}
static long adjust_clock(Victims *victims) {
  (void)victims;
  struct timex adjustment = {0};
  return syscall(SYS_adjtimex, &adjustment);
}
static long change_personality(Victims *victims) {
  (void)victims;
  return personality(ADDR_NO_RANDOMIZE);
}
static long type_into_terminal(Victims *victims) {
  (void)victims;
  return ioctl(STDIN_FILENO, TIOCSTI, "x");
}
// Bits that the call does not look at must not hide the request.
static long type_in_disguise(Victims *victims) {
  (void)victims;
  return syscall(SYS_ioctl, STDIN_FILENO, TIOCSTI | 1ULL << 32, "x");
}
static long call_the_unknown(Victims *victims) {
  (void)victims;
  return syscall(470, -1, NULL, 0, 0, 0) < 0 && errno == ENOSYS ? -1 : 0;
}
#ifdef __x86_64__
static long change_ports(Victims *victims) {
  (void)victims;
  return ioperm(0x80, 1, 1);
}
static long change_segments(Victims *victims) {
  (void)victims;
  char entry[16];
  return syscall(SYS_modify_ldt, 0, entry, sizeof entry);
}
// getpid(2) in the manner of x32 and of 32 bits.
static long call_as_x32(Victims *victims) {
  (void)victims;
  return syscall(0x40000000 | SYS_getpid);
}
static long call_as_32_bits(Victims *victims) {
  (void)victims;
  long outcome = 20;
  __asm__ volatile("int $0x80" : "+a"(outcome) : : "r8", "r9", "r10", "r11", "memory");
  if (outcome >= 0) return outcome;
  errno = (int)-outcome;
  return -1;
}
#endif

const struct attempt machine_attempts[] = {
    {"make a user namespace", new_users, FILTER},
    {"make a mount namespace", new_mounts, FILTER | CAPABILITIES},
    {"make a network namespace", new_network, FILTER},
    {"clone into a user namespace", clone_users, FILTER},
    {"clone into a process namespace", clone_processes, FILTER},
    {"fork as a zygote does", fork_as_zygote, FILTER | CAPABILITIES},
    {"clone by a structure", clone_by_structure, FILTER},
    {"enter a namespace", enter_namespace, FILTER | CAPABILITIES},
    {"mount", mount_memory, FILTER | CAPABILITIES},
    {"unmount", unmount, FILTER | CAPABILITIES},
    {"open a file system", open_filesystem, FILTER | CAPABILITIES},
    {"open a tree", take_tree, FILTER},
    {"change the root", change_root, FILTER | CAPABILITIES},
    {"pivot the root", pivot, FILTER | CAPABILITIES},
    {"load a program into the kernel", load_program, FILTER},
    {"make a filter", make_filter, FILTER},
    {"make a filter (prctl)", make_filter_by_prctl, FILTER},
    {"attach a filter to a socket", attach_filter, FILTER},
    {"take a context of requests to files", take_requests, FILTER},
    {"measure performance", measure, FILTER},
    {"handle page faults", handle_faults, FILTER},
    {"load a kernel", load_kernel, FILTER | CAPABILITIES},
    {"load a module", load_module, FILTER | CAPABILITIES},
    {"unload a module", unload_module, FILTER | CAPABILITIES},
    {"reboot", reboot_machine, FILTER | CAPABILITIES},
    {"stop swapping", swap, FILTER | CAPABILITIES},
    {"stop the accounting of processes", account_processes, FILTER | CAPABILITIES},
    {"limit the disk", limit_disk, FILTER},
    {"read the kernel's log", read_kernel_log, FILTER},
    {"name the machine", name_machine, FILTER | CAPABILITIES},
    {"set the clock", set_clock, FILTER | CAPABILITIES},
    {"adjust the clock", adjust_clock, FILTER},
    {"change the personality", change_personality, FILTER},
    {"type into the terminal", type_into_terminal, FILTER},
    {"type into the terminal in disguise", type_in_disguise, FILTER},
    {"make a call that is not known yet", call_the_unknown, FILTER},
#ifdef __x86_64__
    {"change the permissions of ports", change_ports, FILTER | CAPABILITIES},
    {"read segments", change_segments, FILTER},
    {"call in the manner of x32", call_as_x32, FILTER},
    {"call in the manner of 32 bits", call_as_32_bits, FILTER},
#endif
    {0},
};
