internal import Policy
public import Transfer
internal import Wire

/// What an account's policy asks for before the account opens: at launch, on resuming, and at a switch to it.
extension Device {
  /// Asks anew whether `guest` may go on acting for its account, and locks it where it may not.
  func checkAccess(_ guest: Guest) {
    guard guest.party.isManaged else { return guest.lock = nil }
    lock(guest, guest.identity, verdictOnAccess(guest, guest.identity))
  }

  /// The time without use begins that ends in another question for the PIN.
  func leaveForeground(_ guest: Guest) {
    guard let admission = guest.admission else { return }
    accessStates[guest.app.team]?.leaveForeground(after: admission, at: clock.now)
  }

  /// The verdict on a guest that is to act for `identity`; the state of the publisher's PIN follows it.
  ///
  /// - Parameter offer: what the user does at the prompt; nil: what the device's user would do unasked.
  func verdictOnAccess(
    _ guest: Guest, _ identity: Identity, offering offer: AccessOffer? = nil
  ) -> Verdict {
    let request = launchRequest(guest, identity, offer)
    let verdict = evaluateLaunch(request)
    accessStates[guest.app.team, default: AccessState()].apply(verdict, at: clock.now)
    guest.admission = verdict
    if verdict.launchAction != .none {
      record(
        .accessChecked(
          guest: guest.name, account: identity.accountID ?? "",
          action: verdict.launchAction.rawValue, verdict: Explainer.explain(request, verdict)))
    }
    return verdict
  }

  /// Draws the consequences of a verdict on access.
  private func lock(_ guest: Guest, _ identity: Identity, _ verdict: Verdict) {
    switch verdict.launchAction {
    case .none, .warn: guest.lock = nil
    case .block: guest.lock = Guest.Lock(identity: identity, verdict: verdict)
    case .wipe:
      guest.lock = nil
      identity.account.map { wipe($0, in: guest) }
    }
    generation += 1
  }

  private func launchRequest(
    _ guest: Guest, _ identity: Identity, _ offer: AccessOffer?
  ) -> LaunchRequest {
    let party = party(of: guest, actingFor: identity)
    let account = identity.account
    let index = guest.accounts.firstIndex { account?.isSame(as: $0.account) ?? false }
    if let index, conditions.isOnline { guest.accounts[index].lastCheckIn = clock.now }
    let isListed = { (accounts: [Account]) in
      accounts.contains { account?.isSame(as: $0) ?? false }
    }
    var request = LaunchRequest(
      policy: party.policy, device: conditions, app: party.app, appVersion: guest.app.version,
      account: AccountConditions(
        isDisabled: isListed(disabledAccounts), isClockedOut: isListed(clockedOutAccounts),
        lastCheckIn: index.map { guest.accounts[$0].lastCheckIn } ?? clock.now),
      access: accessStates[guest.app.team] ?? AccessState(), now: clock.now)
    request.offer = offer ?? AccessOffer()
    if offer == nil, configuration.prompts == .answered { answerPrompts(of: &request, guest) }
    return request
  }

  /// A user who has a PIN that the policy accepts, enters it rightly, and knows the account's password.
  private func answerPrompts(of request: inout LaunchRequest, _ guest: Guest) {
    guard let settings = request.policy?.settings else { return }
    request.offer.hasSignedIn = true
    if evaluateLaunch(request).launchPrompts.contains(.newPIN) {
      let earlier = request.access.earlierPINs + (request.access.current.map { [$0.pin] } ?? [])
      request.access.set(PIN.accepted(by: settings, previous: earlier), at: clock.now)
      accessStates[guest.app.team] = request.access
    }
    if let current = request.access.current { request.offer.unlock = .pin(current.pin) }
  }

  /// Switches a multi-identity app to an account whose policy must open it first.
  ///
  /// - Returns: what the policy says; nil where the identity is unmanaged, and none says anything.
  func verdictOnSwitch(of guest: Guest, to identity: Identity) -> Verdict? {
    guard party(of: guest, actingFor: identity).isManaged else { return nil }
    let verdict = verdictOnAccess(guest, identity)
    lock(guest, identity, verdict)
    return verdict
  }

  func unlock(_ unlock: Unlock, _ origin: Origin) {
    let guest = origin.guest
    guard let identity = guest.lock?.identity else {
      return refuse(origin, .conditionalLaunch, .unmanagedIdentity)
    }
    if unlock.setsPIN, let refused = setPIN(unlock, guest, identity) {
      return answer(
        origin, .conditionalLaunch, refused, subject: identity.accountID, end: .refused)
    }
    let offered: AccessOffer.Unlock =
      unlock.hasBiometrics ? .biometrics : unlock.pin.isEmpty ? .nothing : .pin(PIN(unlock.pin))
    let request = launchRequest(
      guest, identity, AccessOffer(offered, hasSignedIn: unlock.hasCredentials))
    let verdict = evaluateLaunch(request)
    accessStates[guest.app.team, default: AccessState()].apply(verdict, at: clock.now)
    guest.admission = verdict
    decide(
      origin,
      RequestDecision(
        request: origin.number, operation: .conditionalLaunch, sender: guest.participant,
        subject: identity.accountID, verdict: Explainer.explain(request, verdict)))
    lock(guest, identity, verdict)
    if verdict.outcome == .allowed, !guest.identity.isSame(as: identity) {
      setIdentity(identity, of: guest)
    }
    let end: RequestEnd = verdict.outcome == .blocked ? .refused : .delivered
    finish(
      origin,
      RequestOutcome(
        verdict: verdict.outcome, end: end, reasons: verdict.reasons.map(OutcomeReason.init)))
  }

  /// - Returns: why the PIN may not be set; nil where it is set now.
  private func setPIN(_ unlock: Unlock, _ guest: Guest, _ identity: Identity) -> Verdict? {
    let pin = PIN(unlock.pin)
    let verdict = evaluatePINChange(
      PINChange(
        policy: party(of: guest, actingFor: identity).policy, pin: pin,
        hasSignedIn: unlock.hasCredentials, access: accessStates[guest.app.team] ?? AccessState()))
    guard verdict.outcome == .allowed else { return verdict }
    accessStates[guest.app.team, default: AccessState()].set(pin, at: clock.now)
    return nil
  }

  /// Refuses what a locked guest asks for. What takes it out of its lock is let through.
  ///
  /// - Returns: whether the request has its answer.
  func refuseWhileLocked(_ operation: Operation?, _ origin: Origin) -> Bool {
    guard let operation, let lock = origin.guest.lock,
      lock.identity.isSame(as: origin.guest.identity)
    else { return false }
    answer(
      origin, operation, lock.verdict, subject: lock.identity.accountID, end: .refused)
    return true
  }

  /// Removes an account with its data from an app, as a selective wipe does.
  private func wipe(_ account: Account, in guest: Guest) {
    signOut(account, of: guest)
    if pasteboard.content?.ownership.owner.account?.isSame(as: account) ?? false,
      pasteboard.content?.participant.app == guest.app.bundleID
    {
      pasteboard.content = nil
    }
    record(.accountWiped(app: guest.app.bundleID, account: account.upn))
  }

  // MARK: conditions

  /// Changes what conditional launch sees of the device. Apps notice at their next check.
  public func change(_ body: (inout DeviceConditions) -> Void) {
    turn { body(&conditions) }
  }

  /// Says of an account that its directory has disabled it, or that it is outside its working time.
  public func set(_ account: Account, isDisabled: Bool? = nil, isClockedOut: Bool? = nil) {
    func update(_ list: inout [Account], _ isListed: Bool?) {
      guard let isListed else { return }
      list.removeAll { $0.isSame(as: account) }
      if isListed { list.append(account) }
    }
    update(&disabledAccounts, isDisabled)
    update(&clockedOutAccounts, isClockedOut)
  }
}
