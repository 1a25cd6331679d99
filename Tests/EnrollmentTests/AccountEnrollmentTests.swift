import Enrollment
import Model
import Testing

/// One transition: what is so before, what happens, what follows.
struct Transition: Sendable, CustomTestStringConvertible {
  var name: String
  var standing: AccountEnrollment.Standing = .unregistered
  var activity: AccountEnrollment.Activity = .idle
  var event: AccountEnrollment.Event
  var effects: [AccountEnrollment.Effect] = []
  var after: AccountEnrollment.Standing?
  var then: AccountEnrollment.Activity?

  var testDescription: String { name }
}

@Suite struct AccountEnrollmentTests {
  private static let enrolled = AccountEnrollment.Standing.enrolled(revision: "a")
  private static let alone = TargetedRevision(policies: nil, configurations: "c")
  private static let policyAndConfiguration = TargetedRevision(policies: "a", configurations: "c")

  static let table: [Transition] = [
    Transition(
      name: "registering asks", event: .register,
      effects: [.signIn, .ask(.enrollment, ticket: 1)], after: .registered,
      then: .asking(.enrollment)),
    Transition(
      name: "a login registers nobody before the user has signed in", event: .login,
      effects: [.ask(.login, ticket: 1)], then: .asking(.login)),
    Transition(
      name: "a second registration is dropped", standing: .registered,
      activity: .asking(.enrollment), event: .register),
    Transition(
      name: "registering does not hasten a retry", standing: .registered,
      activity: .waiting(until: 9), event: .register),
    Transition(
      name: "a login does", standing: .registered, activity: .waiting(until: 9), event: .login,
      effects: [.ask(.login, ticket: 1)], then: .asking(.login)),
    Transition(
      name: "whoever is enrolled is not enrolled again", standing: enrolled, event: .register,
      effects: [.told(.enrollment, .alreadyEnrolled)]),
    Transition(
      name: "nor by a login", standing: enrolled, event: .login,
      effects: [.told(.enrollment, .alreadyEnrolled)]),
    Transition(
      name: "a check-in asks for policies", standing: enrolled, event: .checkIn,
      effects: [.ask(.policy, ticket: 1)], then: .asking(.policy)),
    Transition(
      name: "a check-in does not wait for a retry", standing: enrolled,
      activity: .waiting(until: 9), event: .checkIn, effects: [.ask(.policy, ticket: 1)],
      then: .asking(.policy)),
    Transition(name: "a stranger does not check in", event: .checkIn),
    Transition(
      name: "nor one who waits", standing: .registered, activity: .waiting(until: 9),
      event: .checkIn),
    Transition(
      name: "silent remediation registers", event: .remediate(isSilent: true),
      effects: [.signIn, .ask(.enrollment, ticket: 1)], after: .registered,
      then: .asking(.enrollment)),
    Transition(
      name: "remediation logs in", event: .remediate(isSilent: false),
      effects: [.ask(.login, ticket: 1)], then: .asking(.login)),
    Transition(
      name: "remediation does not wait for a retry", standing: .registered,
      activity: .waiting(until: 9), event: .remediate(isSilent: true),
      effects: [.ask(.enrollment, ticket: 1)], then: .asking(.enrollment)),
    Transition(
      name: "remediation of the enrolled asks for policies", standing: enrolled,
      event: .remediate(isSilent: true), effects: [.ask(.policy, ticket: 1)],
      then: .asking(.policy)),
    Transition(
      name: "an answer to nothing counts for nothing", standing: .registered,
      activity: .waiting(until: 9),
      event: .answered(.policies(revision: "a", needsRestart: false), ticket: 0)),
    Transition(
      name: "the first policy applies after a restart", standing: .registered,
      activity: .restarting(.enrollment, revision: "a"), event: .started,
      effects: [.apply(revision: "a"), .told(.enrollment, .newPoliciesReceived)],
      after: enrolled, then: .idle),
    Transition(
      name: "any other start is none of its business", standing: enrolled, event: .started),
    Transition(
      name: "another policy is pushed", standing: enrolled, event: .pushed(revision: "b"),
      effects: [.apply(revision: "b"), .told(.policy, .newPoliciesReceived)],
      after: .enrolled(revision: "b")),
    Transition(
      name: "the same is not", standing: enrolled, event: .pushed(revision: "a")),
    Transition(
      name: "the last policy is taken back", standing: enrolled, event: .pushed(revision: nil),
      effects: [.apply(revision: nil), .told(.policy, .noPolicyReceived)],
      after: .enrolled(revision: nil)),
    Transition(
      name: "a configuration stays where the last policy is taken back",
      standing: .enrolled(revision: policyAndConfiguration), event: .pushed(revision: alone),
      effects: [.apply(revision: alone), .told(.policy, .newPoliciesReceived)],
      after: .enrolled(revision: alone)),
    Transition(
      name: "the last configuration is taken back", standing: .enrolled(revision: alone),
      event: .pushed(revision: nil),
      effects: [.apply(revision: nil), .told(.policy, .noPolicyReceived)],
      after: .enrolled(revision: nil)),
    Transition(
      name: "the first policy that is pushed waits for a restart",
      standing: .enrolled(revision: alone), event: .pushed(revision: "a", needsRestart: true),
      effects: [.restartApp], then: .restarting(.policy, revision: "a")),
    Transition(
      name: "and applies after it", standing: .enrolled(revision: alone),
      activity: .restarting(.policy, revision: "a"), event: .started,
      effects: [.apply(revision: "a"), .told(.policy, .newPoliciesReceived)],
      after: enrolled, then: .idle),
    Transition(
      name: "whoever waits hears of no policy", standing: .registered,
      activity: .waiting(until: 9), event: .pushed(revision: "a")),
    Transition(
      name: "a wipe is ordered", standing: enrolled, event: .wipeOrdered,
      effects: [.wipe(.service)], then: .wiping(.service)),
    Transition(
      name: "and ends", standing: enrolled, activity: .wiping(.service), event: .removed,
      effects: [.told(.policy, .wipeReceived)], after: .unregistered, then: .idle),
    Transition(
      name: "unenrolling leaves the data", standing: enrolled, event: .unenroll(wipes: false),
      effects: [.remove, .told(.unenrollment, .unenrollmentSuccess)], after: .unregistered),
    Transition(
      name: "or wipes it", standing: enrolled, event: .unenroll(wipes: true),
      effects: [.wipe(.unenrollment)], then: .wiping(.unenrollment)),
    Transition(
      name: "and tells when that is done", standing: enrolled, activity: .wiping(.unenrollment),
      event: .removed, effects: [.told(.unenrollment, .unenrollmentSuccess)],
      after: .unregistered, then: .idle),
    Transition(
      name: "a sign-out is told by itself", standing: enrolled, event: .removed,
      after: .unregistered),
    Transition(
      name: "unenrolling ends the retries", standing: .registered, activity: .waiting(until: 9),
      event: .unenroll(wipes: false),
      effects: [.remove, .told(.unenrollment, .appNotEnrolled)], after: .unregistered,
      then: .idle),
    Transition(
      name: "a retry is not due before its time", standing: .registered,
      activity: .waiting(until: 1), event: .due),
    Transition(
      name: "and is at its time", standing: .registered, activity: .waiting(until: 0), event: .due,
      effects: [.ask(.enrollment, ticket: 1)], then: .asking(.enrollment)),
    Transition(
      name: "the enrolled ask again for policies", standing: enrolled,
      activity: .waiting(until: 0), event: .due, effects: [.ask(.policy, ticket: 1)],
      then: .asking(.policy)),
    Transition(
      name: "an enrollment outlives the device", standing: .registered,
      activity: .asking(.enrollment), event: .recovered,
      effects: [.ask(.enrollment, ticket: 1)], then: .asking(.enrollment)),
    Transition(
      name: "a question to the user does not", activity: .asking(.login), event: .recovered,
      then: .idle),
  ]

  @Test(arguments: table)
  func `one event leads to its effects and its state`(transition: Transition) {
    var enrollment = AccountEnrollment(transition.standing, transition.activity)
    #expect(enrollment.handle(transition.event, at: 0) == transition.effects)
    #expect(enrollment.standing == transition.after ?? transition.standing)
    #expect(enrollment.activity == transition.then ?? transition.activity)
  }

  /// Every standing with every activity that it can have, and whether a wipe is under way.
  private static let situations: [(AccountEnrollment, isWiping: Bool)] =
    [AccountEnrollment.Standing.unregistered, .registered, .enrolled(revision: "a")].flatMap {
      standing in
      [
        (AccountEnrollment.Activity.idle, false), (.asking(.login), false),
        (.asking(.enrollment), false), (.waiting(until: 9), false),
        (.restarting(.enrollment, revision: "a"), false), (.wiping(.service), true),
      ].map { (AccountEnrollment(standing, $0.0), $0.1) }
    }

  @Test func `a call is ignored if and only if it has no effect`() {
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

  // MARK: contact

  private static let answers: [ServiceAnswer] =
    [.policies(revision: "a", needsRestart: false), .notTargeted, .wipe]
    + EnrollmentStatus.allCases.filter { !$0.isSuccess }.map { .failure($0) }

  @Test(arguments: answers)
  func `contact is an answer that the header calls a success`(answer: ServiceAnswer) {
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

  @Test func `an account that is not targeted was not in contact`() {
    var machine = Machine()
    machine.handle(.register)
    #expect(machine.answer(.notTargeted) == [.told(.enrollment, .licensedNotTargeted)])
    #expect(machine.enrollment.contact.last == nil)
  }

  @Test func `an account that signed in without the service checks in at once`() {
    var machine = Machine(AccountEnrollment(.enrolled(revision: "a")))
    #expect(machine.handle(.due) == [.ask(.policy, ticket: 1)])
  }

  @Test func `an enrollment that succeeds applies its policies`() {
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
  }

  @Test func `the first policy waits for the app to start anew, once`() {
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

  @Test func `a configuration alone enrolls the account, and protects nothing`() throws {
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

  @Test func `who gives up on a login is not registered`() {
    var machine = Machine()
    machine.handle(.login)
    #expect(
      machine.answer(.failure(.loginCanceled)) == [.told(.enrollment, .loginCanceled)])
    #expect(machine.enrollment == AccountEnrollment(after: machine))
    #expect(!machine.enrollment.isRegistered && machine.enrollment.nextDue == nil)
  }

  @Test func `who logs in and fails is registered, and tried again`() {
    var machine = Machine()
    machine.handle(.login)
    #expect(
      machine.answer(.failure(.accountNotLicensed)) == [
        .signIn, .told(.enrollment, .accountNotLicensed),
      ])
    #expect(machine.enrollment.nextDue == 12 * 3600)
  }

  @Test func `a second managed account is taken from the app`() {
    var machine = Machine()
    machine.handle(.register)
    #expect(
      machine.answer(.failure(.singleManagedAccountMode)) == [
        .remove, .told(.enrollment, .singleManagedAccountMode),
      ])
    #expect(!machine.enrollment.isRegistered && machine.enrollment.nextDue == nil)
  }

  @Test(arguments: EnrollmentStatus.allCases.filter { !$0.isSuccess })
  func `every failure of a policy request leaves the policy in force`(status: EnrollmentStatus) {
    var machine = Machine(AccountEnrollment(.enrolled(revision: "a")))
    machine.handle(.checkIn)
    #expect(machine.answer(.failure(status)) == [.told(.policy, status)])
    #expect(machine.enrollment.appliesPolicy)
    #expect(machine.enrollment.nextDue != nil)
  }
}

extension AccountEnrollment {
  /// Nobody, after the same number of requests.
  fileprivate init(after machine: Machine) {
    self = machine.enrollment
    #expect(standing == .unregistered && activity == .idle)
  }
}
