extension Action {
  /// A change of an account's UPN.
  public struct Renaming: StepDetail {
    /// The name of an account of the scenario.
    public var account: String
    public var upn: String
  }
}

extension Action.Renaming {
  public var text: String { "\(account) is renamed to `\(upn)`" }
}

extension Action.Renaming {
  static let step = StepRow(
    "Give an account with an object id another UPN",
    .mapping(MappingRow("rename", Key.self)),
    example: #"{"account": "anna", "upn": "anna.smith@contoso.com"}"#,
    [
      "`rename: { account, upn }`":
        "give an account with an object id another UPN; the scenario goes on calling it by its name"
    ]
  ) { (value, names) throws(Mistake) in .rename(try Action.Renaming(value, names)) }

  enum Key: String, MappingKey {
    case account, upn

    var row: KeyRow {
      switch self {
      case .account: .account
      case .upn: .required(.name(matching: #"@"#), "The new user principal name")
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a renaming")
    let upn = try fields.required(.upn)
    guard Name.isUPN(try upn.text()) else {
      throw upn.mistake(.invalidValue, "`\(try upn.text())` is no UPN, such as `anna@contoso.com`")
    }
    self.init(account: try names.account(fields.required(.account)), upn: try upn.text())
  }
}
