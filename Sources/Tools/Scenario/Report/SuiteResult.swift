/// The results of the cases of one scenario file.
public struct SuiteResult: Sendable, Equatable {
  /// The file as the user named it; nil where the journal alone is known.
  public var file: String?
  public var name: String
  /// The cases, in the order in which they began.
  public var cases: [CaseResult]

  /// Creates the result of a scenario file.
  public init(file: String?, name: String, cases: [CaseResult] = []) {
    self.file = file
    self.name = name
    self.cases = cases
  }

  /// Whether every case that ran passed.
  public var isPassed: Bool { count(of: .passed) + count(of: .notRun) == cases.count }

  /// The number of cases with an outcome.
  public func count(of outcome: CaseOutcome) -> Int { cases.count { $0.outcome == outcome } }
}
