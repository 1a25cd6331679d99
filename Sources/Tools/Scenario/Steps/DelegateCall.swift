extension Action {
  /// A request of the SDK to an app, on the SDK's own initiative.
  public struct DelegateCall: StepDetail {
    /// The requested action.
    public enum Kind: String, Sendable, CaseIterable {
      case add, block
    }

    public var guest: String
    public var kind: Kind
    /// The name of an account of the scenario.
    public var account: String
  }
}

extension Action.DelegateCall {
  public var actingGuest: String? { guest }

  public var text: String { "the SDK asks \(guest) to \(kind.rawValue) \(account)" }
}

extension Action.DelegateCall {
  static let step = StepRow(
    "Let the SDK ask an app to add or to block an account",
    .mapping(MappingRow("askApp", Key.self)),
    example: #"{"app": "mail", "to": "add", "account": "anna"}"#,
    [
      "`askApp: { app, to, account }`": "let the SDK ask an app `to` `add` or to `block` an account"
    ], expects: [.accepted, .identity, .managed]
  ) { (value, names) throws(Mistake) in .delegate(try Action.DelegateCall(value, names)) }

  enum Key: String, MappingKey {
    case app, to, account

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .to: .required(.word(of: Action.DelegateCall.Kind.self), "What the SDK asks for")
      case .account: .account
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a question of the SDK")
    self.init(
      guest: try names.guest(fields.required(.app)), kind: try fields.required(.to).word(),
      account: try names.account(fields.required(.account)))
  }
}
