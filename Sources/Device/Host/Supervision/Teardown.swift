/// How to end a guest: steps with a time for each, the last of which cannot be refused.
struct Teardown {
  struct Step: Equatable {
    var action: Supervision.Action
    /// How long to wait before the next step.
    var milliseconds: UInt64

    init(_ action: Supervision.Action, milliseconds: UInt64) {
      self.action = action
      self.milliseconds = milliseconds
    }
  }

  let steps: [Step]
  /// How long to wait for the kernel after SIGKILL.
  let patience: UInt64

  /// Asks first, then terminates, then kills; the first two steps share `milliseconds`.
  init(within milliseconds: UInt64) {
    patience = 1_000
    steps = [
      Step(.askToStop, milliseconds: milliseconds * 3 / 4),
      Step(.terminate, milliseconds: milliseconds / 4),
      Step(.kill, milliseconds: patience),
    ]
  }
}
