internal import Model
internal import Policy
internal import Wire

/// An identity that a guest acts for, as rules, tags and the journal see it. It never changes.
final class ActingIdentity {
  let identity: Identity
  let party: Party
  let ownership: Ownership
  let participant: Participant
  /// The identities whose data is shown, where that is more than one; else empty.
  let viewed: [Identity]

  init(
    _ identity: Identity, party: Party, ownership: Ownership, participant: Participant,
    viewed: [Identity] = []
  ) {
    self.identity = identity
    self.viewed = viewed
    self.party = party
    self.ownership = ownership
    self.participant = participant
  }
}

extension ActingIdentity {
  /// All identities that are acted for, or whose data is shown.
  var everybody: [Identity] { viewed.isEmpty ? [identity] : viewed }

  /// Whether the guest acts for the account, or shows its data.
  func concerns(_ account: Account) -> Bool {
    everybody.contains { $0.account?.isSame(as: account) ?? false }
  }
}

/// The kind of a task, which decides whose identity counts.
enum TaskKind {
  /// Sharing, cut, copy and paste, and everything else that a user sees.
  case interface
  /// Files, for which the identities of windows do not count.
  case file
}
