internal import Policy
internal import Transfer

/// What was copied last, and under whose policy.
struct Pasteboard {
  struct Content {
    var item: Item
    /// The app and identity that copied.
    var source: Party
    var ownership: Ownership
    var participant: Participant
  }

  var content: Content?
}
