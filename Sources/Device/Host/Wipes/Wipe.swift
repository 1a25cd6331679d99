internal import EventLoop
internal import Model

/// A selective wipe that a device carries out for one app.
final class Wipe {
  let account: Account
  let reason: SelectiveWipe.Reason
  var machine: SelectiveWipe
  /// For the app to start and to answer.
  var timer: Timer?
  /// Whether the app runs for the wipe alone.
  var startedGuest = false
  /// How much was deleted.
  var deleted = Deleted()
  /// Called when nothing of the account is left.
  var onEnd: [() -> Void]

  struct Deleted {
    var files = 0
    var keychainItems = 0
    /// What could not be deleted, in words.
    var failures: [String] = []
  }

  init(
    _ account: Account, because reason: SelectiveWipe.Reason, within milliseconds: UInt64,
    onEnd: @escaping () -> Void
  ) {
    self.account = account
    self.reason = reason
    machine = SelectiveWipe(within: milliseconds)
    self.onEnd = [onEnd]
  }
}
