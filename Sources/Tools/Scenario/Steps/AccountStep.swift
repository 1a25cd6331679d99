extension Action {
  /// An action on an account of an app.
  public struct AccountStep: StepDetail {
    /// A kind of action on an account.
    public enum Kind: Sendable {
      case signIn, signOut
      /// Remove the account with all its data from the app, as an administrator does remotely.
      case wipe
      /// Have the SDK ask whether the account's policies have changed.
      case checkIn
      /// Look at the state of the account's enrollment.
      case enrollmentState
    }

    public var kind: Kind
    /// The name of a guest.
    public var guest: String
    /// The name of an account of the scenario.
    public var account: String
  }
}

extension Action.AccountStep {
  public var actingGuest: String? { guest }

  public var enrolledAccount: String? {
    switch kind {
    case .signIn, .checkIn, .enrollmentState: account
    case .signOut, .wipe: nil
    }
  }

  public var text: String {
    switch kind {
    case .signIn: "\(guest) signs in \(account)"
    case .signOut: "\(guest) signs out \(account)"
    case .wipe: "the administrator wipes \(account) from \(guest)"
    case .checkIn: "\(guest) checks in for \(account)"
    case .enrollmentState: "\(account) in \(guest)"
    }
  }
}

extension Action.AccountStep {
  static let signIn = StepRow(
    "Sign an account in to an app",
    .mapping(mapping),
    example: #"{"app": "mail", "account": "anna"}"#,
    [
      "`signIn: { app, account }`": "sign an account in"
    ], expects: .request.subtracting([.received]).union([.state, .enrollment])
  ) { (value, names) throws(Mistake) in .account(try Action.AccountStep(.signIn, value, names)) }

  static let signOut = StepRow(
    "Sign an account out of an app",
    .mapping(mapping),
    example: #"{"app": "mail", "account": "anna"}"#,
    [
      "`signOut: { app, account }`": "sign it out"
    ], expects: .request.subtracting([.received])
  ) { (value, names) throws(Mistake) in .account(try Action.AccountStep(.signOut, value, names)) }

  static let checkIn = StepRow(
    "Have the SDK ask whether the policies of an enrolled account have changed. Of any other account the app hears 213 or 214",
    .mapping(mapping),
    example: #"{"app": "mail", "account": "anna"}"#,
    [
      "`checkIn: { app, account }`":
        "the SDK asks whether the policies of an enrolled account have changed, and the offline grace period starts again; for any other account the app hears 213 or 214"
    ], expects: [.state, .enrollment, .compliance, .identity, .managed]
  ) { (value, names) throws(Mistake) in .account(try Action.AccountStep(.checkIn, value, names)) }

  static let enrollmentState = StepRow(
    "Show the state of an account's enrollment in an app",
    .mapping(mapping),
    example: #"{"app": "mail", "account": "anna"}"#,
    [
      "`enrollmentState: { app, account }`":
        "show the state of an account's enrollment; nobody asks for anything"
    ], expects: [.state, .enrollment, .compliance, .identity, .managed]
  ) { (value, names) throws(Mistake) in
    .account(try Action.AccountStep(.enrollmentState, value, names))
  }

  private static let mapping = MappingRow("accountChange", Key.self, "An app and an account")

  enum Key: String, MappingKey {
    case app, account

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .account: .account
      }
    }
  }

  init(_ kind: Kind, _ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, kind.words)
    self.init(
      kind: kind, guest: try names.guest(fields.required(.app)),
      account: try names.account(fields.required(.account)))
  }
}

extension Action.AccountStep.Kind {
  fileprivate var words: String {
    switch self {
    case .signIn: "a sign-in"
    case .signOut: "a sign-out"
    case .wipe: "a wipe"
    case .checkIn: "a check-in"
    case .enrollmentState: "a look at an enrollment"
    }
  }
}
