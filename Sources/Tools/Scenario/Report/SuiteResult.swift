/// What the cases of one scenario file came to.
public struct SuiteResult: Sendable, Equatable {
  /// The file as the user named it; nil where the journal alone is known.
  public var file: String?
  public var name: String
  /// In the order in which they began.
  public var cases: [CaseResult]

  public init(file: String?, name: String, cases: [CaseResult] = []) {
    self.file = file
    self.name = name
    self.cases = cases
  }

  public func count(of outcome: CaseOutcome) -> Int { cases.count { $0.outcome == outcome } }
}
