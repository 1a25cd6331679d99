package import Declarations
internal import Model

/// Apps that an administrator's declarations forbid the device to show and launch.
extension ManagementAgent {
  /// The reason why nobody may reach a guest, an extension with its app; nil where there is none.
  ///
  /// - Parameter name: the guest's name.
  package func ban(on name: String) -> AppAccess.Ban? { registry[name].flatMap(ban) }

  func ban(on guest: Guest) -> AppAccess.Ban? {
    state.delivery.appAccess.ban(on: guest.app.kind.containingApp ?? guest.app.bundleID)
  }

  /// Whether nothing may go to or come from the other guest of a request; the request is refused then.
  func refuseWhileBanned(_ operation: Operation, _ pending: PendingRequest, _ other: Guest) -> Bool
  {
    guard ban(on: other) != nil else { return false }
    replies.refuse(pending, operation, .appNotAllowed, subject: other.app.bundleID)
    return true
  }

  /// Stops the guests that run and may not any longer.
  func applyAppAccess() {
    // Routes that were found to apps may be closed now.
    policies.invalidateRulings()
    for guest in registry.all.sorted(by: { $0.name < $1.name })
    where guest.isRunning && ban(on: guest) != nil {
      guest.process.isStayingDown = true
      supervisor.supervise(guest, .stop)
    }
  }
}
