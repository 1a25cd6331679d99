public import Model

/// The outcome of a step, as far as expectations ask for it. What is nil did not happen.
public struct Observation: Sendable, Equatable {
  public var verdict: ExplainedVerdict?
  public var end: RequestEnd?
  /// The status code that the guest got; 0 where the operation has none.
  public var status: Int?
  /// The code of the cause why the step's guest ended.
  public var exit: String?
  public var received: String?
  /// Whether journals and reports may not show ``received``, unless it is what was expected.
  public var isReceivedSecret = false
  /// The outcome of each item that an extension handed back.
  public var returned: [Observation]
  public var identity: IdentityReference?
  public var isManaged: Bool?
  public var owner: IdentityReference?
  /// A possible reason why the owner differs from the expected one; nil: unknown.
  public var ownerRemark: String?
  public var isAccepted: Bool?
  /// The state of the account's enrollment in the app.
  public var enrollmentState: Expectation.EnrollmentState?
  public var enrollment: EnrollmentStatus?
  public var compliance: ComplianceStatus?
  public var hasToken: Bool?
  /// The values that the app has found in its configuration; nil where the step looks nothing up.
  public var values: [String]?
  public var hasConflict: Bool?
  /// Whether reports may show the values that were found.
  public var showsValues = false
  /// The destinations of the share sheet; nil where the step looks at none.
  public var sheet: [SheetLine]?

  /// Creates an observation of the properties that are not nil.
  public init(
    verdict: ExplainedVerdict? = nil, end: RequestEnd? = nil, status: Int? = nil,
    exit: String? = nil, received: String? = nil, returned: [Observation] = [],
    identity: IdentityReference? = nil, isManaged: Bool? = nil
  ) {
    self.verdict = verdict
    self.end = end
    self.status = status
    self.exit = exit
    self.received = received
    self.returned = returned
    self.identity = identity
    self.isManaged = isManaged
  }
}

extension Expectation {
  /// Compares each expected property with the observation, one comparison for each value.
  public func compare(with observation: Observation) -> [Comparison] {
    var results: [Comparison] = []
    func compare<Value: Equatable>(
      _ what: String, _ expected: Value?, _ found: Value?, _ text: (Value) -> String
    ) {
      guard let expected else { return }
      results.append(
        Comparison(
          expected: "\(what) \(text(expected))",
          found: found.map { "\(what) \(text($0))" } ?? "no \(what)",
          isMet: expected == found))
    }
    let rules = observation.verdict?.reasons.map(\.rule) ?? []
    compare("verdict", verdict, observation.verdict?.outcome, \.rawValue)
    for reason in reasons {
      let all = rules.map(\.rawValue).joined(separator: ", ")
      results.append(
        Comparison(
          expected: "reason \(reason.rawValue)",
          found: rules.isEmpty
            ? "no reason" : rules.count == 1 ? "reason \(all)" : "reasons \(all)",
          isMet: rules.contains(reason)))
    }
    compare("deciding rule", deciding, observation.verdict?.deciding, \.rawValue)
    compare("end", end, observation.end, \.rawValue)
    compare("status", status, observation.status, String.init)
    compare("exit", exit, observation.exit) { $0 }
    compare("received text", received, observation.received) {
      observation.isReceivedSecret && $0 != received ? "that is another" : Excerpt($0).words
    }
    for (index, expectation) in returned.enumerated() {
      let found = observation.returned.dropFirst(index).first ?? Observation()
      results += expectation.compare(with: found).map(\.ofReturnedItem)
    }
    compare("identity", identity, observation.identity, \.text)
    compare("identity", isManaged, observation.isManaged) { $0 ? "managed" : "unmanaged" }
    compare("owner", owner, observation.owner, \.text)
    if let remark = observation.ownerRemark, let last = results.last, owner != nil, !last.isMet {
      results[results.count - 1].found += "; \(remark)"
    }
    compare("answer", isAccepted, observation.isAccepted) { $0 ? "accepted" : "declined" }
    compare("state", enrollmentState, observation.enrollmentState, \.rawValue)
    compare("enrollment", enrollment, observation.enrollment) { "\($0.rawValue) \($0.name)" }
    compare("compliance", compliance, observation.compliance, \.name)
    compare("token", hasToken, observation.hasToken) { $0 ? "issued" : "refused" }
    compare("conflict", hasConflict, observation.hasConflict) { $0 ? "yes" : "none" }
    return results + compareLines(with: observation) + compareValues(with: observation)
      + compareSheet(with: observation)
  }
}

extension Comparison {
  fileprivate var ofReturnedItem: Comparison {
    Comparison(
      expected: "returned item: \(expected)", found: "returned item: \(found)", isMet: isMet)
  }
}
