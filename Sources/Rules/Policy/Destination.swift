import Model

/// The relation of one end of a transfer to the managed account at the other end.
enum Destination {
  case sameAccount
  /// Another managed account of the same organisation.
  case sameTenant
  /// A managed account of another organisation, or of one that is not known.
  case otherTenant
  /// An identity without a policy.
  case unmanaged

  /// The relation of two accounts that are both managed.
  init(of theirs: Account, seenFrom ours: Account) {
    self =
      if ours.isSame(as: theirs) {
        .sameAccount
      } else if ours.isSameTenant(as: theirs) {
        .sameTenant
      } else {
        .otherTenant
      }
  }
}
