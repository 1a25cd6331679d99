internal import CSeccomp

/// A system call, by the name that syscalls(2) lists.
struct SystemCall: Sendable, Hashable, ExpressibleByStringLiteral {
  let name: String
  /// The number, where the call is younger than the oldest libseccomp that knows it; since Linux 5.1 numbers are the same
  /// on all architectures. nil: libseccomp knows the call.
  private let youngNumber: Int32?

  init(stringLiteral name: String) { self.init(name, youngNumber: nil) }

  private init(_ name: String, youngNumber: Int32?) {
    self.name = name
    self.youngNumber = youngNumber
  }

  static func young(_ name: String, _ number: Int32) -> SystemCall {
    SystemCall(name, youngNumber: number)
  }

  /// The number on this machine, which libseccomp makes up where the architecture lacks the call; nil for a name that
  /// does not exist.
  var number: Int32? {
    let number = seccomp_syscall_resolve_name(name)
    return number == __NR_SCMP_ERROR ? youngNumber : number
  }
}
