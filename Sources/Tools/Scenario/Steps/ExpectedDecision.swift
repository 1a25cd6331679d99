public import Model

extension Action {
  /// A decision on a request that an app made by itself, or will make. A property that is nil matches any value.
  public struct ExpectedDecision: Sendable, Equatable {
    /// The name of the guest, or of the extension, that asks.
    public var guest: String
    public var operation: Operation?
    /// The name of the guest at the other end, or a bundle id.
    public var other: String?
    public var outcome: Outcome?
    /// The rule that decided.
    public var deciding: Rule?

    /// Creates an expected decision.
    public init(
      guest: String, operation: Operation? = nil, other: String? = nil, outcome: Outcome? = nil,
      deciding: Rule? = nil
    ) {
      self.guest = guest
      self.operation = operation
      self.other = other
      self.outcome = outcome
      self.deciding = deciding
    }
  }
}

extension Action.ExpectedDecision {
  /// The decision in a phrase, such as ``share of mail with notes, blocked by sendNone``.
  public var words: String {
    let what = "\(operation?.rawValue ?? "a request") of \(guest)"
    let whom = other.map { " with \($0)" } ?? ""
    let how = [outcome?.rawValue, deciding.map { "by \($0.rawValue)" }].compactMap(\.self)
    return what + whom + (how.isEmpty ? "" : ", " + how.joined(separator: " "))
  }

  /// The decision as the value of `decided`, in one line of YAML.
  package var flowText: String {
    let values: [(key: Key, value: String?)] = [
      (.app, guest), (.request, operation?.rawValue), (.with, other),
      (.verdict, outcome?.rawValue), (.decidedBy, deciding?.rawValue),
    ]
    let members = values.compactMap { key, value in
      value.map { "\(key.rawValue): \(YAMLScalar.text($0))" }
    }
    return "{ " + members.joined(separator: ", ") + " }"
  }
}

extension Action.ExpectedDecision {
  static let mapping = MappingRow(
    "expectedDecision", Key.self,
    "A decision on a request that an app with a program of its own made by itself since the case began, not for a step, and that no step has waited for before"
  )

  enum Key: String, MappingKey {
    case app, request, with, verdict, decidedBy

    var row: KeyRow {
      switch self {
      case .app: .required(.name, "Name of the guest that asks, or of an extension")
      case .request:
        .optional(
          .word(of: Operation.self), "What it asks for, as the journal calls it. Default: any")
      case .with:
        .optional(.name, "Name of the guest at the other end, or a bundle id. Default: any")
      case .verdict: .optional(.word(of: Outcome.self), "What the verdict comes to. Default: any")
      case .decidedBy: .optional(.reference("rule"), "The rule that decided. Default: any")
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a decision to wait for")
    self.init(
      guest: try names.guest(fields.required(.app)), operation: try fields[.request]?.word(),
      other: try fields[.with].map(names.destination), outcome: try fields[.verdict]?.word(),
      deciding: try fields[.decidedBy]?.word())
  }
}
