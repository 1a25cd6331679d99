internal import CSeccomp

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
