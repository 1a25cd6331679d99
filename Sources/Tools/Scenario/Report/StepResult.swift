public import JSON
public import Model

/// What one step came to.
public struct StepResult: Sendable, Equatable {
  /// Counts from 1 within the case.
  public var number: Int
  public var text: String
  /// Where it stands in the scenario's file; nil: in none.
  public var position: Position?
  /// What was asked of the device while the step ran, in that order.
  public var requests: [RequestResult]
  public var expectations: [Comparison]
  /// Why the step could not be carried out; empty where it was.
  public var failures: [String]
  /// What else happened while the step ran: guests that ended, identity switches, ignored claims. One
  /// sentence each.
  public var notes: [String]

  public init(
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

/// A request, its decision, and how it ended.
public struct RequestResult: Sendable, Equatable {
  public var decision: RequestDecision
  /// nil: the journal does not say.
  public var end: RequestEnd?
  public var detail: String?
  /// The text that an extension handed back; nil where it is none, or did not arrive.
  public var returned: String?

  public init(decision: RequestDecision, end: RequestEnd? = nil, detail: String? = nil) {
    self.decision = decision
    self.end = end
    self.detail = detail
  }
}
