/// The results of scenarios. Made of journal events alone, so that a report cannot disagree with the journal.
public struct Report: Sendable, Equatable {
  public var suites: [SuiteResult]
  /// What was not read of the scenarios' policies, a sentence each.
  public var notices: [String] = []

  /// Creates a report of suites.
  public init(suites: [SuiteResult]) {
    self.suites = suites
  }

  /// Whether every case that ran passed. True for a report without cases.
  public var isPassed: Bool { suites.allSatisfy(\.isPassed) }

  /// The number of cases with an outcome.
  public func count(of outcome: CaseOutcome) -> Int {
    suites.reduce(0) { $0 + $1.count(of: outcome) }
  }

  /// The number of cases that passed without an expectation.
  public var countWithoutExpectations: Int {
    suites.reduce(0) { $0 + $1.cases.count(where: \.expectsNothing) }
  }

  /// Adds a case that was left out.
  ///
  /// - Parameters:
  ///   - suite: the name of its scenario, whose file is `file`.
  ///   - why: the missing program, in a clause.
  public mutating func add(
    notRun name: String, criterion: String?, of suite: String, in file: String, because why: String
  ) {
    var result = CaseResult(name: name, criterion: criterion)
    result.reasonNotRun = why
    if let index = suites.firstIndex(where: { $0.name == suite && $0.file == file }) {
      suites[index].cases.append(result)
    } else {
      suites.append(SuiteResult(file: file, name: suite, cases: [result]))
    }
  }

  /// Cites warnings about a scenario's files in those of its cases that did not pass.
  public mutating func cite(_ warnings: [String], of file: String) {
    for suite in suites.indices where suites[suite].file == file {
      for index in suites[suite].cases.indices {
        switch suites[suite].cases[index].outcome {
        case .failed, .errored: suites[suite].cases[index].warnings = warnings
        case .passed, .notRun: continue
        }
      }
    }
  }
}
