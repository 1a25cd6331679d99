internal import CSeccomp
internal import Glibc

/// The calls by which a zygote's fork comes into being and confines itself. Guests have them ever after, since the filter
/// is the zygote's: without capabilities, each fails or takes something from the caller alone.
extension SystemCallFilter {
  static let birth: [SystemCallRule] = [
    .allow("clone", where: .equals(argument: 0, fork)),
    // Of its own process group it makes itself the leader that it is.
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

  /// A child of the host in a PID namespace of its own, which takes a capability.
  private static let fork = UInt32(CLONE_NEWPID | CLONE_PARENT | SIGCHLD)
}
