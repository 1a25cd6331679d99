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
      // The account may have left, or have been blocked, before the app answered.
      let isSwitching = isAccepted && canAct(guest, for: identity)
      audit.record(
        .identitySwitchRequired(
          guest: guest.name, identity: accountID, reason: reason, isAccepted: isSwitching))
      if isSwitching {
        identities.setIdentity(identity, of: guest)
        audit.record(
          .identitySwitched(
            guest: guest.name, identity: accountID, isManaged: guest.party.isManaged))
        if guest.isReady { checkAccess(guest) }
      }
      done(isSwitching)
    }
    deliveries.ask(guest, answer) {
      HostMessage(.identitySwitchRequired(ask: $0, account: accountID, reason: reason))
    }
  }

  private func canAct(_ guest: Guest, for identity: Identity) -> Bool {
    guard let account = identity.account else { return true }
    return guest.accounts.signedIn.contains { $0.account.isSame(as: account) }
      && !guest.isBlocked(identity) && !registry.isBeingWiped(account, in: guest)
  }
}
