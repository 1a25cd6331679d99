extension Action {
  /// The enrollment of an account on behalf of an app.
  public struct Enrollment: StepDetail {
    /// The name of a guest, or of an app for all its guests one after the other.
    public var guest: String
    /// The name of an account of the scenario; nil: the app names none.
    public var account: String?
    public var call: Call

    /// A call of the SDK's enrollment manager.
    public enum Call: Sendable {
      case register
      /// The user may be asked for credentials.
      case login
    }
  }
}

extension Action.Enrollment {
  public var actingGuest: String? { guest }

  public var enrolledAccount: String? { account }

  public var text: String {
    let who = account ?? "nobody"
    return switch call {
    case .register: "\(guest) registers \(who)"
    case .login: "\(guest) has \(who) log in"
    }
  }
}

extension Action.Enrollment {
  static let register = StepRow(
    "Have the SDK register and enroll an account",
    .mapping(mapping),
    example: #"{"app": "mail", "account": "anna"}"#,
    [
      "`register: { app, account }`":
        "have the SDK register and [enroll](enrollment.md) an account; an app of several guests does it for all of them"
    ], expects: .enrollment
  ) { (value, names) throws(Mistake) in .enroll(try Action.Enrollment(.register, value, names)) }

  static let login = StepRow(
    "Have the SDK enroll an account, and ask its user for credentials where they are needed",
    .mapping(mapping),
    example: #"{"app": "mail", "account": "anna"}"#,
    [
      "`login: { app, account }`": "the same, and its user may be asked for credentials"
    ], expects: .enrollment
  ) { (value, names) throws(Mistake) in .enroll(try Action.Enrollment(.login, value, names)) }

  private static let mapping = MappingRow(
    "enrollment", Key.self, "An app and the account that it wants to have enrolled")

  enum Key: String, MappingKey {
    case app, account

    var row: KeyRow {
      switch self {
      case .app:
        .required(.name, "Name of an app, for all its guests one after the other, or of one guest")
      case .account: .optional(.name, "Name of an account. Default: none, which is refused")
      }
    }
  }

  init(_ call: Call, _ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "an enrollment")
    self.init(
      guest: try names.sender(fields.required(.app)),
      account: try fields[.account].map { value throws(Mistake) in try names.account(value) },
      call: call)
  }
}
