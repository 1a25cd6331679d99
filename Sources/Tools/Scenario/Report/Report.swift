package import Encodings
package import Model
internal import Output

/// The results of scenarios. Steps, verdicts and comparisons are derived only from journal events, so a
/// report cannot contradict the journal.
package struct Report: Sendable, Equatable {
  package var suites: [SuiteResult]
  /// Notices about unevaluated assignment conditions in the scenarios' policies.
  package var notices: [String] = []

  package init(suites: [SuiteResult]) {
    self.suites = suites
  }

  /// Whether every case that ran has passed. It is also true for a report without cases.
  package var isPassed: Bool { suites.allSatisfy(\.isPassed) }

  package func count(of outcome: CaseOutcome) -> Int {
    suites.reduce(0) { $0 + $1.count(of: outcome) }
  }

  /// The number of cases that passed without any expectation.
  package var countWithoutExpectations: Int {
    suites.reduce(0) { $0 + $1.cases.count(where: \.expectsNothing) }
  }

  /// Adds a case that was not run.
  ///
  /// - Parameters:
  ///   - suite: The name of the scenario in `file`.
  ///   - why: A clause that states which program is missing.
  package mutating func add(
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

  /// Stores the warnings about a scenario's files in the results of the scenario's failed and errored cases.
  package mutating func cite(_ warnings: [String], of file: String) {
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

// MARK: - Evidence

extension Report {
  /// Fails each passed case that depends on a rule with less support than `minimum`. Only requests in steps with
  /// expectations count.
  ///
  /// - Returns: The rules with their standings, such as `otherTenant (assumed)`, without duplicates.
  package mutating func require(_ minimum: Standing.Minimum) -> [String] {
    var found: [String] = []
    for suite in suites.indices {
      for index in suites[suite].cases.indices {
        found += suites[suite].cases[index].require(minimum)
      }
    }
    return found.unique
  }
}

extension CaseResult {
  /// Fails the case if it passed and depends on a rule with less support than `minimum`, as ``Report/require(_:)``
  /// does.
  ///
  /// - Returns: The rules with their standings.
  package mutating func require(_ minimum: Standing.Minimum) -> [String] {
    guard outcome == .passed else { return [] }
    return steps.indices.flatMap { steps[$0].require(minimum) }
  }
}

extension StepResult {
  fileprivate mutating func require(_ minimum: Standing.Minimum) -> [String] {
    guard !expectations.isEmpty else { return [] }
    let weak = requests.flatMap(\.decision.verdict.decisiveReasons)
      .filter { !$0.standing.meets(minimum) }
      .map { "\($0.rule.rawValue) (\($0.standing.text))" }.unique
    expectations += weak.map {
      Comparison(expected: "\(minimum.rawValue) rules", found: $0, isMet: false, at: position)
    }
    return weak
  }
}

// MARK: - Suites

/// The results of a scenario file's cases.
package struct SuiteResult: Sendable, Equatable {
  /// The name of the file as the user entered it; nil if only the journal is known.
  package var file: String?
  package var name: String
  /// The cases, in the order of their start.
  package var cases: [CaseResult] = []

  /// Whether every case that ran has passed.
  package var isPassed: Bool { count(of: .passed) + count(of: .notRun) == cases.count }

  package func count(of outcome: CaseOutcome) -> Int { cases.count { $0.outcome == outcome } }
}

// MARK: - Cases

package struct CaseResult: Sendable, Equatable {
  package var name: String
  /// The exit criterion that the case verifies; nil if there is none.
  package var criterion: String?
  /// The steps, in the order of their start.
  package var steps: [StepResult]
  /// Whether the journal contains the end of the case.
  package var isEnded: Bool
  /// The duration in real time; nil if only the journal is known.
  package var duration: Duration?
  package var output: [GuestOutput] = []
  /// The reason why the case was not run, as a clause; nil if it ran.
  package var reasonNotRun: String?
  /// Warnings about the scenario's files that may explain why the case did not pass, one line each.
  package var warnings: [String] = []

  package init(
    name: String, criterion: String? = nil, steps: [StepResult] = [], isEnded: Bool = true
  ) {
    self.name = name
    self.criterion = criterion
    self.steps = steps
    self.isEnded = isEnded
  }

  package var outcome: CaseOutcome {
    if reasonNotRun != nil { return .notRun }
    if !isEnded || steps.contains(where: { !$0.failures.isEmpty }) { return .errored }
    return steps.allSatisfy { $0.expectations.allSatisfy(\.isMet) } ? .passed : .failed
  }

  /// Whether the case passed without any expectation.
  package var expectsNothing: Bool {
    outcome == .passed && steps.allSatisfy(\.expectations.isEmpty)
  }

  /// The name, preceded by the criterion if there is one, such as `SEND-1 a managed account …`.
  package var title: String { [criterion, name].compactMap(\.self).joined(separator: " ") }

  var complaints: [Complaint] {
    guard reasonNotRun == nil else { return [] }
    var complaints: [Complaint] = []
    for step in steps {
      for failure in step.failures {
        complaints.append(
          Complaint(step: step, position: step.position, isError: true, text: failure))
      }
      for expectation in step.expectations where !expectation.isMet {
        complaints.append(
          Complaint(
            step: step, position: expectation.position, isError: false, text: expectation.text))
      }
    }
    if !isEnded {
      complaints.append(
        Complaint(step: steps.last, isError: true, text: "the journal ends before the case ends"))
    }
    return complaints
  }

  struct Complaint {
    /// The step to which the complaint refers; nil if the case ended before its first step.
    var step: StepResult?
    /// The complaint's position in the scenario file; nil if unknown.
    var position: Position?
    /// Whether the complaint makes the outcome `errored` instead of `failed`.
    var isError: Bool
    var text: String

    /// The complaint with its step, such as `step 3: expected …`.
    var sentence: String { step.map { "step \($0.number): \(text)" } ?? text }

    /// Returns a line with the location, the sentence, and the verdict on the step's first request, such as
    /// `SEND.yaml:9:15: step 3: expected …`.
    ///
    /// - Parameter file: The scenario file; nil if unknown.
    func line(in file: String?) -> String {
      let place = position?.place(in: file).map { "\($0): " } ?? ""
      let decision = step?.requests.first?.decision
      let cause = decision.map { decision in
        " (\(decision.operation.rawValue) \(decision.verdict.outcome.rawValue) "
          + "by \(decision.verdict.deciding.rawValue))"
      }
      return place + sentence + (cause ?? "")
    }
  }
}

extension Position {
  /// Returns the location with its file, such as `SEND.yaml:9:15`; nil if the file is unknown.
  func place(in file: String?) -> String? { file.map { "\($0):\(line):\(column)" } }
}

package enum CaseOutcome: String, Sendable, CaseIterable {
  /// Every step was performed, and every expectation was met.
  case passed
  /// An expectation was not met.
  case failed
  /// A step could not be performed, or the journal ends before the case does.
  case errored
  /// The case was not run, because this installation lacks a component that the case needs.
  case notRun

  /// The outcome as text, such as `not run`.
  package var words: String {
    switch self {
    case .passed, .failed, .errored: rawValue
    case .notRun: "not run"
    }
  }
}

// MARK: - Steps

package struct StepResult: Sendable, Equatable {
  /// The step's number within the case, from 1.
  package var number: Int
  /// The step as one line. If there are several devices, the line begins with the device's name.
  package var text: String
  /// The name of the device that performed the step; nil if there is only one device.
  package var device: String?
  /// The position in the scenario file; nil if the step is not in a file.
  package var position: Position?
  /// The requests made during the step, in order.
  package var requests: [RequestResult]
  package var expectations: [Comparison]
  /// The reasons why the step could not be performed; empty if it was.
  package var failures: [String]
  /// Sentences about other events during the step, such as guest exits, identity switches and ignored claims.
  package var notes: [String]

  package init(
    number: Int, text: String, at position: Position? = nil, requests: [RequestResult] = [],
    expectations: [Comparison] = [], failures: [String] = [], notes: [String] = []
  ) {
    self.number = number
    self.text = text
    self.position = position
    self.requests = requests
    self.expectations = expectations
    self.failures = failures
    self.notes = notes
  }

  /// Whether the step was performed and all of its expectations were met.
  package var holds: Bool { failures.isEmpty && expectations.allSatisfy(\.isMet) }

  /// The step as reports show it, in one or more lines.
  package var report: [String] { lines(.plain, in: nil) }
}

package struct RequestResult: Sendable, Equatable {
  package var decision: RequestDecision
  /// The request's end; nil if the journal does not contain it.
  package var end: RequestEnd?
  package var detail: String?
  /// The text that an extension returned; nil if it returned none or the text did not arrive.
  package var returned: String?
}

// MARK: - Complaints

extension Report {
  /// The reasons why cases did not pass, as sentences with step numbers, and the notes about these steps.
  package var complaints: [String] {
    suites.flatMap(\.cases).flatMap { result in
      let remarks = result.steps.filter { !$0.holds }.flatMap { step in
        step.notes.map { CaseResult.Complaint(step: step, isError: false, text: $0) }
      }
      return result.complaints + remarks
    }.map { oneLine($0.sentence) }
  }
}

// MARK: - Durations

extension Duration {
  /// The duration in seconds with two decimals.
  package var inSeconds: String {
    let hundredths = Int((self / .milliseconds(10)).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  package var milliseconds: Int { Int((self / .milliseconds(1)).rounded()) }
}
