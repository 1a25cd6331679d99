package import Enrollment
package import Model
internal import Policy
internal import Wire

/// Apps' requests to sign in and out, and to enroll and unenroll accounts.
extension EnrollmentCoordinator {
  func signIn(_ accountID: String, _ pending: PendingRequest) {
    let app = pending.guest.app
    guard app.integratesSDK, app.kind == .app,
      service != EnrollmentService() || isRefusedBySDK(accountID, in: pending.guest)
    else { return accounts.signIn(accountID, pending) }
    enroll(Enroll(account: accountID), pending, as: .signIn)
  }

  /// Returns whether the SDK refuses the account because another account is the MDM user. In this case, the SDK does
  /// not ask the service.
  private func isRefusedBySDK(_ accountID: String, in guest: Guest) -> Bool {
    let verdict = accounts.signInVerdict(directory.account(named: accountID), guest)
    return verdict.reasons.contains { $0.rule == .notEnrolledUser }
  }

  func signOut(_ accountID: String, _ pending: PendingRequest) {
    let guest = pending.guest
    guard
      let account = guest.accounts.signedIn.first(where: {
        $0.account.matches(identifier: accountID)
      })?.account
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
      replies.resolve(pending)
    }
  }

  func enroll(_ enroll: Enroll, _ pending: PendingRequest, as operation: Operation = .enroll) {
    let guest = pending.guest
    let call: EnrollmentCall = enroll.isLogin ? .loginAndEnroll : .registerAndEnroll
    guard canEnroll(pending, operation, call) else { return }
    guard let name = name(in: enroll, guest) else {
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

  /// Returns the name of the account in a request, or the MDM user's name for a login that names no account. Returns
  /// nil if there is no name.
  ///
  /// Source: Intune App SDK for iOS, stage 3, "Apps that don't use ADAL or MSAL".
  private func name(in enroll: Enroll, _ guest: Guest) -> String? {
    if let name = enroll.account, !name.isEmpty { return name }
    guard enroll.isLogin, let user = policies.enrolledUser(of: guest.app) else { return nil }
    return user.upn ?? user.objectID
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
      replies.resolve(pending)
    }
  }

  /// Returns whether the guest that makes the request is an app with the SDK. If not, refuses the request.
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

  func statusWithoutEnrollment(in guest: Guest) -> EnrollmentStatus {
    accounts.enrolled(in: guest).isEmpty ? .appNotEnrolled : .notEnrolledAccount
  }

  /// Answers a request. The answer contains the last status that the app's delegate received since the request began,
  /// or 0 if the service has not answered yet.
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
      notify(.init(.enrollment, status), registration, pending.guest)
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

  /// Refuses a request, and sends its status to the app's delegate.
  private func refuse(
    _ pending: PendingRequest, _ operation: Operation, _ rule: Rule, _ call: EnrollmentCall,
    _ status: EnrollmentStatus, subject: String? = nil
  ) {
    let request = call.kind.rawValue
    audit.record(
      .enrollmentAnswered(
        app: pending.guest.app.bundleID, account: subject ?? "", request: request, status: status))
    audit.reportEnrollment(call, status.name, of: pending.guest)
    transaction.send(
      HostMessage(
        .enrollmentNotice(
          EnrollmentNotice(
            request: request, account: subject ?? "", objectID: "", status: status.rawValue))),
      to: pending.guest)
    replies.answer(
      pending, operation, Verdict([Reason(rule, .device)]), subject: subject, end: .refused,
      status: status.rawValue)
  }

  /// Returns the registration of the account with this UPN or object id. Returns nil if no such account is registered
  /// with the service.
  private func registration(named accountID: String, in guest: Guest) -> Registration? {
    guest.accounts.registrations.first {
      $0.machine.isRegistered && $0.account.matches(identifier: accountID)
    }
  }
}

// MARK: - Compliance

/// Remediation: making accounts compliant with conditional access (`IntuneMAMComplianceManager`).
extension EnrollmentCoordinator {
  func remediate(_ accountID: String, isSilent: Bool, _ pending: PendingRequest) {
    let guest = pending.guest
    guard guest.app.kind == .app else {
      return replies.refuse(pending, .remediate, .enrollmentFromExtension, subject: accountID)
    }
    guard guest.app.integratesSDK else {
      return replies.refuse(pending, .remediate, .appWithoutSDK, subject: accountID)
    }
    let account = directory.account(named: accountID)
    let acceptance = queues[guest.name, default: RemediationQueue()].add(
      .init(account, isSilent: isSilent), at: clock.now)
    let verdict = Verdict([Reason(acceptance.rule, .device)])
    replies.answer(
      pending, .remediate, verdict, subject: account.upn,
      end: verdict.outcome == .blocked ? .refused : .delivered)
    sendAccounts(guest)
    if acceptance == .begun { beginRemediation(in: guest) }
  }

  /// Starts the first remediation in the queue, if any. If the app's configuration does not allow the account, ends the
  /// remediation immediately.
  func beginRemediation(in guest: Guest) {
    guard let request = queues[guest.name]?.requests.first else { return }
    let registration = registration(of: request.account, in: guest)
    let isAllowed = policies.allowedAccounts(of: guest.app)?.allows(request.account) ?? true
    guard isAllowed else {
      return endRemediation(of: registration, in: guest, with: .deviceBlockedEnrollment)
    }
    if isOtherUser(request.account, in: guest) {
      return notify(.init(.enrollment, .mdmEnrolledDifferentUser), registration, guest)
    }
    // If the SDK is already processing the account, the remediation gets its result.
    advance(registration, .remediate(isSilent: request.isSilent), in: guest)
  }

  /// If the first remediation in the queue is for the account, ends it with the status from the SDK.
  func endRemediation(
    of registration: Registration, in guest: Guest, with status: EnrollmentStatus
  ) {
    let account = registration.account
    guard let request = queues[guest.name]?.requests.first,
      request.account.isSameUser(as: account)
    else { return }
    // A configuration alone can enroll the account, but conditional access requires a policy.
    let isProtected = guest.accounts.policy(of: account) != nil
    let compliance = ComplianceStatus(status, isProtected: isProtected)
    let loop = queues[guest.name]?.finish(at: clock.now)
    registration.lastCompliance = compliance
    save(registration, guest)
    notify(compliance, account, guest)
    if let loop {
      audit.record(
        .remediationLooped(app: guest.app.bundleID, account: account.upn, count: loop))
    }
    if compliance == .notCompliant { wipeOrgData(of: account, in: guest) }
    beginRemediation(in: guest)
  }

  private func notify(_ compliance: ComplianceStatus, _ account: Account, _ guest: Guest) {
    let text = ComplianceText(compliance, in: language)
    audit.record(
      .complianceAnswered(
        app: guest.app.bundleID, account: account.upn, status: compliance, title: text.title,
        message: text.message))
    sendAccounts(guest)
    guard guest.isReady else { return }
    transaction.send(
      HostMessage(
        .complianceNotice(
          ComplianceNotice(
            account: account.objectID ?? account.upn, status: compliance.rawValue,
            title: text.title, message: text.message))), to: guest)
  }

  /// Wipes the data of a signed-in account that is not compliant from an app, if the app holds any.
  ///
  /// Source: Intune App SDK for iOS, stage 6, "Compliance status".
  private func wipeOrgData(of account: Account, in guest: Guest) {
    guard guest.accounts.signedIn.contains(where: { $0.account.isSameUser(as: account) }),
      !registry.isBeingWiped(account, in: guest)
    else { return }
    var isHolding = false
    durability.persist { () throws(HostError) in
      for scope in wipes.scopes(of: guest) where !isHolding {
        isHolding = try !database.files(ownedBy: account, in: scope, after: [], limit: 1).isEmpty
      }
      let groups = (try? guest.app.keychainGroups().groups) ?? []
      if !isHolding { isHolding = try database.hasItems(ownedBy: account, in: groups) }
    }
    guard isHolding else { return }
    wipes.wipe(account, in: guest, reason: .notCompliant) {}
  }
}

extension RemediationQueue.Acceptance {
  fileprivate var rule: Rule {
    switch self {
    case .begun: .remediationBegun
    case .queued: .remediationQueued
    case .dropped: .remediationUnderWay
    case .refused: .remediationLoop
    }
  }
}

// MARK: - External control

/// Lets scenarios and commands inspect and control enrollment.
extension EnrollmentCoordinator {
  package struct View {
    /// The enrollment state: `unregistered`, `registered` or `enrolled`, or the activity in
    /// progress: `asking`, `waiting`, `restarting` or `wiping`.
    package var state: String
    /// The last status that the SDK sent to the app's delegate; nil if there was none.
    package var status: EnrollmentStatus?
    package var compliance: ComplianceStatus?
    /// Whether a policy protects the account in the app.
    package var isManaged: Bool
  }

  /// Returns the state of the account's enrollment in the app `name`; nil if there is no such app.
  package func view(of account: Account, in name: String) -> View? {
    guard let guest = registry[name] else { return nil }
    let known = guest.accounts.signedIn.first { $0.account.isSameUser(as: account) }
    let registration = guest.accounts.registration(of: account)
    return View(
      state: registration?.machine.state ?? "unregistered",
      status: registration?.lastStatus, compliance: registration?.lastCompliance,
      isManaged: known?.policy != nil)
  }

  /// Makes the SDK check for changes to an account's policies, as it does periodically. If the account is not
  /// enrolled in the app, the app's delegate receives status 213, or 214 if another account is enrolled there.
  ///
  /// Sources: Intune App SDK for iOS, `IntuneMAMEnrollmentStatus.h`; the log in ms-intune-app-sdk-ios, issue
  /// 527, for 214.
  ///
  /// - Throws: ``HostError`` if there is no such app, it does not integrate the SDK, or it is an extension.
  package func checkIn(_ account: Account, in name: String) throws(HostError) {
    let guest = try registry.find(name)
    guard guest.app.integratesSDK else {
      throw HostError(
        .entitlements, "`\(name)` does not integrate the Intune App SDK, so it does not check in")
    }
    guard guest.app.kind == .app else {
      throw HostError(.entitlements, "`\(name)` is an extension; its app checks in")
    }
    transaction {
      let registration = registration(of: account, in: guest)
      switch registration.machine.activity {
      case .idle where !registration.machine.isEnrolled,
        .waiting where !registration.machine.isEnrolled:
        notify(.init(.policy, statusWithoutEnrollment(in: guest)), registration, guest)
      case .idle, .asking, .waiting, .restarting, .wiping:
        advance(registration, .checkIn, in: guest)
      }
    }
  }

  /// Changes the behaviour of the service. If the service is reachable afterwards, applies missed policies and
  /// configurations.
  package func changeService(_ body: (inout EnrollmentService) -> Void) {
    let former = service.mdmUser
    body(&service)
    transaction {
      if let user = service.mdmUser, user != former {
        configurations.setIntuneUser(directory.account(named: user))
      }
      catchUpOnPushes()
    }
  }
}

extension AccountEnrollment {
  fileprivate var state: String {
    guard activity == .idle else { return activity.name }
    return switch standing {
    case .unregistered: "unregistered"
    case .registered: "registered"
    case .enrolled: "enrolled"
    }
  }
}
