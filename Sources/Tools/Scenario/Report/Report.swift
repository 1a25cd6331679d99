/// The results of scenarios. Made of journal events alone, so that a report cannot disagree with the journal.
public struct Report: Sendable, Equatable {
  public var suites: [SuiteResult]

  /// Creates a report of suites.
  public init(suites: [SuiteResult]) {
    self.suites = suites
  }

  /// Whether every case passed. True for a report without cases.
  public var isPassed: Bool { suites.allSatisfy { $0.count(of: .passed) == $0.cases.count } }

  /// The number of cases with an outcome.
  public func count(of outcome: CaseOutcome) -> Int {
    suites.reduce(0) { $0 + $1.count(of: outcome) }
  }
}
