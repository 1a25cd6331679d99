internal import Scenario

/// What came of criteria.
package struct CriteriaCertificate: Sendable {
  /// In the order of the criteria.
  package var entries: [Entry]
  /// Identifier of the bundle that it is for; nil: for the simulator's own apps.
  package var bundle: String?
  /// Of real time, from reading the scenarios to the last result.
  package var duration: Duration

  /// What came of one criterion.
  package struct Entry: Sendable {
    package var criterion: Criterion
    package var checks: [Check] = []

    init(_ criterion: Criterion) { self.criterion = criterion }

    package var verdict: Verdict {
      let ran = checks.filter { $0.misfit == nil }
      if checks.isEmpty { return .notCovered }
      if ran.isEmpty { return .notRun }
      return ran.allSatisfy(\.isPassed) ? .passed : .failed
    }

    /// Of real time, all checks together.
    package var duration: Duration { checks.reduce(.zero) { $0 + $1.duration } }

    /// Why checks could not run, each reason once.
    package var misfits: [String] {
      checks.compactMap(\.misfit).reduce(into: []) { reasons, why in
        if !reasons.contains(why) { reasons.append(why) }
      }
    }
  }

  package enum Verdict: String, Sendable, CaseIterable {
    case passed, failed
    /// The app or this installation lacks what it takes.
    case notRun = "not run"
    /// No scenario shows it.
    case notCovered = "not covered"
  }

  /// One case, or the walk.
  package struct Check: Sendable {
    private let kind: Kind
    let duration: Duration

    enum Kind: Sendable {
      case ran(Report, file: String)
      case walked(WalkReport)
      case misfit(String)
    }

    init(_ kind: Kind, duration: Duration) {
      self.kind = kind
      self.duration = duration
    }

    /// nil where it ran.
    var misfit: String? { if case .misfit(let why) = kind { why } else { nil } }

    var isPassed: Bool {
      switch kind {
      case .ran(let report, _): report.isPassed
      case .walked(let report): report.failure == nil
      case .misfit: false
      }
    }

    /// What was checked, such as the name of a case; nil where nothing was.
    var title: String? {
      switch kind {
      case .ran(let report, _): report.suites.first?.cases.first?.name
      case .walked(let report): "a random walk of \(report.steps) steps"
      case .misfit: nil
      }
    }

    /// The scenario file; nil where there is none.
    var file: String? { if case .ran(_, let file) = kind { file } else { nil } }

    /// One sentence for each thing that did not hold.
    var complaints: [String] {
      switch kind {
      case .ran(let report, _): report.complaints
      case .walked(let report): report.failure.map { ["\($0.invariant): \($0.sentence)"] } ?? []
      case .misfit: []
      }
    }
  }

  package func count(of verdict: Verdict) -> Int { entries.count { $0.verdict == verdict } }

  /// Whether something was checked, and all of it held.
  package var holds: Bool { count(of: .failed) == 0 && count(of: .passed) > 0 }
}
