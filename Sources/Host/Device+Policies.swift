internal import AppConfiguration
internal import Enrollment
public import Policy
public import Transfer
internal import Wire

/// What administrators change while apps run: policies, apps' configurations, names of accounts.
extension Device {
  /// Assigns policies to an account, in place of all that were assigned to it; none: it is unmanaged from now on.
  ///
  /// - Parameter apps: bundle ids; nil: those that the documents target.
  public func assign(
    _ documents: [PolicyDocument], to account: Account, apps: [String]? = nil
  ) {
    turn {
      policies.assign(documents, to: account, apps: apps)
      for guest in order {
        renewPolicy(of: account, in: guest)
        renewConfiguration(of: account, in: guest)
      }
    }
  }

  func renewPolicy(of account: Account, in guest: Guest) {
    guard let index = guest.accounts.firstIndex(where: { $0.account.isSame(as: account) }) else {
      return
    }
    if let registration = knownRegistration(of: account, in: guest) {
      guard desk.service.pushesPolicies else { return }
      let now = revision(for: account, in: guest)
      return advance(registration, .pushed(revision: now), in: guest)
    }
    apply(guest.accounts[index].account, in: guest)
  }

  /// Puts an account of the app under the policies that are targeted at it now.
  func apply(_ account: Account, in guest: Guest) {
    guard let index = guest.accounts.firstIndex(where: { $0.account.isSame(as: account) }) else {
      return
    }
    let before = guest.accounts[index].policy
    let now = signedIn(guest.accounts[index].account, in: guest, as: guest.accounts[index])
    guard before !== now.policy else { return }
    guest.accounts[index] = now
    note(enrollmentOf: now.account, in: guest, isFirst: before == nil)
    renewPersonas(of: guest)
    let wasAsked = knownRegistration(of: account, in: guest) != nil
    if wasAsked, before == nil, !guest.app.isMultiIdentity { actForDefaultAccount(guest) }
    tell(guest, .policyDidChange, now.account)
    // Who has no policy any more has nobody to say how its files are to be stored: they stay as they are.
    if let policy = now.policy,
      policy.isFileEncryptionRequired != before?.isFileEncryptionRequired
    {
      tell(guest, .dataProtectionDidChange, now.account)
      protectAgain(now.account, in: guest)
    }
    if guest.isReady { checkAccess(guest) }
    renewConfiguration(of: account, in: guest)
  }

  /// Has the ready-made guest do what an app does that hears of `dataProtectionDidChange`.
  private func protectAgain(_ account: Account, in guest: Guest) {
    guard guest.app.program == .readyMade, guest.isReady else { return }
    reprotections += 1
    let work = FileWork(.reprotect, FileReference(""), owner: account.upn)
    perform(.work(work, task: nil), on: guest) { [unowned self] _ in reprotections -= 1 }
  }

  /// Changes the app's configuration, as a management service does. Whom it does not let in any more is signed out,
  /// and that account's data is removed.
  ///
  /// - Parameter configuration: all of it, in place of what there was.
  /// - Throws: ``HostError`` where there is no such guest.
  public func configure(
    _ name: String, _ configuration: [String: String]
  ) throws(HostError) {
    guard let guest = guests[name] else {
      throw HostError(.folder, "the device has no app named `\(name)`")
    }
    try database.setConfiguration(configuration, of: name)
    turn {
      let before = guest.app.allowedAccounts
      guest.app.configuration = configuration
      didConfigure(guest, keys: configuration.keys.sorted(), before: before)
    }
  }

  /// What follows when MDM has configured an app otherwise.
  ///
  /// - Parameter before: whom the app let in until then.
  func didConfigure(_ guest: Guest, keys: [String], before: AllowedAccounts?) {
    record(.appConfigured(app: guest.app.bundleID, keys: keys))
    // Which policy applies may hang on IntuneMAMUPN.
    for account in guest.accounts.map(\.account) {
      renewPolicy(of: account, in: guest)
      renewConfiguration(of: account, in: guest)
    }
    let now = guest.app.allowedAccounts
    guard before != now else { return }
    tell(guest, .allowedAccountsDidChange, nil)
    for account in guest.accounts.map(\.account) where now?.allows(account) == false {
      record(
        .accountNotAllowed(
          app: guest.app.bundleID, expected: now?.name ?? "", entered: account.upn))
      wipe(account, in: guest, because: .notAllowed) {}
    }
  }

  /// The directory gives an account another UPN. Who is signed in stays so, and keeps all that is its own, where the
  /// account has an object id; without one nobody can know that it is the same.
  ///
  /// - Throws: ``HostError`` where the database fails.
  public func rename(_ account: Account, to upn: String) throws(HostError) {
    let new = Account(upn: upn, objectID: account.objectID, tenantID: account.tenantID)
    guard account.objectID != nil else {
      throw HostError(
        .entitlements,
        "`\(account.upn)` has no object id, by which it could be known under another name")
    }
    try database.rename(account, to: new, wrap: wrappingKey)
    turn {
      directory = directory.map { $0.isSame(as: account) ? new : $0 }
      policies.rename(account, to: new)
      configurations.rename(account, to: new)
      record(.accountRenamed(account: account.upn, to: upn))
      for guest in order { rename(account, to: new, in: guest) }
    }
  }

  private func rename(_ account: Account, to new: Account, in guest: Guest) {
    guard let index = guest.accounts.firstIndex(where: { $0.account.isSame(as: account) }) else {
      return
    }
    guest.accounts[index].account = new
    knownRegistration(of: account, in: guest)?.account = new
    let bundle = protectedBundle(of: guest.app)
    if var checkIn = checkIns.removeValue(forKey: Self.checkInKey(bundle, account)) {
      checkIn.account = new
      checkIns[Self.checkInKey(bundle, new)] = checkIn
    }
    renamePersonas(of: guest, account, to: new)
    renameConfiguration(of: new, in: guest)
  }

  /// Tells the app that something has changed, as the SDK's notifications do.
  func tell(_ guest: Guest, _ notice: MAMNotice, _ account: Account?) {
    guard guest.isReady || guest.state == .suspended else { return }
    send(HostMessage(.notice(notice.rawValue, account: account?.upn ?? "")), to: guest)
  }

  /// What the database and the journal say of the account's enrollment.
  func note(enrollmentOf account: Account, in guest: Guest, isFirst: Bool = false) {
    let entries = policies.entries(
      for: account, in: guest.app, bundleID: protectedBundle(of: guest.app))
    let names =
      isEnrolled(account, in: guest)
      ? entries.map { "\($0.document.displayName), \($0.reason)" } : []
    persist { () throws(HostError) in
      try database.setEnrollment(of: account, in: guest.name, policies: names)
    }
    let wasAsked = knownRegistration(of: account, in: guest) != nil
    record(
      isFirst && wasAsked
        ? .accountEnrolled(app: guest.app.bundleID, account: account.upn, policies: names)
        : .policyChanged(app: guest.app.bundleID, account: account.upn, policies: names))
  }
}

/// The SDK's notifications, by the last part of their names.
enum MAMNotice: String {
  case policyDidChange
  case wipeDidComplete
  case allowedAccountsDidChange
  case dataProtectionDidChange
}
