internal import Enrollment
internal import Policy
internal import Transfer
internal import Wire

/// Who is signed in, and for whom a guest acts.
extension Device {
  func signIn(_ accountID: String, _ origin: Origin) {
    let guest = origin.guest
    if desk.service != EnrollmentService(), guest.app.integratesSDK, guest.app.kind == .app {
      return enroll(Enroll(account: accountID), origin, as: .signIn)
    }
    let account = self.account(named: accountID)
    guard !isBeingWiped(account, in: guest) else {
      return refuse(origin, .signIn, .accountBeingWiped, subject: account.upn)
    }
    let entries = policies.entries(
      for: account, in: guest.app, bundleID: protectedBundle(of: guest.app))
    let verdict = signInVerdict(account, entries, guest)
    let citations = self.citations(guest.app)
    guard verdict.outcome != .blocked else {
      reportEnrollment(.registerAndEnroll, "refused", of: guest)
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
    reportEnrollment(
      .registerAndEnroll, entries.isEmpty ? "notTargeted" : "enrolled", of: guest)
    if guest.isReady { checkAccess(guest) }
    finish(
      origin,
      RequestOutcome(
        verdict: .allowed, end: .delivered, reasons: verdict.reasons.map(OutcomeReason.init)))
  }

  private func enroll(_ account: Account, _ entries: [PolicyBook.Entry], in guest: Guest) {
    let before = guest.accounts.first { $0.account.isSame(as: account) }
    guest.accounts.removeAll { $0.account.isSame(as: account) }
    knownRegistration(of: account, in: guest)?.machine =
      AccountEnrollment(.enrolled(revision: revision(for: account, in: guest)))
    guest.accounts.append(signedIn(account, in: guest, as: before))
    guest.blockedAccounts.removeAll { $0.isSame(as: account) }
    persist { () throws(HostError) in
      try database.add(account, to: guest.app.name)
      try database.setEnrollment(
        of: account, in: guest.app.name,
        policies: entries.map { "\($0.document.displayName), \($0.reason)" })
    }
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
    renewConfiguration(of: account, in: guest)
  }

  /// Signs `account` in without a request.
  ///
  /// - Returns: why not, where a rule refuses.
  func preset(_ account: Account, in guest: Guest) -> String? {
    guard !isBeingWiped(account, in: guest) else { return "the account is being wiped" }
    let entries = policies.entries(
      for: account, in: guest.app, bundleID: protectedBundle(of: guest.app))
    let verdict = signInVerdict(account, entries, guest)
    guard verdict.outcome != .blocked else {
      return Explainer.explain(verdict).reasons.map(\.text).joined(separator: ", ")
    }
    enroll(account, entries, in: guest)
    return nil
  }

  func signInVerdict(
    _ account: Account, _ entries: [PolicyBook.Entry], _ guest: Guest
  ) -> Verdict {
    evaluateSignIn(
      SignInRequest(
        account: account, isManaged: !entries.isEmpty, allowed: guest.app.allowedAccounts,
        managedAccounts: guest.accounts.filter { $0.policy != nil }.map(\.account),
        allowsSeveralManagedAccounts: guest.app.allowsSeveralManagedAccounts))
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
    origin.guest.unsettled += 1
    wipe(account, in: guest, because: .signOut) { [unowned self] in
      reportEnrollment(.deRegisterAndUnenroll, "unenrolled", of: guest)
      finish(origin, RequestOutcome(verdict: .allowed, end: .delivered))
      settle(origin)
    }
  }

  /// Takes the account's sign-in away; its data must be gone by then.
  func signOut(_ account: Account, of guest: Guest) {
    takeConfiguration(of: account, from: guest)
    guest.accounts.removeAll { $0.account.isSame(as: account) }
    persist { () throws(HostError) in try database.remove(account, from: guest.app.name) }
    record(.accountSignedOut(app: guest.app.bundleID, account: account.upn))
    guest.unlock(.account(account))
    dropPersonas(of: account, in: guest)
  }

  // MARK: accounts

  /// The organisations' account of that name, or a personal one.
  func account(named accountID: String) -> Account {
    directory.first { $0.isNamed(accountID) } ?? Account(upn: accountID)
  }

  /// What holds for `account` in the app.
  ///
  /// - Parameter before: whose configuration is what the app has been told.
  func signedIn(
    _ account: Account, in guest: Guest, as before: Guest.SignedIn? = nil
  ) -> Guest.SignedIn {
    signedIn(account, guest.app, of: guest, as: before)
  }

  /// What holds for `account` in an app or extension.
  ///
  /// - Parameter guest: where the account is enrolled.
  func signedIn(
    _ account: Account, _ app: AppDescription, of guest: Guest, as before: Guest.SignedIn? = nil
  ) -> Guest.SignedIn {
    let bundleID = protectedBundle(of: app)
    let entries = policies.entries(for: account, in: app, bundleID: bundleID)
    let isManaged = !entries.isEmpty && isEnrolled(account, in: guest)
    return Guest.SignedIn(
      account: account, policy: isManaged ? merging(entries) : nil,
      configuration: before?.configuration ?? DeliveredConfiguration())
  }

  /// The policy that the entries amount to, the same object for the same entries.
  func merging(_ entries: [PolicyBook.Entry]) -> EffectivePolicy {
    let key = entries.map(\.index)
    if let known = merged[key] { return known }
    let policy = EffectivePolicy.merging(entries.map(\.document))
    merged[key] = policy
    return policy
  }

  /// The bundle that policies name: an extension's is that of its app.
  func protectedBundle(of app: AppDescription) -> String {
    app.kind.containingApp ?? app.bundleID
  }

  func citations(_ app: AppDescription) -> [Setting: Explainer.Citation] {
    guard let allowed = app.configured("IntuneMAMAllowedAccountsOnly") else { return [:] }
    return [
      .allowedAccountsOnly: Explainer.Citation(
        value: allowed, source: "configuration of `\(app.name)`")
    ]
  }

  /// What is not in the database must not be believed: a device whose database fails is at its end.
  func persist(_ body: () throws(HostError) -> Void) {
    guard fault == nil else { return }
    do throws(HostError) {
      try body()
    } catch {
      fail(error)
    }
  }
}
