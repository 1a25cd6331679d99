internal import Enrollment
internal import Transfer
internal import Wire

/// Carrying out what enrollment comes to.
extension Device {
  func advance(
    _ registration: Registration, _ event: AccountEnrollment.Event, in guest: Guest
  ) {
    for effect in registration.machine.handle(event, at: clock.now) {
      carryOut(effect, registration, guest)
    }
    save(registration, guest)
  }

  private func carryOut(
    _ effect: AccountEnrollment.Effect, _ registration: Registration, _ guest: Guest
  ) {
    switch effect {
    case .signIn: signIn(registration.account, in: guest)
    case .ask(let request, let ticket): ask(request, ticket, registration, guest)
    case .apply: apply(registration.account, in: guest)
    case .restartApp: restart(guest, for: registration.account)
    case .wipe(let cause):
      wipe(registration.account, in: guest, because: cause == .service ? .remote : .unenrolled) {}
    case .remove: signOut(registration.account, of: guest)
    case .notify(let notice): tell(notice, registration, guest)
    }
  }

  /// The account is the app's, and nothing protects it yet.
  private func signIn(_ account: Account, in guest: Guest) {
    guard !guest.accounts.contains(where: { $0.account.isSame(as: account) }) else { return }
    guest.accounts.append(Guest.SignedIn(account: account, policy: nil))
    guest.blockedAccounts.removeAll { $0.isSame(as: account) }
    persist { () throws(HostError) in try database.add(account, to: guest.name) }
    record(
      .accountSignedIn(app: guest.app.bundleID, account: account.upn, isManaged: false))
    if !guest.app.isMultiIdentity { actForDefaultAccount(guest) }
  }

  // MARK: the service

  private func ask(
    _ request: AccountEnrollment.Request, _ ticket: Int, _ registration: Registration,
    _ guest: Guest
  ) {
    record(
      .enrollmentAsked(
        app: guest.app.bundleID, account: registration.account.upn, request: request.rawValue))
    switch request {
    case .enrollment: registration.call = .registerAndEnroll
    case .login: registration.call = .loginAndEnroll
    case .policy: break
    }
    let wait = desk.service.wait(isDeviceOnline: conditions.isOnline)
    guard wait > 0 else { return answer(ticket, registration, guest) }
    desk.agenda.add(
      Agenda.Appointment(
        time: clock.now + wait, guest: guest.name, account: registration.account, ticket: ticket))
  }

  private func answer(_ ticket: Int, _ registration: Registration, _ guest: Guest) {
    guard case .asking(let request) = registration.machine.activity else { return }
    let account = registration.account
    let answer = desk.service.answer(to: question(request, registration, guest))
    if answer == .wipe { desk.service[account].isWiped = false }
    switch answer {
    case .failure(.loginCanceled), .failure(.authRequired),
      .failure(.enrollmentEndPointNetworkFailure), .failure(.timeout):
      break
    default: if request == .login { desk.service[account].needsCredentials = false }
    }
    advance(registration, .answered(answer, ticket: ticket), in: guest)
  }

  private func question(
    _ request: AccountEnrollment.Request, _ registration: Registration, _ guest: Guest
  ) -> EnrollmentService.Question {
    let account = registration.account
    let others = guest.accounts.filter { !$0.account.isSame(as: account) && $0.policy != nil }
    return EnrollmentService.Question(
      account: account, request: request, revision: revision(for: account, in: guest),
      isFirstPolicy: guest.accounts.allSatisfy { $0.policy == nil },
      isTaken: !others.isEmpty && !guest.app.allowsSeveralManagedAccounts,
      isDeviceOnline: conditions.isOnline)
  }

  /// What was to happen at this time of the clock.
  func keep(_ appointment: Agenda.Appointment) {
    guard let guest = guests[appointment.guest],
      let registration = knownRegistration(of: appointment.account, in: guest)
    else { return }
    if let ticket = appointment.ticket {
      answer(ticket, registration, guest)
    } else if guest.isReady {
      // Learn: a retry may need the app to be in use. What is due then happens when it is.
      advance(registration, .due, in: guest)
    }
  }

  /// What became due while the app was not in use, or the clock ran past.
  func catchUp(_ guest: Guest) {
    guard guest.isReady else { return }
    for registration in guest.registrations { advance(registration, .due, in: guest) }
  }

  // MARK: telling

  /// What the app's delegate hears.
  func tell(
    _ notice: AccountEnrollment.Notice, _ registration: Registration, _ guest: Guest
  ) {
    let account = registration.account
    registration.lastStatus = notice.status
    registration.answer = notice.status
    record(
      .enrollmentAnswered(
        app: guest.app.bundleID, account: account.upn, request: notice.kind.rawValue,
        status: notice.status))
    switch notice.kind {
    case .enrollment: reportEnrollment(registration.call, notice.status.name, of: guest)
    case .unenrollment: reportEnrollment(.deRegisterAndUnenroll, notice.status.name, of: guest)
    case .policy: break
    }
    sendAccounts(guest)
    if guest.isReady {
      send(
        HostMessage(
          .enrollmentNotice(
            EnrollmentNotice(
              request: notice.kind.rawValue, account: account.upn,
              objectID: account.objectID ?? "", status: notice.status.rawValue))), to: guest)
    }
    endRemediation(of: registration, in: guest, with: notice.status)
    if !notice.status.isSuccess, guest.app.requiresPolicy { requirePolicy(guest) }
  }

  /// Tells a program whom the SDK knows. The ready-made guest has no use for it.
  func sendAccounts(_ guest: Guest) {
    guard guest.isReady, guest.app.program != .readyMade, !guest.registrations.isEmpty else {
      return
    }
    let name = { (account: Account) in account.objectID ?? account.upn }
    let registrations = guest.registrations
    let remediating = desk.queues[guest.name]?.requests ?? []
    send(
      HostMessage(
        .enrolledAccounts(
          EnrolledAccounts(
            registered: registrations.filter(\.machine.isRegistered).map { name($0.account) },
            enrolled: registrations.filter(\.machine.isEnrolled).map { name($0.account) },
            remediating: remediating.map { name($0.account) }))), to: guest)
  }

  // MARK: remembering

  func save(_ registration: Registration, _ guest: Guest) {
    let isSilent = desk.queues[guest.name]?.requests.first {
      $0.account.isSame(as: registration.account)
    }?.isSilent
    let text = registration.text(remediation: isSilent)
    guard text != registration.saved else { return }
    registration.saved = text
    if case .waiting(let time) = registration.machine.activity {
      desk.agenda.add(
        Agenda.Appointment(time: time, guest: guest.name, account: registration.account))
    }
    persist { () throws(HostError) in
      try database.setRegistration(of: registration.account, in: guest.name, text)
    }
  }

  /// Goes on where the device went down.
  func recoverRegistrations(of guest: Guest) throws(HostError) {
    for (account, text) in try database.registrations(of: guest.name) {
      guard let registration = Registration(account, text: text) else { continue }
      guest.registrations.append(registration)
      if case .waiting(let time) = registration.machine.activity {
        desk.agenda.add(Agenda.Appointment(time: time, guest: guest.name, account: account))
      }
    }
  }

  /// Asks again what was under way when the device went down: the SDK runs where the app does.
  func resumeRegistrations(of guest: Guest) {
    for registration in guest.registrations where registration.isRecovered {
      registration.isRecovered = false
      if let isSilent = registration.remediatesSilently {
        _ = desk.queues[guest.name, default: RemediationQueue()].add(
          .init(registration.account, isSilent: isSilent), at: clock.now)
      }
      advance(registration, .recovered, in: guest)
    }
    beginRemediation(in: guest)
  }
}
