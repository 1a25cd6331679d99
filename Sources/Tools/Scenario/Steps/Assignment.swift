extension Action {
  /// All policies of an account from now on.
  public struct Assignment: StepDetail {
    /// The name of an account of the scenario.
    public var account: String
    /// The names of policies of the scenario; none: the account is unmanaged.
    public var policies: [String]
  }
}

extension Action.Assignment {
  public var text: String {
    policies.isEmpty
      ? "\(account) loses its policies"
      : "\(account) gets the policy \(policies.joined(separator: " and "))"
  }
}

extension Action.Assignment {
  static let step = StepRow(
    "Target policies at an account, in place of all that were; they apply where their own targeting says",
    .mapping(MappingRow("assign", Key.self)),
    example: #"{"account": "anna", "policy": "base"}"#,
    [
      "`assign: { account, policy }`":
        "target a policy, or a list of them, at an account, in place of all that were; without `policy` the account is unmanaged"
    ]
  ) { (value, names) throws(Mistake) in .assign(try Action.Assignment(value, names)) }

  enum Key: String, MappingKey {
    case account, policy

    var row: KeyRow {
      switch self {
      case .account: .account
      case .policy:
        .optional(
          .oneOrMore(.name),
          "Name of a policy, or a list of names. Default: none, and the account is unmanaged")
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "an assignment")
    var policies: [String] = []
    for policy in try fields[.policy]?.oneOrMore() ?? [] {
      policies.append(try names.policy(policy))
    }
    self.init(account: try names.account(fields.required(.account)), policies: policies)
  }
}
