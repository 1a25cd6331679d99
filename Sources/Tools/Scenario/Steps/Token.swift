extension Action {
  /// A request of an app for an access token.
  public struct Token: StepDetail {
    public var guest: String
    /// The name of an account of the scenario.
    public var account: String
    /// The application id or URI of the resource that the token is for.
    public var resource: String
    /// The client capabilities that the app declares; nil: those that the scenario states for the app.
    public var capabilities: [String]?
  }
}

extension Action.Token {
  public var actingGuest: String? { guest }

  public var text: String { "\(guest) gets a token for \(resource) as \(account)" }
}

extension Action.Token {
  static let step = StepRow(
    "Get an access token",
    .mapping(MappingRow("acquireToken", Key.self)),
    example: #"{"app": "mail", "account": "anna", "resource": "https://graph.microsoft.com"}"#,
    [
      "`acquireToken: { app, account, resource, capabilities }`":
        "get an access token for a resource, an application id or a URI; without `capabilities` the app declares what the scenario says of it"
    ], expects: .request.subtracting([.received]).union([.token])
  ) { (value, names) throws(Mistake) in .acquireToken(try Action.Token(value, names)) }

  enum Key: String, MappingKey {
    case app, account, resource, capabilities

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .account: .account
      case .resource:
        .required(.name, "Application id or URI of the resource that accepts the token")
      case .capabilities:
        .optional(
          .list(of: .name), "What the app declares. Default: what the scenario says of the app")
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a token")
    self.init(
      guest: try names.guest(fields.required(.app)),
      account: try names.account(fields.required(.account)),
      resource: try fields.required(.resource).text(),
      capabilities: try fields[.capabilities]?.texts())
  }
}
