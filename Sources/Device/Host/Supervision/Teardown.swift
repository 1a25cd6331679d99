/// The steps that end a guest, each with a time; the last step cannot be refused.
struct Teardown {
  struct Step: Equatable {
    var action: Supervision.Action
    /// Time to wait before the next step.
    var milliseconds: UInt64

    init(_ action: Supervision.Action, milliseconds: UInt64) {
      self.action = action
      self.milliseconds = milliseconds
    }
  }

  let steps: [Step]
  /// Time to wait for the kernel after SIGKILL, in milliseconds.
  let patience: UInt64

  /// Creates steps that ask first, then terminate, then kill; the first two share `milliseconds`.
  init(within milliseconds: UInt64) {
    patience = 1_000
    steps = [
      Step(.askToStop, milliseconds: milliseconds * 3 / 4),
      Step(.terminate, milliseconds: milliseconds / 4),
      Step(.kill, milliseconds: patience),
    ]
  }
}
