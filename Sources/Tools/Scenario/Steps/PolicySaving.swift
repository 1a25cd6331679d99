extension Action {
  /// Other settings of a policy, which the administrator saves.
  public struct PolicySaving: StepDetail {
    /// The name of a policy of the scenario.
    public var policy: String
    /// The path of the file as written: relative to the scenario file.
    public var file: String
  }
}

extension Action.PolicySaving {
  public var text: String {
    "the administrator saves the policy \(policy) with the settings of `\(short(file))`"
  }
}

extension Action.PolicySaving {
  static let step = StepRow(
    "The administrator saves a policy with the settings of a file, relative to the scenario file; whom it is assigned to stays",
    .mapping(MappingRow("savePolicy", Key.self)),
    example: #"{"policy": "base", "file": "policies/stricter.json"}"#,
    [
      "`savePolicy: { policy, file }`":
        "the administrator saves a policy with the settings of a file of Graph; the accounts, and apps, that it is assigned to stay"
    ]
  ) { (value, names) throws(Mistake) in .savePolicy(try Action.PolicySaving(value, names)) }

  enum Key: String, MappingKey {
    case policy, file

    var row: KeyRow {
      switch self {
      case .policy: .required(.name, "Name of a policy")
      case .file: .required(.text, "Path of a JSON file of Graph, relative to the scenario file")
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "the saving of a policy")
    self.init(
      policy: try names.policy(fields.required(.policy)),
      file: try fields.required(.file).text())
  }
}
