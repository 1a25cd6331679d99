internal import Wire

extension Action {
  package struct Keychain: RequestStep, GuestStep {
    package enum Operation: String, Sendable, CaseIterable {
      case add, query, delete
    }

    package var operation: Operation
    package var guest: String
    /// The access group. If nil, the operation that adds an item uses the default group, and all other operations use
    /// every group.
    package var group: String?
    package var service: String
    package var account: String
    /// The secret to add; nil for other operations.
    package var value: String?
  }
}

extension Action.Keychain {
  package var text: String {
    let verb =
      switch operation {
      case .add: "adds"
      case .query: "looks up"
      case .delete: "deletes"
      }
    let place = group.map { " in \($0)" } ?? ""
    return "\(guest) \(verb) keychain item `\(short(service))`/`\(short(account))`\(place)"
  }

  package func request(in world: some StepWorld) -> StepRequest {
    let key = KeychainKey(group: group ?? "", service: service, account: account)
    return switch operation {
    case .add: StepRequest(.keychainAdd(key, value: Array((value ?? "").utf8)))
    case .query: StepRequest(.keychainQuery(key))
    case .delete: StepRequest(.keychainDelete(key))
    }
  }

  static let add = StepRow(
    "keychainAdd",
    "Add to the keychain",
    .mapping(MappingRow("keychainAdd", AddKey.self)),
    example: #"{"app": "mail", "service": "login", "account": "anna", "value": "secret"}"#,
    by: .task, expects: .request.subtracting([.received, .identity, .managed])
  ) { (value, names) throws(InputError) in Action(try Action.Keychain(adding: value, names)) }

  static let query = StepRow(
    "keychainQuery",
    "Search the keychain",
    .mapping(mapping),
    example: #"{"app": "mail", "service": "login", "account": "anna"}"#,
    by: .task, expects: .request.subtracting([.identity, .managed])
  ) { (value, names) throws(InputError) in Action(try Action.Keychain(.query, value, names)) }

  static let delete = StepRow(
    "keychainDelete",
    "Delete from the keychain",
    .mapping(mapping),
    example: #"{"app": "mail", "service": "login", "account": "anna"}"#,
    by: .task, expects: .request.subtracting([.received, .identity, .managed])
  ) { (value, names) throws(InputError) in Action(try Action.Keychain(.delete, value, names)) }

  private static let mapping = MappingRow("keychain", Key.self, "An item in the keychain")

  private enum Key: String, MappingKey {
    case app, group, service, account

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .group:
        .optional(
          .text,
          "Access group. Default: the app's first group to add, all of its groups to search and delete"
        )
      case .service: .required(.text, "The item's service")
      case .account: .required(.text, "The item's account")
      }
    }
  }

  private enum AddKey: String, MappingKey {
    case app, group, service, account, value

    var row: KeyRow { Key(rawValue: rawValue)?.row ?? .required(.text, "The secret, as text") }
  }

  private init(_ operation: Operation, _ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "a keychain step")
    self.init(
      operation: operation, guest: try names.guest(fields.required(.app)),
      group: try fields[.group]?.text(), service: try fields.required(.service).text(),
      account: try fields.required(.account).text())
  }

  private init(adding value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<AddKey>(value, "a keychain step")
    self.init(
      operation: .add, guest: try names.guest(fields.required(.app)),
      group: try fields[.group]?.text(), service: try fields.required(.service).text(),
      account: try fields.required(.account).text(), value: try fields.required(.value).text())
  }
}
