internal import Encodings
public import Model

/// The outcome of an action on a phone.
public struct StepOutcome: Sendable, CustomStringConvertible {
  /// The decision on the action's first request.
  public let verdict: Verdict
  /// The way in which the request ended; nil if the action made no request.
  public let end: RequestEnd?
  /// The status that the app got from the SDK or the system; nil if the action made no request.
  public let status: Int?
  /// The text that the receiver got, or that the action read; nil if there is none.
  public let received: String?
  /// The acting identity of the receiver or, if there is no receiver, of the app: an account's name in the scenario,
  /// `unset` or `unknown`. Nil if no app is involved.
  public let identity: String?
  /// Whether the app's delegate accepted the call; nil if it was not called.
  public let isAccepted: Bool?
  /// The action as `sluice run --verbose` reports it, with every rule and the settings that would change
  /// the verdict.
  public let description: String

  init(_ result: JSONValue) {
    let observed = result["observed"]?.array?.first
    description = Self.report(result)
    verdict = Verdict(observed, explanation: description)
    end = observed?["end"]?.string.flatMap(RequestEnd.init)
    status = observed?["status"]?.int
    received = observed?["received"]?.string
    identity = observed?["identity"]?.string
    isAccepted = observed?["accepted"]?.bool
  }

  /// Returns the report of a step with a line for each failure.
  static func report(_ result: JSONValue) -> String {
    let report = result["report"]?.array?.compactMap(\.string) ?? []
    let failures = result["failures"]?.array?.compactMap(\.string) ?? []
    return (report + failures.filter { failure in !report.contains { $0.contains(failure) } })
      .joined(separator: "\n")
  }
}

/// The decision on a request. Its description contains the reasons, so a failed comparison shows them:
/// `#expect(share.verdict == .blocked)`, `XCTAssertEqual(share.verdict, .blocked)`.
public struct Verdict: Sendable, Hashable, CustomStringConvertible {
  public static let allowed = Verdict(.allowed)
  /// The receiver gets the item only in an encrypted form that it cannot read.
  public static let encrypted = Verdict(.encrypted)
  public static let blocked = Verdict(.blocked)
  /// No decision, because the action made no request.
  public static let none = Verdict(nil)

  private let outcome: Outcome?
  /// The name of the deciding rule, such as `sendManagedAppsToUnmanaged`; nil if the action made no request. Equality
  /// ignores it.
  public let rule: String?
  private let explanation: String

  private init(_ outcome: Outcome?, rule: String? = nil, explanation: String = "") {
    self.outcome = outcome
    self.rule = rule
    self.explanation = explanation
  }

  fileprivate init(_ observed: JSONValue?, explanation: String) {
    self.init(
      observed?["verdict"]?.string.flatMap(Outcome.init), rule: observed?["decidedBy"]?.string,
      explanation: explanation)
  }

  public var description: String {
    let word = outcome?.rawValue ?? "no decision"
    return explanation.isEmpty ? word : "\(word)\n\(explanation)\n"
  }

  public static func == (left: Verdict, right: Verdict) -> Bool { left.outcome == right.outcome }

  public func hash(into hasher: inout Hasher) { hasher.combine(outcome) }
}

/// The error for an action that was not carried out, for an expectation or wait that was not met, or for a device that
/// does not start.
public struct PhoneError: Error, CustomStringConvertible {
  /// The problem and the phone's report about it, in several lines.
  public let description: String

  init(_ description: String) { self.description = description }
}
