internal import UserActs
internal import Wire

/// What the next run of an extension is told that a guest starts.
struct PreparedRun {
  /// How it behaves; nil: as its other runs.
  var behaviour: Behaviour?
  /// What its user does, one after the other, as it shows something.
  var acts: [UserAct] = []
  /// Called with the number of each act and its outcome.
  var acted: (Int, Performance) -> Void = { _, _ in }
  /// Called in place of that where no run begins.
  var notBegun: () -> Void = {}
}
