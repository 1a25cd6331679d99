extension Action {
  /// All accounts of a conditional access policy from now on.
  public struct ConditionalAccessTargeting: StepDetail {
    /// The name of a conditional access policy of the scenario.
    public var policy: String
    /// The names of accounts; none: the policy applies to no account.
    public var accounts: [String]
  }
}

extension Action.ConditionalAccessTargeting {
  public var text: String {
    let who = accounts.isEmpty ? "nobody" : accounts.joined(separator: " and ")
    return "the conditional access policy \(policy) is for \(who)"
  }
}

extension Action.ConditionalAccessTargeting {
  static let step = StepRow(
    "Target a conditional access policy, in place of all that it was for",
    .mapping(MappingRow("conditionalAccess", Key.self)),
    example: #"{"policy": "protected", "assign": ["anna"]}"#,
    [
      "`conditionalAccess: { policy, assign }`":
        "target a conditional access policy at these accounts, in place of all that it was for"
    ]
  ) { (value, names) throws(Mistake) in
    .conditionalAccess(try Action.ConditionalAccessTargeting(value, names))
  }

  enum Key: String, MappingKey {
    case policy, assign

    var row: KeyRow {
      switch self {
      case .policy: .required(.name, "Name of a conditional access policy")
      case .assign: .required(.list(of: .name), "Names of accounts; empty: nobody")
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "the targeting of conditional access")
    self.init(
      policy: try names.conditionalAccess(fields.required(.policy)),
      accounts: try names.accounts(fields.required(.assign)))
  }
}
