import Enrollment
import Model
import TestSupport
import Testing

/// Tests the invariants of every enrollment for all event sequences.
@Suite struct EnrollmentLawTests {
  private static let events: [AccountEnrollment.Event] = [
    .register, .login, .checkIn, .remediate(isSilent: true), .remediate(isSilent: false),
    .pushed(revision: nil), .pushed(revision: "a"), .pushed(revision: "b"),
    .pushed(revision: alone),
    .pushed(revision: "b", needsRestart: true), .wipeOrdered, .started,
    .removed, .unenroll(wipes: false), .unenroll(wipes: true), .due, .recovered,
  ]

  /// A revision that contains only an app configuration.
  private static let alone = TargetedRevision(policies: nil, configurations: "c")

  private static let answers: [ServiceAnswer] =
    [
      .policies(revision: "a", needsRestart: false), .policies(revision: "b", needsRestart: true),
      .notTargeted, .wipe,
    ] + [alone].compactMap(\.self).map { .policies(revision: $0, needsRestart: false) }
    + EnrollmentStatus.allCases.filter { !$0.isSuccess }.map { .failure($0) }
    + [.unasked(.mdmEnrolledDifferentUser), .unasked(.authRequired), .unasked(.loginCanceled)]

  /// The knowledge of a host that observes only the machine's effects.
  private struct Witness {
    var isAsking = false
    var isSignedIn = false
    var revision: TargetedRevision?
    var isWiping = false
    /// The time of the last failed request that has not been followed by a success.
    var failedAt: Int?
  }

  @Test(arguments: 1...40)
  func `enrollment invariants hold in random walks`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var machine = Machine()
    var witness = Witness()
    for _ in 0..<400 {
      let before = machine.enrollment
      let effects: [AccountEnrollment.Effect]
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<3:
        let answer = Self.answers.randomElement(using: &random) ?? .wipe
        if !machine.open.isEmpty { witness.isAsking = false }
        effects = machine.answer(answer)
      case 3:
        machine.advance(by: Int.random(in: 0...50_000, using: &random))
        effects = machine.handle(.due)
      default:  // open: the last of the numbers
        let event = Self.events.randomElement(using: &random) ?? .due
        // Activities end with the device, or with the account.
        if [.recovered, .removed].contains(event) { witness.isAsking = false }
        if case .unenroll = event { witness.isAsking = false }
        if event == .wipeOrdered, before.isRegistered { witness.isAsking = false }
        if event == .removed { witness = Witness() }
        effects = machine.handle(event)
      }
      for effect in effects { check(effect, &witness, machine.now) }
      check(machine.enrollment, witness)
    }
  }

  private func check(
    _ effect: AccountEnrollment.Effect, _ witness: inout Witness, _ now: Int
  ) {
    switch effect {
    case .signIn:
      #expect(!witness.isSignedIn)
      witness.isSignedIn = true
    case .ask:
      #expect(!witness.isAsking, "an account has two open requests")
      #expect(!witness.isWiping)
      witness.isAsking = true
    case .apply(let revision):
      #expect(witness.isSignedIn && revision != witness.revision)
      witness.revision = revision
    case .restartApp: #expect(witness.revision?.policies == nil)
    case .wipe:
      #expect(witness.isSignedIn && !witness.isWiping)
      witness.isWiping = true
    case .remove:
      #expect(witness.isSignedIn)
      witness = Witness()
    case .notify(let notice): witness.failedAt = notice.status.isSuccess ? nil : now
    }
  }

  private func check(_ enrollment: AccountEnrollment, _ witness: Witness) {
    #expect(enrollment.isRegistered == witness.isSignedIn)
    #expect(enrollment.appliesPolicy == (witness.revision?.policies != nil))
    #expect(enrollment.isTargeted == (witness.revision != nil))
    if let due = enrollment.nextDue, let failedAt = witness.failedAt {
      #expect(due <= failedAt + 86_400)
    }
    if case .wiping = enrollment.activity { #expect(witness.isWiping) }
  }

  /// Returns the expected times: a check for a network after `delay`, then after a minute, after
  /// two minutes, and so on up to an hour.
  private func naiveTimes(
    from start: Int, failing count: Int, delay: Int
  ) -> [Int] {
    var times = [start]
    let minutes = [1, 2, 4, 8, 16, 32, 60]
    for index in 0..<count {
      times.append((times.last ?? 0) + delay + 60 * minutes[min(index, minutes.count - 1)])
    }
    return times
  }

  @Test(arguments: [0, 1, 30, 60], [0, 1, 2, 7, 10])
  func `without a network, requests back off until success`(
    delay: Int, failures: Int
  ) {
    var machine = Machine()
    var asked: [Int] = []
    var left = failures
    machine.advance(by: 1000)
    if !machine.handle(.register).asks.isEmpty { asked.append(machine.now) }
    while !machine.enrollment.isEnrolled, machine.now < 100_000 {
      if let last = asked.last, machine.now >= last + delay, !machine.open.isEmpty {
        machine.answer(
          left > 0
            ? .failure(.enrollmentEndPointNetworkFailure)
            : .policies(revision: "a", needsRestart: false))
        left -= 1
      }
      let next = [machine.enrollment.nextDue, asked.last.map { $0 + delay }]
        .compactMap(\.self).filter { $0 > machine.now }.min()
      machine.advance(by: min(60, (next ?? .max) - machine.now))
      if !machine.handle(.due).asks.isEmpty { asked.append(machine.now) }
    }
    #expect(asked == naiveTimes(from: 1000, failing: failures, delay: delay))
    #expect(machine.enrollment.isEnrolled)
  }

  /// Simulates the passage of time for an enrolled account that always gets the same answer.
  ///
  /// - Parameter plans: The time of the machine's next request.
  private func pass(
    until end: Int, _ answer: ServiceAnswer,
    _ plans: (AccountEnrollment, _ start: Int) -> Int?
  ) -> (AccountEnrollment, requests: Int) {
    var machine = Machine()
    machine.handle(.register)
    machine.answer(.policies(revision: "a", needsRestart: false))
    machine.advance(by: 100)
    let start = machine.now
    var requests = 0
    while let due = plans(machine.enrollment, start), due <= end {
      machine.advance(by: max(0, due - machine.now))
      machine.handle(.due)
      requests += machine.open.count
      machine.answer(answer)
    }
    return (machine.enrollment, requests)
  }

  @Test(
    arguments: [
      ServiceAnswer.policies(revision: "a", needsRestart: false),
      .failure(.policyEndPointNetworkFailure), .failure(.authRequired),
      .failure(.accountNotLicensed), .unasked(.mdmEnrolledDifferentUser),
    ], [1, 1799, 1800, 3599, 3600, 86_400, 259_200, 259_201, 7_776_000])
  func `merging requests with equal answers does not change the enrollment's state`(
    answer: ServiceAnswer, span: Int
  ) {
    let end = 100 + span
    let each = pass(until: end, answer) { enrollment, _ in enrollment.nextDue }
    let planned = pass(until: end, answer) { enrollment, start in
      enrollment.nextDue(since: start, until: end)
    }
    #expect(planned.0.standing == each.0.standing)
    #expect(planned.0.activity == each.0.activity)
    #expect(planned.0.contact.last == each.0.contact.last)
    #expect(planned.0.nextDue == each.0.nextDue)
    #expect(planned.requests <= each.requests)
    switch answer {
    case .failure(.accountNotLicensed), .failure(.authRequired), .unasked: break
    case .policies, .notTargeted, .wipe, .failure:
      #expect(planned.requests <= 9, "\(planned.requests) requests")
    }
  }

  /// In issue 338 of ms-intune-app-sdk-ios, a contact is a connection to the service.
  @Test(arguments: [EnrollmentStatus.mdmEnrolledDifferentUser, .authRequired, .loginCanceled])
  func `a status set by the SDK itself neither counts as a check-in nor resets the backoff`(
    status: EnrollmentStatus
  ) {
    var machine = Machine()
    machine.handle(.register)
    machine.answer(.policies(revision: "a", needsRestart: false))
    for _ in 0..<3 {
      machine.handle(.checkIn)
      machine.answer(.failure(.policyEndPointNetworkFailure))
    }
    machine.advance(by: 100)
    machine.handle(.checkIn)
    machine.answer(.unasked(status))
    #expect(machine.enrollment.contact.last == 0)
    #expect(machine.enrollment.contact.failures == 3 && machine.enrollment.contact.isUnasked)
    #expect(
      machine.enrollment.nextDue == 100 + DeliveryState(after: status).interval.first,
      "the interval is that of the status")
    machine.handle(.checkIn)
    machine.answer(.failure(.policyEndPointNetworkFailure))
    #expect(machine.enrollment.nextDue == 100 + 8 * 60, "the fourth failure in a row")
    #expect(!machine.enrollment.contact.isUnasked)
    machine.handle(.checkIn)
    machine.answer(.failure(.accountNotLicensed))
    #expect(machine.enrollment.contact.failures == 0, "the service has answered")
  }

  @Test func `an unenrolled account makes no requests`() {
    for answer in Self.answers {
      var machine = Machine()
      machine.handle(.register)
      machine.answer(answer)
      machine.handle(.unenroll(wipes: false))
      machine.handle(.removed)
      machine.advance(by: 10 * 86_400)
      #expect(machine.handle(.due).isEmpty)
      #expect(!machine.enrollment.isRegistered)
    }
  }

  @Test func `an answer to an outdated enrollment request has no effect`() {
    var machine = Machine()
    machine.handle(.register)
    machine.handle(.unenroll(wipes: false))
    machine.handle(.register)
    let before = machine.enrollment
    #expect(machine.answer(.wipe).isEmpty)
    #expect(machine.enrollment == before)
    #expect(!machine.answer(.policies(revision: "a", needsRestart: false)).isEmpty)
  }
}

extension [AccountEnrollment.Effect] {
  fileprivate var asks: [AccountEnrollment.Effect] {
    filter { if case .ask = $0 { true } else { false } }
  }
}
