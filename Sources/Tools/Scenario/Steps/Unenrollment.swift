extension Action {
  /// The unenrollment of an account from an app.
  public struct Unenrollment: StepDetail {
    public var guest: String
    /// The name of an account of the scenario.
    public var account: String
    /// Whether the account's data is removed, too.
    public var wipes: Bool
  }
}

extension Action.Unenrollment {
  public var actingGuest: String? { guest }

  public var enrolledAccount: String? { account }

  public var text: String { "\(guest) unenrolls \(account)\(wipes ? " with a wipe" : "")" }
}

extension Action.Unenrollment {
  static let step = StepRow(
    "Unenroll an account from an app",
    .mapping(MappingRow("unenroll", Key.self)),
    example: #"{"app": "mail", "account": "anna", "wipe": true}"#,
    [
      "`unenroll: { app, account, wipe }`":
        "unenroll the account from the app; with `wipe: true` its data is removed as well"
    ], expects: .enrollment
  ) { (value, names) throws(Mistake) in .unenroll(try Action.Unenrollment(value, names)) }

  enum Key: String, MappingKey {
    case app, account, wipe

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .account: .account
      case .wipe: .optional(.flag, "Whether its data is removed as well. Default: false")
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "an unenrollment")
    self.init(
      guest: try names.guest(fields.required(.app)),
      account: try names.account(fields.required(.account)),
      wipes: try fields[.wipe]?.bool() ?? false)
  }
}
