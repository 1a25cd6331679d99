import Enrollment
import Model
import Testing

/// A transition of the machine. It has the state before, the event, and the result.
struct Transition: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let standing: AccountEnrollment.Standing
  let activity: AccountEnrollment.Activity
  let event: AccountEnrollment.Event
  let effects: [AccountEnrollment.Effect]
  let after: AccountEnrollment.Standing
  let then: AccountEnrollment.Activity

  /// Creates a transition.
  ///
  /// - Parameters:
  /// - after: The resulting standing; nil if it is unchanged.
  /// - then: The resulting activity; nil if it is unchanged.
  init(
    _ name: String, _ standing: AccountEnrollment.Standing = .unregistered,
    _ activity: AccountEnrollment.Activity = .idle, on event: AccountEnrollment.Event,
    _ effects: [AccountEnrollment.Effect] = [], after: AccountEnrollment.Standing? = nil,
    then: AccountEnrollment.Activity? = nil
  ) {
    testDescription = name
    (self.standing, self.activity, self.event, self.effects) = (standing, activity, event, effects)
    self.after = after ?? standing
    self.then = then ?? activity
  }
}

@Suite struct AccountEnrollmentTests {
  private static let enrolled = AccountEnrollment.Standing.enrolled(revision: "a")
  private static let alone = TargetedRevision(policies: nil, configurations: "c")
  private static let policyAndConfiguration = TargetedRevision(policies: "a", configurations: "c")

  static let table: [Transition] = [
    Transition(
      "registering asks the service", on: .register, [.signIn, .ask(.enrollment, ticket: 1)],
      after: .registered, then: .asking(.enrollment)),
    Transition(
      "a login registers no account before the user has signed in", on: .login,
      [.ask(.login, ticket: 1)], then: .asking(.login)),
    Transition(
      "a second registration is dropped", .registered, .asking(.enrollment), on: .register),
    Transition(
      "registering does not start a retry early", .registered, .waiting(until: 9), on: .register),
    Transition(
      "a login starts a retry early", .registered, .waiting(until: 9), on: .login,
      [.ask(.login, ticket: 1)],
      then: .asking(.login)),
    Transition(
      "an enrolled account is not enrolled again by registering", enrolled, on: .register,
      [.told(.enrollment, .alreadyEnrolled)]),
    Transition(
      "an enrolled account is not enrolled again by a login", enrolled, on: .login,
      [.told(.enrollment, .alreadyEnrolled)]),
    Transition(
      "a check-in asks for policies", enrolled, on: .checkIn, [.ask(.policy, ticket: 1)],
      then: .asking(.policy)),
    Transition(
      "a check-in does not wait for a retry", enrolled, .waiting(until: 9), on: .checkIn,
      [.ask(.policy, ticket: 1)], then: .asking(.policy)),
    Transition("an unregistered account does not check in", on: .checkIn),
    Transition(
      "a registered account that waits for a retry does not check in", .registered,
      .waiting(until: 9), on: .checkIn),
    Transition(
      "silent remediation registers", on: .remediate(isSilent: true),
      [.signIn, .ask(.enrollment, ticket: 1)], after: .registered, then: .asking(.enrollment)),
    Transition(
      "remediation logs in", on: .remediate(isSilent: false), [.ask(.login, ticket: 1)],
      then: .asking(.login)),
    Transition(
      "remediation does not wait for a retry", .registered, .waiting(until: 9),
      on: .remediate(isSilent: true), [.ask(.enrollment, ticket: 1)], then: .asking(.enrollment)),
    Transition(
      "remediation of an enrolled account asks for policies", enrolled,
      on: .remediate(isSilent: true),
      [.ask(.policy, ticket: 1)], then: .asking(.policy)),
    Transition(
      "an answer without a request is ignored", .registered, .waiting(until: 9),
      on: .answered(.policies(revision: "a", needsRestart: false), ticket: 0)),
    Transition(
      "the first policy applies after a restart", .registered,
      .restarting(.enrollment, revision: "a"), on: .started,
      [.apply(revision: "a"), .told(.enrollment, .newPoliciesReceived)], after: enrolled,
      then: .idle),
    Transition("a start without a pending restart has no effect", enrolled, on: .started),
    Transition(
      "a pushed policy applies", enrolled, on: .pushed(revision: "b"),
      [.apply(revision: "b"), .told(.policy, .newPoliciesReceived)],
      after: .enrolled(revision: "b")),
    Transition("the current policy is not pushed again", enrolled, on: .pushed(revision: "a")),
    Transition(
      "a first policy that needs no restart applies immediately", .enrolled(revision: alone),
      on: .pushed(revision: "a"), [.apply(revision: "a"), .told(.policy, .newPoliciesReceived)],
      after: enrolled),
    Transition(
      "the last policy is withdrawn", enrolled, on: .pushed(revision: nil),
      [.apply(revision: nil), .told(.policy, .noPolicyReceived)], after: .enrolled(revision: nil)),
    Transition(
      "a configuration stays if the last policy is withdrawn",
      .enrolled(revision: policyAndConfiguration), on: .pushed(revision: alone),
      [.apply(revision: alone), .told(.policy, .newPoliciesReceived)],
      after: .enrolled(revision: alone)),
    Transition(
      "the last configuration is withdrawn", .enrolled(revision: alone),
      on: .pushed(revision: nil), [.apply(revision: nil), .told(.policy, .noPolicyReceived)],
      after: .enrolled(revision: nil)),
    Transition(
      "a pushed first policy waits for a restart", .enrolled(revision: alone),
      on: .pushed(revision: "a", needsRestart: true), [.restartApp],
      then: .restarting(.policy, revision: "a")),
    Transition(
      "a pushed first policy applies after the restart", .enrolled(revision: alone),
      .restarting(.policy, revision: "a"),
      on: .started, [.apply(revision: "a"), .told(.policy, .newPoliciesReceived)], after: enrolled,
      then: .idle),
    Transition(
      "an account that waits for a retry gets no pushed policy", .registered, .waiting(until: 9),
      on: .pushed(revision: "a")),
    Transition(
      "a wipe is ordered", enrolled, on: .wipeOrdered, [.wipe(.service)], then: .wiping(.service)),
    Transition(
      "an ordered wipe ends the enrollment", enrolled, .wiping(.service), on: .removed,
      [.told(.policy, .wipeReceived)],
      after: .unregistered, then: .idle),
    Transition(
      "unenrolling leaves the data", enrolled, on: .unenroll(wipes: false),
      [.remove, .told(.unenrollment, .unenrollmentSuccess)], after: .unregistered),
    Transition(
      "unenrolling with a wipe starts a wipe", enrolled, on: .unenroll(wipes: true),
      [.wipe(.unenrollment)],
      then: .wiping(.unenrollment)),
    Transition(
      "unenrolling with a wipe is reported after the wipe", enrolled, .wiping(.unenrollment),
      on: .removed,
      [.told(.unenrollment, .unenrollmentSuccess)], after: .unregistered, then: .idle),
    Transition("a sign-out has no enrollment result", enrolled, on: .removed, after: .unregistered),
    Transition(
      "unenrolling ends the retries", .registered, .waiting(until: 9), on: .unenroll(wipes: false),
      [.remove, .told(.unenrollment, .appNotEnrolled)], after: .unregistered, then: .idle),
    Transition("a retry is not due before its time", .registered, .waiting(until: 1), on: .due),
    Transition(
      "a retry is due at its time", .registered, .waiting(until: 0), on: .due,
      [.ask(.enrollment, ticket: 1)], then: .asking(.enrollment)),
    Transition(
      "an enrolled account asks again for policies", enrolled, .waiting(until: 0), on: .due,
      [.ask(.policy, ticket: 1)], then: .asking(.policy)),
    Transition(
      "an enrollment survives a restart of the device", .registered, .asking(.enrollment),
      on: .recovered,
      [.ask(.enrollment, ticket: 1)], then: .asking(.enrollment)),
    Transition(
      "a login prompt does not survive a restart of the device", .unregistered, .asking(.login),
      on: .recovered,
      then: .idle),
  ]

  @Test(arguments: table)
  func `each enrollment event has the expected effects and next state`(transition: Transition) {
    var enrollment = AccountEnrollment(transition.standing, transition.activity)
    #expect(enrollment.handle(transition.event, at: 0) == transition.effects)
    #expect(enrollment.standing == transition.after)
    #expect(enrollment.activity == transition.then)
  }

  /// Every possible combination of standing and activity, and whether a wipe is in progress.
  private static let situations: [(AccountEnrollment, isWiping: Bool)] =
    [AccountEnrollment.Standing.unregistered, .registered, .enrolled(revision: "a")].flatMap {
      standing in
      [
        (AccountEnrollment.Activity.idle, false), (.asking(.login), false),
        (.asking(.enrollment), false), (.waiting(until: 9), false),
        (.restarting(.enrollment, revision: "a"), false), (.wiping(.service), true),
      ].map { (AccountEnrollment(standing, $0.0), $0.1) }
    }

  @Test func `a registration or login call is ignored if and only if it has no effect`() {
    for (situation, isWiping) in Self.situations where !isWiping {
      var registered = situation
      let isRegistrationIgnored = registered.handle(.register, at: 0).isEmpty
      #expect(situation.ignoresRegistration == isRegistrationIgnored, "\(situation)")
      #expect(!isRegistrationIgnored || registered == situation)
      var loggedIn = situation
      let isLoginIgnored = loggedIn.handle(.login, at: 0).isEmpty
      #expect(situation.ignoresLogin == isLoginIgnored, "\(situation)")
      #expect(!isLoginIgnored || loggedIn == situation)
    }
  }

  // MARK: Contact

  private static let answers: [ServiceAnswer] =
    [.policies(revision: "a", needsRestart: false), .notTargeted, .wipe]
    + EnrollmentStatus.allCases.filter { !$0.isSuccess }.map { .failure($0) }

  @Test(arguments: answers)
  func `every successful answer of the service counts as a check-in`(answer: ServiceAnswer) {
    var machine = Machine()
    machine.handle(.register)
    machine.answer(.policies(revision: "a", needsRestart: false))
    machine.advance(by: 1800)
    machine.handle(.checkIn)
    machine.answer(answer)
    if case .failure = answer {
      #expect(machine.enrollment.contact.last == 0)
    } else {
      #expect(machine.enrollment.contact.last == 1800)
    }
  }

  @Test func `registering an untargeted account does not count as a check-in`() {
    var machine = Machine()
    machine.handle(.register)
    #expect(machine.answer(.notTargeted) == [.told(.enrollment, .licensedNotTargeted)])
    #expect(machine.enrollment.contact.last == nil)
  }

  @Test func `an enrolled account without a check-in requests its policy immediately`() {
    var machine = Machine(AccountEnrollment(.enrolled(revision: "a")))
    #expect(machine.handle(.due) == [.ask(.policy, ticket: 1)])
  }

  @Test func `a successful enrollment applies its policies`() {
    var machine = Machine()
    machine.handle(.register)
    #expect(
      machine.answer(.policies(revision: "a", needsRestart: false)) == [
        .apply(revision: "a"), .told(.enrollment, .newPoliciesReceived),
      ])
    #expect(machine.enrollment.appliesPolicy)
    machine.handle(.checkIn)
    #expect(
      machine.answer(.policies(revision: "a", needsRestart: false)) == [
        .told(.policy, .policiesHaveNotChanged)
      ])
    machine.handle(.checkIn)
    #expect(
      machine.answer(.notTargeted) == [
        .apply(revision: nil), .told(.policy, .noPolicyReceived),
      ])
    #expect(machine.enrollment.isEnrolled && !machine.enrollment.appliesPolicy)
    machine.handle(.checkIn)
    #expect(
      machine.answer(.notTargeted) == [.told(.policy, .noPolicyReceived)], "nothing to take back")
  }

  @Test func `the first policy applies after one app restart`() {
    var machine = Machine()
    machine.handle(.register)
    #expect(machine.answer(.policies(revision: "a", needsRestart: true)) == [.restartApp])
    #expect(!machine.enrollment.appliesPolicy)
    machine.handle(.started)
    #expect(machine.enrollment.appliesPolicy)
    machine.handle(.checkIn)
    machine.answer(.policies(revision: "b", needsRestart: true))
    #expect(machine.enrollment.standing == .enrolled(revision: "b"))
  }

  @Test func `an account with an app configuration but no policy is enrolled and not protected`()
    throws
  {
    let alone = try #require(Self.alone)
    var machine = Machine()
    machine.handle(.register)
    #expect(
      machine.answer(.policies(revision: alone, needsRestart: false)) == [
        .apply(revision: alone), .told(.enrollment, .newPoliciesReceived),
      ])
    #expect(machine.enrollment.isEnrolled && machine.enrollment.isTargeted)
    #expect(!machine.enrollment.appliesPolicy)
    machine.handle(.checkIn)
    #expect(
      machine.answer(.policies(revision: alone, needsRestart: false)) == [
        .told(.policy, .policiesHaveNotChanged)
      ])
    machine.handle(.checkIn)
    #expect(machine.answer(.policies(revision: "a", needsRestart: true)) == [.restartApp])
    #expect(!machine.enrollment.appliesPolicy)
    machine.handle(.started)
    #expect(machine.enrollment.appliesPolicy)
  }

  @Test func `a cancelled login leaves the account unregistered`() {
    var machine = Machine()
    machine.handle(.login)
    #expect(
      machine.answer(.failure(.loginCanceled)) == [.told(.enrollment, .loginCanceled)])
    #expect(machine.enrollment == AccountEnrollment(after: machine))
    #expect(!machine.enrollment.isRegistered && machine.enrollment.nextDue == nil)
  }

  @Test func `a failed login keeps the account registered and schedules a retry`() {
    var machine = Machine()
    machine.handle(.login)
    #expect(
      machine.answer(.failure(.accountNotLicensed)) == [
        .signIn, .told(.enrollment, .accountNotLicensed),
      ])
    #expect(machine.enrollment.nextDue == 12 * 3600)
  }

  @Test func `a second managed account is removed from the app`() {
    var machine = Machine()
    machine.handle(.register)
    #expect(
      machine.answer(.failure(.singleManagedAccountMode)) == [
        .remove, .told(.enrollment, .singleManagedAccountMode),
      ])
    #expect(!machine.enrollment.isRegistered && machine.enrollment.nextDue == nil)
  }

  @Test(arguments: EnrollmentStatus.allCases.filter { !$0.isSuccess })
  func `a failed policy request leaves the current policy in force`(status: EnrollmentStatus) {
    var machine = Machine(AccountEnrollment(.enrolled(revision: "a")))
    machine.handle(.checkIn)
    #expect(machine.answer(.failure(status)) == [.told(.policy, status)])
    #expect(machine.enrollment.appliesPolicy)
    #expect(machine.enrollment.nextDue != nil)
  }
}

extension AccountEnrollment {
  /// Creates the initial machine, after the same number of requests.
  fileprivate init(after machine: Machine) {
    self = machine.enrollment
    #expect(standing == .unregistered && activity == .idle)
  }
}

/// Tests the intervals in Microsoft Learn's "Understand app protection policy delivery timing", in
/// minutes. In other states, requests are sent every 24 hours, according to the SDK's header.
@Suite struct DeliveryStateTests {
  /// A row of Learn's table: the service's answer, and the minutes before each request.
  struct Row: Sendable, CustomTestStringConvertible {
    var state: DeliveryState
    var answer: ServiceAnswer
    var minutes: [Int]

    var testDescription: String { state.rawValue }
  }

  /// An answer with an app configuration and no policy.
  private static let configured = ServiceAnswer.policies(
    revision: TargetedRevision(policies: nil, configurations: "c") ?? "", needsRestart: false)

  static let rows = [
    Row(state: .tenantNotOnboarded, answer: .failure(.mamServiceDisabled), minutes: [1440, 1440]),
    Row(state: .userNotLicensed, answer: .failure(.accountNotLicensed), minutes: [720, 720]),
    Row(state: .userNotTargeted, answer: .notTargeted, minutes: [720, 720]),
    Row(
      state: .registered, answer: .policies(revision: "a", needsRestart: false),
      minutes: [30, 30, 30]),
    Row(state: .configured, answer: configured, minutes: [720, 720]),
    Row(
      state: .networkFailure, answer: .failure(.enrollmentEndPointNetworkFailure),
      minutes: [1, 2, 4, 8, 16, 32, 60, 60, 60]),
    Row(state: .otherFailure, answer: .failure(.internalError), minutes: [1440, 1440]),
  ]

  @Test func `every delivery state has a row in the test's table of documented intervals`() {
    #expect(Set(Self.rows.map(\.state)) == Set(DeliveryState.allCases))
  }

  @Test(arguments: rows)
  func `after each answer, the next request is due after the documented interval`(row: Row) {
    var machine = Machine()
    machine.handle(.register)
    for minutes in row.minutes {
      machine.answer(row.answer)
      #expect(machine.enrollment.nextDue == machine.now + 60 * minutes)
      machine.advance(by: 60 * minutes - 1)
      #expect(machine.handle(.due).isEmpty)
      machine.advance(by: 1)
      #expect(machine.handle(.due).count == 1 && machine.open.count == 1)
    }
  }

  @Test(arguments: EnrollmentStatus.allCases)
  func `the delivery state distinguishes enrollment success, network failure and other statuses`(
    status: EnrollmentStatus
  ) {
    let state = DeliveryState(after: status)
    #expect((state == .registered) == status.isSuccess)
    #expect(
      (state == .networkFailure)
        == [.enrollmentEndPointNetworkFailure, .policyEndPointNetworkFailure, .timeout]
        .contains(status))
  }

  @Test func `an answer from the service resets the backoff`() {
    var machine = Machine()
    machine.handle(.register)
    for answer in [
      ServiceAnswer.failure(.enrollmentEndPointNetworkFailure), .failure(.timeout), .notTargeted,
      .failure(.timeout),
    ] {
      machine.answer(answer)
      machine.advance(by: (machine.enrollment.nextDue ?? 0) - machine.now)
      machine.handle(.due)
    }
    #expect(machine.now == 60 + 120 + 12 * 3600 + 60)
  }

  /// An enrollment, and the next request that a host plans until `end` if only the clock has changed
  /// since `start`.
  struct Plan: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let enrollment: AccountEnrollment
    let start: Int
    /// The last seconds of the planned time, each with the next request.
    let plans: [(end: Int, next: Int?)]

    init(
      _ name: String, _ activity: AccountEnrollment.Activity = .idle,
      contact: AccountEnrollment.Contact, since start: Int = 0, _ plans: [(end: Int, next: Int?)]
    ) {
      testDescription = name
      enrollment = AccountEnrollment(.enrolled(revision: "a"), activity, contact: contact)
      (self.start, self.plans) = (start, plans)
    }
  }

  static let plans = [
    Plan(
      "the last check-in replaces those before it", contact: .init(last: 100),
      [(1899, nil), (1900, 1900), (3699, 1900), (3700, 3700), (20_000, 19_900)]),
    Plan(
      "the first check-in since the start replaces no other", contact: .init(last: 100),
      since: 100, [(1899, nil), (1900, 1900), (20_000, 1900)]),
    Plan(
      "the seventh retry without a network replaces others", .waiting(until: 1000),
      contact: .init(last: 100, failures: 7),
      [(999, nil), (1000, 1000), (4599, 1000), (4600, 4600), (10_000, 8200)]),
    Plan(
      "the sixth retry without a network replaces no other", .waiting(until: 1000),
      contact: .init(last: 100, failures: 6), [(999, nil), (1000, 1000), (10_000, 1000)]),
    Plan(
      "a retry after an answer replaces no other", .waiting(until: 1000),
      contact: .init(last: 100), [(999, nil), (1000, 1000), (10_000, 1000)]),
    Plan(
      "a retry after a status of the SDK replaces no other", .waiting(until: 1000),
      contact: .init(last: 100, failures: 7, isUnasked: true),
      [(999, nil), (1000, 1000), (10_000, 1000)]),
    Plan(
      "a request in progress is awaited", .asking(.policy), contact: .init(last: 100),
      [(10_000, nil)]),
  ]

  @Test(arguments: plans)
  func `check-ins and retries that would get equal answers are scheduled as one request`(plan: Plan)
  {
    for (end, next) in plan.plans {
      #expect(plan.enrollment.nextDue(since: plan.start, until: end) == next, "until \(end)")
    }
  }

  static let memory = 90 * 86_400

  @Test(
    arguments: [
      (memory - 1, AccountEnrollment.RequestKind.policy), (memory, .enrollment),
      (memory + 1, .enrollment),
    ], [AccountEnrollment.Event.due, .checkIn])
  func `after 90 days without a check-in, the account registers again`(
    row: (seconds: Int, request: AccountEnrollment.RequestKind), event: AccountEnrollment.Event
  ) {
    var machine = Machine()
    machine.handle(.register)
    machine.answer(.policies(revision: "a", needsRestart: false))
    machine.advance(by: row.seconds)
    #expect(machine.handle(event) == [.ask(row.request, ticket: 2)])
    #expect(machine.enrollment.appliesPolicy)
  }

  @Test(arguments: [EnrollmentStatus.authRequired, .mamServiceDisabled, .timeout])
  func `a failed check-in does not delay the registration due after 90 days`(
    status: EnrollmentStatus
  ) {
    var machine = Machine()
    machine.handle(.register)
    machine.answer(.policies(revision: "a", needsRestart: false))
    machine.advance(by: Self.memory - 1)
    machine.handle(.checkIn)
    machine.answer(.failure(status))
    machine.advance(by: 1)
    #expect(machine.handle(.checkIn) == [.ask(.enrollment, ticket: 3)])
  }
}

/// A machine with all its requests and answers, as a host observes them.
struct Machine {
  private(set) var enrollment: AccountEnrollment
  /// The numbers of unanswered requests.
  private(set) var open: [Int] = []
  private(set) var now = 0
  private(set) var effects: [AccountEnrollment.Effect] = []

  init(_ enrollment: AccountEnrollment = AccountEnrollment()) { self.enrollment = enrollment }

  /// Handles an event.
  ///
  /// - Returns: The effects of this event.
  @discardableResult
  mutating func handle(_ event: AccountEnrollment.Event) -> [AccountEnrollment.Effect] {
    let new = enrollment.handle(event, at: now)
    for case .ask(_, let ticket) in new { open.append(ticket) }
    effects += new
    return new
  }

  /// Answers the oldest request.
  @discardableResult
  mutating func answer(_ answer: ServiceAnswer) -> [AccountEnrollment.Effect] {
    guard !open.isEmpty else { return [] }
    return handle(.answered(answer, ticket: open.removeFirst()))
  }

  mutating func advance(by seconds: Int) { now += seconds }
}

extension AccountEnrollment.Effect {
  static func told(
    _ kind: AccountEnrollment.Notice.Kind, _ status: EnrollmentStatus
  ) -> AccountEnrollment.Effect {
    .notify(AccountEnrollment.Notice(kind, status))
  }
}
