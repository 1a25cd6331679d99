internal import Model

/// The end of a guest with a program of its own, of which nobody has said that it is to happen.
struct UnexpectedEnd {
  let guest: String
  let cause: ExitCause

  /// The end in a clause.
  var text: String { "`\(guest)` ended unexpectedly: \(cause.text)" }
}
