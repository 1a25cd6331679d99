internal import Enrollment
internal import Model
internal import Policy
internal import Wire

/// Requests of apps for the SDK's enrollment: to enroll an account, and to unenroll it.
extension EnrollmentCoordinator {
  func signIn(_ accountID: String, _ pending: PendingRequest) {
    let app = pending.guest.app
    guard app.integratesSDK, app.kind == .app,
      service != EnrollmentService() || isRefusedBySDK(accountID, in: pending.guest)
    else { return accounts.signIn(accountID, pending) }
    enroll(Enroll(account: accountID), pending, as: .signIn)
  }

  /// Whether the SDK refuses the account without asking the service, because MDM's user is another account.
  private func isRefusedBySDK(_ accountID: String, in guest: Guest) -> Bool {
    let verdict = accounts.signInVerdict(directory.account(named: accountID), guest)
    return verdict.reasons.contains { $0.rule == .notEnrolledUser }
  }

  func signOut(_ accountID: String, _ pending: PendingRequest) {
    let guest = pending.guest
    guard
      let account = guest.accounts.signedIn.first(where: { $0.account.isNamed(accountID) })?.account
    else { return replies.refuse(pending, .signOut, .accountNotSignedIn, subject: accountID) }
    audit.decided(
      pending,
      RequestDecision(
        request: pending.number, operation: .signOut, sender: guest.participant,
        subject: account.upn,
        verdict: Explainer.explain(Verdict([Reason(.signOutAlwaysAllowed, .device)]))))
    guest.mailbox.unansweredRequests += 1
    wipes.wipe(account, in: guest, reason: .signOut) { [unowned self] in
      audit.reportEnrollment(.deRegisterAndUnenroll, "unenrolled", of: guest)
      replies.finish(pending, RequestOutcome(verdict: .allowed, end: .delivered))
      replies.settle(pending)
    }
  }

  func enroll(_ enroll: Enroll, _ pending: PendingRequest, as operation: Operation = .enroll) {
    let guest = pending.guest
    let call: EnrollmentCall = enroll.isLogin ? .loginAndEnroll : .registerAndEnroll
    guard canEnroll(pending, operation, call) else { return }
    guard let name = enroll.account, !name.isEmpty else {
      return refuse(pending, operation, .enrollmentNeedsAccount, call, .nilAccount)
    }
    let account = directory.account(named: name)
    guard !registry.isBeingWiped(account, in: guest) else {
      return replies.refuse(pending, operation, .accountBeingWiped, subject: account.upn)
    }
    let verdict = verdict(on: call, of: account, in: guest, as: operation)
    let explained = Explainer.explain(verdict, citing: accounts.citations(guest.app))
    guard verdict.outcome != .blocked else {
      return refuse(pending, operation, account, verdict, explained, call)
    }
    guard accounts.hasRoom(for: account, pending, operation) else { return }
    audit.decided(
      pending,
      RequestDecision(
        request: pending.number, operation: operation, sender: guest.participant,
        subject: account.upn, verdict: explained))
    let registration = registration(of: account, in: guest)
    registration.answer = nil
    registration.call = call
    advance(registration, enroll.isLogin ? .login : .register, in: guest)
    reply(to: pending, registration, verdict)
  }

  func unenroll(_ accountID: String, wipes hasWipe: Bool, _ pending: PendingRequest) {
    let guest = pending.guest
    guard canEnroll(pending, .unenroll, .deRegisterAndUnenroll) else { return }
    guard let registration = registration(named: accountID, in: guest) else {
      return refuse(
        pending, .unenroll, .accountNotEnrolled, .deRegisterAndUnenroll,
        statusWithoutEnrollment(in: guest), subject: accountID)
    }
    let account = registration.account
    let verdict = Verdict([Reason(.signOutAlwaysAllowed, .device)])
    audit.decided(
      pending,
      RequestDecision(
        request: pending.number, operation: .unenroll, sender: guest.participant,
        subject: account.upn, verdict: Explainer.explain(verdict)))
    registration.answer = nil
    advance(registration, .unenroll(wipes: hasWipe), in: guest)
    guard registry.isBeingWiped(account, in: guest) else {
      return reply(to: pending, registration, verdict)
    }
    guest.mailbox.unansweredRequests += 1
    wipes.wipe(account, in: guest, reason: .unenrolled) { [unowned self] in
      reply(to: pending, registration, verdict)
      replies.settle(pending)
    }
  }

  /// Whether the SDK serves the guest that asks; if not, the request has its answer.
  private func canEnroll(
    _ pending: PendingRequest, _ operation: Operation, _ call: EnrollmentCall
  ) -> Bool {
    guard pending.guest.app.kind == .app else {
      refuse(pending, operation, .enrollmentFromExtension, call, .unsupportedAPI)
      return false
    }
    guard pending.guest.app.integratesSDK else {
      replies.refuse(pending, operation, .appWithoutSDK)
      return false
    }
    return true
  }

  private func verdict(
    on call: EnrollmentCall, of account: Account, in guest: Guest, as operation: Operation
  ) -> Verdict {
    let verdict = accounts.signInVerdict(account, guest, asksForEnrollment: operation == .enroll)
    guard verdict.outcome == .allowed else { return verdict }
    let machine = guest.accounts.registration(of: account)?.machine
    let isIgnored =
      call == .loginAndEnroll ? machine?.ignoresLogin : machine?.ignoresRegistration
    return Verdict(
      verdict.reasons
        + [Reason(isIgnored ?? false ? .registrationUnderWay : .enrollmentAsked, .device)])
  }

  /// The status of a call for an account that is not enrolled in the app.
  func statusWithoutEnrollment(in guest: Guest) -> EnrollmentStatus {
    accounts.enrolled(in: guest).isEmpty ? .appNotEnrolled : .notEnrolledAccount
  }

  /// Answers with the status that the app's delegate has heard meanwhile; with none where the service takes its time.
  private func reply(
    to pending: PendingRequest, _ registration: Registration, _ verdict: Verdict
  ) {
    let status = registration.answer
    replies.finish(
      pending,
      RequestOutcome(
        verdict: verdict.outcome, end: status?.isSuccess ?? true ? .delivered : .failed,
        reasons: verdict.reasons.map(OutcomeReason.init), status: status?.rawValue ?? 0))
  }

  /// Refuses an account that may not sign in.
  private func refuse(
    _ pending: PendingRequest, _ operation: Operation, _ account: Account, _ verdict: Verdict,
    _ explained: ExplainedVerdict, _ call: EnrollmentCall
  ) {
    let status = SignInRequest.status(of: verdict)
    audit.decided(
      pending,
      RequestDecision(
        request: pending.number, operation: operation, sender: pending.guest.participant,
        subject: account.upn, verdict: explained))
    let registration = registration(of: account, in: pending.guest)
    if let status {
      registration.call = call
      tell(.init(.enrollment, status), registration, pending.guest)
    } else {
      audit.reportEnrollment(call, "refused", of: pending.guest)
    }
    replies.finish(
      pending,
      RequestOutcome(
        verdict: .blocked, end: .refused, reasons: verdict.reasons.map(OutcomeReason.init),
        status: status?.rawValue ?? 0),
      detail: policies.allowedAccounts(of: pending.guest.app)?.mismatch(entered: account))
  }

  /// Refuses a request with a status that the app's delegate hears, too.
  private func refuse(
    _ pending: PendingRequest, _ operation: Operation, _ rule: Rule, _ call: EnrollmentCall,
    _ status: EnrollmentStatus, subject: String? = nil
  ) {
    let request = call.kind.rawValue
    audit.record(
      .enrollmentAnswered(
        app: pending.guest.app.bundleID, account: subject ?? "", request: request, status: status))
    audit.reportEnrollment(call, status.name, of: pending.guest)
    turn.send(
      HostMessage(
        .enrollmentNotice(
          EnrollmentNotice(
            request: request, account: subject ?? "", objectID: "", status: status.rawValue))),
      to: pending.guest)
    replies.answer(
      pending, operation, Verdict([Reason(rule, .device)]), subject: subject, end: .refused,
      status: status.rawValue)
  }

  // MARK: registrations

  /// The account's registration in the app, made where there is none. A signed-in account is enrolled if a policy is
  /// targeted at it; otherwise the SDK does not know it.
  func registration(of account: Account, in guest: Guest) -> Registration {
    if let known = guest.accounts.registration(of: account) { return known }
    let isSignedIn = guest.accounts.signedIn.contains { $0.account.isSame(as: account) }
    let revision = accounts.revision(for: account, in: guest.app)
    let standing: AccountEnrollment.Standing =
      isSignedIn && revision != nil ? .enrolled(revision: revision) : .unregistered
    let contact = AccountEnrollment.Contact(
      last: isSignedIn ? access.lastCheckIn(of: guest.app, for: account) : nil)
    let registration = Registration(account, AccountEnrollment(standing, contact: contact))
    // An account that an app names and never registers is not remembered for ever.
    if guest.accounts.registrations.count >= 64,
      let index = guest.accounts.registrations.firstIndex(where: {
        !$0.machine.isRegistered && $0.machine.activity == .idle
      })
    {
      guest.accounts.registrations.remove(at: index)
    }
    guest.accounts.registrations.append(registration)
    return registration
  }

  /// The registration of a registered account; nil where the account is not registered.
  private func registration(named accountID: String, in guest: Guest) -> Registration? {
    guest.accounts.registrations.first {
      $0.machine.isRegistered && $0.account.isNamed(accountID)
    }
  }

  /// Registers an account that has signed in without a request to the service. A targeted account is enrolled from
  /// then on; an account at which nothing is targeted, such as a private one, is unknown to the SDK.
  func registerSignedIn(_ account: Account, in guest: Guest) {
    guard guest.app.integratesSDK, guest.app.kind == .app,
      accounts.revision(for: account, in: guest.app) != nil
    else { return }
    save(registration(of: account, in: guest), guest)
  }

  /// Registers the signed-in accounts that have no registration in the database.
  func registerSignedIn(in guest: Guest) {
    guard guest.app.integratesSDK, guest.app.kind == .app else { return }
    for account in guest.accounts.signedIn.map(\.account)
    where accounts.revision(for: account, in: guest.app) != nil {
      _ = registration(of: account, in: guest)
    }
  }

  /// Tells the app's delegate that an account has been enrolled by its sign-in.
  func tellSignedIn(_ account: Account, in guest: Guest) {
    guard let registration = guest.accounts.registration(of: account),
      registration.machine.isTargeted
    else { return }
    let notice = AccountEnrollment.Notice(.enrollment, .newPoliciesReceived)
    record(notice, registration, guest)
    send(notice, registration, guest)
    save(registration, guest)
  }

  /// Closes the registration of an account that has left the app.
  func closeRegistration(of account: Account, in guest: Guest) {
    guard let registration = guest.accounts.registration(of: account) else { return }
    advance(registration, .removed, in: guest)
    sendAccounts(guest)
    endRemediation(of: registration, in: guest, with: .notEnrolledAccount)
  }
}
