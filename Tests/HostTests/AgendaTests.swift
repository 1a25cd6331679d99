import Model
import TestSupport
import Testing

@testable import Host

/// What is to happen at certain times, against a list that is searched anew each time.
struct AgendaTests {
  private static let accounts = ["anna", "ben", "carla"].map { Account(upn: "\($0)@contoso.com") }

  /// Who it is about, in words that compare.
  private static func name(_ event: Agenda.ScheduledEvent) -> String {
    "\(event.time) \(event.guest) \(event.account.upn) \(event.ticket ?? -1)"
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `an account waits in an app for what was added last, and all is in the order of time`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var agenda = Agenda()
    var model: [Agenda.ScheduledEvent] = []
    for _ in 0..<40 {
      let event = Agenda.ScheduledEvent(
        time: Int.random(in: 0..<10, using: &random),
        guest: Bool.random(using: &random) ? "mail" : "notes",
        account: Self.accounts[Int.random(in: 0..<3, using: &random)],
        ticket: [nil, 1, 2][Int.random(in: 0..<3, using: &random)])
      agenda.add(event)
      let isKnown = model.contains { Self.name($0) == Self.name(event) }
      if !isKnown {
        model.removeAll {
          $0.guest == event.guest && $0.account.isSame(as: event.account)
        }
        model.append(event)
      }
      #expect(model.count <= 6)
    }
    for time in 0..<10 {
      let due = model.filter { $0.time == time }.map(Self.name)
      var found: [String] = []
      while let next = agenda.next(until: time) { found.append(Self.name(next)) }
      #expect(found == due)
    }
    #expect(agenda.next(until: .max) == nil)
  }
}
