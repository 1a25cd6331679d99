internal import Wire

extension Action {
  package struct AccountStep: GuestStep {
    package enum Kind: Sendable {
      case signIn, signOut
      /// Removes the account and all its data from the app, as a remote wipe by an administrator does.
      case wipe
      /// Makes the SDK check for changes to the account's policies.
      case checkIn
      /// Inspects the state of the account's enrollment in the app.
      case enrollmentState

      package var isSignInOrOut: Bool {
        switch self {
        case .signIn, .signOut: true
        case .wipe, .checkIn, .enrollmentState: false
        }
      }
    }

    package var kind: Kind
    package var guest: String
    package var account: String
  }
}

extension Action.AccountStep {
  package var enrolledAccount: String? {
    switch kind {
    case .signIn, .checkIn, .enrollmentState: account
    case .signOut, .wipe: nil
    }
  }

  package var text: String {
    switch kind {
    case .signIn: "\(guest) signs in \(account)"
    case .signOut: "\(guest) signs out \(account)"
    case .wipe: "the administrator wipes \(account) from \(guest)"
    case .checkIn: "\(guest) checks in for \(account)"
    case .enrollmentState: "\(account) in \(guest)"
    }
  }

  static let signIn = StepRow(
    "signIn",
    "Sign an account in to an app",
    .mapping(mapping),
    example: #"{"app": "mail", "account": "anna"}"#,
    expects: .request.subtracting([.received]).union([.state, .enrollment])
  ) { (value, names) throws(InputError) in .account(try Action.AccountStep(.signIn, value, names)) }

  static let signOut = StepRow(
    "signOut",
    "Sign an account out of an app",
    .mapping(mapping),
    example: #"{"app": "mail", "account": "anna"}"#,
    synonyms: ["logout"], expects: .request.subtracting([.received])
  ) { (value, names) throws(InputError) in .account(try Action.AccountStep(.signOut, value, names))
  }

  static let checkIn = StepRow(
    "checkIn",
    "Have the SDK check in for an enrolled account, which restarts the offline grace period. "
      + "For another account the app gets 213 or 214",
    .mapping(mapping),
    example: #"{"app": "mail", "account": "anna"}"#,
    synonyms: ["sync", "refresh", "poll"],
    expects: [.state, .enrollment, .compliance, .identity, .managed]
  ) { (value, names) throws(InputError) in .account(try Action.AccountStep(.checkIn, value, names))
  }

  static let enrollmentState = StepRow(
    "enrollmentState",
    "Read the state of an account's enrollment in an app",
    .mapping(mapping),
    example: #"{"app": "mail", "account": "anna"}"#,
    expects: [.state, .enrollment, .compliance, .identity, .managed]
  ) { (value, names) throws(InputError) in
    .account(try Action.AccountStep(.enrollmentState, value, names))
  }

  private static let mapping = MappingRow("accountChange", Key.self, "An app and an account")

  private enum Key: String, MappingKey {
    case app, account

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .account: .account
      }
    }
  }

  private init(_ kind: Kind, _ value: YAMLValue, _ names: Names) throws(InputError) {
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
    case .enrollmentState: "a query of an enrollment"
    }
  }
}

// MARK: - User wipe

extension Action {
  /// A wipe of an account from every app of the device, as when an administrator wipes a user.
  package struct UserWipe: StepDetail {
    package var account: String
  }
}

extension Action.UserWipe {
  package var concernsEachDevice: Bool { true }

  package var text: String { "the administrator wipes \(account) from every app" }

  static let step = StepRow(
    "wipe",
    "Wipe an account from an app, or from every app, as an administrator",
    .mapping(MappingRow("wipe", Key.self)),
    example: #"{"app": "mail", "account": "anna"}"#,
    synonyms: ["selectivewipe", "erase"], expects: [.identity, .managed, .exit]
  ) { (value, names) throws(InputError) in
    let fields = try Fields<Key>(value, "a wipe")
    let account = try names.account(fields.required(.account))
    guard let app = fields[.app] else { return .wipeUser(Action.UserWipe(account: account)) }
    return .account(
      Action.AccountStep(kind: .wipe, guest: try names.guest(app), account: account))
  }

  private enum Key: String, MappingKey {
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

// MARK: - Identity switch

extension Action {
  /// A switch to another identity by an app, a window or a process.
  package struct IdentitySwitch: RequestStep, GuestStep {
    package var guest: String
    package var identity: IdentityReference
    /// The window's name; `""` for the main window.
    package var window = ""
    /// Whether the switch is for the whole process, not for a single window.
    package var isOfProcess = false
    /// The names of other accounts whose data the same window shows.
    package var others: [String] = []
  }
}

extension Action.IdentitySwitch {
  package var text: String {
    let who = ([identity.text] + others).joined(separator: " and ")
    let place = isOfProcess ? " in its process" : window.isEmpty ? "" : " in window `\(window)`"
    return "\(guest) switches to \(who)\(place)"
  }

  package func request(in world: some StepWorld) -> StepRequest {
    StepRequest(
      .switchIdentity(
        SwitchIdentity(
          account: identity.accountID(world), level: isOfProcess ? .process : .window(window),
          others: others.map(world.accountID))))
  }

  static let step = StepRow(
    "switchIdentity",
    "Act for another account",
    .mapping(
      MappingRow("identitySwitch", Key.self, where: #""not": {"required": ["window", "process"]}"#)),
    example: #"{"app": "mail", "to": "anna"}"#,
    synonyms: ["switch", "switchaccount", "switchuser", "identity", "setidentity"],
    expects: .request.subtracting([.received])
  ) { (value, names) throws(InputError) in Action(try Action.IdentitySwitch(value, names)) }

  private enum Key: String, MappingKey {
    case app, to, window, process

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .to:
        .required(
          .oneOrMore(.name),
          "Name of an account, `unknown` or `unset`; or a list of accounts that one view shows",
          synonyms: ["account", "as", "identity", "user"])
      case .window: .optional(.text, "Name of the window that switches. Default: the main window")
      case .process:
        .optional(
          .flag, "Whether the process switches, not a window. Default: false")
      }
    }
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "an identity switch")
    try fields.rejectConflict(.process, with: .window)
    let targets = try fields.required(.to).oneOrMore()
    guard let first = targets.first else {
      throw value.mistake(.missingKey, "`to` names no identity")
    }
    self.init(
      guest: try names.guest(fields.required(.app)), identity: try names.identity(first),
      window: try fields[.window]?.text() ?? "",
      isOfProcess: try fields[.process]?.bool() ?? false)
    for target in targets.dropFirst() { others.append(try names.account(target)) }
  }
}

// MARK: - Directory status

extension Action {
  /// A change to an account's status in the directory.
  package struct AccountStatus: StepDetail {
    package var account: String
    /// Whether the account is disabled; nil leaves the status unchanged.
    package var isDisabled: Bool?
    /// Whether the user is clocked out; nil leaves the status unchanged.
    package var isClockedOut: Bool?
  }
}

extension Action.AccountStatus {
  package var concernsEachDevice: Bool { true }

  package var text: String {
    var parts: [String] = []
    if let isDisabled { parts.append(isDisabled ? "disabled" : "enabled") }
    if let isClockedOut { parts.append(isClockedOut ? "clocked out" : "clocked in") }
    return "\(account) is \(parts.joined(separator: ", "))"
  }

  static let step = StepRow(
    "accountStatus",
    "Set an account's status in its directory",
    .mapping(MappingRow("accountStatus", Key.self, where: #""minProperties": 2"#)),
    example: #"{"account": "anna", "disabled": true}"#
  ) { (value, names) throws(InputError) in
    .change(.status(try Action.AccountStatus(value, names)))
  }

  private enum Key: String, MappingKey {
    case account, disabled, clockedOut

    var row: KeyRow {
      switch self {
      case .account: .account
      case .disabled: .optional(.flag, "Whether the account is disabled")
      case .clockedOut: .optional(.flag, "Whether its user is off work")
      }
    }
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "`accountStatus`")
    self.init(
      account: try names.account(fields.required(.account)),
      isDisabled: try fields[.disabled]?.bool(), isClockedOut: try fields[.clockedOut]?.bool())
    guard isDisabled != nil || isClockedOut != nil else {
      throw value.mistake(.missingKey, "`accountStatus` needs `disabled` or `clockedOut`")
    }
  }
}

// MARK: - Renaming

extension Action {
  /// A change to an account's UPN.
  package struct Renaming: StepDetail {
    package var account: String
    package var upn: String
  }
}

extension Action.Renaming {
  package var concernsEachDevice: Bool { true }

  package var text: String { "\(account) is renamed to `\(upn)`" }

  static let step = StepRow(
    "rename",
    "Change the UPN of an account that has an object id; its name in the scenario stays",
    .mapping(MappingRow("rename", Key.self)),
    example: #"{"account": "anna", "upn": "anna.smith@contoso.com"}"#
  ) { (value, names) throws(InputError) in .change(.rename(try Action.Renaming(value, names))) }

  private enum Key: String, MappingKey {
    case account, upn

    var row: KeyRow {
      switch self {
      case .account: .account
      case .upn: .required(.name(matching: #"@"#), "The new user principal name")
      }
    }
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "a renaming")
    let upn = try fields.required(.upn)
    guard Name.isUPN(try upn.text()) else {
      throw upn.mistake(
        .invalidValue, "`\(try upn.text())` is not a UPN, such as `anna@contoso.com`")
    }
    self.init(account: try names.account(fields.required(.account)), upn: try upn.text())
  }
}
