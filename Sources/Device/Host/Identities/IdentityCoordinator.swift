internal import AppConfiguration
internal import Model
internal import Policy
internal import Wire

/// Manages the identities that guests act for in their process, their windows and their threads.
final class IdentityCoordinator: HostService {
  private let signer: TagSigner

  init(_ core: ServiceCore, signer: TagSigner) {
    self.signer = signer
    super.init(core)
  }

  // MARK: Acting identities

  /// Creates a guest that acts for the unset identity.
  func makeGuest(
    named name: String, _ app: AppDescription, container: String,
    limits: DeviceConfiguration.Limits
  ) -> Guest {
    Guest(
      name: name, app: app, container: container, limits: limits,
      actingIdentity: ActingIdentity(
        .unset, party: Party(app: app.state(for: nil), identity: .unset),
        ownership: Ownership(owner: Owner(), originApp: app.bundleID, signer: signer),
        participant: Participant(
          guest: name, app: app.bundleID, identity: nil, isManaged: false)))
  }

  /// Returns `actingIdentity` with the policies that apply now.
  ///
  /// - Parameter change: Returns the replacement for an identity of `actingIdentity`; nil removes the identity.
  func renewed(
    _ actingIdentity: ActingIdentity, of guest: Guest, _ change: (Identity) -> Identity? = { $0 }
  ) -> ActingIdentity {
    self.actingIdentity(of: guest, viewing: actingIdentity.everybody.compactMap(change))
  }

  private func actingIdentity(of guest: Guest, actingFor identity: Identity) -> ActingIdentity {
    actingIdentity(of: guest, identity, party(of: guest, actingFor: identity))
  }

  /// Creates an acting identity.
  ///
  /// - Parameter viewed: The identities of a view that shows several identities; otherwise empty. If it is not empty and
  ///   the party is managed, ``EffectivePolicy/lockDown`` restricts the view. The owner's data keeps the party's policy.
  private func actingIdentity(
    of guest: Guest, _ identity: Identity, _ party: Party, viewing viewed: [Identity] = []
  ) -> ActingIdentity {
    var view = party
    if !viewed.isEmpty { view.lockDown() }
    return ActingIdentity(
      identity, party: view,
      ownership: Ownership(
        owner: Owner(account: identity.account, policy: party.policy),
        originApp: guest.app.bundleID, signer: signer),
      participant: Participant(
        guest: guest.name, app: guest.app.bundleID, identity: identity.accountID,
        isManaged: party.isManaged), viewed: viewed)
  }

  /// Returns the party that rules evaluate if the guest acts for `identity`. It includes the policy that applies to the
  /// identity in the app.
  func party(of guest: Guest, actingFor identity: Identity) -> Party {
    let known = identity.account.flatMap { account in
      guest.accounts.signedIn.first { $0.account.isSameUser(as: account) }
    }
    var app = guest.app.state(for: identity.account)
    app.isScreenCaptureControlDisabled = guest.disablesScreenCaptureControl(for: known)
    return Party(app: app, identity: identity, policy: known?.policy)
  }

  /// Returns the acting identity of a view that shows data of `identities`.
  ///
  /// If there are several identities and one is managed, ``EffectivePolicy/lockDown`` applies to the view, and the
  /// first managed account owns data that the app passes on. If there is only one identity, no lockdown applies. If
  /// there is none, returns the unset identity.
  func actingIdentity(of guest: Guest, viewing identities: [Identity]) -> ActingIdentity {
    guard identities.count > 1 else {
      return actingIdentity(of: guest, actingFor: identities.first ?? .unset)
    }
    let parties = identities.map { party(of: guest, actingFor: $0) }
    let first = parties.first(where: \.isManaged) ?? parties[0]
    return actingIdentity(of: guest, first.identity, first, viewing: identities)
  }

  /// Returns the acting identity of a request that `guest` makes in a task. In a multi-identity app, the thread's
  /// identity takes precedence over the window's, and the window's over the process's. Window identities do not
  /// apply to files.
  ///
  /// Source: Intune App SDK for iOS, stage 5, Identity overview, effective identity.
  func actingIdentity(of guest: Guest, for task: TaskContext?, _ kind: TaskKind) -> ActingIdentity {
    guard let task, guest.app.isMultiIdentity else {
      return kind == .file ? guest.acting.processIdentity : guest.acting.actingIdentity
    }
    if let thread = task.thread {
      return actingIdentity(of: guest, actingFor: identity(ofThread: thread, in: guest))
    }
    guard kind == .interface else { return guest.acting.processIdentity }
    guard !task.window.isEmpty else { return guest.acting.actingIdentity }
    return guest.acting.windows[task.window] ?? guest.acting.processIdentity
  }

  /// Returns the acting identity for which an app receives data from another app: usually `own`. Data without an owner
  /// may instead be for the enrolled user, if this user is signed in to the app (``Party/takesUnownedData(on:)``).
  ///
  /// - Parameter own: The identity that the app acts for; nil for the front window's identity.
  func receivingIdentity(
    of guest: Guest, actingAs own: ActingIdentity? = nil, for owner: Owner
  ) -> ActingIdentity {
    let own = own ?? guest.acting.actingIdentity
    guard owner.account == nil, !own.party.isManaged, policies.deviceState.isMDMEnrolled,
      let user = guest.accounts.signedIn.first(where: { guest.app.namesEnrolledUser($0.account) }),
      !guest.isBlocked(.account(user.account))
    else { return own }
    let users = actingIdentity(of: guest, actingFor: .account(user.account))
    return users.party.takesUnownedData(on: policies.deviceState) ? users : own
  }

  /// Returns the party that rules evaluate if the guest receives data from another app for `actingIdentity`.
  func receiver(_ actingIdentity: ActingIdentity, in guest: Guest) -> Party {
    var party = actingIdentity.party
    party.app.lacksRequiredAccount = lacksRequiredAccount(guest.app, guest.accounts.signedIn)
    return party
  }

  /// Returns whether the app's configuration requires the enrolled user to be signed in, but the user is not.
  func lacksRequiredAccount(_ app: AppDescription, _ signedIn: [SignedInAccount]) -> Bool {
    guard app.configured(Setting.requireAccounts.rawValue)?.lowercased() == "enabled",
      let user = policies.enrolledUser(of: app)
    else { return false }
    return !signedIn.contains { user.isSameUser(as: $0.account) }
  }

  /// Returns the identity that a thread sets by name; the unknown identity for an empty name. The named account need
  /// not be signed in; if it is not, no policy applies to it.
  private func identity(ofThread accountID: String, in guest: Guest) -> Identity {
    guard !accountID.isEmpty else { return .unknown }
    let signedIn = guest.accounts.signedIn.first { $0.account.matches(identifier: accountID) }?
      .account
    return .account(signedIn ?? directory.account(named: accountID))
  }

  // MARK: Changes

  /// Sets an app's default identity, and removes the identities of its windows. In a multi-identity app, the default
  /// identity is unset. In any other app, it is the first managed account that is not blocked, or else the first
  /// signed-in account that is not blocked.
  func actForDefaultAccount(_ guest: Guest) {
    let accounts = guest.accounts.signedIn.filter { !guest.isBlocked(.account($0.account)) }
    let account = accounts.first { $0.policy != nil } ?? accounts.first
    let identity: Identity =
      guest.app.isMultiIdentity ? .unset : account.map { .account($0.account) } ?? .unset
    change(guest) {
      guest.acting.forgetWindows()
      guest.acting.processIdentity = actingIdentity(of: guest, actingFor: identity)
    }
    sendIdentities(guest)
  }

  /// Sets the identity of the key window, or of the process in a single-identity app.
  func setIdentity(_ identity: Identity, of guest: Guest) {
    let level: IdentityLevel =
      guest.app.isMultiIdentity ? .window(guest.acting.keyWindow) : .process
    setActingIdentity(actingIdentity(of: guest, actingFor: identity), of: guest, at: level)
  }

  func setActingIdentity(_ actingIdentity: ActingIdentity, of guest: Guest, at level: IdentityLevel)
  {
    change(guest) {
      switch level {
      case .process: guest.acting.processIdentity = actingIdentity
      case .window(let name):
        guest.acting.setActingIdentity(
          actingIdentity.identity.isUnset ? nil : actingIdentity, ofWindow: name)
      }
    }
    sendIdentity(guest, at: level)
  }

  /// Removes an account from the guest's acting identities, because the account has left the app. In a multi-identity
  /// app, a view of several accounts keeps the other accounts. A window or process that acts only for this account
  /// loses its identity. A single-identity app returns to its default account.
  func dropActingIdentities(of account: Account, in guest: Guest) {
    guard guest.acting.actingIdentities.contains(where: { $0.concerns(account) }) else { return }
    guard guest.app.isMultiIdentity else { return actForDefaultAccount(guest) }
    renewActingIdentities(of: guest) { $0.account?.isSameUser(as: account) ?? false ? nil : $0 }
  }

  func renameActingIdentities(of guest: Guest, _ account: Account, to new: Account) {
    renewActingIdentities(of: guest) {
      $0.account?.isSameUser(as: account) ?? false ? .account(new) : $0
    }
  }

  /// Recreates all acting identities after a change of accounts, policies or configurations.
  ///
  /// - Parameter substitute: Returns the replacement for an identity; nil removes it.
  func renewActingIdentities(of guest: Guest, _ substitute: (Identity) -> Identity? = { $0 }) {
    change(guest) {
      guest.acting.processIdentity = renewed(guest.acting.processIdentity, of: guest, substitute)
      for (name, actingIdentity) in guest.acting.windows {
        let renewed = renewed(actingIdentity, of: guest, substitute)
        guest.acting.replaceActingIdentity(renewed.identity.isUnset ? nil : renewed, ofWindow: name)
      }
    }
    sendIdentities(guest)
  }

  /// Sends a guest the identities of its process and of every window.
  func sendIdentities(_ guest: Guest) {
    sendIdentity(guest, at: .process)
    for name in Set(guest.acting.windows.keys).union([""]).sorted() {
      sendIdentity(guest, at: .window(name))
    }
  }

  private func change(_ guest: Guest, _ body: () -> Void) {
    let before = guest.acting.actingIdentity
    body()
    policies.invalidateRulings()
    let losesPolicy = before.party.isManaged && !guest.party.isManaged
    guard losesPolicy || !guest.identity.isSameUser(as: before.identity) else { return }
    guest.acting.admission = nil
    for index in guest.acting.locks.indices { guest.acting.locks[index].pendingSwitch = nil }
    // Queued messages were decided under the previous identity.
    guard guest.mailbox.outbox.count > 0 else { return }
    deliveries.giveUp(on: guest, "`\(guest.name)` acts for another account now")
  }

  private func sendIdentity(_ guest: Guest, at level: IdentityLevel) {
    guard guest.isReady || guest.state == .suspended else { return }
    let actingIdentity =
      switch level {
      case .process: guest.acting.processIdentity
      case .window(let name): guest.acting.windows[name] ?? guest.acting.processIdentity
      }
    transaction.send(
      HostMessage(
        .identityChanged(
          IdentityChange(
            account: actingIdentity.identity.accountID, isManaged: actingIdentity.party.isManaged,
            level: level))),
      to: guest)
  }
}

extension Guest {
  /// Returns whether an app configuration of the account restricts saving copies even if the account's policy allows
  /// sending to all apps. False if the account is not signed in.
  func alwaysRestrictsSaving(for account: Account) -> Bool {
    let signedIn = accounts.signedIn.first { $0.account.isSameUser(as: account) }
    return signedIn?.configuration.values(for: SDKKey.saveCopies.rawValue).contains {
      $0.text?.lowercased() == "true"
    } ?? false
  }

  /// Returns whether the app's configurations turn off the control of screen capture for an account. If several
  /// configurations contain the key, all of them must turn the control off.
  ///
  /// - Parameter account: A signed-in account, whose configuration from the service also counts; nil for any other
  ///   identity.
  func disablesScreenCaptureControl(for account: SignedInAccount?) -> Bool {
    let key = Setting.screenCaptureControl.rawValue
    let values =
      (account?.configuration.texts(for: key) ?? []) + (app.configured(key).map { [$0] } ?? [])
    return !values.isEmpty && values.allSatisfy { $0.lowercased() == "disabled" }
  }
}

extension Identity {
  var isUnset: Bool {
    if case .unset = self { true } else { false }
  }
}
