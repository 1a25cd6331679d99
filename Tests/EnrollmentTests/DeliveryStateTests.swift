import Enrollment
import Model
import Testing

/// Figures of Microsoft Learn, "Understand app protection policy delivery timing", in minutes; what it does not name is
/// asked for every 24 hours, as the SDK's header says.
@Suite struct DeliveryStateTests {
  /// A row of Learn's table: what the service answers, and after how many minutes each request follows.
  struct Row: Sendable, CustomTestStringConvertible {
    var state: DeliveryState
    var answer: ServiceAnswer
    var minutes: [Int]

    var testDescription: String { state.rawValue }
  }

  static let rows = [
    Row(state: .tenantNotOnboarded, answer: .failure(.mamServiceDisabled), minutes: [1440, 1440]),
    Row(state: .userNotLicensed, answer: .failure(.accountNotLicensed), minutes: [720, 720]),
    Row(state: .userNotTargeted, answer: .notTargeted, minutes: [720, 720]),
    Row(
      state: .registered, answer: .policies(revision: "a", needsRestart: false),
      minutes: [30, 30, 30]),
    Row(
      state: .networkFailure, answer: .failure(.enrollmentEndPointNetworkFailure),
      minutes: [1, 2, 4, 8, 16, 32, 60, 60, 60]),
    Row(state: .otherFailure, answer: .failure(.internalError), minutes: [1440, 1440]),
  ]

  @Test func everyStateHasARow() {
    #expect(Set(Self.rows.map(\.state)) == Set(DeliveryState.allCases))
  }

  @Test(arguments: rows) func theNextRequestIsDueAsTheTableSays(row: Row) {
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

  @Test(arguments: EnrollmentStatus.allCases) func everyStatusIsOfAState(status: EnrollmentStatus) {
    let state = DeliveryState(after: status)
    #expect((state == .registered) == status.isSuccess)
    #expect(
      (state == .networkFailure)
        == [.enrollmentEndPointNetworkFailure, .policyEndPointNetworkFailure, .timeout]
        .contains(status))
  }

  @Test func anAnswerEndsTheGrowingOfIntervals() {
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

  static let memory = 90 * 86_400

  @Test(
    arguments: [
      (memory - 1, AccountEnrollment.Request.policy), (memory, .enrollment),
      (memory + 1, .enrollment),
    ], [AccountEnrollment.Event.due, .checkIn])
  func afterNinetyDaysWithoutACheckInTheAccountIsRegisteredAgain(
    row: (seconds: Int, request: AccountEnrollment.Request), event: AccountEnrollment.Event
  ) {
    var machine = Machine()
    machine.handle(.register)
    machine.answer(.policies(revision: "a", needsRestart: false))
    machine.advance(by: row.seconds)
    #expect(machine.handle(event) == [.ask(row.request, ticket: 2)])
    #expect(machine.enrollment.appliesPolicy)
  }

  @Test(arguments: [EnrollmentStatus.authRequired, .mamServiceDisabled, .timeout])
  func aFailureDoesNotStartTheNinetyDaysAgain(status: EnrollmentStatus) {
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
