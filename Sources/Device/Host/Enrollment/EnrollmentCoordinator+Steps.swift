internal import Enrollment
internal import Model
internal import Policy
internal import Wire

/// The effects of enrollment, and how they are carried out.
extension EnrollmentCoordinator {
  func advance(
    _ registration: Registration, _ event: AccountEnrollment.Event, in guest: Guest
  ) {
    let before = registration.machine.contact.last
    let effects = registration.machine.handle(event, at: clock.now)
    // Policies that arrive are judged with the contact by which they came.
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
      // The machine of one account does not know whether another one is enrolled.
      if notice.status == .appNotEnrolled { notice.status = statusWithoutEnrollment(in: guest) }
      tell(notice, registration, guest)
    }
  }

  // MARK: the service

  private func ask(
    _ request: AccountEnrollment.Request, _ ticket: Int, _ registration: Registration,
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
    agenda.add(
      Agenda.ScheduledEvent(
        time: clock.now + wait, guest: guest.name, account: registration.account, ticket: ticket))
  }

  private func answer(_ ticket: Int, _ registration: Registration, _ guest: Guest) {
    guard case .asking(let request) = registration.machine.activity else { return }
    let account = registration.account
    var question = question(request, registration, guest)
    // What does not reach the service does not count.
    question.isAdmitted =
      !(question.isDeviceOnline && service.isReachable)
      || service.statusWithoutAsking(question) != nil
      || load.admits(at: clock.now, limit: service.requestsPerMinute)
    let answer = service.answer(to: question)
    if answer == .wipe { service[account].isWiped = false }
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

  func question(
    _ request: AccountEnrollment.Request, _ registration: Registration, _ guest: Guest
  ) -> EnrollmentService.Question {
    let account = registration.account
    let others = accounts.enrolled(in: guest).filter { !$0.isSame(as: account) }
    let user = policies.enrolledUser(of: guest.app)
    let isFirst = user?.isSame(as: account) ?? false
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

  /// Whether MDM's user is another account, and the only one that can be enrolled in the app.
  func isOtherUser(_ account: Account, in guest: Guest) -> Bool {
    guard !guest.app.allowsSeveralManagedAccounts else { return false }
    return policies.enrolledUser(of: guest.app).map { !$0.isSame(as: account) } ?? false
  }

  /// Carries out an event that is due.
  func fire(_ event: Agenda.ScheduledEvent) {
    guard let guest = registry[event.guest],
      let registration = guest.accounts.registration(of: event.account)
    else { return }
    if let ticket = event.ticket {
      answer(ticket, registration, guest)
    } else if guest.isReady {
      // Learn: a retry may need the app to be in use. A retry that is due earlier then happens when the app is ready.
      advance(registration, .due, in: guest)
    }
  }

  /// Carries out what became due while the app was not in use, or while the clock ran past it.
  func catchUp(_ guest: Guest) {
    guard guest.isReady else { return }
    for registration in registrationsInUse(of: guest) { advance(registration, .due, in: guest) }
  }

  /// The registrations of an app, with those of managed accounts that signed in without the service and are to check in.
  private func registrationsInUse(of guest: Guest) -> [Registration] {
    if guest.app.kind == .app, guest.app.integratesSDK {
      for known in guest.accounts.signedIn
      where known.policy != nil && !registry.isBeingWiped(known.account, in: guest) {
        _ = registration(of: known.account, in: guest)
      }
    }
    return guest.accounts.registrations
  }

  /// Plans the check-ins and retries of apps in use until `end`. Requests that would get the same answer are merged.
  ///
  /// - Parameter start: the time since which only the clock has changed anything.
  func planRequests(since start: Int, until end: Int) {
    let isInReach = access.conditions.isOnline && service.isReachable
    for guest in registry.installed where guest.isReady {
      for registration in registrationsInUse(of: guest) {
        // The agenda has each retry. The service may answer one and turn the next away.
        if case .waiting = registration.machine.activity, isInReach { continue }
        guard let due = registration.machine.nextDue(since: start, until: end) else { continue }
        agenda.add(
          Agenda.ScheduledEvent(
            time: max(due, clock.now), guest: guest.name, account: registration.account))
      }
    }
  }

  /// Has the app check in for an account whose offline grace period is over (assumed for each launch and resume).
  ///
  /// After the user has given the account's credentials at the prompt, the SDK has a token for the account again.
  ///
  /// Sources: ms-intune-app-sdk-ios, issue 277 (a sign-in at the prompt restores access), and the release notes of SDK
  /// 17.7.0, quoted in issue 362 (a silent check-in unless tokens are missing).
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

  /// Whether a check-in that may renew the account's grace period is still to come.
  func awaitsCheckIn(_ account: Account, in guest: Guest) -> Bool {
    // An extension does not check in. Its app does.
    guard guest.app.kind == .app else { return true }
    guard let machine = guest.accounts.registration(of: account)?.machine else { return false }
    if case .asking = machine.activity { return true }
    return false
  }

  // MARK: telling

  /// Tells the app's delegate of a status, and records it.
  func tell(
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

  func record(
    _ notice: AccountEnrollment.Notice, _ registration: Registration, _ guest: Guest
  ) {
    registration.lastStatus = notice.status
    registration.answer = notice.status
    audit.record(
      .enrollmentAnswered(
        app: guest.app.bundleID, account: registration.account.upn, request: notice.kind.rawValue,
        status: notice.status))
  }

  /// Sends a recorded notice to the app, after the accounts that it concerns.
  func send(
    _ notice: AccountEnrollment.Notice, _ registration: Registration, _ guest: Guest
  ) {
    let account = registration.account
    sendAccounts(guest)
    if guest.isReady {
      turn.send(
        HostMessage(
          .enrollmentNotice(
            EnrollmentNotice(
              request: notice.kind.rawValue, account: account.upn,
              objectID: account.objectID ?? "", status: notice.status.rawValue))), to: guest)
    }
    endRemediation(of: registration, in: guest, with: notice.status)
    if !notice.status.isSuccess, guest.app.requiresPolicy { requirePolicy(guest) }
  }

  /// Tells a program which accounts the SDK knows. The ready-made guest has no use for that.
  func sendAccounts(_ guest: Guest) {
    guard guest.isReady, guest.app.program != .readyMade else { return }
    let accounts = knownAccounts(of: guest)
    guard accounts != guest.accounts.told else { return }
    guest.accounts.told = accounts
    turn.send(HostMessage(.enrolledAccounts(accounts)), to: guest)
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

  // MARK: remembering

  func save(_ registration: Registration, _ guest: Guest) {
    let isSilent = queues[guest.name]?.requests.first {
      $0.account.isSame(as: registration.account)
    }?.isSilent
    let text = registration.text(remediation: isSilent)
    guard text != registration.saved else { return }
    registration.saved = text
    if case .waiting(let time) = registration.machine.activity {
      agenda.add(
        Agenda.ScheduledEvent(time: time, guest: guest.name, account: registration.account))
    }
    durability.persist { () throws(HostError) in
      try database.setRegistration(of: registration.account, in: guest.name, text)
    }
  }

  /// Restores the guest's registrations, as they were when the device went down.
  func recoverRegistrations(of guest: Guest) throws(HostError) {
    for (account, text) in try database.registrations(of: guest.name) {
      guard let registration = Registration(account, text: text) else { continue }
      guest.accounts.registrations.append(registration)
      if case .waiting(let time) = registration.machine.activity {
        agenda.add(Agenda.ScheduledEvent(time: time, guest: guest.name, account: account))
      }
    }
  }

  /// Asks the service again for what was under way when the device went down: the SDK runs only while the app does.
  func resumeRegistrations(of guest: Guest) {
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
}
