extension Action {
  /// All app configurations of an account from now on.
  public struct ConfigurationAssignment: StepDetail {
    /// The name of an account of the scenario.
    public var account: String
    /// The names of configurations of the scenario; none: the account has none.
    public var configurations: [String]
  }
}

extension Action.ConfigurationAssignment {
  public var text: String {
    configurations.isEmpty
      ? "\(account) has no app configuration any more"
      : "\(account) gets \(configurations.joined(separator: ", ")) as app configuration"
  }
}

extension Action.ConfigurationAssignment {
  static let step = StepRow(
    "The app configurations of an account from now on, all of them",
    .mapping(MappingRow("assignConfiguration", Key.self)),
    example: #"{"account": "anna", "configuration": "limits"}"#,
    [
      "`assignConfiguration: { account, configuration }`":
        "target an app configuration, or a list of them, at an account, in place of all that were; without `configuration` it has none. Where its own `assign` names apps, those are meant"
    ]
  ) { (value, names) throws(Mistake) in
    .assignConfiguration(try Action.ConfigurationAssignment(value, names))
  }

  enum Key: String, MappingKey {
    case account, configuration

    var row: KeyRow {
      switch self {
      case .account: .required(.name, "The account")
      case .configuration:
        .optional(
          .init(
            json:
              #""anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]"#
          ), "Names of configurations; left out: none")
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "an assignment of configurations")
    var configurations: [String] = []
    for element in try fields[.configuration]?.oneOrMore() ?? [] {
      configurations.append(try names.configuration(element))
    }
    self.init(
      account: try names.account(fields.required(.account)), configurations: configurations)
  }
}
