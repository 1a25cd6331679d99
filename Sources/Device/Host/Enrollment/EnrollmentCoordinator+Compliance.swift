internal import Enrollment
internal import Model
internal import Policy
internal import Wire

/// Making accounts compliant with conditional access (`IntuneMAMComplianceManager`).
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

  /// Continues with the first of the accounts that wait for remediation.
  func beginRemediation(in guest: Guest) {
    guard let request = queues[guest.name]?.requests.first else { return }
    let registration = registration(of: request.account, in: guest)
    let isAllowed = policies.allowedAccounts(of: guest.app)?.allows(request.account) ?? true
    guard isAllowed else {
      return endRemediation(of: registration, in: guest, with: .deviceBlockedEnrollment)
    }
    if isOtherUser(request.account, in: guest) {
      return tell(.init(.enrollment, .mdmEnrolledDifferentUser), registration, guest)
    }
    // Where the SDK is busy with the account already, it answers when that has ended.
    advance(registration, .remediate(isSilent: request.isSilent), in: guest)
  }

  /// Ends the remediation of an account with the status that the SDK has told, where a remediation is under way.
  func endRemediation(
    of registration: Registration, in guest: Guest, with status: EnrollmentStatus
  ) {
    let account = registration.account
    guard let request = queues[guest.name]?.requests.first,
      request.account.isSame(as: account)
    else { return }
    // A configuration alone enrolls the account, and conditional access asks for a policy.
    let isProtected = guest.accounts.policy(of: account) != nil
    let compliance = ComplianceStatus(status, isProtected: isProtected)
    let loop = queues[guest.name]?.finish(at: clock.now)
    registration.lastCompliance = compliance
    save(registration, guest)
    tell(compliance, account, guest)
    if let loop {
      audit.record(
        .remediationLooped(app: guest.app.bundleID, account: account.upn, count: loop))
    }
    if compliance == .notCompliant { wipeOrgData(of: account, in: guest) }
    beginRemediation(in: guest)
  }

  private func tell(_ compliance: ComplianceStatus, _ account: Account, _ guest: Guest) {
    let text = ComplianceText(compliance, in: language)
    audit.record(
      .complianceAnswered(
        app: guest.app.bundleID, account: account.upn, status: compliance, title: text.title,
        message: text.message))
    sendAccounts(guest)
    guard guest.isReady else { return }
    turn.send(
      HostMessage(
        .complianceNotice(
          ComplianceNotice(
            account: account.objectID ?? account.upn, status: compliance.rawValue,
            title: text.title, message: text.message))), to: guest)
  }

  /// Wipes an account from the app that can never access its data there again, where it has left any.
  ///
  /// Source: Intune App SDK for iOS, stage 6, "Compliance status".
  private func wipeOrgData(of account: Account, in guest: Guest) {
    guard guest.accounts.signedIn.contains(where: { $0.account.isSame(as: account) }),
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
