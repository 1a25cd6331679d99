package import Enrollment
package import Model
internal import Policy
internal import Wire

/// Enrolls apps' accounts with the service: applies policies, tracks compliance, and schedules check-ins.
package final class EnrollmentCoordinator: HostService {
  /// Called when MDM has changed an app's configuration.
  var didConfigureApp: (_ guest: Guest) -> Void = { _ in }
  package internal(set) var service: EnrollmentService
  /// The service's count of requests in the current minute, for its request limit. All devices of the service share it.
  package var load = ServiceLoad()
  let language: ComplianceText.Language
  private(set) var timerQueue = TimerQueue()
  /// Accounts whose targeted policies or configurations changed while the service was unreachable or the device was
  /// offline.
  private var missedPushes: [Account] = []
  /// Names of guests that are restarting to apply their first policy.
  private var restarting: Set<String> = []
  /// Pending remediations, keyed by guest name.
  var queues: [String: RemediationQueue] = [:]
  /// The number of guests that are updating the protection of an account's files.
  private var reprotections = 0
  private let driver: GuestDriver
  private let identities: IdentityCoordinator
  private let access: AccessController
  let accounts: SignInCoordinator
  let configurations: AppConfigurationService
  private let files: FileBroker
  let wipes: WipeCoordinator

  init(
    _ core: ServiceCore, _ configuration: DeviceConfiguration, driver: GuestDriver,
    identities: IdentityCoordinator, access: AccessController, accounts: SignInCoordinator,
    configurations: AppConfigurationService, files: FileBroker, wipes: WipeCoordinator
  ) {
    service = configuration.service
    language = configuration.language
    self.driver = driver
    self.identities = identities
    self.access = access
    self.accounts = accounts
    self.configurations = configurations
    self.files = files
    self.wipes = wipes
    super.init(core)
  }

  /// Whether files are being reprotected, or an app is restarting for its first policy.
  var isBusy: Bool { reprotections > 0 || !restarting.isEmpty }

  /// Advances the clock to `end`, and runs each event at its due time.
  func advanceClock(to end: Int) {
    let start = clock.now
    planRequests(since: start, until: end)
    while let event = timerQueue.next(until: end) {
      clock.advance(by: max(0, event.time - clock.now))
      transaction { fire(event) }
      planRequests(since: start, until: end)
    }
    clock.advance(by: end - clock.now)
    transaction { for guest in registry.installed { catchUp(guest) } }
  }

  /// Resets an account's count of unsuccessful remediations, because it has acquired a token.
  func didAcquireToken(for account: Account, in guest: Guest) {
    queues[registry.app(of: guest).name]?.succeed(account)
  }

  // MARK: Effects of enrollment

  func advance(
    _ registration: Registration, _ event: AccountEnrollment.Event, in guest: Guest
  ) {
    let before = registration.machine.contact.last
    let effects = registration.machine.handle(event, at: clock.now)
    // Conditional launch evaluates the new policies with the time of the check-in that delivered them.
    if let contact = registration.machine.contact.last, contact != before {
      access.noteCheckIn(of: guest.app, for: registration.account, at: contact)
    }
    for effect in effects { carryOut(effect, registration, guest) }
    save(registration, guest)
  }

  private func carryOut(
    _ effect: AccountEnrollment.Effect, _ registration: Registration, _ guest: Guest
  ) {
    switch effect {
    case .signIn: accounts.add(registration.account, to: guest)
    case .ask(let request, let ticket): ask(request, ticket, registration, guest)
    case .apply: apply(registration.account, in: guest)
    case .restartApp: restart(guest, for: registration.account)
    case .wipe(let cause):
      wipes.wipe(
        registration.account, in: guest, reason: cause == .service ? .remote : .unenrolled
      ) {}
    case .remove: accounts.remove(registration.account, from: guest)
    case .notify(var notice):
      // An account's state machine does not know the app's other accounts.
      if notice.status == .appNotEnrolled { notice.status = statusWithoutEnrollment(in: guest) }
      notify(notice, registration, guest)
    }
  }

  // MARK: Service

  private func ask(
    _ request: AccountEnrollment.RequestKind, _ ticket: Int, _ registration: Registration,
    _ guest: Guest
  ) {
    audit.record(
      .enrollmentAsked(
        app: guest.app.bundleID, account: registration.account.upn, request: request.rawValue))
    switch request {
    case .enrollment: registration.call = .registerAndEnroll
    case .login: registration.call = .loginAndEnroll
    case .policy: break
    }
    let wait = service.wait(isDeviceOnline: access.conditions.isOnline)
    guard wait > 0, service.statusWithoutAsking(question(request, registration, guest)) == nil
    else { return answer(ticket, registration, guest) }
    timerQueue.add(
      TimerQueue.ScheduledEvent(
        time: clock.now + wait, guest: guest.name, account: registration.account, ticket: ticket))
  }

  private func answer(_ ticket: Int, _ registration: Registration, _ guest: Guest) {
    guard case .asking(let request) = registration.machine.activity else { return }
    let account = registration.account
    var question = question(request, registration, guest)
    // Requests that do not reach the service do not count towards the service's limit.
    question.isAdmitted =
      !(question.isDeviceOnline && service.isReachable)
      || service.statusWithoutAsking(question) != nil
      || load.admits(at: clock.now, limit: service.requestsPerMinute)
    let answer = service.answer(to: question)
    switch answer {
    case .unasked, .failure(.loginCanceled), .failure(.authRequired),
      .failure(.enrollmentEndPointNetworkFailure), .failure(.timeout):
      break
    case .policies, .notTargeted, .wipe, .failure:
      if request == .login { service[account].needsCredentials = false }
    }
    if case .policies = answer { accounts.makeWay(for: account, in: guest) }
    advance(registration, .answered(answer, ticket: ticket), in: guest)
    access.didAnswerCheckIn(of: registration.account, in: guest)
  }

  private func question(
    _ request: AccountEnrollment.RequestKind, _ registration: Registration, _ guest: Guest
  ) -> EnrollmentService.Question {
    let account = registration.account
    let others = accounts.enrolled(in: guest).filter { !$0.isSameUser(as: account) }
    let user = policies.enrolledUser(of: guest.app)
    let isFirst = user?.isSameUser(as: account) ?? false
    var question = EnrollmentService.Question(
      account: account, request: request, revision: accounts.revision(for: account, in: guest.app),
      isFirstPolicy: guest.accounts.signedIn.allSatisfy { $0.policy == nil },
      isTaken: !others.isEmpty && !guest.app.allowsSeveralManagedAccounts && !isFirst,
      isDeviceOnline: access.conditions.isOnline)
    question.isOtherUser = isOtherUser(account, in: guest)
    question.isHooked =
      user != nil || guest.app.requiresPolicy && guest.app.enrollsOnLaunch
    return question
  }

  /// Returns whether only the MDM user can be enrolled in the app, and the account is another user's.
  func isOtherUser(_ account: Account, in guest: Guest) -> Bool {
    guard !guest.app.allowsSeveralManagedAccounts else { return false }
    return policies.enrolledUser(of: guest.app).map { !$0.isSameUser(as: account) } ?? false
  }

  private func fire(_ event: TimerQueue.ScheduledEvent) {
    guard let guest = registry[event.guest],
      let registration = guest.accounts.registration(of: event.account)
    else { return }
    if let ticket = event.ticket {
      answer(ticket, registration, guest)
    } else if guest.isReady {
      // Microsoft Learn states that a retry may require the app to be in use. If the app is not in use,
      // `catchUp` retries later.
      advance(registration, .due, in: guest)
    }
  }

  /// Handles check-ins and retries that became due while the app was not in use, or during an advance of the clock.
  func catchUp(_ guest: Guest) {
    guard guest.isReady else { return }
    for registration in registrationsInUse(of: guest) { advance(registration, .due, in: guest) }
  }

  /// Returns the app's registrations. First registers the managed accounts that signed in without a request to the
  /// service, because they must check in too.
  private func registrationsInUse(of guest: Guest) -> [Registration] {
    if guest.app.kind == .app, guest.app.integratesSDK {
      for known in guest.accounts.signedIn
      where known.policy != nil && !registry.isBeingWiped(known.account, in: guest) {
        _ = registration(of: known.account, in: guest)
      }
    }
    return guest.accounts.registrations
  }

  /// For each account of the apps in use, schedules the next check-in or retry that is due by `end`. If several
  /// check-ins or retries would have the same result, schedules only the last one.
  ///
  /// - Parameter start: The time at which the advance of the clock began. Only the clock has changed since then.
  private func planRequests(since start: Int, until end: Int) {
    let isInReach = access.conditions.isOnline && service.isReachable
    for guest in registry.installed where guest.isReady {
      for registration in registrationsInUse(of: guest) {
        // A reachable service may reject one retry and answer the next, so the timer queue keeps
        // every retry.
        if case .waiting = registration.machine.activity, isInReach { continue }
        guard let due = registration.machine.nextDue(since: start, until: end) else { continue }
        timerQueue.add(
          TimerQueue.ScheduledEvent(
            time: max(due, clock.now), guest: guest.name, account: registration.account))
      }
    }
  }

  /// Makes the app check in for an account with an expired offline grace period. If `offer` states that the user
  /// entered the account's credentials at the prompt, the SDK then has a valid token.
  ///
  /// Assumption: the app checks in at each access check.
  ///
  /// Sources: ms-intune-app-sdk-ios, issue 277 (a sign-in at the prompt restores access), and issue 362, which quotes
  /// the release notes of SDK 17.7.0 (a silent check-in unless tokens are missing).
  func renewContact(of account: Account, in guest: Guest, _ offer: AccessOffer) {
    guard guest.isReady, guest.app.kind == .app, guest.app.integratesSDK,
      !registry.isBeingWiped(account, in: guest)
    else { return }
    if guest.accounts.registrations.contains(where: \.isRecovered) {
      resumeRegistrations(of: guest)
    }
    if offer.hasSignedIn, access.conditions.isOnline, service.isReachable {
      service[account].needsCredentials = false
    }
    advance(registration(of: account, in: guest), .checkIn, in: guest)
  }

  /// Returns whether the account's grace period may still be renewed by a check-in. This is the case if a check-in is
  /// pending or will be retried, or if the user must first connect to the network or sign in.
  ///
  /// Source: Microsoft Learn, "iOS app protection policy settings", Offline grace period: the user must connect
  /// and sign in first.
  func awaitsCheckIn(_ account: Account, in guest: Guest) -> Bool {
    // An extension does not check in; its app does.
    guard guest.app.kind == .app, access.conditions.isOnline else { return true }
    guard let machine = guest.accounts.registration(of: account)?.machine else { return false }
    if case .asking = machine.activity { return true }
    let needsSignIn = machine.contact.isUnasked && service[account].needsCredentials
    return needsSignIn || machine.contact.failures > 0
  }

  // MARK: Notifications

  /// Records a status and sends it to the app's delegate.
  func notify(
    _ notice: AccountEnrollment.Notice, _ registration: Registration, _ guest: Guest
  ) {
    record(notice, registration, guest)
    switch notice.kind {
    case .enrollment: audit.reportEnrollment(registration.call, notice.status.name, of: guest)
    case .unenrollment:
      audit.reportEnrollment(.deRegisterAndUnenroll, notice.status.name, of: guest)
    case .policy: break
    }
    send(notice, registration, guest)
  }

  private func record(
    _ notice: AccountEnrollment.Notice, _ registration: Registration, _ guest: Guest
  ) {
    registration.lastStatus = notice.status
    registration.answer = notice.status
    audit.record(
      .enrollmentAnswered(
        app: guest.app.bundleID, account: registration.account.upn, request: notice.kind.rawValue,
        status: notice.status))
  }

  /// Sends the app the updated list of accounts, then a notice that is already in the journal. If the account's
  /// remediation waited for this notice, ends the remediation.
  private func send(
    _ notice: AccountEnrollment.Notice, _ registration: Registration, _ guest: Guest
  ) {
    let account = registration.account
    sendAccounts(guest)
    if guest.isReady {
      transaction.send(
        HostMessage(
          .enrollmentNotice(
            EnrollmentNotice(
              request: notice.kind.rawValue, account: account.upn,
              objectID: account.objectID ?? "", status: notice.status.rawValue))), to: guest)
    }
    endRemediation(of: registration, in: guest, with: notice.status)
    if !notice.status.isSuccess, guest.app.requiresPolicy { requirePolicy(guest) }
  }

  /// Sends a program the list of accounts that the SDK knows, if it changed. The ready-made guest
  /// does not use the list.
  func sendAccounts(_ guest: Guest) {
    guard guest.isReady, guest.app.program != .readyMade else { return }
    let accounts = knownAccounts(of: guest)
    guard accounts != guest.accounts.lastSent else { return }
    guest.accounts.lastSent = accounts
    transaction.send(HostMessage(.enrolledAccounts(accounts)), to: guest)
  }

  private func knownAccounts(of guest: Guest) -> EnrolledAccounts {
    let name = { (account: Account) in account.objectID ?? account.upn }
    let registrations = guest.accounts.registrations
    let managed = guest.accounts.signedIn.filter { $0.policy != nil }
    let allowed = policies.allowedAccounts(of: guest.app)
    return EnrolledAccounts(
      registered: registrations.filter(\.machine.isRegistered).map { name($0.account) },
      enrolled: registrations.filter(\.machine.isEnrolled).map { name($0.account) },
      remediating: (queues[guest.name]?.requests ?? []).map { name($0.account) },
      managed: managed.map { name($0.account) },
      pinRequired: managed.filter { $0.policy?.settings.pinRequired == true }
        .map { name($0.account) },
      allowedUPN: allowed?.upn ?? "", allowedObjectID: allowed?.objectID ?? "",
      mdmEnrolled: policies.enrolledUser(of: guest.app)?.objectID ?? "",
      names: guest.accounts.known.compactMap { account in
        account.objectID.map { AccountNames(upn: account.upn, objectID: $0) }
      })
  }

  // MARK: Persistence

  func save(_ registration: Registration, _ guest: Guest) {
    let isSilent = queues[guest.name]?.requests.first {
      $0.account.isSameUser(as: registration.account)
    }?.isSilent
    let text = registration.text(remediation: isSilent)
    guard text != registration.saved else { return }
    registration.saved = text
    if case .waiting(let time) = registration.machine.activity {
      timerQueue.add(
        TimerQueue.ScheduledEvent(time: time, guest: guest.name, account: registration.account))
    }
    durability.persist { () throws(HostError) in
      try database.setRegistration(of: registration.account, in: guest.name, text)
    }
  }

  func recoverRegistrations(of guest: Guest) throws(HostError) {
    for (account, text) in try database.registrations(of: guest.name) {
      guard let registration = Registration(account, text: text) else { continue }
      guest.accounts.registrations.append(registration)
      if case .waiting(let time) = registration.machine.activity {
        timerQueue.add(TimerQueue.ScheduledEvent(time: time, guest: guest.name, account: account))
      }
    }
  }

  /// Resumes the requests and remediations of the app that a shutdown of the device interrupted. Call it once the app
  /// runs again.
  private func resumeRegistrations(of guest: Guest) {
    for registration in guest.accounts.registrations where registration.isRecovered {
      registration.isRecovered = false
      if let isSilent = registration.remediatesSilently {
        _ = queues[guest.name, default: RemediationQueue()].add(
          .init(registration.account, isSilent: isSilent), at: clock.now)
      }
      advance(registration, .recovered, in: guest)
    }
    beginRemediation(in: guest)
  }

  // MARK: Registrations

  /// Returns the account's registration in the app, creating it if necessary. The state of a new registration is
  /// `enrolled` if the account is signed in and targeted; otherwise it is `unregistered`.
  func registration(of account: Account, in guest: Guest) -> Registration {
    if let known = guest.accounts.registration(of: account) { return known }
    let isSignedIn = guest.accounts.signedIn.contains { $0.account.isSameUser(as: account) }
    let revision = accounts.revision(for: account, in: guest.app)
    let standing: AccountEnrollment.Standing =
      isSignedIn && revision != nil ? .enrolled(revision: revision) : .unregistered
    let contact = AccountEnrollment.Contact(
      last: isSignedIn ? access.lastCheckIn(of: guest.app, for: account) : nil)
    let registration = Registration(account, AccountEnrollment(standing, contact: contact))
    // Bounds the number of accounts that an app names but never registers.
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

  /// Registers an account that signed in without a request to the service. Accounts that no policy or configuration
  /// targets, such as personal accounts, are not registered, so the SDK does not know them.
  func registerSignedIn(_ account: Account, in guest: Guest) {
    guard guest.app.integratesSDK, guest.app.kind == .app,
      accounts.revision(for: account, in: guest.app) != nil
    else { return }
    save(registration(of: account, in: guest), guest)
  }

  /// Registers targeted accounts that are signed in but have no registration in the database.
  func registerSignedIn(in guest: Guest) {
    guard guest.app.integratesSDK, guest.app.kind == .app else { return }
    for account in guest.accounts.signedIn.map(\.account)
    where accounts.revision(for: account, in: guest.app) != nil {
      _ = registration(of: account, in: guest)
    }
  }

  /// Notifies the app's delegate that an account is enrolled. Call it for an account that signed in without a request
  /// to the service.
  func tellSignedIn(_ account: Account, in guest: Guest) {
    guard let registration = guest.accounts.registration(of: account),
      registration.machine.isTargeted
    else { return }
    let notice = AccountEnrollment.Notice(.enrollment, .newPoliciesReceived)
    record(notice, registration, guest)
    send(notice, registration, guest)
    save(registration, guest)
  }

  func closeRegistration(of account: Account, in guest: Guest) {
    guard let registration = guest.accounts.registration(of: account) else { return }
    advance(registration, .removed, in: guest)
    sendAccounts(guest)
    endRemediation(of: registration, in: guest, with: .notEnrolledAccount)
  }

  // MARK: Enrollment at launch

  /// Completes enrollment after an app has started. Policies that take effect at a restart now apply. If the app
  /// enrolls at launch and an account is known, the account's enrollment starts. If the app requires a policy and none
  /// applies, the app is stopped.
  ///
  /// Source: Intune App SDK for iOS, settings `AutoEnrollOnLaunch`, `MAMPolicyRequired` and `MAMPolicyWarnAbsent`.
  func settleEnrollment(_ guest: Guest) {
    guard guest.app.kind == .app else { return }
    restarting.remove(guest.name)
    for registration in guest.accounts.registrations { start(registration, guest) }
    resumeRegistrations(of: guest)
    catchUp(guest)
    guest.accounts.lastSent = EnrolledAccounts()
    sendAccounts(guest)
    enrollOnLaunch(guest)
    requirePolicy(guest)
  }

  /// After a guest's exit, removes the guest from `restarting`. If it exited in order to restart, `restart` adds it
  /// again.
  func didExit(_ guest: Guest) { restarting.remove(guest.name) }

  private func start(_ registration: Registration, _ guest: Guest) {
    guard case .restarting(_, let revision) = registration.machine.activity else { return }
    advance(registration, .started, in: guest)
    // If the targeted policies or configurations changed during the restart, the change takes effect
    // immediately.
    let now = accounts.revision(for: registration.account, in: guest.app)
    if now != revision { advance(registration, .pushed(revision: now), in: guest) }
  }

  /// Enrolls an account if the app enrolls at launch (`AutoEnrollOnLaunch`) and has no enrolled account. The app's
  /// configuration names the account; otherwise, it is a managed account of another app of the publisher. The user is
  /// prompted for credentials only if the app requires a policy.
  private func enrollOnLaunch(_ guest: Guest) {
    guard guest.app.enrollsOnLaunch, accounts.enrolled(in: guest).isEmpty,
      !guest.accounts.registrations.contains(where: \.machine.isRegistered),
      let account = knownAccount(for: guest),
      policies.allowedAccounts(of: guest.app)?.allows(account) ?? true
    else { return }
    let needsCredentials = service[account].needsCredentials
    guard !needsCredentials || guest.app.requiresPolicy else { return }
    let registration = registration(of: account, in: guest)
    advance(registration, needsCredentials ? .login : .register, in: guest)
  }

  private func knownAccount(for guest: Guest) -> Account? {
    let configured = ["IntuneMAMUPN", "IntuneMAMOID"].lazy.compactMap(guest.app.configured)
    if let name = configured.first { return directory.account(named: name) }
    // The SDK shares its state in one of the publisher's keychain groups.
    let relatives = registry.installed.filter {
      $0.app.team == guest.app.team && $0.app.integratesSDK
    }
    return relatives.lazy.flatMap(\.accounts.signedIn).first { $0.policy != nil }?.account
  }

  /// If no policy applies to the app and no enrollment is in progress, records that the policy is absent. Then stops an
  /// app that requires a policy; an app that only warns its user continues to run.
  private func requirePolicy(_ guest: Guest) {
    let app = guest.app
    guard app.requiresPolicy || app.warnsWithoutPolicy, guest.isReady,
      !restarting.contains(guest.name),
      !guest.accounts.signedIn.contains(where: { $0.policy != nil }),
      !guest.accounts.registrations.contains(where: { $0.machine.isUnderWay })
    else { return }
    audit.record(.policyAbsent(guest: guest.name, action: app.requiresPolicy ? "block" : "warn"))
    guard app.requiresPolicy else { return }
    supervisor.end(
      guest,
      .notStarted("the app requires a policy (MAMPolicyRequired), and no account in it has one"))
  }

  /// Asks the app to restart itself (`restartApplication`). If the app declines, the device restarts it.
  private func restart(_ guest: Guest, for account: Account) {
    // A guest that is not running gets the policy at its next start.
    guard guest.isReady else { return }
    restarting.insert(guest.name)
    let answer = PendingCall.delegate { [unowned self] isItsOwn in
      audit.record(
        .delegateAsked(
          guest: guest.name, call: "restart", account: account.upn, isAccepted: isItsOwn))
      guard guest.isRunning, !isItsOwn else {
        restarting.remove(guest.name)
        return
      }
      guest.process.onExit.append { [unowned self] in
        guard !guest.process.isStayingDown else { return }
        restarting.insert(guest.name)
        supervisor.start(guest)
        if !guest.isRunning { restarting.remove(guest.name) }
      }
      supervisor.supervise(guest, .stop)
    }
    deliveries.ask(guest, answer) {
      HostMessage(.delegateCall(ask: $0, .restart, account: account.upn))
    }
  }
}

extension AccountEnrollment {
  /// Whether a request or a restart is in progress, which may bring a policy.
  fileprivate var isUnderWay: Bool {
    switch activity {
    case .asking, .restarting: true
    case .idle, .waiting, .wiping: false
    }
  }
}

// MARK: - Changes by administrators

/// Handles changes while apps run: to policies, app configurations and account names.
extension EnrollmentCoordinator {
  /// Replaces all policy assignments of an account. Without assignments, the account becomes unmanaged.
  package func assign(_ assignments: [PolicyAssignment], to account: Account) {
    transaction {
      policies.assign(assignments, to: account)
      renewPolicies(of: account)
    }
  }

  /// Applies the policies and configurations that currently target an account. A configuration may enroll the
  /// account. If the service is unreachable or the device is offline, they are applied later. If the service
  /// does not push policies, enrolled accounts get them at the next check-in.
  func renewPolicies(of account: Account) {
    guard access.conditions.isOnline, service.isReachable else {
      if !missedPushes.contains(where: { $0.isSameUser(as: account) }) {
        missedPushes.append(account)
      }
      return
    }
    for guest in registry.installed {
      renewPolicy(of: account, in: guest)
      configurations.renewConfiguration(of: account, in: guest)
    }
  }

  /// Applies policies and configurations that changed while the service was unreachable or the device was offline.
  func catchUpOnPushes() {
    guard !missedPushes.isEmpty, access.conditions.isOnline, service.isReachable else { return }
    let accounts = missedPushes
    missedPushes = []
    for account in accounts { renewPolicies(of: directory.current(account)) }
  }

  private func renewPolicy(of account: Account, in guest: Guest) {
    guard
      let index = guest.accounts.signedIn.firstIndex(where: { $0.account.isSameUser(as: account) })
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
      // A policy saved while the device was down is a new document that can have the same revision.
      if registration.machine.standing == .enrolled(revision: now) { apply(account, in: guest) }
      return
    }
    // The account signed in before a policy or configuration targeted it.
    guest.accounts.registrations.removeAll { $0.account.isSameUser(as: account) }
    apply(guest.accounts.signedIn[index].account, in: guest)
    registerSignedIn(account, in: guest)
    tellSignedIn(account, in: guest)
  }

  /// Applies the currently targeted policies to a signed-in account of the app.
  private func apply(_ account: Account, in guest: Guest) {
    guard
      let index = guest.accounts.signedIn.firstIndex(where: { $0.account.isSameUser(as: account) })
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
    record(enrollmentOf: now.account, in: guest, isFirst: before == nil)
    identities.renewActingIdentities(of: guest)
    let wasAsked = guest.accounts.registration(of: account) != nil
    if wasAsked, before == nil, !guest.app.isMultiIdentity {
      identities.actForDefaultAccount(guest)
    }
    sendAccounts(guest)
    transaction.notify(guest, .policyDidChange, now.account)
    // Only a policy determines the storage of the account's files. Without a policy, they remain
    // unchanged.
    if let policy = now.policy,
      policy.encryptsFiles != before?.encryptsFiles
    {
      post(.dataProtectionDidChange, now.account, in: guest)
      protectAgain(now.account, in: guest)
    }
    if guest.isReady { access.checkAccess(guest) }
    configurations.renewConfiguration(of: account, in: guest)
  }

  /// Sends the app a notification, and records it because no other event in the journal implies it.
  private func post(
    _ notification: IntuneMAMNotification, _ account: Account?, in guest: Guest
  ) {
    guard transaction.notify(guest, notification, account) else { return }
    audit.record(
      .notificationPosted(
        app: guest.app.bundleID, account: account?.upn, notification: notification.rawValue))
  }

  /// Makes the ready-made guest update the protection of the account's files, as other apps do when they receive
  /// `dataProtectionDidChange`.
  private func protectAgain(_ account: Account, in guest: Guest) {
    guard guest.app.program == .readyMade, guest.isReady else { return }
    reprotections += 1
    let work = FileWork(.reprotect, FileReference(""), owner: account.upn)
    driver.perform(.work(work, task: nil), on: guest) { [unowned self] _ in reprotections -= 1 }
  }

  /// Changes an app's configuration, as a management service does. Accounts that are no longer
  /// allowed are signed out, and their data is removed.
  ///
  /// - Parameter configuration: The complete new configuration.
  /// - Throws: ``HostError`` if there is no such guest, or the database fails.
  package func configure(
    _ name: String, _ configuration: [String: String]
  ) throws(HostError) {
    let guest = try registry.find(name)
    try database.setConfiguration(configuration, of: name)
    transaction {
      let before = policies.allowedAccounts(of: guest.app)
      guest.app.configuration = configuration
      didConfigure(guest, keys: configuration.keys.sorted(), before: before)
    }
  }

  /// Records that MDM has changed an app's configuration, and applies the change to the app's accounts.
  ///
  /// - Parameter before: The accounts that the app allowed before the change; nil if it allowed all accounts.
  func didConfigure(_ guest: Guest, keys: [String], before: AllowedAccounts?) {
    audit.record(.appConfigured(app: guest.app.bundleID, keys: keys))
    didConfigureApp(guest)
    renewAccounts(of: guest, before: before)
  }

  /// Applies policies, configurations and the allowed accounts again. If MDM has changed the app's configuration, or
  /// has started or stopped managing the app, call this function. MDM's configuration applies only to apps that MDM
  /// manages.
  ///
  /// - Parameter before: The accounts that the app allowed before; nil for all.
  func renewAccounts(of guest: Guest, before: AllowedAccounts?) {
    // `IntuneMAMUPN` may determine which policy applies.
    for account in guest.accounts.signedIn.map(\.account) {
      renewPolicy(of: account, in: guest)
      configurations.renewConfiguration(of: account, in: guest)
    }
    let now = policies.allowedAccounts(of: guest.app)
    guard before != now else { return }
    sendAccounts(guest)
    post(.allowedAccountsDidChange, nil, in: guest)
    for account in guest.accounts.signedIn.map(\.account) where now?.allows(account) == false {
      audit.record(
        .accountNotAllowed(
          app: guest.app.bundleID, expected: now?.name ?? "", entered: account.upn))
      wipes.wipe(account, in: guest, reason: .notAllowed) {}
    }
  }

  /// Changes an account's UPN, as when the directory renames a user. The account stays signed in and keeps its data,
  /// because its object id identifies it.
  ///
  /// - Throws: ``HostError`` if the account has no object id, or the database fails.
  package func rename(_ account: Account, to upn: String) throws(HostError) {
    let account = directory.current(account)
    guard account.upn != upn else { return }
    let new = Account(upn: upn, objectID: account.objectID, tenantID: account.tenantID)
    guard account.objectID != nil else {
      throw HostError(
        .entitlements,
        "cannot change the UPN of `\(account.upn)`: the account has no object id; state its `objectId`"
      )
    }
    try setApart(claimOf: upn)
    try files.rename(account, to: new)
    transaction {
      directory.rename(account, to: new)
      policies.rename(account, to: new)
      configurations.rename(account, to: new)
      service.rename(account, to: new)
      access.rename(account, to: new)
      for guest in queues.keys { queues[guest]?.rename(account, to: new) }
      audit.record(.accountRenamed(account: account.upn, to: upn))
      for guest in registry.installed { rename(account, to: new, in: guest) }
      // MDM also names the account to apps to which it is not signed in.
      configurations.renewConfigurations()
    }
  }

  /// Frees `upn` for a directory account that is being renamed. If an app has signed in an account with this UPN that
  /// is not in the directory, that account gets its own object id, and keeps its sign-ins and data. A guest therefore
  /// cannot block the rename by using the UPN first.
  private func setApart(claimOf upn: String) throws(HostError) {
    guard !directory.accounts.contains(where: { $0.matches(identifier: upn) }),
      let (claim, row) = try database.claim(of: upn),
      !policies.assignments.contains(where: { $0.account.isSameUser(as: claim) }),
      !registry.installed.contains(where: { registry.isBeingWiped(claim, in: $0) })
    else { return }
    let apart = Account(upn: claim.upn, objectID: "not-in-the-directory-\(row)")
    try files.rename(claim, to: apart)
    transaction {
      service.rename(claim, to: apart)
      access.rename(claim, to: apart)
      for guest in queues.keys { queues[guest]?.rename(claim, to: apart) }
      for guest in registry.installed { rename(claim, to: apart, in: guest) }
    }
  }

  private func rename(_ account: Account, to new: Account, in guest: Guest) {
    guest.accounts.registration(of: account)?.account = new
    guest.accounts.blocked = guest.accounts.blocked.map { $0.isSameUser(as: account) ? new : $0 }
    guard
      let index = guest.accounts.signedIn.firstIndex(where: { $0.account.isSameUser(as: account) })
    else {
      return
    }
    guest.accounts.signedIn[index].account = new
    access.rename(account, to: new, in: guest.app)
    identities.renameActingIdentities(of: guest, account, to: new)
    configurations.renameConfiguration(of: new, in: guest)
    sendAccounts(guest)
  }

  private func record(enrollmentOf account: Account, in guest: Guest, isFirst: Bool = false) {
    let entries = policies.entries(for: account, in: guest.app)
    let names = registry.isEnrolled(account, in: guest) ? entries.map(\.text) : nil
    let isTargeted = accounts.revision(for: account, in: guest.app) != nil
    durability.persist { () throws(HostError) in
      try database.setEnrollment(of: account, in: guest.name, policies: isTargeted ? names : nil)
    }
    let wasAsked = guest.accounts.registration(of: account) != nil
    audit.record(
      isFirst && wasAsked
        ? .accountEnrolled(app: guest.app.bundleID, account: account.upn, policies: names ?? [])
        : .policyChanged(app: guest.app.bundleID, account: account.upn, policies: names ?? []))
  }
}
