extension Action {
  /// A change to the status of an account in its directory.
  public struct AccountStatus: StepDetail {
    /// The name of an account of the scenario.
    public var account: String
    /// Whether the account is disabled; nil leaves it as it is.
    public var isDisabled: Bool?
    /// Whether the account's user is not at work; nil leaves it as it is.
    public var isClockedOut: Bool?
  }
}

extension Action.AccountStatus {
  public var text: String {
    var parts: [String] = []
    if let isDisabled { parts.append(isDisabled ? "disabled" : "enabled") }
    if let isClockedOut { parts.append(isClockedOut ? "clocked out" : "clocked in") }
    return "\(account) is \(parts.joined(separator: ", "))"
  }
}

extension Action.AccountStatus {
  static let step = StepRow(
    "Set an account's status in its directory",
    .mapping(MappingRow("accountStatus", Key.self, where: #""minProperties": 2"#)),
    example: #"{"account": "anna", "disabled": true}"#,
    [
      "`accountStatus: { account, disabled, clockedOut }`":
        "say of an account what its directory says; one of the two will do"
    ]
  ) { (value, names) throws(Mistake) in .status(try Action.AccountStatus(value, names)) }

  enum Key: String, MappingKey {
    case account, disabled, clockedOut

    var row: KeyRow {
      switch self {
      case .account: .account
      case .disabled: .optional(.flag, "Whether the account is disabled")
      case .clockedOut: .optional(.flag, "Whether its user is not at work now")
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "the status of an account")
    self.init(
      account: try names.account(fields.required(.account)),
      isDisabled: try fields[.disabled]?.bool(), isClockedOut: try fields[.clockedOut]?.bool())
    guard isDisabled != nil || isClockedOut != nil else {
      throw value.mistake(.missingKey, "`accountStatus` needs `disabled` or `clockedOut`")
    }
  }
}
