internal import EventLoop
internal import Model

/// A selective wipe that a device carries out for one app.
final class Wipe {
  let account: Account
  let reason: SelectiveWipe.Reason
  var machine: SelectiveWipe
  /// Timer for the app to start and to answer.
  var timer: Timer?
  /// Whether the app runs for the wipe alone.
  var startedGuest = false
  /// The result of the deletion.
  var deleted = Deleted()
  /// Called when nothing of the account is left.
  var onEnd: [() -> Void]

  struct Deleted {
    var files = 0
    var keychainItems = 0
    /// Descriptions of what could not be deleted.
    var failures: [String] = []
  }

  init(
    _ account: Account, reason: SelectiveWipe.Reason, within milliseconds: UInt64,
    onEnd: @escaping () -> Void
  ) {
    self.account = account
    self.reason = reason
    machine = SelectiveWipe(within: milliseconds)
    self.onEnd = [onEnd]
  }
}
