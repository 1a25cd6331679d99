internal import Enrollment
package import Model
internal import Policy
package import Wire

/// Manages the accounts that are signed in to each app, and the policies that protect them there.
package final class SignInCoordinator: HostService {
  private let access: AccessController
  /// Called after an account's sign-in to an app or sign-out from it. ``add(_:to:)`` does not call it.
  var didChange: (_ guest: Guest) -> Void = { _ in }
  /// Called for each account that is to be wiped from an app because the MDM user replaces it.
  var replace: (_ account: Account, _ guest: Guest) -> Void = { _, _ in }
  /// Called when an account has signed in without a request to the service.
  var didSignIn: (_ account: Account, _ guest: Guest) -> Void = { _, _ in }
  /// Called after ``didSignIn`` if the running app requested the sign-in.
  var didAnswer: (_ account: Account, _ guest: Guest) -> Void = { _, _ in }
  /// Makes a running app exit, as the SDK does.
  var forceExit: (_ guest: Guest) -> Void = { _ in }
  private let identities: IdentityCoordinator
  private let configurations: AppConfigurationService
  /// The maximum number of accounts in one app. Accounts count if they are signed in or registered with the service.
  private let limit: Int

  init(
    _ core: ServiceCore, limit: Int, identities: IdentityCoordinator, access: AccessController,
    configurations: AppConfigurationService
  ) {
    self.identities = identities
    self.access = access
    self.configurations = configurations
    self.limit = limit
    super.init(core)
  }

  // MARK: Signing in

  /// Signs an account in without asking the service, and answers the request.
  func signIn(_ accountID: String, _ pending: PendingRequest) {
    let guest = pending.guest
    guard !accountID.isEmpty else {
      return replies.refuse(pending, .signIn, .enrollmentNeedsAccount)
    }
    let account = directory.account(named: accountID)
    guard !registry.isBeingWiped(account, in: guest) else {
      return replies.refuse(pending, .signIn, .accountBeingWiped, subject: account.upn)
    }
    let entries = policies.entries(for: account, in: guest.app)
    let verdict = signInVerdict(account, guest)
    let citations = self.citations(guest.app)
    guard verdict.outcome != .blocked else {
      audit.reportEnrollment(.registerAndEnroll, "refused", of: guest)
      return replies.answer(
        pending, .signIn, verdict, subject: account.upn, citing: citations, end: .refused,
        status: SignInRequest.status(of: verdict)?.rawValue ?? 0,
        detail: policies.allowedAccounts(of: guest.app)?.mismatch(entered: account))
    }
    guard hasRoom(for: account, pending, .signIn) else { return }
    audit.decided(
      pending,
      RequestDecision(
        request: pending.number, operation: .signIn, sender: guest.participant,
        subject: account.upn, verdict: Explainer.explain(verdict, citing: citations)))
    let isTargeted = revision(for: account, in: guest.app) != nil
    if access.conditions.isOnline, isTargeted {
      access.noteCheckIn(of: guest.app, for: account)
    }
    enroll(account, entries, in: guest)
    audit.reportEnrollment(
      .registerAndEnroll, isTargeted ? "enrolled" : "notTargeted", of: guest)
    didAnswer(account, guest)
    if guest.isReady { access.checkAccess(guest) }
    replies.finish(
      pending,
      RequestOutcome(
        verdict: .allowed, end: .delivered, reasons: verdict.reasons.map(OutcomeReason.init)))
  }

  /// Returns whether the app may have one more account. If not, answers the request. The number is limited because each
  /// account slows down all account lookups, including other apps' lookups.
  func hasRoom(for account: Account, _ pending: PendingRequest, _ operation: Operation) -> Bool {
    let held = pending.guest.accounts.held
    guard held.count >= limit, !held.contains(where: { $0.isSameUser(as: account) }) else {
      return true
    }
    replies.answer(
      pending, operation, Verdict([Reason(.noRuleApplied, .device)]), subject: account.upn,
      end: .failed, detail: "the app has \(held.count) accounts; the maximum is \(limit)")
    return false
  }

  private func enroll(_ account: Account, _ entries: [PolicyAssignments.Entry], in guest: Guest) {
    makeWay(for: account, in: guest)
    let before = guest.accounts.signedIn.first { $0.account.isSameUser(as: account) }
    guest.accounts.signedIn.removeAll { $0.account.isSameUser(as: account) }
    // An account that no policy or configuration targets keeps its registration unchanged.
    let targeted = revision(for: account, in: guest.app)
    if let targeted {
      guest.accounts.registration(of: account)?.machine =
        AccountEnrollment(
          .enrolled(revision: targeted),
          contact: .init(last: access.lastCheckIn(of: guest.app, for: account)))
    }
    guest.accounts.signedIn.append(signedIn(account, in: guest, as: before))
    guest.accounts.blocked.removeAll { $0.isSameUser(as: account) }
    durability.persist { () throws(HostError) in
      try database.add(
        account, to: guest.app.name, policies: targeted == nil ? nil : entries.map(\.text))
    }
    if !entries.isEmpty {
      audit.record(
        .accountEnrolled(
          app: guest.app.bundleID, account: account.upn,
          policies: entries.map(\.text)))
    }
    audit.record(
      .accountSignedIn(
        app: guest.app.bundleID, account: account.upn, isManaged: !entries.isEmpty))
    if !guest.app.isMultiIdentity { identities.actForDefaultAccount(guest) }
    didSignIn(account, guest)
    didChange(guest)
    configurations.renewConfiguration(of: account, in: guest)
  }

  /// Signs `account` in without a request.
  ///
  /// - Returns: The reason if a rule refuses, or the account is being wiped; nil if the account is signed in.
  func preset(_ account: Account, in guest: Guest) -> String? {
    guard !registry.isBeingWiped(account, in: guest) else { return "the account is being wiped" }
    let entries = policies.entries(for: account, in: guest.app)
    let verdict = signInVerdict(account, guest)
    guard verdict.outcome != .blocked else {
      let explained = Explainer.explain(verdict)
      return explained.reasons.first { $0.rule == explained.deciding }?.text
        ?? explained.deciding.rawValue
    }
    // On a device already in use, the app has checked in before.
    if !entries.isEmpty,
      access.conditions.isOnline || access.lastCheckIn(of: guest.app, for: account) == nil
    {
      access.noteCheckIn(of: guest.app, for: account)
    }
    enroll(account, entries, in: guest)
    return nil
  }

  /// Returns the verdict on a sign-in. It depends on the app's configuration and on its enrolled accounts.
  ///
  /// - Parameter asksForEnrollment: Whether the app has named the account to the SDK for
  ///   enrollment.
  func signInVerdict(
    _ account: Account, _ guest: Guest, asksForEnrollment: Bool = false
  ) -> Verdict {
    signInVerdict(
      account, isManaged: revision(for: account, in: guest.app) != nil, guest.app,
      beside: enrolled(in: guest), asksForEnrollment: asksForEnrollment)
  }

  /// Returns the verdict on a sign-in to an app in which other accounts are enrolled.
  ///
  /// - Parameter managed: The accounts that are already enrolled in the app.
  private func signInVerdict(
    _ account: Account, isManaged: Bool, _ app: AppDescription, beside managed: [Account],
    asksForEnrollment: Bool = false
  ) -> Verdict {
    evaluateSignIn(
      SignInRequest(
        account: account, isManaged: isManaged, allowed: policies.allowedAccounts(of: app),
        managedAccounts: managed,
        allowsSeveralManagedAccounts: app.allowsSeveralManagedAccounts,
        enrolledUser: policies.enrolledUser(of: app), asksForEnrollment: asksForEnrollment))
  }

  /// If `account` is the MDM user and the app supports only one managed account, starts wipes of the app's
  /// other enrolled accounts.
  func makeWay(for account: Account, in guest: Guest) {
    let verdict = signInVerdict(account, guest)
    guard verdict.outcome == .allowed,
      verdict.reasons.contains(where: { $0.rule == .enrolledUserFirst })
    else { return }
    for other in enrolled(in: guest) where !other.isSameUser(as: account) { replace(other, guest) }
  }

  /// Signs the account in without a policy. A policy, if any, is applied later.
  func add(_ account: Account, to guest: Guest) {
    guard !guest.accounts.signedIn.contains(where: { $0.account.isSameUser(as: account) }) else {
      return
    }
    guest.accounts.signedIn.append(SignedInAccount(account: account, policy: nil))
    guest.accounts.blocked.removeAll { $0.isSameUser(as: account) }
    durability.persist { () throws(HostError) in try database.add(account, to: guest.name) }
    audit.record(
      .accountSignedIn(app: guest.app.bundleID, account: account.upn, isManaged: false))
    if !guest.app.isMultiIdentity { identities.actForDefaultAccount(guest) }
  }

  func restore(to guest: Guest) throws(HostError) {
    for account in try database.accounts(of: guest.name) {
      guest.accounts.signedIn.append(configurations.configured(signedIn(account, in: guest), guest))
    }
    guest.accounts.blocked = try database.blockedAccounts(of: guest.name)
  }

  /// Signs the account out. Its data must already have been deleted.
  func remove(_ account: Account, from guest: Guest) {
    configurations.takeConfiguration(of: account, from: guest)
    guest.accounts.signedIn.removeAll { $0.account.isSameUser(as: account) }
    durability.persist { () throws(HostError) in try database.remove(account, from: guest.app.name)
    }
    audit.record(.accountSignedOut(app: guest.app.bundleID, account: account.upn))
    guest.acting.unlock(.account(account))
    access.dropActingIdentities(of: account, in: guest)
    didChange(guest)
  }

  // MARK: Current state

  /// Returns the accounts that are enrolled in the app through a policy or a configuration. Accounts that the MDM user
  /// replaces are not included.
  func enrolled(in guest: Guest) -> [Account] {
    guest.accounts.signedIn.filter {
      configurations.isEnrolled($0, in: guest) && !isReplaced($0.account, in: guest)
    }.map(\.account)
  }

  private func isReplaced(_ account: Account, in guest: Guest) -> Bool {
    guest.accounts.wipes.contains { $0.reason == .replaced && $0.account.isSameUser(as: account) }
  }

  /// Returns the names of the policies and configurations that target the account; nil if there are none.
  func revision(for account: Account, in app: AppDescription) -> TargetedRevision? {
    TargetedRevision(
      policies: policies.revision(for: account, in: app),
      configurations: configurations.revision(for: account, in: app))
  }

  /// Returns the sign-in of `account` in the app, with the policy that applies.
  ///
  /// - Parameter before: The account's earlier sign-in, whose configuration the new sign-in keeps; nil if there was
  ///   none.
  func signedIn(
    _ account: Account, in guest: Guest, as before: SignedInAccount? = nil
  ) -> SignedInAccount {
    signedIn(account, guest.app, of: guest, as: before)
  }

  /// Returns the sign-in of `account` in an app or extension, with the policy that applies.
  ///
  /// - Parameter guest: The guest in which the account is enrolled.
  private func signedIn(
    _ account: Account, _ app: AppDescription, of guest: Guest, as before: SignedInAccount? = nil
  ) -> SignedInAccount {
    let entries = policies.entries(for: account, in: app)
    let isManaged = !entries.isEmpty && registry.isEnrolled(account, in: guest)
    return SignedInAccount(
      account: account, policy: isManaged ? policies.merging(entries) : nil,
      configuration: before?.configuration ?? DeliveredConfiguration())
  }

  func citations(_ app: AppDescription) -> [Setting: Explainer.Citation] {
    let settings: [Setting] = [.allowedAccountsOnly, .enrolledUPN]
    return settings.reduce(into: [:]) { citations, setting in
      guard let value = app.configured(setting.rawValue) else { return }
      citations[setting] = Explainer.Citation(
        value: value, source: "configuration of `\(app.name)`")
    }
  }

  // MARK: Extensions

  /// Returns the accounts that are signed in to an extension's app, because extensions have no sign-ins. Each account
  /// has the policy that applies in the extension. Accounts that are blocked or being wiped are not included.
  func accounts(ofExtension extension: AppDescription) -> [SignedInAccount] {
    guard let app = registry.containingApp(of: `extension`) else { return [] }
    return app.accounts.signedIn.map(\.account).filter {
      !app.isBlocked(.account($0)) && !registry.isBeingWiped($0, in: app)
    }.map { signedIn($0, `extension`, of: app) }
  }

  /// Returns the account that an extension acts for: the first managed account, or else the first account.
  static func actor(of accounts: [SignedInAccount]) -> SignedInAccount? {
    accounts.first { $0.policy != nil } ?? accounts.first
  }
}

// MARK: - External control

/// Lets scenarios and commands inspect and control sign-ins.
extension SignInCoordinator {
  /// Returns the accounts that are signed in to a guest's app, in the order of sign-in.
  package func accounts(signedInTo guest: String) -> [Account] {
    registry[guest]?.accounts.signedIn.map(\.account) ?? []
  }

  /// Signs an account in without a request, before the app has run, as on a device already in use.
  ///
  /// - Throws: ``HostError`` if there is no such guest, the account is being wiped, or a rule refuses the
  ///   sign-in.
  package func presetSignIn(_ account: Account, in name: String) throws(HostError) {
    let guest = try registry.find(name)
    var refusal: String?
    transaction { refusal = preset(account, in: guest) }
    if let refusal { throw HostError(.entitlements, "app `\(name)`: \(refusal)") }
  }

  /// Returns whether `accounts` could all sign in to the app in this order, if no account were signed in before.
  /// Returns false if there is no such app.
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

  /// Makes the SDK ask the app `name` to add or block an account. An app that declines to block the account is
  /// forced to exit.
  ///
  /// Source: Intune App SDK for iOS, `IntuneMAMPolicyDelegate.h`, `blockAccountId`.
  ///
  /// - Parameters:
  ///   - call: `add` or `block`. The app is not asked for other calls.
  ///   - done: Receives whether the app agreed; nil if the app was not asked or is not ready. If the app is forced to
  ///     exit, `done` is called after the exit.
  package func ask(
    _ name: String, to call: DelegateCall, _ account: Account, done: @escaping (Bool?) -> Void
  ) {
    transaction {
      guard let guest = registry[name], guest.isReady, call == .add || call == .block else {
        return done(nil)
      }
      let answer = PendingCall.delegate { [unowned self] isAccepted in
        audit.record(
          .delegateAsked(
            guest: guest.name, call: call == .add ? "add" : "block", account: account.upn,
            isAccepted: isAccepted))
        if isAccepted { carryOut(call, account, in: guest) }
        guard call == .block, !isAccepted, guest.isRunning else { return done(isAccepted) }
        guest.process.onExit.append { done(false) }
        forceExit(guest)
      }
      deliveries.ask(guest, answer) {
        HostMessage(.delegateCall(ask: $0, call, account: account.upn))
      }
    }
  }

  private func carryOut(_ call: DelegateCall, _ account: Account, in guest: Guest) {
    switch call {
    case .add:
      // Even if the app agrees to add an account, its sign-in may be refused.
      if preset(account, in: guest) == nil, guest.isReady { access.checkAccess(guest) }
    case .block:
      guest.accounts.blocked.removeAll { $0.isSameUser(as: account) }
      guest.accounts.blocked.append(account)
      durability.persist { () throws(HostError) in try database.block(account, in: guest.name) }
      access.dropActingIdentities(of: account, in: guest)
    case .wipe, .restart: break
    }
  }
}
