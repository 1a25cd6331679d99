internal import CSeccomp
internal import Glibc

/// A rule of a system call filter: the answer to the given calls if their arguments meet the conditions.
struct SystemCallRule: Sendable {
  enum Answer: Sendable, Equatable {
    case allowed
    case fails(Int32)

    var action: UInt32 {
      switch self {
      case .allowed: SCMP_ACT_ALLOW
      // The value of SCMP_ACT_ERRNO, which Swift cannot import because it is a macro with a
      // parameter.
      case .fails(let error): 0x0005_0000 | UInt32(error) & 0xFFFF
      }
    }
  }

  let answer: Answer
  let calls: [SystemCall]
  /// The conditions, at most one for each argument. The rule applies if all are true. A rule
  /// without conditions always applies.
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

/// A system call, identified by its name in syscalls(2).
struct SystemCall: Sendable, Hashable, ExpressibleByStringLiteral {
  let name: String
  /// The call's number, if the oldest supported libseccomp does not know the call's name; otherwise nil. Since Linux
  /// 5.1, new calls have the same number on all architectures.
  private let youngNumber: Int32?

  init(stringLiteral name: String) { self.init(name, youngNumber: nil) }

  private init(_ name: String, youngNumber: Int32?) {
    self.name = name
    self.youngNumber = youngNumber
  }

  static func young(_ name: String, _ number: Int32) -> SystemCall {
    SystemCall(name, youngNumber: number)
  }

  /// The call's number on this machine; libseccomp's pseudo number if the architecture lacks the call. If libseccomp
  /// does not know the name, the number that was passed to ``young(_:_:)``, or nil.
  var number: Int32? {
    let number = seccomp_syscall_resolve_name(name)
    return number == __NR_SCMP_ERROR ? youngNumber : number
  }
}

/// A condition on one argument of a system call. Arguments are counted from 0.
///
/// A filter sees 64 bits of each argument, but a call may use only 32. A refusal must therefore compare only
/// the bits that the call uses, and an exception to a refusal must compare all 64.
enum ArgumentCondition: Sendable, Equatable {
  /// The lower 32 bits of the argument, masked with `of`, equal `are`.
  case bits(argument: UInt32, of: UInt32, are: UInt32)
  /// The 64 bits of the argument differ from `from`.
  case differs(argument: UInt32, from: UInt64)
  /// The 64 bits of the argument, as an unsigned number, are greater than the value.
  case exceeds(argument: UInt32, UInt64)

  /// Returns the condition that the argument's lower 32 bits equal `value`.
  static func equals(argument: UInt32, _ value: UInt32) -> ArgumentCondition {
    .bits(argument: argument, of: .max, are: value)
  }

  /// Returns the condition that the argument has all of `bits` set.
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
