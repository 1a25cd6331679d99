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
