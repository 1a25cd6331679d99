internal import Policy
internal import Model
internal import Wire

/// A guest acting for one identity: what rules, tags and the journal see of it. Never changes.
final class ActingIdentity {
  let identity: Identity
  let party: Party
  let ownership: Ownership
  let participant: Participant
  /// Everybody whose data is shown, where that is more than one.
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
  /// Everybody whom it acts for, or shows data of.
  var everybody: [Identity] { viewed.isEmpty ? [identity] : viewed }

  /// Whether it acts for the account, or shows data of it.
  func concerns(_ account: Account) -> Bool {
    everybody.contains { $0.account?.isSame(as: account) ?? false }
  }
}

/// What decides whose identity counts for a task.
enum TaskKind {
  /// Sharing, cut, copy and paste, and all else that a user sees.
  case interface
  /// Files, whom windows do not concern.
  case file
}
