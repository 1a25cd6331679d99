internal import Enrollment
internal import Model
internal import Policy
internal import Wire

/// Enrollment at an app's start.
extension EnrollmentCoordinator {
  /// Settles enrollment once an app is up: policies that waited for its start apply, accounts enroll by themselves, and
  /// an app that requires a policy does not go on without one.
  ///
  /// Source: Intune App SDK for iOS, settings `AutoEnrollOnLaunch`, `MAMPolicyRequired`, `MAMPolicyWarnAbsent`.
  func settleEnrollment(_ guest: Guest) {
    guard guest.app.kind == .app else { return }
    restarting.remove(guest.name)
    for registration in guest.accounts.registrations { start(registration, guest) }
    resumeRegistrations(of: guest)
    catchUp(guest)
    guest.accounts.told = EnrolledAccounts()
    sendAccounts(guest)
    enrollOnLaunch(guest)
    requirePolicy(guest)
  }

  private func start(_ registration: Registration, _ guest: Guest) {
    guard case .restarting(_, let revision) = registration.machine.activity else { return }
    advance(registration, .started, in: guest)
    // A policy that was withdrawn while the app was away is noticed at once.
    let now = accounts.revision(for: registration.account, in: guest.app)
    if now != revision { advance(registration, .pushed(revision: now), in: guest) }
  }

  /// Enrolls the account that the device or the publisher's other apps know, without asking anybody; an app that
  /// requires a policy asks for credentials, too.
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
    // The SDK's state is in a keychain group of the publisher.
    let relatives = registry.installed.filter {
      $0.app.team == guest.app.team && $0.app.integratesSDK
    }
    return relatives.lazy.flatMap(\.accounts.signedIn).first { $0.policy != nil }?.account
  }

  /// Ends an app that must not go on without a policy, or records that the user was warned.
  func requirePolicy(_ guest: Guest) {
    let app = guest.app
    guard app.requiresPolicy || app.warnsWithoutPolicy, guest.isReady,
      !restarting.contains(guest.name),
      !guest.accounts.signedIn.contains(where: { $0.policy != nil }),
      !guest.accounts.registrations.contains(where: { $0.machine.isUnderWay })
    else { return }
    audit.record(.policyAbsent(guest: guest.name, action: app.requiresPolicy ? "block" : "warn"))
    guard app.requiresPolicy else { return }
    supervisor.end(
      guest, .notStarted("no policy protects anybody in it, and it needs one (MAMPolicyRequired)"))
  }

  /// Tells the app that it has to restart (`restartApplication`), and restarts it where it does not do so itself.
  func restart(_ guest: Guest, for account: Account) {
    // A guest that does not run gets the policy when it starts.
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
  /// Whether a policy may be on its way.
  fileprivate var isUnderWay: Bool {
    switch activity {
    case .asking, .restarting: true
    case .idle, .waiting, .wiping: false
    }
  }
}
