internal import Model
internal import Policy
internal import Wire

/// Switches that the SDK asks for by itself.
extension AccessController {
  /// Whether an app that a scenario plays is awake, and has not said whether it switches.
  var isAwaitingSwitch: Bool {
    askedToSwitch.contains { $0.isRunning && $0.state != .suspended }
  }

  /// Asks a multi-identity app to act for another account (`identitySwitchRequired`), and switches its identity where
  /// the app says that it does.
  func require(
    _ identity: Identity, of guest: Guest, reason: String,
    done: @escaping (Bool) -> Void = { _ in }
  ) {
    let accountID = identity.accountID ?? ""
    if guest.app.program == .readyMade { askedToSwitch.append(guest) }
    let answer = PendingCall.identitySwitch { [unowned self] isAccepted in
      askedToSwitch.firstIndex { $0 === guest }.map { _ = askedToSwitch.remove(at: $0) }
      audit.record(
        .identitySwitchRequired(
          guest: guest.name, identity: accountID, reason: reason, isAccepted: isAccepted))
      if isAccepted {
        identities.setIdentity(identity, of: guest)
        audit.record(
          .identitySwitched(
            guest: guest.name, identity: accountID, isManaged: guest.party.isManaged))
        if guest.isReady { checkAccess(guest) }
      }
      done(isAccepted)
    }
    deliveries.ask(guest, answer) {
      HostMessage(.identitySwitchRequired(ask: $0, account: accountID, reason: reason))
    }
  }
}
