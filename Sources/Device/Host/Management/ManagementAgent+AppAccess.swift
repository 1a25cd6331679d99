package import Declarations
internal import Model

/// Apps that an administrator's declarations do not let the device show and launch.
extension ManagementAgent {
  /// Why a guest is not there for anybody, an extension with its app; nil where it is.
  ///
  /// - Parameter name: that of the guest.
  package func ban(on name: String) -> AppAccess.Ban? { registry[name].flatMap(ban) }

  func ban(on guest: Guest) -> AppAccess.Ban? {
    state.delivery.appAccess.ban(on: guest.app.kind.containingApp ?? guest.app.bundleID)
  }

  /// Whether nothing may go to or come from the other guest of a request, which is refused then.
  func refuseWhileBanned(_ operation: Operation, _ pending: PendingRequest, _ other: Guest) -> Bool
  {
    guard ban(on: other) != nil else { return false }
    replies.refuse(pending, operation, .appNotAllowed, subject: other.app.bundleID)
    return true
  }

  /// What runs and may not any longer ends.
  func applyAppAccess() {
    // Ways that were found for apps may be closed.
    policies.invalidateRulings()
    for guest in registry.all.sorted(by: { $0.name < $1.name })
    where guest.isRunning && ban(on: guest) != nil {
      guest.process.isStayingDown = true
      supervisor.supervise(guest, .stop)
    }
  }
}
