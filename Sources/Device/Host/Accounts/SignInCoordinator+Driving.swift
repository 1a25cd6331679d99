public import Model
internal import Policy
public import Wire

/// Questions and actions for callers that drive a device from outside.
extension SignInCoordinator {
  /// The accounts that are signed in to a guest's app, in the order of their sign-in.
  public func accounts(signedInTo guest: String) -> [Account] {
    registry[guest]?.accounts.signedIn.map(\.account) ?? []
  }

  /// Signs an account in without a request, before the app has run, as on a device that has been in use. Only the
  /// database and the journal record it.
  ///
  /// - Throws: ``HostError`` where there is no such guest, or its configuration does not let the account in.
  public func presetSignIn(_ account: Account, in name: String) throws(HostError) {
    let guest = try registry.find(name)
    var refusal: String?
    turn { refusal = preset(account, in: guest) }
    if let refusal { throw HostError(.entitlements, "app `\(name)`: \(refusal)") }
  }

  /// Whether accounts could sign in one after the other to an app in which nobody is signed in. Nothing happens by asking.
  package func accepts(_ accounts: [Account], in name: String) -> Bool {
    guard let guest = registry[name] else { return false }
    var managed: [Account] = []
    return accounts.allSatisfy { account in
      let isManaged = revision(for: account, in: guest.app) != nil
      let verdict = signInVerdict(account, isManaged: isManaged, guest.app, beside: managed)
      if isManaged { managed.append(account) }
      return verdict.outcome == .allowed
    }
  }

  /// Makes the SDK ask the app `name` to add or to block an account, as it does for its own actions.
  ///
  /// - Parameter done: receives whether the app did so, or nil where the app cannot be asked.
  public func ask(
    _ name: String, to call: DelegateCall, _ account: Account, done: @escaping (Bool?) -> Void
  ) {
    turn {
      guard let guest = registry[name], guest.isReady, call == .add || call == .block else {
        return done(nil)
      }
      let answer = PendingCall.delegate { [unowned self] isAccepted in
        audit.record(
          .delegateAsked(
            guest: guest.name, call: call == .add ? "add" : "block", account: account.upn,
            isAccepted: isAccepted))
        if isAccepted { carryOut(call, account, in: guest) }
        done(isAccepted)
      }
      deliveries.ask(guest, answer) {
        HostMessage(.delegateCall(ask: $0, call, account: account.upn))
      }
    }
  }

  private func carryOut(_ call: DelegateCall, _ account: Account, in guest: Guest) {
    switch call {
    case .add:
      // An account that the app agrees to add may still be refused, as at any sign-in.
      if preset(account, in: guest) == nil, guest.isReady { access.checkAccess(guest) }
    case .block:
      guest.accounts.blocked.removeAll { $0.isSame(as: account) }
      guest.accounts.blocked.append(account)
      durability.persist { () throws(HostError) in try database.block(account, in: guest.name) }
      access.dropActingIdentities(of: account, in: guest)
    case .wipe, .restart: break
    }
  }
}
