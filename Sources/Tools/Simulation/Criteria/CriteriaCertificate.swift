package import Scenario

/// The results of criteria.
package struct CriteriaCertificate: Sendable {
  /// The entries, in the order of the criteria.
  package var entries: [Entry]
  /// The bundle id of the app under test; nil: the simulator's own apps.
  package var bundle: String?
  /// The real time from reading the scenarios to the last result.
  package var duration: Duration

  /// The results of criteria.
  ///
  /// - Parameters:
  ///   - bundle: the bundle id of the app under test; nil: the simulator's own apps.
  ///   - checks: what was checked, each with the id of its criterion.
  package init(
    of criteria: [Criterion], for bundle: String?, _ checks: [(criterion: String, check: Check)],
    duration: Duration
  ) {
    entries = criteria.map { Entry($0, isForStandIn: bundle != nil) }
    self.bundle = bundle
    self.duration = duration
    for (criterion, check) in checks {
      guard let index = entries.firstIndex(where: { $0.criterion.id == criterion }) else {
        continue
      }
      entries[index].checks.append(check)
    }
  }

  /// The result of one criterion.
  package struct Entry: Sendable {
    package var criterion: Criterion
    package var checks: [Check] = []
    /// The part of the criterion that no case can show of this app; nil: none.
    private let beyond: String?

    /// Creates the entry of a criterion that nothing has been checked of.
    ///
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

    /// The real time of all checks together.
    package var duration: Duration { checks.reduce(.zero) { $0 + $1.duration } }

    /// The parts that were not tried, each once, in the words of the reason.
    package var untried: [String] {
      let misfits = checks.compactMap(\.misfit).reduce(into: [String]()) { reasons, why in
        if !reasons.contains(why) { reasons.append(why) }
      }
      let hasRun = checks.contains { $0.misfit == nil && !$0.isAboutBundle }
      return misfits + (hasRun ? [beyond].compactMap(\.self) : [])
    }
  }

  /// The verdict on a criterion.
  package enum Verdict: String, Sendable, CaseIterable {
    case passed, failed
    /// The app or this installation lacks what the criterion takes.
    case notRun = "not run"
    /// No scenario shows the criterion.
    case notCovered = "not covered"
  }

  /// The result of one case, of the walk, or of a look at the bundle.
  package struct Check: Sendable {
    package let kind: Kind
    package let duration: Duration

    package enum Kind: Sendable {
      case ran(Report, CaseRecording, file: String)
      case walked(WalkReport)
      case misfit(String)
      case fault(String)

      /// The run of a case of a scenario's file.
      package static func ran(_ recording: CaseRecording, of file: String) -> Kind {
        var builder = ReportBuilder()
        builder.add(recording, file: file)
        return .ran(builder.report, recording, file: file)
      }
    }

    package init(_ kind: Kind, duration: Duration) {
      self.kind = kind
      self.duration = duration
    }

    /// The reason why the case did not run; nil for other checks.
    var misfit: String? { if case .misfit(let why) = kind { why } else { nil } }

    /// Whether the check is a fault of the bundle, found without a run.
    var isAboutBundle: Bool { if case .fault = kind { true } else { false } }

    var isPassed: Bool {
      switch kind {
      case .ran(let report, _, _): report.isPassed
      case .walked(let report): report.failure == nil
      case .misfit, .fault: false
      }
    }

    /// The name of the check, such as that of a case; nil where nothing was checked.
    package var title: String? {
      switch kind {
      case .ran(let report, _, _): report.suites.first?.cases.first?.name
      case .walked(let report): "a random walk of \(report.steps) steps"
      case .misfit: nil
      case .fault: "the bundle"
      }
    }

    /// The recording of the case; nil where none ran.
    package var recording: CaseRecording? {
      if case .ran(_, let recording, _) = kind { recording } else { nil }
    }

    /// The scenario file; nil where there is none.
    package var file: String? { if case .ran(_, _, let file) = kind { file } else { nil } }

    /// One sentence for each expectation that was not met.
    var complaints: [String] {
      switch kind {
      case .ran(let report, _, _): report.complaints
      case .walked(let report): report.failure.map { ["\($0.invariant): \($0.sentence)"] } ?? []
      case .misfit: []
      case .fault(let sentence): [sentence]
      }
    }

    /// All events, line by line.
    var details: [String] {
      switch kind {
      case .ran(let report, _, _):
        report.suites.flatMap(\.cases).flatMap(\.steps).flatMap(\.report)
      case .walked, .misfit: []
      case .fault(let sentence): [sentence]
      }
    }
  }

  /// The part of somebody's own app that no criterion tries, and the reason; nil for the simulator's own apps.
  package var general: String? {
    bundle.map { "`\($0)`'s own program: the ready-made guest does what the steps say" }
  }

  /// The number of criteria with a verdict.
  package func count(of verdict: Verdict) -> Int { entries.count { $0.verdict == verdict } }

  /// Whether something was checked, and every check passed.
  package var holds: Bool { count(of: .failed) == 0 && count(of: .passed) > 0 }
}
