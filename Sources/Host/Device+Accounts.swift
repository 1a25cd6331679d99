internal import Policy
internal import Transfer
internal import Wire

/// Who is signed in, and for whom a guest acts.
extension Device {
  func signIn(_ accountID: String, _ origin: Origin) {
    let guest = origin.guest
    let account = self.account(named: accountID)
    let entries = policies.entries(
      for: account, in: guest.app, bundleID: protectedBundle(of: guest.app))
    let verdict = signInVerdict(account, entries, guest)
    let citations = self.citations(guest.app)
    guard verdict.outcome != .blocked else {
      let isSecond = verdict.deciding.rule == .singleManagedAccount
      return answer(
        origin, .signIn, verdict, subject: account.upn, citing: citations, end: .refused,
        status: isSecond ? SignInRequest.singleManagedAccountStatus : 0,
        detail: guest.app.allowedAccounts?.mismatch(entered: account))
    }
    decide(
      origin,
      RequestDecision(
        request: origin.number, operation: .signIn, sender: guest.participant,
        subject: account.upn, verdict: Explainer.explain(verdict, citing: citations)))
    enroll(account, entries, in: guest)
    if guest.isReady { checkAccess(guest) }
    finish(
      origin,
      RequestOutcome(
        verdict: .allowed, end: .delivered, reasons: verdict.reasons.map(OutcomeReason.init)))
  }

  private func enroll(_ account: Account, _ entries: [PolicyBook.Entry], in guest: Guest) {
    guest.accounts.removeAll { $0.account.isSame(as: account) }
    guest.accounts.append(signedIn(account, guest.app))
    persist { () throws(HostError) in try database.add(account, to: guest.app.name) }
    if !entries.isEmpty {
      record(
        .accountEnrolled(
          app: guest.app.bundleID, account: account.upn,
          policies: entries.map { "\($0.document.displayName), \($0.reason)" }))
    }
    record(
      .accountSignedIn(
        app: guest.app.bundleID, account: account.upn, isManaged: !entries.isEmpty))
    if !guest.app.isMultiIdentity { actForDefaultAccount(guest) }
  }

  /// Signs `account` in without a request.
  ///
  /// - Returns: why not, where a rule refuses.
  func preset(_ account: Account, in guest: Guest) -> String? {
    let entries = policies.entries(
      for: account, in: guest.app, bundleID: protectedBundle(of: guest.app))
    let verdict = signInVerdict(account, entries, guest)
    guard verdict.outcome != .blocked else {
      return Explainer.explain(verdict).reasons.map(\.text).joined(separator: ", ")
    }
    enroll(account, entries, in: guest)
    return nil
  }

  private func signInVerdict(
    _ account: Account, _ entries: [PolicyBook.Entry], _ guest: Guest
  ) -> Verdict {
    evaluateSignIn(
      SignInRequest(
        account: account, isManaged: !entries.isEmpty, allowed: guest.app.allowedAccounts,
        managedAccounts: guest.accounts.filter { $0.policy != nil }.map(\.account)))
  }

  func signOut(_ accountID: String, _ origin: Origin) {
    let guest = origin.guest
    guard let account = guest.accounts.first(where: { $0.account.isNamed(accountID) })?.account
    else { return refuse(origin, .signOut, .accountNotSignedIn, subject: accountID) }
    decide(
      origin,
      RequestDecision(
        request: origin.number, operation: .signOut, sender: guest.participant,
        subject: account.upn,
        verdict: Explainer.explain(Verdict([Reason(.signOutAlwaysAllowed, .device)]))))
    signOut(account, of: guest)
    finish(origin, RequestOutcome(verdict: .allowed, end: .delivered))
  }

  func signOut(_ account: Account, of guest: Guest) {
    guest.accounts.removeAll { $0.account.isSame(as: account) }
    persist { () throws(HostError) in try database.remove(account, from: guest.app.name) }
    record(.accountSignedOut(app: guest.app.bundleID, account: account.upn))
    if guest.lock?.identity.account?.isSame(as: account) ?? false { guest.lock = nil }
    guard guest.identity.account?.isSame(as: account) ?? false else { return }
    actForDefaultAccount(guest)
    if guest.isReady { checkAccess(guest) }
  }

  func switchIdentity(to accountID: String?, _ origin: Origin) {
    let guest = origin.guest
    guard guest.app.isMultiIdentity else {
      return refuse(origin, .switchIdentity, .notMultiIdentity, subject: accountID)
    }
    guard let identity = identity(named: accountID, in: guest) else {
      return refuse(origin, .switchIdentity, .accountNotSignedIn, subject: accountID)
    }
    let rule: Rule = identity.account == nil ? .unmanagedIdentity : .accountSignedIn
    let access = verdictOnSwitch(of: guest, to: identity)
    if let access, access.verdict.outcome == .blocked {
      return refuse(origin, switchTo: accountID, rule, access)
    }
    decide(
      origin,
      RequestDecision(
        request: origin.number, operation: .switchIdentity, sender: guest.participant,
        subject: accountID, verdict: Explainer.explain(Verdict([Reason(rule, .device)]))))
    setIdentity(identity, of: guest)
    guest.admission = access?.verdict
    record(
      .identitySwitched(
        guest: guest.name, identity: identity.accountID, isManaged: guest.party.isManaged))
    finish(origin, RequestOutcome(verdict: .allowed, end: .delivered))
  }

  /// The account is there, and its policy does not open it.
  private func refuse(
    _ origin: Origin, switchTo accountID: String?, _ rule: Rule, _ access: ExplainedAccess
  ) {
    let found = Verdict([Reason(rule, .device)])
    var explained = Explainer.explain(access.request, access.verdict)
    explained.reasons = Explainer.explain(found).reasons + explained.reasons
    decide(
      origin,
      RequestDecision(
        request: origin.number, operation: .switchIdentity, sender: origin.guest.participant,
        subject: accountID, verdict: explained))
    finish(
      origin,
      RequestOutcome(
        verdict: .blocked, end: .refused,
        reasons: (found.reasons + access.verdict.reasons).map(OutcomeReason.init)))
  }

  private func identity(named accountID: String?, in guest: Guest) -> Identity? {
    switch accountID {
    case nil: .unset
    case "": .unknown
    case let name?:
      guest.accounts.first { $0.account.isNamed(name) }.map { .account($0.account) }
    }
  }

  // MARK: identity

  /// The identity that an app has without having asked for one: none in a multi-identity app, else its
  /// managed account, else the one that signed in first.
  func actForDefaultAccount(_ guest: Guest) {
    guard !guest.app.isMultiIdentity else { return setIdentity(.unset, of: guest) }
    let account = guest.accounts.first { $0.policy != nil } ?? guest.accounts.first
    setIdentity(account.map { .account($0.account) } ?? .unset, of: guest)
  }

  func setIdentity(_ identity: Identity, of guest: Guest) {
    let party = party(of: guest, actingFor: identity)
    let isOther = !guest.identity.isSame(as: identity)
    guest.identity = identity
    guest.party = party
    guest.ownership = Ownership(
      owner: Owner(account: identity.account, policy: party.policy), originApp: guest.app.bundleID,
      sealer: sealer)
    guest.participant = Participant(
      guest: guest.name, app: guest.app.bundleID, identity: identity.accountID,
      isManaged: party.isManaged)
    generation += 1
    if isOther { forgetAccess(of: guest) }
    sendIdentity(guest)
  }

  /// What was decided about the account that a guest acted for before holds no longer.
  private func forgetAccess(of guest: Guest) {
    guest.admission = nil
    guest.lock = nil
    guard guest.held.count > 0 else { return }
    giveUp(on: guest, "`\(guest.name)` acts for another account now")
  }

  /// What rules see of a guest that acts for `identity`.
  func party(of guest: Guest, actingFor identity: Identity) -> Party {
    let policy = identity.account.flatMap { account in
      guest.accounts.first { $0.account.isSame(as: account) }?.policy
    }
    return Party(app: guest.app.state(for: identity.account), identity: identity, policy: policy)
  }

  /// Tells a guest for whom it acts.
  func sendIdentity(_ guest: Guest) {
    guard guest.isReady || guest.state == .suspended else { return }
    send(
      HostMessage(
        .identityChanged(account: guest.identity.accountID, isManaged: guest.party.isManaged)),
      to: guest)
  }

  // MARK: accounts

  /// The organisations' account of that name, or a personal one.
  func account(named accountID: String) -> Account {
    configuration.accounts.first { $0.isNamed(accountID) } ?? Account(upn: accountID)
  }

  /// What holds for `account` in the app.
  func signedIn(_ account: Account, _ app: AppDescription) -> Guest.SignedIn {
    let bundleID = protectedBundle(of: app)
    let entries = policies.entries(for: account, in: app, bundleID: bundleID)
    guard !entries.isEmpty else {
      return Guest.SignedIn(account: account, policy: nil)
    }
    let key = entries.map(\.index)
    if let known = merged[key] {
      return Guest.SignedIn(account: account, policy: known)
    }
    let policy = EffectivePolicy.merging(entries.map(\.document))
    merged[key] = policy
    return Guest.SignedIn(account: account, policy: policy)
  }

  /// The bundle that policies name: an extension's is that of its app.
  func protectedBundle(of app: AppDescription) -> String {
    app.kind.containingApp ?? app.bundleID
  }

  private func citations(_ app: AppDescription) -> [Setting: Explainer.Citation] {
    guard let allowed = app.configuration["IntuneMAMAllowedAccountsOnly"] else { return [:] }
    return [
      .allowedAccountsOnly: Explainer.Citation(
        value: allowed, source: "configuration of `\(app.name)`")
    ]
  }

  /// What is not in the database must not be believed: a device whose database fails is at its end.
  private func persist(_ body: () throws(HostError) -> Void) {
    do throws(HostError) {
      try body()
    } catch {
      preconditionFailure(error.description)
    }
  }
}
