extension Action {
  /// A request of an app to make an account compliant with conditional access.
  public struct Remediation: StepDetail {
    public var guest: String
    /// The name of an account of the scenario.
    public var account: String
    /// Whether the user may not be asked for anything.
    public var isSilent: Bool
  }
}

extension Action.Remediation {
  public var actingGuest: String? { guest }

  public var enrolledAccount: String? { account }

  public var text: String { "\(guest) remediates \(account)\(isSilent ? " silently" : "")" }
}

extension Action.Remediation {
  static let step = StepRow(
    "Make an account compliant with conditional access",
    .mapping(MappingRow("remediate", Key.self)),
    example: #"{"app": "mail", "account": "anna"}"#,
    [
      "`remediate: { app, account, silent }`": "make the account compliant with conditional access"
    ], expects: .enrollment
  ) { (value, names) throws(Mistake) in .remediate(try Action.Remediation(value, names)) }

  enum Key: String, MappingKey {
    case app, account, silent

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .account: .account
      case .silent:
        .optional(.flag, "Whether the user may not be asked for anything. Default: false")
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a remediation")
    self.init(
      guest: try names.guest(fields.required(.app)),
      account: try names.account(fields.required(.account)),
      isSilent: try fields[.silent]?.bool() ?? false)
  }
}
