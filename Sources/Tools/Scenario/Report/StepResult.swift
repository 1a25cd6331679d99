public import JSON
public import Model

/// The result of one step.
public struct StepResult: Sendable, Equatable {
  /// The number of the step within the case, from 1.
  public var number: Int
  /// The step in one line, after the name of its device where there are several.
  public var text: String
  /// The name of the device that carried it out, of several; nil: there is one.
  public var device: String?
  /// The position in the scenario's file; nil: the step stands in none.
  public var position: Position?
  /// The requests that were made of the device while the step ran, in their order.
  public var requests: [RequestResult]
  public var expectations: [Comparison]
  /// The reasons why the step could not be carried out; empty where it was.
  public var failures: [String]
  /// Other events while the step ran: guests that ended, identity switches, ignored claims. One sentence each.
  public var notes: [String]

  /// Creates the result of a step.
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

/// A request, its decision and its end.
public struct RequestResult: Sendable, Equatable {
  public var decision: RequestDecision
  /// The end of the request; nil: the journal has none.
  public var end: RequestEnd?
  public var detail: String?
  /// The text that an extension handed back; nil where there is none, or it did not arrive.
  public var returned: String?

  /// Creates the result of a request.
  public init(decision: RequestDecision, end: RequestEnd? = nil, detail: String? = nil) {
    self.decision = decision
    self.end = end
    self.detail = detail
  }
}
