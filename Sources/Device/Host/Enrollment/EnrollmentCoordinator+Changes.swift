internal import AppConfiguration
internal import Enrollment
public import Model
public import Policy
internal import Wire

/// Changes by administrators while apps run: policies, apps' configurations, names of accounts.
extension EnrollmentCoordinator {
  /// Assigns policies to an account, in place of all that were assigned to it; without documents it is unmanaged from
  /// now on.
  ///
  /// - Parameter apps: bundle ids of the apps; nil: those that the documents target.
  public func assign(
    _ documents: [PolicyDocument], to account: Account, apps: [String]? = nil
  ) {
    assign(
      documents.map { PolicyAssignment(document: $0, account: account, apps: apps) }, to: account)
  }

  /// Assigns policies to an account, in place of all that were assigned to it.
  ///
  /// - Parameter assignments: assignments to this account.
  public func assign(_ assignments: [PolicyAssignment], to account: Account) {
    turn {
      policies.assign(assignments, to: account)
      renewPolicies(of: account)
    }
  }

  /// Applies to an account what is targeted at it now: policies, and configurations that may enroll it. A device that does
  /// not reach the service hears of it once it does.
  func renewPolicies(of account: Account) {
    guard access.conditions.isOnline, service.isReachable else {
      if !missedPushes.contains(where: { $0.isSame(as: account) }) { missedPushes.append(account) }
      return
    }
    for guest in registry.installed {
      renewPolicy(of: account, in: guest)
      configurations.renewConfiguration(of: account, in: guest)
    }
  }

  /// Applies what was targeted at accounts while the device did not reach the service.
  func catchUpOnPushes() {
    guard !missedPushes.isEmpty, access.conditions.isOnline, service.isReachable else { return }
    let accounts = missedPushes
    missedPushes = []
    for account in accounts { renewPolicies(of: directory.current(account)) }
  }

  func renewPolicy(of account: Account, in guest: Guest) {
    guard let index = guest.accounts.signedIn.firstIndex(where: { $0.account.isSame(as: account) })
    else {
      return
    }
    if let registration = guest.accounts.registration(of: account),
      registration.machine.isRegistered || registration.machine.activity != .idle
    {
      guard service.pushesPolicies else { return }
      let now = accounts.revision(for: account, in: guest.app)
      let needsRestart =
        guest.isReady && service.needsRestart(for: question(.policy, registration, guest))
      advance(registration, .pushed(revision: now, needsRestart: needsRestart), in: guest)
      // A policy that was saved while the device was down is another document of the same revision.
      if registration.machine.standing == .enrolled(revision: now) { apply(account, in: guest) }
      return
    }
    // The account signed in before anything was targeted at it.
    guest.accounts.registrations.removeAll { $0.account.isSame(as: account) }
    apply(guest.accounts.signedIn[index].account, in: guest)
    registerSignedIn(account, in: guest)
    tellSignedIn(account, in: guest)
  }

  /// Applies to an account of the app the policies that are targeted at it now.
  func apply(_ account: Account, in guest: Guest) {
    guard let index = guest.accounts.signedIn.firstIndex(where: { $0.account.isSame(as: account) })
    else {
      return
    }
    let before = guest.accounts.signedIn[index].policy
    let now = accounts.signedIn(
      guest.accounts.signedIn[index].account, in: guest, as: guest.accounts.signedIn[index])
    guard before !== now.policy else {
      return configurations.renewConfiguration(of: account, in: guest)
    }
    guest.accounts.signedIn[index] = now
    note(enrollmentOf: now.account, in: guest, isFirst: before == nil)
    identities.renewActingIdentities(of: guest)
    let wasAsked = guest.accounts.registration(of: account) != nil
    if wasAsked, before == nil, !guest.app.isMultiIdentity {
      identities.actForDefaultAccount(guest)
    }
    sendAccounts(guest)
    turn.notify(guest, .policyDidChange, now.account)
    // Without a policy nothing says how the account's files are to be stored: they stay as they are.
    if let policy = now.policy,
      policy.encryptsFiles != before?.encryptsFiles
    {
      turn.notify(guest, .dataProtectionDidChange, now.account)
      protectAgain(now.account, in: guest)
    }
    if guest.isReady { access.checkAccess(guest) }
    configurations.renewConfiguration(of: account, in: guest)
  }

  /// Has the ready-made guest do what an app does on `dataProtectionDidChange`.
  private func protectAgain(_ account: Account, in guest: Guest) {
    guard guest.app.program == .readyMade, guest.isReady else { return }
    reprotections += 1
    let work = FileWork(.reprotect, FileReference(""), owner: account.upn)
    deliveries.perform(.work(work, task: nil), on: guest) { [unowned self] _ in reprotections -= 1 }
  }

  /// Changes the app's configuration, as a management service does. Accounts that it does not allow any more are signed
  /// out, and their data is removed.
  ///
  /// - Parameter configuration: the whole configuration, in place of the earlier one.
  /// - Throws: ``HostError`` where there is no such guest, or the database fails.
  public func configure(
    _ name: String, _ configuration: [String: String]
  ) throws(HostError) {
    let guest = try registry.find(name)
    try database.setConfiguration(configuration, of: name)
    turn {
      let before = policies.allowedAccounts(of: guest.app)
      guest.app.configuration = configuration
      didConfigure(guest, keys: configuration.keys.sorted(), before: before)
    }
  }

  /// Applies the consequences of another configuration that MDM has given an app.
  ///
  /// - Parameter before: the accounts that the app allowed until then; nil: all.
  func didConfigure(_ guest: Guest, keys: [String], before: AllowedAccounts?) {
    audit.record(.appConfigured(app: guest.app.bundleID, keys: keys))
    didConfigureApp(guest)
    // Which policy applies may depend on IntuneMAMUPN.
    for account in guest.accounts.signedIn.map(\.account) {
      renewPolicy(of: account, in: guest)
      configurations.renewConfiguration(of: account, in: guest)
    }
    let now = policies.allowedAccounts(of: guest.app)
    guard before != now else { return }
    sendAccounts(guest)
    turn.notify(guest, .allowedAccountsDidChange, nil)
    for account in guest.accounts.signedIn.map(\.account) where now?.allows(account) == false {
      audit.record(
        .accountNotAllowed(
          app: guest.app.bundleID, expected: now?.name ?? "", entered: account.upn))
      wipes.wipe(account, in: guest, reason: .notAllowed) {}
    }
  }

  /// Gives an account another UPN, as the directory does. The account stays signed in and keeps all that it owns,
  /// because its object id tells that it is the same account.
  ///
  /// - Throws: ``HostError`` where the account has no object id, or the database fails.
  public func rename(_ account: Account, to upn: String) throws(HostError) {
    let new = Account(upn: upn, objectID: account.objectID, tenantID: account.tenantID)
    guard account.objectID != nil else {
      throw HostError(
        .entitlements,
        "`\(account.upn)` has no object id, by which it could be known under another name")
    }
    try setApart(claimOf: upn)
    try files.rename(account, to: new)
    turn {
      directory.rename(account, to: new)
      policies.rename(account, to: new)
      configurations.rename(account, to: new)
      service.rename(account, to: new)
      access.rename(account, to: new)
      for guest in queues.keys { queues[guest]?.rename(account, to: new) }
      audit.record(.accountRenamed(account: account.upn, to: upn))
      for guest in registry.installed { rename(account, to: new, in: guest) }
    }
  }

  /// Makes an account that only guests have named one that is not the account which gets the name now: it gets an
  /// object id of its own. Its sign-ins and data stay its own, and a name that a guest thought of first stops no
  /// directory.
  private func setApart(claimOf upn: String) throws(HostError) {
    guard !directory.accounts.contains(where: { $0.isNamed(upn) }),
      let (claim, row) = try database.claim(of: upn),
      !policies.assignments.contains(where: { $0.account.isSame(as: claim) }),
      !registry.installed.contains(where: { registry.isBeingWiped(claim, in: $0) })
    else { return }
    let apart = Account(upn: claim.upn, objectID: "not-in-the-directory-\(row)")
    try files.rename(claim, to: apart)
    turn {
      service.rename(claim, to: apart)
      access.rename(claim, to: apart)
      for guest in queues.keys { queues[guest]?.rename(claim, to: apart) }
      for guest in registry.installed { rename(claim, to: apart, in: guest) }
    }
  }

  private func rename(_ account: Account, to new: Account, in guest: Guest) {
    guest.accounts.registration(of: account)?.account = new
    guest.accounts.blocked = guest.accounts.blocked.map { $0.isSame(as: account) ? new : $0 }
    guard let index = guest.accounts.signedIn.firstIndex(where: { $0.account.isSame(as: account) })
    else {
      return
    }
    guest.accounts.signedIn[index].account = new
    access.rename(account, to: new, in: guest.app)
    identities.renameActingIdentities(of: guest, account, to: new)
    configurations.renameConfiguration(of: new, in: guest)
    sendAccounts(guest)
  }

  /// Records the account's enrollment in the database and the journal.
  func note(enrollmentOf account: Account, in guest: Guest, isFirst: Bool = false) {
    let entries = policies.entries(for: account, in: guest.app)
    let names =
      registry.isEnrolled(account, in: guest)
      ? entries.map(\.text) : []
    durability.persist { () throws(HostError) in
      try database.setEnrollment(of: account, in: guest.name, policies: names)
    }
    let wasAsked = guest.accounts.registration(of: account) != nil
    audit.record(
      isFirst && wasAsked
        ? .accountEnrolled(app: guest.app.bundleID, account: account.upn, policies: names)
        : .policyChanged(app: guest.app.bundleID, account: account.upn, policies: names))
  }
}
