// These are attempts on the kernel and the machine, and on namespaces.
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

static long clone_with(unsigned long flags) {
  const long child = syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL, NULL);
  if (child == 0) _exit(0);
  return child;
}
static long clone_by_structure(void) {
  unsigned long arguments[11] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD};
  const long child = syscall(SYS_clone3, arguments, sizeof arguments);
  if (child == 0) _exit(0);
  return child;
}
static long enter_namespace(void) {
  const long process = syscall(SYS_pidfd_open, victims.process, 0);
  return process < 0 ? -1 : setns((int)process, CLONE_NEWUTS);
}

static long load_program(void) {
  char attributes[128] = {1};
  return syscall(SYS_bpf, 0, attributes, sizeof attributes);
}
// A filter that allows everything.
static struct sock_filter nothing = BPF_STMT(BPF_RET | BPF_K, 0x7FFF0000);
static const struct sock_fprog no_filter = {.len = 1, .filter = &nothing};
static long attach_filter(void) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) return -1;
  return setsockopt(pair[0], SOL_SOCKET, SO_ATTACH_FILTER, &no_filter, sizeof no_filter);
}
static long take_requests(void) {
  unsigned long context = 0;
  return syscall(SYS_io_setup, 1, &context);
}
static long measure(void) {
  struct {
    unsigned type, size;
    unsigned long config, rest[14];
  } attributes = {.type = 1, .size = 64, .config = 0};
  return syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
}
static long set_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return clock_settime(CLOCK_REALTIME, &now);
}
static long adjust_clock(void) {
  struct timex adjustment = {0};
  return syscall(SYS_adjtimex, &adjustment);
}
#ifdef __x86_64__
static long change_segments(void) {
  char entry[16];
  return syscall(SYS_modify_ldt, 0, entry, sizeof entry);
}
static long call_as_32_bits(void) {
  long outcome = 20;
  __asm__ volatile("int $0x80" : "+a"(outcome) : : "r8", "r9", "r10", "r11", "memory");
  if (outcome >= 0) return outcome;
  errno = (int)-outcome;
  return -1;
}
#endif

void attempt_machine(void) {
  TRY("make a user namespace", FILTER, unshare(CLONE_NEWUSER));
  TRY("make a mount namespace", FILTER | CAPABILITIES, unshare(CLONE_NEWNS));
  TRY("make a network namespace", FILTER, unshare(CLONE_NEWUSER | CLONE_NEWNET));
  TRY("clone into a user namespace", FILTER, clone_with(CLONE_NEWUSER));
  TRY("clone into a process namespace", FILTER, clone_with(CLONE_NEWUSER | CLONE_NEWPID));
  TRY("fork as a zygote does", FILTER | CAPABILITIES, clone_with(CLONE_NEWPID | CLONE_PARENT));
  TRY("clone by a structure", FILTER, clone_by_structure());
  TRY("enter a namespace", FILTER | CAPABILITIES, enter_namespace());
  TRY("mount", FILTER | CAPABILITIES, mount("none", ".", "tmpfs", 0, NULL));
  TRY("unmount", FILTER | CAPABILITIES, umount2(".", MNT_DETACH));
  TRY("open a file system", FILTER | CAPABILITIES, syscall(SYS_fsopen, "tmpfs", 0));
  TRY("open a tree", FILTER, syscall(SYS_open_tree, AT_FDCWD, victims.folder, 0));
  TRY("change the root", FILTER | CAPABILITIES, chroot(victims.folder));
  TRY("pivot the root", FILTER | CAPABILITIES, syscall(SYS_pivot_root, ".", "."));
  TRY("load a program into the kernel", FILTER, load_program());
  TRY("make a filter", FILTER,
      syscall(SYS_seccomp, 1 /* SECCOMP_SET_MODE_FILTER */, 0, &no_filter));
  TRY("make a filter (prctl)", FILTER,
      prctl(PR_SET_SECCOMP, 2 /* SECCOMP_MODE_FILTER */, &no_filter, 0, 0));
  TRY("attach a filter to a socket", FILTER, attach_filter());
  TRY("take a context of requests to files", FILTER, take_requests());
  TRY("measure performance", FILTER, measure());
  TRY("handle page faults", FILTER,
      syscall(SYS_userfaultfd, O_CLOEXEC | 1 /* UFFD_USER_MODE_ONLY */));
  TRY("load a kernel", FILTER | CAPABILITIES, syscall(SYS_kexec_load, 0, 0, NULL, 0));
  TRY("load a module", FILTER | CAPABILITIES, syscall(SYS_init_module, NULL, 0, ""));
  TRY("unload a module", FILTER | CAPABILITIES, syscall(SYS_delete_module, "none", O_NONBLOCK));
  // With wrong magic numbers the call would fail with EINVAL.
  TRY("reboot", FILTER | CAPABILITIES, syscall(SYS_reboot, 0, 0, 0, NULL));
  TRY("stop swapping", FILTER | CAPABILITIES, syscall(SYS_swapoff, "/nowhere"));
  TRY("stop the accounting of processes", FILTER | CAPABILITIES, acct(NULL));
  TRY("limit the disk", FILTER, syscall(SYS_quotactl, 0x80000100 /* Q_SYNC */, NULL, 0, NULL));
  TRY("read the kernel's log", FILTER,
      syscall(SYS_syslog, 10 /* SYSLOG_ACTION_SIZE_BUFFER */, NULL, 0));
  TRY("name the machine", FILTER | CAPABILITIES, sethostname("", 0));
  TRY("set the clock", FILTER | CAPABILITIES, set_clock());
  TRY("adjust the clock", FILTER, adjust_clock());
  TRY("change the personality", FILTER, personality(ADDR_NO_RANDOMIZE));
  TRY("type into the terminal", FILTER, ioctl(STDIN_FILENO, TIOCSTI, "x"));
  // Bits that the call ignores must not hide the request.
  TRY("type into the terminal in disguise", FILTER,
      syscall(SYS_ioctl, STDIN_FILENO, TIOCSTI | 1ULL << 32, "x"));
  TRY("make a call that is not known yet", FILTER,
      syscall(470, -1, NULL, 0, 0, 0) < 0 && errno == ENOSYS ? -1 : 0);
#ifdef __x86_64__
  TRY("change the permissions of ports", FILTER | CAPABILITIES, ioperm(0x80, 1, 1));
  TRY("read segments", FILTER, change_segments());
  // Both numbers stand for getpid(2).
  TRY("call in the manner of x32", FILTER, syscall(0x40000000 | SYS_getpid));
  TRY("call in the manner of 32 bits", FILTER, call_as_32_bits());
#endif
}
