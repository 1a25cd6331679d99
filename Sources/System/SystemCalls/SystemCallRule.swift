internal import CSeccomp
internal import Glibc

/// The answer of a filter to some system calls.
struct SystemCallRule: Sendable {
  /// The reaction to a call.
  enum Answer: Sendable, Equatable {
    /// The call is carried out.
    case allowed
    /// The call fails with this error.
    case fails(Int32)

    var action: UInt32 {
      switch self {
      case .allowed: SCMP_ACT_ALLOW
      // SCMP_ACT_ERRNO, a macro with a parameter.
      case .fails(let error): 0x0005_0000 | UInt32(error) & 0xFFFF
      }
    }
  }

  let answer: Answer
  let calls: [SystemCall]
  /// All of them must hold, and there is one for an argument at most. Empty: whatever the arguments are.
  let conditions: [ArgumentCondition]

  static func allow(
    _ calls: SystemCall..., where conditions: ArgumentCondition...
  ) -> SystemCallRule {
    SystemCallRule(answer: .allowed, calls: calls, conditions: conditions)
  }

  static func refuse(
    _ calls: SystemCall..., with error: Int32 = EPERM, where conditions: ArgumentCondition...
  ) -> SystemCallRule {
    SystemCallRule(answer: .fails(error), calls: calls, conditions: conditions)
  }
}

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

/// A condition on one argument of a system call, counted from 0.
///
/// A filter sees 64 bits of each argument, and a call may look at 32 of them. What a condition lets pass must therefore
/// be given in full, and what it stops is compared in the bits that the call looks at.
enum ArgumentCondition: Sendable, Equatable {
  /// The bits of `mask` are those of `value`.
  case bits(argument: UInt32, of: UInt32, are: UInt32)
  /// One bit or more of all 64 differs from `value`.
  case differs(argument: UInt32, from: UInt64)
  /// All 64 bits, as an unsigned number, are more than `value`.
  case exceeds(argument: UInt32, UInt64)

  /// The lower 32 bits are `value`.
  static func equals(argument: UInt32, _ value: UInt32) -> ArgumentCondition {
    .bits(argument: argument, of: .max, are: value)
  }

  /// All of `bits` are set.
  static func contains(argument: UInt32, _ bits: UInt32) -> ArgumentCondition {
    .bits(argument: argument, of: bits, are: bits)
  }

  var comparison: scmp_arg_cmp {
    switch self {
    case .bits(let argument, let mask, let value):
      scmp_arg_cmp(
        arg: argument, op: SCMP_CMP_MASKED_EQ, datum_a: UInt64(mask), datum_b: UInt64(value))
    case .differs(let argument, let value):
      scmp_arg_cmp(arg: argument, op: SCMP_CMP_NE, datum_a: value, datum_b: 0)
    case .exceeds(let argument, let value):
      scmp_arg_cmp(arg: argument, op: SCMP_CMP_GT, datum_a: value, datum_b: 0)
    }
  }
}
