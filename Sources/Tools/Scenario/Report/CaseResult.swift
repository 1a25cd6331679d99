import JSON
import Model

/// What the steps of one case came to.
public struct CaseResult: Sendable, Equatable {
  public var name: String
  /// The exit criterion that the case verifies; nil where it verifies none.
  public var criterion: String?
  /// In the order in which they began.
  public var steps: [StepResult]
  /// Whether the journal says that the case ended.
  public var isEnded: Bool
  /// In real time; nil where the journal alone is known.
  public var duration: Duration?
  /// What its guests wrote.
  public var output: [GuestOutput] = []

  public init(
    name: String, criterion: String? = nil, steps: [StepResult] = [], isEnded: Bool = true
  ) {
    self.name = name
    self.criterion = criterion
    self.steps = steps
    self.isEnded = isEnded
  }

  public var outcome: CaseOutcome {
    if !isEnded || steps.contains(where: { !$0.failures.isEmpty }) { return .errored }
    return steps.allSatisfy { $0.expectations.allSatisfy(\.isMet) } ? .passed : .failed
  }

  /// The criterion, if any, and the name: `SEND-1 a managed account …`.
  public var title: String { [criterion, name].compactMap(\.self).joined(separator: " ") }

  /// Each reason why the case did not pass.
  var complaints: [Complaint] {
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
    /// nil where the case ends before its first step.
    var step: StepResult?
    /// In the scenario's file; nil: nobody knows.
    var position: Position?
    /// Whether the case is errored for it, not failed.
    var isError: Bool
    var text: String

    /// `step 3: expected …`.
    var sentence: String { step.map { "step \($0.number): \(text)" } ?? text }

    /// With the place before it, and what decided the step's request behind it: `SEND.yaml:9:15: step 3: expected …`.
    ///
    /// - Parameter file: nil: nobody knows.
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
  /// `SEND.yaml:9:15`; nil where nobody knows the file.
  func place(in file: String?) -> String? { file.map { "\($0):\(line):\(column)" } }
}
