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
    /// What no case can show of this app; nil: nothing.
    private let beyond: String?

    /// - Parameter isForStandIn: whether a guest stands for somebody's own app.
    init(_ criterion: Criterion, isForStandIn: Bool) {
      self.criterion = criterion
      beyond = isForStandIn ? criterion.untried : nil
    }

    package var verdict: Verdict {
      let ran = checks.filter { $0.misfit == nil }
      if checks.isEmpty { return .notCovered }
      if ran.isEmpty { return .notRun }
      return ran.allSatisfy(\.isPassed) ? .passed : .failed
    }

    /// Of real time, all checks together.
    package var duration: Duration { checks.reduce(.zero) { $0 + $1.duration } }

    /// What was not tried, and why; each once.
    package var untried: [String] {
      let misfits = checks.compactMap(\.misfit).reduce(into: [String]()) { reasons, why in
        if !reasons.contains(why) { reasons.append(why) }
      }
      let hasRun = checks.contains { $0.misfit == nil && !$0.isAboutBundle }
      return misfits + (hasRun ? [beyond].compactMap(\.self) : [])
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
      case fault(String)
    }

    init(_ kind: Kind, duration: Duration) {
      self.kind = kind
      self.duration = duration
    }

    /// nil where it ran.
    var misfit: String? { if case .misfit(let why) = kind { why } else { nil } }

    /// Whether it was found without a run.
    var isAboutBundle: Bool { if case .fault = kind { true } else { false } }

    var isPassed: Bool {
      switch kind {
      case .ran(let report, _): report.isPassed
      case .walked(let report): report.failure == nil
      case .misfit, .fault: false
      }
    }

    /// What was checked, such as the name of a case; nil where nothing was.
    var title: String? {
      switch kind {
      case .ran(let report, _): report.suites.first?.cases.first?.name
      case .walked(let report): "a random walk of \(report.steps) steps"
      case .misfit: nil
      case .fault: "the bundle"
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
      case .fault(let sentence): [sentence]
      }
    }

    /// All that happened, line by line.
    var details: [String] {
      switch kind {
      case .ran(let report, _):
        report.suites.flatMap(\.cases).flatMap(\.steps).flatMap(\.report)
      case .walked, .misfit: []
      case .fault(let sentence): [sentence]
      }
    }
  }

  /// What is tried of nobody's own app, and why; nil where no such app is put to the test.
  package var general: String? {
    bundle.map { "`\($0)`'s own program: the ready-made guest does what the steps say" }
  }

  package func count(of verdict: Verdict) -> Int { entries.count { $0.verdict == verdict } }

  /// Whether something was checked, and all of it held.
  package var holds: Bool { count(of: .failed) == 0 && count(of: .passed) > 0 }
}
