package import Model

extension Action {
  /// The complete new configuration of an app.
  package struct Configuration: GuestStep {
    package var guest: String
    package var entries: [String: String]
  }
}

extension Action.Configuration {
  package func mayConfigure(anyOf guests: [String]) -> Bool { guests.contains(guest) }

  package var text: String { "\(guest) gets another configuration" }

  static let step = StepRow(
    "configure",
    "Replace an app's whole configuration",
    .mapping(MappingRow("configure", Key.self)),
    example: #"{"app": "mail", "configuration": {"IntuneMAMUPN": "anna@contoso.com"}}"#,
    expects: [.identity, .managed, .exit]
  ) { (value, names) throws(InputError) in .configure(try Action.Configuration(value, names)) }

  private enum Key: String, MappingKey {
    case app, configuration

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .configuration: .required(.mapping(to: .text), "Keys and values")
      }
    }
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "a configuration")
    var entries: [String: String] = [:]
    for entry in try fields.required(.configuration).mapping() {
      entries[entry.key] = try entry.value.text()
    }
    self.init(guest: try names.guest(fields.required(.app)), entries: entries)
  }
}

// MARK: - Configuration assignment

extension Action {
  /// An assignment of app configurations to an account. It replaces all of the account's previous assignments.
  package struct ConfigurationAssignment: StepDetail {
    package var account: String
    /// The names of the configurations. If empty, all configurations are removed.
    package var configurations: [String]
  }
}

extension Action.ConfigurationAssignment {
  package var concernsEachDevice: Bool { true }

  package func mayConfigure(anyOf guests: [String]) -> Bool { true }

  package var text: String {
    configurations.isEmpty
      ? "\(account) has no app configuration"
      : "\(account) gets \(configurations.joined(separator: ", ")) as app configuration"
  }

  static let step = StepRow(
    "assignConfiguration",
    "Replace the app configurations of an account; `apps` of their `assign` still apply",
    .mapping(MappingRow("assignConfiguration", Key.self)),
    example: #"{"account": "anna", "configuration": "limits"}"#
  ) { (value, names) throws(InputError) in
    .change(.assignConfiguration(try Action.ConfigurationAssignment(value, names)))
  }

  private enum Key: String, MappingKey {
    case account, configuration

    var row: KeyRow {
      switch self {
      case .account: .required(.name, "The account")
      case .configuration:
        .optional(
          .init(
            json:
              #""anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]"#
          ), "Names of configurations. Default: none")
      }
    }
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "an assignment of configurations")
    var configurations: [String] = []
    for element in try fields[.configuration]?.oneOrMore() ?? [] {
      configurations.append(try names.configuration(element))
    }
    self.init(
      account: try names.account(fields.required(.account)), configurations: configurations)
  }
}

// MARK: - Configuration lookup

extension Action {
  package struct ConfigurationLookup: GuestStep {
    package var guest: String
    package var account: String
    package var key: String
    package var type: ConfigurationQuestion.ValueType
    package var query: ConfigurationQuestion.Query
  }
}

extension Action.ConfigurationLookup {
  package var text: String {
    "\(guest) looks up `\(key)` for \(account) (\(type.rawValue), \(query.rawValue))"
  }

  static let step = StepRow(
    "configuration",
    "Look up a key of an app's configuration",
    .mapping(MappingRow("configurationLookup", Key.self)),
    example: #"{"app": "mail", "account": "anna", "key": "Limit"}"#,
    expects: [.value, .values, .conflict]
  ) { (value, names) throws(InputError) in
    .configuration(try Action.ConfigurationLookup(value, names))
  }

  private enum Key: String, MappingKey {
    case app, account, key, type, query

    var row: KeyRow {
      switch self {
      case .app: .required(.name, "The guest that looks it up")
      case .account: .required(.name, "The account whose configuration is read")
      case .key: .required(.text, "The key")
      case .type:
        .optional(
          .word(of: ConfigurationQuestion.ValueType.self),
          "The type as which the app reads the values. Default: string")
      case .query:
        .optional(
          .word(of: ConfigurationQuestion.Query.self),
          "How conflicts are resolved: `or` and `and` for booleans, `min` and `max` for numbers and strings. Default: any"
        )
      }
    }
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "a query of a configuration")
    let type: ConfigurationQuestion.ValueType = try fields[.type]?.word() ?? .string
    let query: ConfigurationQuestion.Query = try fields[.query]?.word() ?? .any
    self.init(
      guest: try names.guest(fields.required(.app)),
      account: try names.account(fields.required(.account)),
      key: try fields.required(.key).text(), type: type, query: query)
    let question = ConfigurationQuestion(account: "", key: key, type: type, query: query)
    guard question.isMeaningful else {
      throw InputError(
        .invalidValue, at: fields.position(of: .query),
        "`\(query.rawValue)` is not a query for a \(type.rawValue): booleans have `any`, `or`, `and` and "
          + "`all`, numbers and strings `any`, `min`, `max` and `all`")
    }
  }
}
