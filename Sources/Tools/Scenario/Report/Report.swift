package import JSON
package import Model

/// The results of scenarios. Made of journal events alone, so that a report cannot disagree with the journal.
package struct Report: Sendable, Equatable {
  package var suites: [SuiteResult]
  /// What was not read of the scenarios' policies, a sentence each.
  package var notices: [String] = []

  /// Creates a report of suites.
  package init(suites: [SuiteResult]) {
    self.suites = suites
  }

  /// Whether every case that ran passed. True for a report without cases.
  package var isPassed: Bool { suites.allSatisfy(\.isPassed) }

  /// The number of cases with an outcome.
  package func count(of outcome: CaseOutcome) -> Int {
    suites.reduce(0) { $0 + $1.count(of: outcome) }
  }

  /// The number of cases that passed without an expectation.
  package var countWithoutExpectations: Int {
    suites.reduce(0) { $0 + $1.cases.count(where: \.expectsNothing) }
  }

  /// Adds a case that was left out.
  ///
  /// - Parameters:
  ///   - suite: the name of its scenario, whose file is `file`.
  ///   - why: the missing program, in a clause.
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

  /// Cites warnings about a scenario's files in those of its cases that did not pass.
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

// MARK: - Suites

/// The results of the cases of one scenario file.
package struct SuiteResult: Sendable, Equatable {
  /// The file as the user named it; nil where the journal alone is known.
  package var file: String?
  package var name: String
  /// The cases, in the order in which they began.
  package var cases: [CaseResult]

  /// Creates the result of a scenario file.
  package init(file: String?, name: String, cases: [CaseResult] = []) {
    self.file = file
    self.name = name
    self.cases = cases
  }

  /// Whether every case that ran passed.
  package var isPassed: Bool { count(of: .passed) + count(of: .notRun) == cases.count }

  /// The number of cases with an outcome.
  package func count(of outcome: CaseOutcome) -> Int { cases.count { $0.outcome == outcome } }
}

// MARK: - Cases

/// The results of the steps of one case.
package struct CaseResult: Sendable, Equatable {
  package var name: String
  /// The exit criterion that the case verifies; nil where it verifies none.
  package var criterion: String?
  /// The steps, in the order in which they began.
  package var steps: [StepResult]
  /// Whether the journal has the end of the case.
  package var isEnded: Bool
  /// The duration in real time; nil where the journal alone is known.
  package var duration: Duration?
  /// The output of the case's guests.
  package var output: [GuestOutput] = []
  /// The reason why the case was left out; nil where it ran.
  package var reasonNotRun: String?
  /// The warnings about the scenario's files, a line each: they may explain why the case did not pass.
  package var warnings: [String] = []

  /// Creates the result of a case.
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

  /// Whether the case passed without an expectation that could have failed.
  package var expectsNothing: Bool {
    outcome == .passed && steps.allSatisfy(\.expectations.isEmpty)
  }

  /// The criterion, if any, and the name, such as `SEND-1 a managed account …`.
  package var title: String { [criterion, name].compactMap(\.self).joined(separator: " ") }

  /// The reasons why the case did not pass.
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
        Complaint(step: steps.last, isError: true, text: "the journal ends within the case"))
    }
    return complaints
  }

  struct Complaint {
    /// The step of the complaint; nil where the case ends before its first step.
    var step: StepResult?
    /// The position in the scenario's file; nil: not known.
    var position: Position?
    /// Whether the complaint makes the case errored, not failed.
    var isError: Bool
    var text: String

    /// The complaint with its step, such as `step 3: expected …`.
    var sentence: String { step.map { "step \($0.number): \(text)" } ?? text }

    /// The sentence with its place before it and the verdict on the step's request after it, such as
    /// `SEND.yaml:9:15: step 3: expected …`.
    ///
    /// - Parameter file: the scenario's file; nil: not known.
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
  /// The position with its file, such as `SEND.yaml:9:15`; nil where the file is not known.
  func place(in file: String?) -> String? { file.map { "\($0):\(line):\(column)" } }
}

/// The outcome of a case.
package enum CaseOutcome: String, Sendable, CaseIterable {
  /// Every step was carried out, and every expectation held.
  case passed
  /// An expectation did not hold.
  case failed
  /// A step could not be carried out, or the journal ends before the case does.
  case errored
  /// The case was left out: this installation lacks what it needs.
  case notRun

  /// The outcome in words, such as `not run`.
  package var words: String {
    switch self {
    case .passed, .failed, .errored: rawValue
    case .notRun: "not run"
    }
  }
}

// MARK: - Steps

/// The result of one step.
package struct StepResult: Sendable, Equatable {
  /// The number of the step within the case, from 1.
  package var number: Int
  /// The step in one line, after the name of its device where there are several.
  package var text: String
  /// The name of the device that carried it out, of several; nil: there is one.
  package var device: String?
  /// The position in the scenario's file; nil: the step stands in none.
  package var position: Position?
  /// The requests that were made of the device while the step ran, in their order.
  package var requests: [RequestResult]
  package var expectations: [Comparison]
  /// The reasons why the step could not be carried out; empty where it was.
  package var failures: [String]
  /// Other events while the step ran: guests that ended, identity switches, ignored claims. One sentence each.
  package var notes: [String]

  /// Creates the result of a step.
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
}

/// A request, its decision and its end.
package struct RequestResult: Sendable, Equatable {
  package var decision: RequestDecision
  /// The end of the request; nil: the journal has none.
  package var end: RequestEnd?
  package var detail: String?
  /// The text that an extension handed back; nil where there is none, or it did not arrive.
  package var returned: String?

  /// Creates the result of a request.
  package init(decision: RequestDecision, end: RequestEnd? = nil, detail: String? = nil) {
    self.decision = decision
    self.end = end
    self.detail = detail
  }
}

extension StepResult {
  /// Whether the step was carried out, and all its expectations were met.
  package var holds: Bool { failures.isEmpty && expectations.allSatisfy(\.isMet) }

  /// The step as reports show it, one line each.
  package var report: [String] { lines(.plain, in: nil) }
}

// MARK: - Complaints

extension Report {
  /// One sentence for each reason why a case did not pass, with the number of its step, and the notes of that step.
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
  /// The duration in seconds, with two decimals.
  package var inSeconds: String {
    let hundredths = Int((self / .milliseconds(10)).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  package var milliseconds: Int { Int((self / .milliseconds(1)).rounded()) }
}
