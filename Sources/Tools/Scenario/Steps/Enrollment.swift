internal import Wire

extension Action {
  /// The enrollment of an account on behalf of an app.
  package struct Enrollment: RequestStep, GuestStep {
    /// The name of a guest or of an app. The guests of an app are enrolled one after another.
    package var guest: String
    /// The name of the account; nil if the app does not name one.
    package var account: String?
    package var call: Call

    /// A call to the SDK's enrollment manager.
    package enum Call: Sendable {
      case register
      /// The call may prompt the user for credentials.
      case login
    }
  }
}

extension Action.Enrollment {
  package var enrolledAccount: String? { account }

  package var inspection: Inspection? { account == nil ? .enrollmentAnswer : nil }

  package func actions(ofGuestsIn scenario: Scenario) -> [Action]? {
    scenario.guests(named: guest).map { guest in
      var enrollment = self
      enrollment.guest = guest
      return Action(enrollment)
    }
  }

  package var text: String {
    let who = account ?? "no account"
    return switch call {
    case .register: "\(guest) registers \(who)"
    case .login: "\(guest) has \(who) log in"
    }
  }

  package func request(in world: some StepWorld) -> StepRequest {
    StepRequest(
      .enroll(Enroll(account: account.map { world.accountID($0) }, isLogin: call == .login)))
  }

  static let register = StepRow(
    "register",
    "Have the SDK register and enroll an account",
    .mapping(mapping),
    example: #"{"app": "mail", "account": "anna"}"#,
    synonyms: ["enroll", "enrol", "enrollment"], expects: .enrollment
  ) { (value, names) throws(InputError) in Action(try Action.Enrollment(.register, value, names)) }

  static let login = StepRow(
    "login",
    "Have the SDK enroll an account, and ask its user for credentials if necessary",
    .mapping(mapping),
    example: #"{"app": "mail", "account": "anna"}"#,
    expects: .enrollment
  ) { (value, names) throws(InputError) in Action(try Action.Enrollment(.login, value, names)) }

  private static let mapping = MappingRow(
    "enrollment", Key.self, "An app and the account to enroll")

  private enum Key: String, MappingKey {
    case app, account

    var row: KeyRow {
      switch self {
      case .app:
        .required(.name, "Name of an app, for all its guests one after the other, or of one guest")
      case .account: .optional(.name, "Name of an account. Default: none, which is refused")
      }
    }
  }

  private init(_ call: Call, _ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "an enrollment")
    self.init(
      guest: try names.sender(fields.required(.app)),
      account: try fields[.account].map { value throws(InputError) in try names.account(value) },
      call: call)
  }
}

// MARK: - Unenrollment

extension Action {
  package struct Unenrollment: RequestStep, GuestStep {
    package var guest: String
    package var account: String
    /// Whether the account's data is also removed.
    package var wipes: Bool
  }
}

extension Action.Unenrollment {
  package var enrolledAccount: String? { account }

  package var inspection: Inspection? { .enrollmentAnswer }

  package var text: String { "\(guest) unenrolls \(account)\(wipes ? " with a wipe" : "")" }

  package func request(in world: some StepWorld) -> StepRequest {
    StepRequest(.unenroll(account: world.accountID(account), wipes: wipes))
  }

  static let step = StepRow(
    "unenroll",
    "Unenroll an account from an app",
    .mapping(MappingRow("unenroll", Key.self)),
    example: #"{"app": "mail", "account": "anna", "wipe": true}"#,
    synonyms: ["unregister", "deregister"], expects: .enrollment
  ) { (value, names) throws(InputError) in Action(try Action.Unenrollment(value, names)) }

  private enum Key: String, MappingKey {
    case app, account, wipe

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .account: .account
      case .wipe: .optional(.flag, "Whether its data is also removed. Default: false")
      }
    }
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "an unenrollment")
    self.init(
      guest: try names.guest(fields.required(.app)),
      account: try names.account(fields.required(.account)),
      wipes: try fields[.wipe]?.bool() ?? false)
  }
}

// MARK: - Remediation

extension Action {
  /// An app's request to make an account compliant with conditional access.
  package struct Remediation: RequestStep, GuestStep {
    package var guest: String
    package var account: String
    /// Whether the remediation must not prompt the user.
    package var isSilent: Bool
  }
}

extension Action.Remediation {
  package var enrolledAccount: String? { account }

  package var text: String { "\(guest) remediates \(account)\(isSilent ? " silently" : "")" }

  package func request(in world: some StepWorld) -> StepRequest {
    StepRequest(.remediate(account: world.accountID(account), isSilent: isSilent))
  }

  static let step = StepRow(
    "remediate",
    "Make an account compliant with conditional access",
    .mapping(MappingRow("remediate", Key.self)),
    example: #"{"app": "mail", "account": "anna"}"#,
    expects: .enrollment
  ) { (value, names) throws(InputError) in Action(try Action.Remediation(value, names)) }

  private enum Key: String, MappingKey {
    case app, account, silent

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .account: .account
      case .silent:
        .optional(.flag, "Whether the user must not be prompted. Default: false")
      }
    }
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "a remediation")
    self.init(
      guest: try names.guest(fields.required(.app)),
      account: try names.account(fields.required(.account)),
      isSilent: try fields[.silent]?.bool() ?? false)
  }
}

// MARK: - Token

extension Action {
  /// An app's request for an access token.
  package struct Token: RequestStep, GuestStep {
    package var guest: String
    package var account: String
    /// The application id or URI of the resource for which the token is issued.
    package var resource: String
    /// The client capabilities that the app declares; nil for the app's capabilities in the scenario.
    package var capabilities: [String]?
  }
}

extension Action.Token {
  package var inspection: Inspection? { .token }

  package var text: String { "\(guest) gets a token for \(resource) as \(account)" }

  package func request(in world: some StepWorld) -> StepRequest {
    StepRequest(
      .acquireToken(
        AcquireToken(
          account: world.accountID(account), resource: resource,
          capabilities: capabilities ?? world.capabilities(of: guest))))
  }

  static let step = StepRow(
    "acquireToken",
    "Get an access token",
    .mapping(MappingRow("acquireToken", Key.self)),
    example: #"{"app": "mail", "account": "anna", "resource": "https://graph.microsoft.com"}"#,
    expects: .request.subtracting([.received]).union([.token])
  ) { (value, names) throws(InputError) in Action(try Action.Token(value, names)) }

  private enum Key: String, MappingKey {
    case app, account, resource, capabilities

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .account: .account
      case .resource:
        .required(.name, "Application id or URI of the resource that accepts the token")
      case .capabilities:
        .optional(
          .list(of: .name),
          "Capabilities that the app declares. Default: those of the app in the scenario")
      }
    }
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "a token")
    self.init(
      guest: try names.guest(fields.required(.app)),
      account: try names.account(fields.required(.account)),
      resource: try fields.required(.resource).text(),
      capabilities: try fields[.capabilities]?.texts())
  }
}

// MARK: - SDK request to an app

extension Action {
  /// A call from the SDK to an app's delegate.
  package struct DelegateCall: GuestStep {
    package enum Kind: String, Sendable, CaseIterable {
      case add, block
    }

    package var guest: String
    package var kind: Kind
    package var account: String
  }
}

extension Action.DelegateCall {
  package var text: String { "the SDK asks \(guest) to \(kind.rawValue) \(account)" }

  static let step = StepRow(
    "askApp",
    "Have the SDK ask an app to add or block an account",
    .mapping(MappingRow("askApp", Key.self)),
    example: #"{"app": "mail", "to": "add", "account": "anna"}"#,
    expects: [.accepted, .identity, .managed]
  ) { (value, names) throws(InputError) in .delegate(try Action.DelegateCall(value, names)) }

  private enum Key: String, MappingKey {
    case app, to, account

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .to: .required(.word(of: Action.DelegateCall.Kind.self), "The SDK's request")
      case .account: .account
      }
    }
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "`askApp`")
    self.init(
      guest: try names.guest(fields.required(.app)), kind: try fields.required(.to).word(),
      account: try names.account(fields.required(.account)))
  }
}
