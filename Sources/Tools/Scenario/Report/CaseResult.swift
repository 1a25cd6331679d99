import JSON
import Model

/// The results of the steps of one case.
public struct CaseResult: Sendable, Equatable {
  public var name: String
  /// The exit criterion that the case verifies; nil where it verifies none.
  public var criterion: String?
  /// The steps, in the order in which they began.
  public var steps: [StepResult]
  /// Whether the journal has the end of the case.
  public var isEnded: Bool
  /// The duration in real time; nil where the journal alone is known.
  public var duration: Duration?
  /// The output of the case's guests.
  public var output: [GuestOutput] = []
  /// The reason why the case was left out; nil where it ran.
  public var reasonNotRun: String?
  /// The warnings about the scenario's files, a line each: they may explain why the case did not pass.
  public var warnings: [String] = []

  /// Creates the result of a case.
  public init(
    name: String, criterion: String? = nil, steps: [StepResult] = [], isEnded: Bool = true
  ) {
    self.name = name
    self.criterion = criterion
    self.steps = steps
    self.isEnded = isEnded
  }

  public var outcome: CaseOutcome {
    if reasonNotRun != nil { return .notRun }
    if !isEnded || steps.contains(where: { !$0.failures.isEmpty }) { return .errored }
    return steps.allSatisfy { $0.expectations.allSatisfy(\.isMet) } ? .passed : .failed
  }

  /// Whether the case passed without an expectation that could have failed.
  public var expectsNothing: Bool {
    outcome == .passed && steps.allSatisfy(\.expectations.isEmpty)
  }

  /// The criterion, if any, and the name, such as `SEND-1 a managed account …`.
  public var title: String { [criterion, name].compactMap(\.self).joined(separator: " ") }

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
