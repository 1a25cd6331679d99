internal import Model

/// A case, judged as in reports, with the places of its events among those of its journal.
public struct RecordedCase: Sendable {
  /// The name of the scenario.
  public let suite: String
  public let result: CaseResult
  /// The indices of the case's events.
  public let events: Range<Int>
  /// The index of the event with which each step begins.
  public let steps: [Int]

  /// - Parameters:
  ///   - events: from the beginning of the case up to that of the next.
  ///   - device: the name of the device that the steps are on; nil: there is one.
  init?(_ events: Range<Int>, of journal: RecordedJournal, on device: String? = nil) {
    var builder = ReportBuilder(on: device)
    builder.add(journal.events[events])
    guard let suite = builder.report.suites.first, let result = suite.cases.first else {
      return nil
    }
    let isEnd = { (index: Int) in journal.events[index].kind == .caseEnded }
    self.suite = suite.name
    self.result = result
    self.events =
      events.lowerBound..<(events.first(where: isEnd).map { $0 + 1 } ?? events.upperBound)
    steps = events.filter { index in
      if case .stepBegan = journal.events[index].kind { true } else { false }
    }
  }
}
