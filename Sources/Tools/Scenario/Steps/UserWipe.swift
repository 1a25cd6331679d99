extension Action {
  /// A wipe of an account from every app that it is signed in to, as an administrator does with a user.
  public struct UserWipe: StepDetail {
    /// The name of an account of the scenario.
    public var account: String
  }
}

extension Action.UserWipe {
  public var text: String { "the administrator wipes \(account) from every app" }
}

extension Action.UserWipe {
  static let step = StepRow(
    "Remove an account with all its data from an app, or from every app, as an administrator does from afar",
    .mapping(MappingRow("wipe", Key.self)),
    example: #"{"app": "mail", "account": "anna"}"#,
    [
      "`wipe: { app, account }`":
        "remove an account with all its data from an app, as an administrator does from afar; without `app` from every app, of [each device](organizations.md)"
    ], expects: [.identity, .managed, .exit]
  ) { (value, names) throws(Mistake) in
    let fields = try Fields<Key>(value, "a wipe")
    let account = try names.account(fields.required(.account))
    guard let app = fields[.app] else { return .wipeUser(Action.UserWipe(account: account)) }
    return .account(
      Action.AccountStep(kind: .wipe, guest: try names.guest(app), account: account))
  }

  enum Key: String, MappingKey {
    case app, account

    var row: KeyRow {
      switch self {
      case .app:
        .optional(
          .name,
          "Name of an app or, where several guests run it, of one guest, such as `mail-2`. Default: every app"
        )
      case .account: .account
      }
    }
  }
}
