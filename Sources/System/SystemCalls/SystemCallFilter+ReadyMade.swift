internal import CSeccomp
internal import Glibc

/// The calls of `sluice-guest` once it is confined.
extension SystemCallFilter {
  static let ownCalls: [SystemCallRule] =
    memory + files + requests + time + threads + [
      // The connection to the device, and output.
      .allow("read", "write", "readv", "writev", "recvmsg", "sendmsg", "close"),
      .allow("epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait", "epoll_pwait2", "eventfd2"),
      .allow("poll", "ppoll", "pipe2", "dup", "dup2", "dup3"),
    ]

  /// Requests about a descriptor: its flags, copies of it, locks that belong to the open file. Neither leases, nor owners
  /// and signals, which whoever shares the open file would see.
  private static let requests: [SystemCallRule] =
    [F_DUPFD, F_GETFD, F_SETFD, F_GETFL, 1030, 36, 37, 38].map {
      .allow("fcntl", where: .equals(argument: 1, UInt32($0)))
    }
    + [UInt32(FIONBIO), UInt32(FIONREAD), UInt32(FIOCLEX), UInt32(TCGETS)].map {
      .allow("ioctl", where: .equals(argument: 1, $0))
    }

  private static let memory: [SystemCallRule] = [
    .allow("brk", "munmap", "mremap", "madvise"),
    .allow("mmap", where: .bits(argument: 2, of: UInt32(PROT_EXEC), are: 0)),
    .allow("mprotect", where: .bits(argument: 2, of: UInt32(PROT_EXEC), are: 0)),
  ]

  /// Files in its container and its app groups: Landlock knows them.
  private static let files: [SystemCallRule] = [
    .allow("open", "openat", "openat2", "access", "faccessat", "lseek", "ftruncate"),
    .allow("stat", "lstat", "fstat", "newfstatat", "statx", "readlink", "readlinkat", "getcwd"),
    .allow("pread64", "pwrite64", "preadv", "pwritev", "fsync", "fdatasync", "getdents64"),
    .allow("mkdir", "mkdirat", "rmdir", "unlink", "unlinkat", "rename", "renameat", "renameat2"),
  ]

  private static let time: [SystemCallRule] = [
    .allow("clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time"),
    // The limit of a script's processor time.
    .allow("timer_create", "timer_settime", "timer_gettime", "timer_getoverrun", "timer_delete"),
  ]

  private static let threads: [SystemCallRule] = [
    // As the C library makes threads, which share everything.
    .allow("clone", where: .equals(argument: 0, 0x3D_0F00)),
    .allow("futex", "set_robust_list", "rseq", "gettid", "getpid", "getppid", "getuid", "geteuid"),
    .allow("getgid", "getegid", "set_tid_address", "sched_yield", "sched_getaffinity", "getrandom"),
    .allow("getcpu", "sysinfo", "uname", "getrusage", "exit", "exit_group", "tgkill"),
    .allow("rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall"),
    .allow("prlimit64", where: .equals(argument: 0, 0)),
    .allow("getrlimit"),
  ]
}
