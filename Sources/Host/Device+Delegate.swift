internal import Policy
public import Transfer
public import Wire

/// What the SDK asks of an app by itself: to act for another account, to add one, to use one no longer.
extension Device {
  /// Asks a multi-identity app to act for another account (`identitySwitchRequired`), and where it says that it does,
  /// takes it at its word.
  func require(
    _ identity: Identity, of guest: Guest, because reason: String,
    done: @escaping (Bool) -> Void = { _ in }
  ) {
    let accountID = identity.accountID ?? ""
    let answer = Guest.Ask.identitySwitch { [unowned self] isAccepted in
      record(
        .identitySwitchRequired(
          guest: guest.name, identity: accountID, reason: reason, isAccepted: isAccepted))
      if isAccepted {
        setIdentity(identity, of: guest)
        record(
          .identitySwitched(
            guest: guest.name, identity: accountID, isManaged: guest.party.isManaged))
        if guest.isReady { checkAccess(guest) }
      }
      done(isAccepted)
    }
    ask(guest, answer) {
      HostMessage(.identitySwitchRequired(ask: $0, account: accountID, reason: reason))
    }
  }

  /// Makes the SDK ask the app `name` to add or to block an account, as it does for actions of its own.
  ///
  /// - Parameter done: gets whether the app did, or nil where it cannot be asked.
  public func ask(
    _ name: String, to call: DelegateCall, _ account: Account, done: @escaping (Bool?) -> Void
  ) {
    turn {
      guard let guest = guests[name], guest.isReady, call == .add || call == .block else {
        return done(nil)
      }
      let answer = Guest.Ask.delegate { [unowned self] isAccepted in
        record(
          .delegateAsked(
            guest: guest.name, call: call == .add ? "add" : "block", account: account.upn,
            isAccepted: isAccepted))
        if isAccepted { carryOut(call, account, in: guest) }
        done(isAccepted)
      }
      ask(guest, answer) { HostMessage(.delegateCall(ask: $0, call, account: account.upn)) }
    }
  }

  private func carryOut(_ call: DelegateCall, _ account: Account, in guest: Guest) {
    switch call {
    case .add:
      // What the app agrees to may still be refused, as any sign-in.
      if preset(account, in: guest) == nil, guest.isReady { checkAccess(guest) }
    case .block:
      guest.blockedAccounts.removeAll { $0.isSame(as: account) }
      guest.blockedAccounts.append(account)
      persist { () throws(HostError) in try database.block(account, in: guest.name) }
      dropPersonas(of: account, in: guest)
    case .wipe, .restart: break
    }
  }
}
