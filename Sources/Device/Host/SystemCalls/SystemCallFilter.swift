internal import CSeccomp
internal import Glibc

/// A list of rules for system calls. A more specific rule takes precedence.
struct SystemCallFilter: Sendable {
  let otherwise: SystemCallRule.Answer
  let rules: [SystemCallRule]

  static let readyMade = SystemCallFilter(otherwise: .fails(ENOSYS), rules: ownCalls)

  static let zygote = SystemCallFilter(otherwise: .fails(ENOSYS), rules: ownCalls + birth)

  static let server = SystemCallFilter(
    otherwise: .allowed, rules: otherProcesses + messages + namespaces + machine + filters)

  static func program(
    _ strictness: SystemCallProfile.Strictness, _ network: SystemCallProfile.Network
  ) -> SystemCallFilter {
    var rules = otherProcesses + messages + namespaces + machine + filters + tcpFastOpen
    rules.append(.refuse("listen"))
    var families: Set<Int32> = network == .client ? [AF_INET, AF_INET6] : []
    switch strictness {
    case .strict: rules += metadata
    case .compatible: families.insert(AF_UNIX)
    }
    return SystemCallFilter(otherwise: .allowed, rules: rules + sockets(of: families))
  }
}

/// The system calls of a confined `sluice-guest`.
extension SystemCallFilter {
  private static let ownCalls: [SystemCallRule] =
    memory + files + requests + time + threads + [
      .allow("read", "write", "readv", "writev", "recvmsg", "sendmsg", "close"),
      .allow("epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait", "epoll_pwait2", "eventfd2"),
      .allow("poll", "ppoll", "pipe2", "dup", "dup2", "dup3"),
    ]

  /// Requests of fcntl(2) about descriptor flags, duplication and open file description locks, and a few of
  /// ioctl(2). Leases, owners and signals are excluded, because they affect other holders of the open file.
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

  /// Calls on files in the guest's container and app groups, which Landlock restricts.
  private static let files: [SystemCallRule] = [
    .allow("open", "openat", "openat2", "access", "faccessat", "lseek", "ftruncate"),
    .allow("stat", "lstat", "fstat", "newfstatat", "statx", "readlink", "readlinkat", "getcwd"),
    .allow("pread64", "pwrite64", "preadv", "pwritev", "fsync", "fdatasync", "getdents64"),
    .allow("mkdir", "mkdirat", "rmdir", "unlink", "unlinkat", "rename", "renameat", "renameat2"),
  ]

  private static let time: [SystemCallRule] = [
    .allow("clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time"),
    // Scripts use these timers to limit their CPU time.
    .allow("timer_create", "timer_settime", "timer_gettime", "timer_getoverrun", "timer_delete"),
  ]

  private static let threads: [SystemCallRule] = [
    // The C library creates threads with these flags, which share everything.
    .allow("clone", where: .equals(argument: 0, 0x3D_0F00)),
    .allow("futex", "set_robust_list", "rseq", "gettid", "getpid", "getppid", "getuid", "geteuid"),
    .allow("getgid", "getegid", "set_tid_address", "sched_yield", "sched_getaffinity", "getrandom"),
    .allow("getcpu", "sysinfo", "uname", "getrusage", "exit", "exit_group", "tgkill"),
    .allow("rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall"),
    .allow("prlimit64", where: .equals(argument: 0, 0)),
    .allow("getrlimit"),
  ]
}

/// The system calls with which a zygote's fork starts and confines itself. Guests inherit the zygote's filter and keep
/// these calls. Without capabilities, each call fails or only restricts its caller.
extension SystemCallFilter {
  private static let birth: [SystemCallRule] = [
    .allow("clone", where: .equals(argument: 0, fork)),
    // The call makes the process the leader of its own process group. Repeating it changes nothing.
    .allow("setpgid", where: .equals(argument: 0, 0), .equals(argument: 1, 0)),
    .allow("chdir", "chroot", "capset"),
    .allow(.young("close_range", 436), where: .equals(argument: 2, 0)),
    .allow(.young("landlock_create_ruleset", 444), .young("landlock_add_rule", 445)),
    .allow(.young("landlock_restrict_self", 446)),
    .allow("prctl", where: .equals(argument: 0, UInt32(PR_SET_NO_NEW_PRIVS))),
    .allow("prctl", where: .equals(argument: 0, UInt32(PR_GET_TID_ADDRESS))),
    .allow(
      "prctl", where: .equals(argument: 0, UInt32(PR_SET_PDEATHSIG)),
      .equals(argument: 1, UInt32(SIGKILL))),
  ]

  /// The clone flags with which a new process becomes a child of the host, in its own PID namespace. They require a
  /// capability.
  private static let fork = UInt32(CLONE_NEWPID | CLONE_PARENT | SIGCHLD)
}

/// The system calls that fail in programs and servers.
extension SystemCallFilter {
  /// Calls that act on the memory, descriptors, limits and scheduling of other processes. Calls with the process id 0
  /// are not refused, because 0 denotes the calling process.
  private static let otherProcesses: [SystemCallRule] = [
    .refuse("ptrace", "process_vm_readv", "process_vm_writev", "kcmp"),
    .refuse("pidfd_getfd", "process_madvise", "process_mrelease"),
    .refuse("prlimit64", "sched_setaffinity", where: .differs(argument: 0, from: 0)),
    .refuse("sched_setscheduler", "sched_setparam", where: .differs(argument: 0, from: 0)),
    .refuse("sched_setattr", "migrate_pages", "move_pages", where: .differs(argument: 0, from: 0)),
    .refuse("setpriority", where: .differs(argument: 0, from: UInt64(PRIO_PROCESS.rawValue))),
    .refuse("setpriority", where: .differs(argument: 1, from: 0)),
    .refuse("ioprio_set", where: .differs(argument: 0, from: 1)),
    .refuse("ioprio_set", where: .differs(argument: 1, from: 0)),
    // A guest must end with its host, and must not create children of its parent (CLONE_PARENT).
    .refuse("prctl", where: .equals(argument: 0, UInt32(PR_SET_PDEATHSIG))),
    .refuse("clone", where: .contains(argument: 0, 0x8000)),
  ]

  /// Calls for IPC. With them, guests could exchange data without a verdict.
  private static let messages: [SystemCallRule] = [
    .refuse("shmget", "shmat", "shmctl", "shmdt", "semget", "semop", "semtimedop", "semctl"),
    .refuse("msgget", "msgsnd", "msgrcv", "msgctl"),
    .refuse("mq_open", "mq_unlink", "mq_timedsend", "mq_timedreceive", "mq_notify"),
    .refuse("mq_getsetattr", "add_key", "request_key", "keyctl"),
  ]

  static let namespaces: [SystemCallRule] =
    [
      .refuse("unshare", "setns", "chroot", "pivot_root", "mount", "umount2", "move_mount"),
      .refuse("open_tree", "fsopen", "fsmount", "fsconfig", "fspick", "mount_setattr"),
      .refuse(.young("statmount", 457), .young("listmount", 458)),
      // Filters cannot read the flags, because they are in memory. The C library falls back to
      // clone(2).
      .refuse("clone3", with: ENOSYS),
    ]
    + [
      CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID,
      CLONE_NEWNET,
    ]
    .map { .refuse("clone", where: .contains(argument: 0, UInt32($0))) }

  private static let machine: [SystemCallRule] = [
    .refuse("bpf", "perf_event_open", "userfaultfd", "fanotify_init"),
    .refuse("name_to_handle_at", "open_by_handle_at", "lookup_dcookie"),
    .refuse("kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module"),
    .refuse("reboot", "swapon", "swapoff", "acct", "quotactl", "quotactl_fd", "syslog"),
    .refuse("sethostname", "setdomainname", "vhangup", "iopl", "ioperm", "modify_ldt"),
    .refuse("settimeofday", "clock_settime", "clock_adjtime", "adjtimex"),
    // Filters do not see the operations of io_uring.
    .refuse("io_uring_setup", "io_uring_enter", "io_uring_register", with: ENOSYS),
    // The number of contexts is limited for the whole machine, for all users together.
    .refuse("io_setup", with: ENOSYS),
    // The kernel charges the memory for Landlock rules to no process.
    .refuse(.young("landlock_create_ruleset", 444), .young("landlock_add_rule", 445), with: ENOSYS),
    .refuse(.young("landlock_restrict_self", 446), with: ENOSYS),
    // A lease on a file prevents the device from opening it.
    .refuse("fcntl", where: .equals(argument: 1, 1024)),
    // Pipe sizes count against the user's limit. Every reader of a file sees its write-lifetime
    // hint.
    .refuse("fcntl", where: .equals(argument: 1, 1031)),
    .refuse("fcntl", where: .equals(argument: 1, 1036)),
    .refuse("fcntl", where: .equals(argument: 1, 1038)),
    .refuse("personality", where: .differs(argument: 0, from: 0xFFFF_FFFF)),
    // The request inserts input into the host's terminal.
    .refuse("ioctl", where: .equals(argument: 1, UInt32(TIOCSTI))),
    .refuse("ioctl", where: .equals(argument: 1, 0x541C)),
  ]

  /// Calls that load filter programs into the kernel. Freeing thousands of programs at once can stall the kernel
  /// (Linux 6.18).
  private static let filters: [SystemCallRule] =
    [
      .refuse("seccomp"), .refuse("prctl", where: .equals(argument: 0, UInt32(PR_SET_SECCOMP))),
    ]
    + [SO_ATTACH_FILTER, SO_ATTACH_BPF, SO_ATTACH_REUSEPORT_CBPF, SO_ATTACH_REUSEPORT_EBPF].map {
      .refuse(
        "setsockopt", where: .equals(argument: 1, UInt32(SOL_SOCKET)),
        .equals(argument: 2, UInt32($0)))
    }

  /// Calls that change file metadata, watch folders or create memory files. Landlock does not restrict these calls, and
  /// the kernel permits them to a file's owner.
  private static let metadata: [SystemCallRule] =
    ioctls.map { .refuse("ioctl", where: .equals(argument: 1, $0)) } + [
      .refuse("fcntl", where: .equals(argument: 1, 1026)),
      .refuse("chmod", "fchmod", "fchmodat", .young("fchmodat2", 452)),
      .refuse("chown", "fchown", "lchown", "fchownat"),
      .refuse("utime", "utimes", "futimesat", "utimensat"),
      .refuse("setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr"),
      .refuse("inotify_init", "inotify_init1", "inotify_add_watch"),
      // A guest could write such memory files and then execute them.
      .refuse("memfd_create", "memfd_secret"),
    ]

  /// Requests of ioctl(2) that change a file's flags, version, attributes, encryption or verity. They work even
  /// through a read-only descriptor.
  private static let ioctls: [UInt32] = [
    0x4008_6602, 0x4004_6602, 0x4008_7602, 0x4004_7602, 0x4008_6604, 0x4004_6604, 0x401C_5820,
    0x800C_6613, 0xC050_6617, 0x4080_6685,
  ]

  /// Calls that send the first data together with the TCP connection request. Landlock does not check these
  /// connections.
  private static let tcpFastOpen: [SystemCallRule] = [
    .refuse("sendto", with: EACCES, where: .contains(argument: 3, fastOpenFlag)),
    .refuse("sendmsg", with: EACCES, where: .contains(argument: 2, fastOpenFlag)),
    .refuse("sendmmsg", with: EACCES, where: .contains(argument: 3, fastOpenFlag)),
    .refuse(
      "setsockopt", with: EACCES, where: .equals(argument: 1, UInt32(IPPROTO_TCP)),
      .equals(argument: 2, 30)),
  ]

  private static let fastOpenFlag: UInt32 = 0x2000_0000

  /// Refuses sockets outside of `families`. Internet sockets must be TCP, because Landlock does not
  /// restrict other protocols.
  private static func sockets(of families: Set<Int32>) -> [SystemCallRule] {
    let known = 0...AF_INET6
    let others = known.filter { !families.contains($0) }
    var rules: [SystemCallRule] = others.map {
      .refuse("socket", with: EAFNOSUPPORT, where: .equals(argument: 0, UInt32($0)))
    }
    rules.append(
      .refuse("socket", with: EAFNOSUPPORT, where: .exceeds(argument: 0, UInt64(AF_INET6))))
    if !families.contains(AF_UNIX) { rules += connectedPairs }
    for family in families.sorted() where family != AF_UNIX {
      rules += connectionsBesideTCP(of: UInt32(family))
    }
    return rules
  }

  /// Rules that permit `socketpair` only for connected Unix sockets of the types stream and sequential packet, because
  /// other types can send to any address. They refuse `bind`, because all processes see socket names.
  private static let connectedPairs: [SystemCallRule] =
    (0...0xF).filter { $0 != SOCK_STREAM.rawValue && $0 != SOCK_SEQPACKET.rawValue }.map {
      .refuse(
        "socketpair", with: ESOCKTNOSUPPORT, where: .bits(argument: 1, of: 0xF, are: $0))
    } + [
      .refuse(
        "socketpair", with: EAFNOSUPPORT, where: .differs(argument: 0, from: UInt64(AF_UNIX))),
      .refuse("bind", with: EACCES),
    ]

  private static func connectionsBesideTCP(of family: UInt32) -> [SystemCallRule] {
    let stream = UInt32(SOCK_STREAM.rawValue)
    let types = (0...0xF).filter { $0 != stream }.map { type in
      SystemCallRule.refuse(
        "socket", with: ESOCKTNOSUPPORT, where: .equals(argument: 0, family),
        .bits(argument: 1, of: 0xF, are: type))
    }
    let tcp = UInt32(IPPROTO_TCP)
    let protocols = (1..<tcp).map { other in
      SystemCallRule.refuse(
        "socket", with: EPROTONOSUPPORT, where: .equals(argument: 0, family),
        .equals(argument: 2, other))
    }
    return types + protocols + [
      .refuse(
        "socket", with: EPROTONOSUPPORT, where: .equals(argument: 0, family),
        .exceeds(argument: 2, UInt64(tcp)))
    ]
  }
}
