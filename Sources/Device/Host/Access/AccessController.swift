internal import Encodings
package import Model
internal import Policy
internal import Wire

/// Enforces conditional launch, the policy's requirements for opening an account. The requirements are checked
/// at launch, on resuming, after a sign-in or a policy change, and at a switch to the account.
package final class AccessController: HostService {
  private(set) var conditions: DevicePosture
  var didChangeConditions: () -> Void = {}
  var wipe: (_ account: Account, _ guest: Guest) -> Void = { _, _ in }
  /// Called when an account's offline grace period has expired; the app must then check in. `offer`
  /// is the user's response to the prompt.
  var renewContact: (_ account: Account, _ guest: Guest, _ offer: AccessOffer) -> Void = {
    _, _, _ in
  }
  /// Returns whether a check-in may still renew the account's grace period.
  var awaitsCheckIn: (_ account: Account, _ guest: Guest) -> Bool = { _, _ in false }
  /// Asks an app to hide an account (`blockAccountId`). `done` receives the answer; nil if there is none.
  var block: (_ account: Account, _ guest: Guest, _ done: @escaping (Bool?) -> Void) -> Void = {
    _, _, done in done(nil)
  }
  private let identities: IdentityCoordinator
  private let prompts: DeviceConfiguration.Prompts
  /// The ready-made apps that were asked to switch or to hide an account, and have not answered. An app has one entry
  /// for each request.
  private var askedToSwitch: [Guest] = []
  private var disabledAccounts: [Account] = []
  private var clockedOutAccounts: [Account] = []
  /// Each app's last check-in for each account, keyed by bundle id and UPN in lower case.
  private var checkIns: [String: CheckIn] = [:]
  /// The PINs and access states of the users of each publisher's apps, keyed by the publisher's team identifier.
  private var accessStates: [String: PublisherAccess]
  /// The changes of ``accessStates`` that are not saved yet: for each team identifier, the indices of the changed
  /// entries.
  private var unsavedStates: [String: Set<Int>] = [:]
  private var unsavedCheckIns: Set<String> = []
  /// Whether a check-in for an expired grace period is under way. No further check-in starts during this time.
  private var isRenewing = false

  /// Creates the controller with the PINs and check-ins in the database.
  ///
  /// - Throws: ``HostError`` if the database fails or contains invalid data.
  init(_ core: ServiceCore, _ configuration: DeviceConfiguration, identities: IdentityCoordinator)
    throws(HostError)
  {
    conditions = configuration.conditions
    conditions.isMDMEnrolled = configuration.state.isMDMEnrolled
    prompts = configuration.prompts
    self.identities = identities
    accessStates = try core.database.accessStates().mapValues(PublisherAccess.init)
    super.init(core)
    for checkIn in try database.checkIns() {
      checkIns[Self.checkInKey(checkIn.app, checkIn.account)] = checkIn
    }
  }

  /// Reevaluates the policies of the accounts that `guest` acts for, and locks the guest if a policy blocks access. If
  /// an account's offline grace period has expired, the app checks in first.
  func checkAccess(_ guest: Guest) {
    for identity in managedIdentities(of: guest) {
      renewGrace(of: identity, in: guest)
      // The check-in may have removed the account or its policy.
      guard identities.party(of: guest, actingFor: identity).isManaged else { continue }
      admit(guest, to: identity, nil)
    }
  }

  /// Returns the managed identities that the guest acts for, without duplicates.
  private func managedIdentities(of guest: Guest) -> [Identity] {
    var found: [Identity] = []
    for identity in guest.acting.actingIdentities.flatMap(\.everybody)
    where identities.party(of: guest, actingFor: identity).isManaged
      && !found.contains(where: { $0.isSameUser(as: identity) })
    {
      found.append(identity)
    }
    return found
  }

  /// Stops a guest from acting for an account that has been signed out of its app or blocked there.
  func dropActingIdentities(of account: Account, in guest: Guest) {
    let isConcerned = guest.acting.actingIdentities.contains { $0.concerns(account) }
    identities.dropActingIdentities(of: account, in: guest)
    if isConcerned, !guest.app.isMultiIdentity, guest.isReady { checkAccess(guest) }
  }

  /// Evaluates the policies of the identities in `wanted`, up to the first policy that blocks access.
  ///
  /// - Parameter wanted: The identities that the app wants to show.
  /// - Returns: The blocking verdict or, if no policy blocks access, the last verdict; nil if no identity is managed.
  private func verdictOnSwitch(
    of guest: Guest, to wanted: [Identity], _ pendingSwitch: PendingSwitch
  ) -> ExplainedAccess? {
    var last: ExplainedAccess?
    for identity in wanted
    where identities.party(of: guest, actingFor: identity).isManaged {
      renewGrace(of: identity, in: guest)
      guard identities.party(of: guest, actingFor: identity).isManaged else { continue }
      let access = admit(guest, to: identity, pendingSwitch)
      if access.verdict.outcome == .blocked { return access }
      last = access
    }
    return last
  }

  /// A launch request for an identity, and the policy's verdict on the request.
  private struct ExplainedAccess {
    var identity: Identity
    var request: LaunchRequest
    var verdict: Verdict

    var admission: ActingIdentities.Admission {
      ActingIdentities.Admission(identity: identity, verdict: verdict)
    }
  }

  /// Evaluates the policy of `identity`. If the guest may not act for the identity, locks the guest or starts a wipe.
  @discardableResult
  private func admit(
    _ guest: Guest, to identity: Identity, _ pendingSwitch: PendingSwitch?
  ) -> ExplainedAccess {
    let request = launchRequest(guest, identity, nil)
    let verdict = evaluateLaunch(request)
    conclude(guest, identity, pendingSwitch, request, verdict)
    if verdict.launchAction != .none {
      audit.record(
        .accessChecked(
          guest: guest.name, account: identity.accountID ?? "",
          action: verdict.launchAction.rawValue, verdict: Explainer.explain(request, verdict)))
    }
    wipe(after: verdict, identity, in: guest)
    return ExplainedAccess(identity: identity, request: request, verdict: verdict)
  }

  /// Returns whether an account would open in an app now, if the user answers prompts as configured. Returns false if
  /// there is no such guest. The call neither locks an account nor writes to the journal. If the policy requires a new
  /// PIN and the configuration answers prompts, the call sets a PIN.
  package func opens(_ account: Account, in name: String) -> Bool {
    guard let guest = registry[name] else { return false }
    return evaluateLaunch(launchRequest(guest, .account(account), nil)).outcome == .allowed
  }

  /// If a policy has allowed the guest to act for its current account, starts the inactivity period. After this period,
  /// the PIN is required again.
  func leaveForeground(_ guest: Guest) {
    guard let admission = guest.acting.admission else { return }
    updateAccess(of: admission.identity, in: guest) {
      $0.leaveForeground(after: admission.verdict, at: clock.now)
    }
  }

  // MARK: PINs

  /// Returns the PIN state for opening an identity in the guest's app; the initial state if none is stored.
  private func accessState(of identity: Identity, in guest: Guest) -> AccessState {
    guard let account = identity.account else { return AccessState() }
    return accessStates[guest.app.team]?.state(of: user(account, of: guest)) ?? AccessState()
  }

  private func updateAccess(
    of identity: Identity, in guest: Guest, _ body: (inout AccessState) -> Void
  ) {
    let team = guest.app.team
    guard let account = identity.account,
      let index = accessStates[team, default: PublisherAccess()].update(
        user(account, of: guest), body)
    else { return }
    unsavedStates[team, default: []].insert(index)
  }

  private func user(_ account: Account, of guest: Guest) -> PublisherAccess.User {
    PublisherAccess.User(
      account, among: guest.accounts.signedIn.filter { $0.policy != nil }.map(\.account),
      sdkVersion: guest.app.sdkVersion)
  }

  /// Applies a verdict's consequences other than a wipe: updates the PIN state and the guest's lock.
  private func conclude(
    _ guest: Guest, _ identity: Identity, _ pendingSwitch: PendingSwitch?, _ request: LaunchRequest,
    _ verdict: Verdict
  ) {
    updateAccess(of: identity, in: guest) { $0.apply(verdict, at: clock.now) }
    guest.acting.admission = ActingIdentities.Admission(identity: identity, verdict: verdict)
    // If the account is being wiped, only the end of the wipe removes its lock.
    guard !registry.isBeingWiped(identity.account, in: guest) else { return }
    guest.acting.unlock(identity)
    // An account that is due for a wipe stays locked until the wipe.
    if [.block, .wipe].contains(verdict.launchAction) {
      guest.acting.locks.append(
        IdentityLock(
          identity: identity, pendingSwitch: pendingSwitch, request: request, verdict: verdict))
    }
    policies.invalidateRulings()
  }

  private func wipe(after verdict: Verdict, _ identity: Identity, in guest: Guest) {
    guard verdict.launchAction == .wipe, let account = identity.account else { return }
    wipe(account, registry.app(of: guest))
  }

  private func launchRequest(
    _ guest: Guest, _ identity: Identity, _ offer: AccessOffer?
  ) -> LaunchRequest {
    let party = identities.party(of: guest, actingFor: identity)
    let account = identity.account
    let isListed = { (accounts: [Account]) in
      accounts.contains { account?.isSameUser(as: $0) ?? false }
    }
    var request = LaunchRequest(
      policy: party.policy, device: conditions, app: party.app, appVersion: guest.app.version,
      account: AccountConditions(
        isDisabled: isListed(disabledAccounts), isClockedOut: isListed(clockedOutAccounts),
        lastCheckIn: account.map { lastCheckIn(of: guest.app, for: $0) } ?? clock.now,
        awaitsCheckIn: account.map { awaitsCheckIn($0, guest) } ?? false),
      access: accessState(of: identity, in: guest), now: clock.now)
    request.offer = offer ?? AccessOffer()
    if offer == nil, prompts == .answered { answerPrompts(of: &request, identity, guest) }
    return request
  }

  // MARK: Check-ins

  /// Returns the time of the app's last successful check-in for the account; nil if it never
  /// checked in. An extension uses the check-in of its app.
  func lastCheckIn(of app: AppDescription, for account: Account) -> Int? {
    checkIns[Self.checkInKey(app.protectedBundleID, account)]?.time
  }

  /// Records a successful check-in of the app for the account, and thereby restarts the account's grace period.
  ///
  /// - Parameter time: The time of the check-in; nil for now.
  func noteCheckIn(of app: AppDescription, for account: Account, at time: Int? = nil) {
    let key = Self.checkInKey(app.protectedBundleID, account)
    checkIns[key] = CheckIn(
      app: app.protectedBundleID, account: account, time: time ?? clock.now)
    unsavedCheckIns.insert(key)
  }

  /// Forgets the app's check-in for an account that has left. The database deletes its copy separately.
  func forgetCheckIn(of app: AppDescription, for account: Account) {
    let key = Self.checkInKey(app.protectedBundleID, account)
    checkIns.removeValue(forKey: key)
    unsavedCheckIns.remove(key)
  }

  /// Makes the app check in if the account's offline grace period has expired.
  private func renewGrace(
    of identity: Identity, in guest: Guest, _ offer: AccessOffer = AccessOffer()
  ) {
    let settings = identities.party(of: guest, actingFor: identity).policy?.settings
    guard !isRenewing, let account = identity.account, let settings,
      settings.periodOfflineBeforeAccessCheck > 0 || settings.periodOfflineBeforeWipeIsEnforced > 0,
      evaluateLaunch(launchRequest(guest, identity, offer)).isOfflineGraceOver
    else { return }
    isRenewing = true
    defer { isRenewing = false }
    renewContact(account, guest, offer)
  }

  /// Reevaluates the account's policy if an expired offline grace period locked the guest, and the account's check-in
  /// state has changed since then. Locks for other reasons are reevaluated at the next access check.
  func didAnswerCheckIn(of account: Account, in guest: Guest) {
    let lastCheckIn = lastCheckIn(of: guest.app, for: account)
    let mayStillCheckIn = awaitsCheckIn(account, guest)
    let isLocked = guest.acting.locks.contains { lock in
      guard let request = lock.request, lock.verdict.isOfflineGraceOver,
        lock.identity.account?.isSameUser(as: account) ?? false
      else { return false }
      return request.account.awaitsCheckIn != mayStillCheckIn
        || request.account.lastCheckIn != lastCheckIn
    }
    guard isLocked, guest.isReady, !isRenewing else { return }
    for identity in managedIdentities(of: guest)
    where identity.account?.isSameUser(as: account) ?? false {
      admit(guest, to: identity, nil)
    }
  }

  private static func checkInKey(_ bundleID: String, _ account: Account) -> String {
    "\(bundleID) \(account.upn.lowercased())"
  }

  /// Fills in the answers of a user who knows the account's password and enters the current PIN. If the policy requires
  /// a new PIN, sets a valid one.
  private func answerPrompts(
    of request: inout LaunchRequest, _ identity: Identity, _ guest: Guest
  ) {
    guard let settings = request.policy?.settings else { return }
    request.offer.hasSignedIn = true
    if evaluateLaunch(request).launchPrompts.contains(.newPIN) {
      let earlier = request.access.earlierPINs + (request.access.current.map { [$0.pin] } ?? [])
      request.access.set(
        PIN.accepted(by: settings.known(to: request.app).settings, previous: earlier), at: clock.now
      )
      updateAccess(of: identity, in: guest) { $0 = request.access }
    }
    if let current = request.access.current { request.offer.unlock = .pin(current.pin) }
  }

  func unlock(_ unlock: Unlock, _ pending: PendingRequest) {
    let guest = pending.guest
    let wanted =
      guest.acting.lock(of: guest.identity) ?? guest.acting.locks.last { $0.pendingSwitch != nil }
    let identity = wanted?.identity ?? guest.identity
    if unlock.isCancelled { return cancelUnlock(wanted, pending) }
    var unlock = unlock
    if guest.app.program != .readyMade {
      // A program cannot vouch for its user. The ready-made guest gets the user's actions from a
      // scenario step.
      unlock.hasBiometrics = false
      unlock.hasCredentials = false
    }
    renewGrace(of: identity, in: guest, AccessOffer(hasSignedIn: unlock.hasCredentials))
    if let wanted, registry.isBeingWiped(identity.account, in: guest) {
      return reply(to: pending, identity, wanted.verdict, wanted.explained)
    }
    guard identities.party(of: guest, actingFor: identity).isManaged else {
      return replies.answer(
        pending, .conditionalLaunch, Verdict([Reason(.unmanagedIdentity, .device)]), end: .delivered
      )
    }
    let prompts = evaluateLaunch(launchRequest(guest, identity, AccessOffer())).launchPrompts
    if unlock.setsPIN, prompts.contains(.newPIN), let refused = setPIN(unlock, guest, identity) {
      return reply(to: pending, identity, refused.verdict, refused.explained)
    }
    let offered: AccessOffer.Unlock =
      unlock.hasBiometrics ? .biometrics : unlock.pin.isEmpty ? .nothing : .pin(PIN(unlock.pin))
    let request = launchRequest(
      guest, identity, AccessOffer(offered, hasSignedIn: unlock.hasCredentials))
    let verdict = evaluateLaunch(request)
    conclude(guest, identity, wanted?.pendingSwitch, request, verdict)
    if verdict.outcome == .allowed, let pendingSwitch = wanted?.pendingSwitch,
      canShow(pendingSwitch, in: guest)
    {
      grant(pendingSwitch, of: identity, to: guest, verdict)
    }
    reply(to: pending, identity, verdict, Explainer.explain(request, verdict))
    wipe(after: verdict, identity, in: guest)
  }

  private func grant(
    _ pendingSwitch: PendingSwitch, of identity: Identity, to guest: Guest, _ verdict: Verdict
  ) {
    identities.setActingIdentity(
      identities.actingIdentity(of: guest, viewing: pendingSwitch.identities), of: guest,
      at: pendingSwitch.level)
    guest.acting.admission = ActingIdentities.Admission(identity: identity, verdict: verdict)
    audit.record(
      .identitySwitched(
        guest: guest.name, identity: identity.accountID, isManaged: guest.party.isManaged))
  }

  /// Evaluates the policies of the identities in `pendingSwitch`, and returns whether all allow access. The first
  /// policy that blocks access locks its account; the lock stores `pendingSwitch`.
  private func canShow(_ pendingSwitch: PendingSwitch, in guest: Guest) -> Bool {
    verdictOnSwitch(of: guest, to: pendingSwitch.identities, pendingSwitch)?.verdict.outcome
      != .blocked
  }

  /// Records and sends a verdict on an unlock attempt, or on a locked guest's request.
  private func reply(
    to pending: PendingRequest, _ identity: Identity, _ verdict: Verdict,
    _ explained: ExplainedVerdict,
    _ operation: Operation = .conditionalLaunch
  ) {
    audit.decided(
      pending,
      RequestDecision(
        request: pending.number, operation: operation, sender: pending.actingIdentity.participant,
        subject: identity.accountID, verdict: explained))
    replies.finish(
      pending,
      RequestOutcome(
        verdict: verdict.outcome, end: verdict.outcome == .blocked ? .refused : .delivered,
        reasons: verdict.reasons.map(OutcomeReason.init)))
  }

  /// Sets a new PIN, if the policy accepts it.
  ///
  /// - Returns: The verdict that rejects the PIN; nil if the PIN was set.
  private func setPIN(
    _ unlock: Unlock, _ guest: Guest, _ identity: Identity
  ) -> (verdict: Verdict, explained: ExplainedVerdict)? {
    let change = PINChange(
      policy: identities.party(of: guest, actingFor: identity).policy, pin: PIN(unlock.pin),
      hasSignedIn: unlock.hasCredentials,
      access: accessState(of: identity, in: guest))
    let verdict = evaluatePINChange(change)
    guard verdict.outcome == .allowed else { return (verdict, Explainer.explain(change, verdict)) }
    updateAccess(of: identity, in: guest) { $0.set(change.pin, at: clock.now) }
    return nil
  }

  /// Refuses and answers a request if its sender or its receiver is locked.
  ///
  /// - Parameters:
  ///   - operation: The requested operation; nil for a request that is permitted despite a lock.
  ///   - guest: The guest to check for a lock; nil for the sender of the request.
  /// - Returns: Whether the request was refused.
  func refuseWhileLocked(
    _ operation: Operation?, _ pending: PendingRequest, lockOf guest: Guest? = nil
  ) -> Bool {
    let lock =
      if let guest { guest.acting.lock(of: guest.acting.actingIdentity) } else {
        pending.guest.acting.lock(of: pending.actingIdentity)
      }
    guard let operation, let lock else { return false }
    reply(to: pending, lock.identity, lock.verdict, lock.explained, operation)
    return true
  }

  /// Refuses and answers a request if the sender's account is locked or blocked in the app, or the sender is a keyboard
  /// without full access.
  ///
  /// - Parameters:
  ///   - operation: The operation to refuse if the account is locked or blocked; nil if the request is then permitted.
  ///   - reaching: The operation to refuse to a keyboard without full access; nil if the request affects only the
  ///     guest's own data, and is therefore permitted.
  /// - Returns: Whether the request was refused.
  func refuseSender(
    _ operation: Operation?, reaching: Operation?, _ pending: PendingRequest
  ) -> Bool {
    let identity = pending.actingIdentity.identity
    if refuseWhileLocked(operation, pending) { return true }
    if let reaching, pending.guest.app.isClosedKeyboard {
      replies.refuse(pending, reaching, .keyboardWithoutFullAccess)
    } else if let operation, pending.guest.isBlocked(identity) {
      replies.refuse(pending, operation, .accountBlocked, subject: identity.accountID)
    } else {
      return false
    }
    return true
  }

  /// Handles a cancelled unlock prompt, and drops the guest's pending switches. If the prompt appeared because one view
  /// shows several accounts, the SDK asks the app to hide the locked account. Otherwise, if a multi-identity app acts
  /// for a locked account, the SDK requires a switch to the unknown identity.
  ///
  /// Source: Intune App SDK for iOS, `IntuneMAMPolicyManager.h`, `setUIPolicyAccountIds`.
  private func cancelUnlock(_ wanted: IdentityLock?, _ pending: PendingRequest) {
    let guest = pending.guest
    replies.answer(
      pending, .conditionalLaunch,
      wanted?.verdict ?? Verdict([Reason(.unmanagedIdentity, .device)]),
      subject: wanted?.identity.accountID, end: wanted == nil ? .delivered : .refused)
    for index in guest.acting.locks.indices { guest.acting.locks[index].pendingSwitch = nil }
    let viewed = wanted?.pendingSwitch?.identities ?? guest.acting.actingIdentity.everybody
    if viewed.count > 1, let account = wanted?.identity.account { return askToHide(account, guest) }
    guard guest.isLocked, guest.app.isMultiIdentity else { return }
    require(.unknown, of: guest, reason: "cancelConditionalLaunch")
  }

  private func askToHide(_ account: Account, _ guest: Guest) {
    if guest.app.program == .readyMade { askedToSwitch.append(guest) }
    block(account, guest) { [unowned self, unowned guest] _ in
      askedToSwitch.firstIndex { $0 === guest }.map { _ = askedToSwitch.remove(at: $0) }
    }
  }

  func save() {
    guard !unsavedStates.isEmpty || !unsavedCheckIns.isEmpty else { return }
    durability.persist { () throws(HostError) in
      for (team, indices) in unsavedStates.sorted(by: { $0.key < $1.key }) {
        guard let states = accessStates[team] else { continue }
        // In ascending order, so a crash leaves no gap.
        for index in indices.sorted() {
          try database.saveAccess(states.entries[index], number: index, team: team)
        }
      }
      for key in unsavedCheckIns.sorted() {
        if let checkIn = checkIns[key] { try database.saveCheckIn(checkIn) }
      }
    }
    unsavedStates.removeAll()
    unsavedCheckIns.removeAll()
  }

  // MARK: Conditions

  /// Changes the device state that conditional launch checks. Apps are affected at their next check.
  package func change(_ body: (inout DevicePosture) -> Void) {
    transaction {
      body(&conditions)
      didChangeConditions()
    }
  }

  /// Records whether an account is disabled in its directory, and whether it is outside its working
  /// time.
  ///
  /// - Parameters:
  ///   - isDisabled: nil leaves the value unchanged.
  ///   - isClockedOut: nil leaves the value unchanged.
  package func set(_ account: Account, isDisabled: Bool? = nil, isClockedOut: Bool? = nil) {
    func update(_ list: inout [Account], _ isListed: Bool?) {
      guard let isListed else { return }
      list.removeAll { $0.isSameUser(as: account) }
      if isListed { list.append(account) }
    }
    update(&disabledAccounts, isDisabled)
    update(&clockedOutAccounts, isClockedOut)
  }

  func isDisabled(_ account: Account) -> Bool {
    disabledAccounts.contains { $0.isSameUser(as: account) }
  }

  /// Renames an account in the lists of disabled and clocked-out accounts, and in the PIN entries.
  func rename(_ account: Account, to new: Account) {
    for team in accessStates.keys {
      guard let renamed = accessStates[team]?.rename(account, to: new), !renamed.isEmpty else {
        continue
      }
      unsavedStates[team, default: []].formUnion(renamed)
    }
    disabledAccounts = disabledAccounts.map { $0.isSameUser(as: account) ? new : $0 }
    clockedOutAccounts = clockedOutAccounts.map { $0.isSameUser(as: account) ? new : $0 }
  }

  /// Moves the app's check-in for the account to the account's new name.
  func rename(_ account: Account, to new: Account, in app: AppDescription) {
    let bundleID = app.protectedBundleID
    let (key, newKey) = (Self.checkInKey(bundleID, account), Self.checkInKey(bundleID, new))
    guard var checkIn = checkIns.removeValue(forKey: key) else { return }
    checkIn.account = new
    checkIns[newKey] = checkIn
    if unsavedCheckIns.remove(key) != nil { unsavedCheckIns.insert(newKey) }
  }

  // MARK: Identity switches

  func switchIdentity(
    _ change: SwitchIdentity, in task: TaskContext?, _ pending: PendingRequest
  ) throws(Violation) {
    let guest = pending.guest
    guard change.others.count < Self.mostWindows,
      guest.acting.canName(change.level, Self.mostWindows)
    else {
      throw Violation(
        text:
          "more than \(Self.mostWindows) windows with an identity, or more than \(Self.mostWindows) accounts in a window"
      )
    }
    guard guest.app.isMultiIdentity else {
      return replies.refuse(pending, .switchIdentity, .notMultiIdentity, subject: change.account)
    }
    let wanted: [Identity]
    do throws(SwitchRefusal) {
      wanted = try resolve([change.account] + change.others, in: guest)
    } catch {
      return replies.refuse(pending, .switchIdentity, error.rule, subject: error.name)
    }
    guard task?.thread == nil || Self.agrees(pending.actingIdentity.identity, with: wanted[0])
    else {
      return replies.refuse(
        pending, .switchIdentity, .threadOfOtherAccount, subject: change.account)
    }
    let actingIdentity = identities.actingIdentity(of: guest, viewing: wanted)
    let rules = Self.rules(of: wanted.map { identities.party(of: guest, actingFor: $0) })
    let pendingSwitch = PendingSwitch(level: change.level, identities: wanted)
    let access = verdictOnSwitch(of: guest, to: wanted, pendingSwitch)
    if let access, access.verdict.outcome == .blocked {
      return refuse(pending, switchTo: change.account, rules, access)
    }
    audit.decided(
      pending,
      RequestDecision(
        request: pending.number, operation: .switchIdentity,
        sender: pending.actingIdentity.participant,
        subject: change.account, verdict: Explainer.explain(rules)))
    identities.setActingIdentity(actingIdentity, of: guest, at: change.level)
    if change.level != .process { guest.acting.admission = access?.admission }
    audit.record(
      .identitySwitched(
        guest: guest.name, identity: actingIdentity.identity.accountID,
        isManaged: actingIdentity.party.isManaged))
    replies.finish(pending, RequestOutcome(verdict: .allowed, end: .delivered))
  }

  private struct SwitchRefusal: Error {
    var rule: Rule
    var name: String?
  }

  /// Resolves names to identities, in order and without duplicates; a nil name refers to the unset identity.
  private func resolve(
    _ names: [String?], in guest: Guest
  ) throws(SwitchRefusal) -> [Identity] {
    var found: [Identity] = []
    for name in names {
      guard let identity = identity(named: name, in: guest) else {
        throw SwitchRefusal(rule: .accountNotSignedIn, name: name)
      }
      guard !guest.isBlocked(identity) else {
        throw SwitchRefusal(rule: .accountBlocked, name: name)
      }
      guard !registry.isBeingWiped(identity.account, in: guest) else {
        throw SwitchRefusal(rule: .accountBeingWiped, name: name)
      }
      if !found.contains(where: { $0.isSameUser(as: identity) }) { found.append(identity) }
    }
    return found
  }

  /// Returns whether a thread's own identity, `thread`, equals the identity that the thread requests for the process or
  /// a window. A request for another identity is refused, because the thread's own identity would take precedence over
  /// it.
  private static func agrees(_ thread: Identity, with wanted: Identity) -> Bool {
    !wanted.isUnset && wanted.isSameUser(as: thread)
  }

  /// The maximum number of windows with identities per guest, and the maximum number of accounts per window.
  private static let mostWindows = 64

  /// Returns the verdict on a switch to the identities of `parties`. The verdict ignores conditional launch.
  private static func rules(of parties: [Party]) -> Verdict {
    let managed = parties.count(where: \.isManaged)
    if parties.count > 1, managed > 0 {
      return Verdict([
        Reason(managed == 1 ? .viewOfOneManagedAccount : .viewOfManagedAccounts, .device)
      ])
    }
    let isAccount = parties.first?.identity.account != nil
    return Verdict([Reason(isAccount ? .accountSignedIn : .unmanagedIdentity, .device)])
  }

  private func refuse(
    _ pending: PendingRequest, switchTo accountID: String?, _ found: Verdict,
    _ access: ExplainedAccess
  ) {
    var explained = Explainer.explain(access.request, access.verdict)
    explained.reasons = Explainer.explain(found).reasons + explained.reasons
    audit.decided(
      pending,
      RequestDecision(
        request: pending.number, operation: .switchIdentity,
        sender: pending.actingIdentity.participant,
        subject: accountID, verdict: explained))
    replies.finish(
      pending,
      RequestOutcome(
        verdict: .blocked, end: .refused,
        reasons: (found.reasons + access.verdict.reasons).map(OutcomeReason.init)))
  }

  private func identity(named accountID: String?, in guest: Guest) -> Identity? {
    switch accountID {
    case nil: .unset
    case "": .unknown
    case let name?:
      guest.accounts.signedIn.first { $0.account.matches(identifier: name) }.map {
        .account($0.account)
      }
    }
  }

  // MARK: Switches requested by the SDK

  /// Whether the guest is a running, unsuspended ready-made app with a pending request to switch or to hide an account.
  var isAwaitingSwitch: Bool {
    askedToSwitch.contains { $0.isRunning && $0.state != .suspended }
  }

  /// Asks a multi-identity app to act for another account (`identitySwitchRequired`), and switches if it accepts.
  func require(
    _ identity: Identity, of guest: Guest, reason: String,
    done: @escaping (Bool) -> Void = { _ in }
  ) {
    let accountID = identity.accountID ?? ""
    if guest.app.program == .readyMade { askedToSwitch.append(guest) }
    let answer = PendingCall.identitySwitch { [unowned self] isAccepted in
      askedToSwitch.firstIndex { $0 === guest }.map { _ = askedToSwitch.remove(at: $0) }
      // The account may have left or been blocked before the app answered.
      let isSwitching = isAccepted && canAct(guest, for: identity)
      audit.record(
        .identitySwitchRequired(
          guest: guest.name, identity: accountID, reason: reason, isAccepted: isSwitching))
      if isSwitching {
        identities.setIdentity(identity, of: guest)
        audit.record(
          .identitySwitched(
            guest: guest.name, identity: accountID, isManaged: guest.party.isManaged))
        if guest.isReady { checkAccess(guest) }
      }
      done(isSwitching)
    }
    deliveries.ask(guest, answer) {
      HostMessage(.identitySwitchRequired(ask: $0, account: accountID, reason: reason))
    }
  }

  private func canAct(_ guest: Guest, for identity: Identity) -> Bool {
    guard let account = identity.account else { return true }
    return guest.accounts.signedIn.contains { $0.account.isSameUser(as: account) }
      && !guest.isBlocked(identity) && !registry.isBeingWiped(account, in: guest)
  }
}

// MARK: - Stored state

/// The time when an app last reached the service for an account.
struct CheckIn: Sendable {
  /// The app's bundle id.
  var app: String
  var account: Account
  /// Seconds since 1970-01-01T00:00:00Z on the virtual clock.
  var time: Int
}

/// The JSON encoding of an account's PIN state. It contains the PIN, so it must be encrypted.
extension PublisherAccess.Entry {
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("upn", account.upn)
      writer.member("objectID", account.objectID)
      writer.member("tenantID", account.tenantID)
      writer.member("generation", generation.rawValue)
      writer.member(named: "state") { state.write(to: &$0) }
    }
  }

  /// Decodes the output of ``write(to:)``; returns nil if a required member is missing or invalid.
  init?(_ json: JSONValue) {
    guard let upn = json["upn"]?.string, !upn.isEmpty,
      let generation = json["generation"]?.int.flatMap(PINGeneration.init(rawValue:)),
      let state = json["state"].flatMap(AccessState.init)
    else { return nil }
    let account = Account(
      upn: upn, objectID: json["objectID"]?.string, tenantID: json["tenantID"]?.string)
    self.init(account: account, generation: generation, state: state)
  }
}

extension AccessState {
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("pin", current?.pin.text)
      writer.member("setAt", current?.setAt)
      writer.strings("earlierPINs", earlierPINs.map(\.text))
      writer.member("failedAttempts", failedAttempts)
      writer.member("isResetRequired", isResetRequired)
      writer.member("lastUnlock", lastUnlock)
      writer.member("lastSignIn", lastSignIn)
    }
  }

  /// Decodes the output of ``write(to:)``; returns nil if a required member is missing or invalid.
  init?(_ json: JSONValue) {
    guard let earlier = json["earlierPINs"]?.array, let failed = json["failedAttempts"]?.int,
      let isResetRequired = json["isResetRequired"]?.bool
    else { return nil }
    var current: CurrentPIN?
    if let pin = json["pin"]?.string, let setAt = json["setAt"]?.int {
      current = CurrentPIN(PIN(pin), setAt: setAt)
    }
    self.init(
      current: current, earlierPINs: earlier.compactMap(\.string).map(PIN.init),
      failedAttempts: failed, isResetRequired: isResetRequired,
      lastUnlock: json["lastUnlock"]?.int, lastSignIn: json["lastSignIn"]?.int)
  }
}
