import Enrollment
import Model

/// A machine with all that it has asked and said, as a host would see it.
struct Machine {
  private(set) var enrollment: AccountEnrollment
  /// The numbers of requests that nobody has answered.
  private(set) var open: [Int] = []
  private(set) var now = 0
  private(set) var effects: [AccountEnrollment.Effect] = []

  init(_ enrollment: AccountEnrollment = AccountEnrollment()) { self.enrollment = enrollment }

  /// - Returns: what this event alone led to.
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
