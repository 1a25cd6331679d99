public import Model

extension Action {
  /// A look-up of a key in an app's configuration.
  public struct ConfigurationLookup: StepDetail {
    public var guest: String
    /// The name of an account of the scenario.
    public var account: String
    public var key: String
    public var type: ConfigurationQuestion.ValueType
    public var query: ConfigurationQuestion.Query
  }
}

extension Action.ConfigurationLookup {
  public var actingGuest: String? { guest }

  public var text: String {
    "\(guest) looks up `\(key)` for \(account) (\(type.rawValue), \(query.rawValue))"
  }
}

extension Action.ConfigurationLookup {
  static let step = StepRow(
    "Look up a key of an app's configuration, in the app",
    .mapping(MappingRow("configurationLookup", Key.self)),
    example: #"{"app": "mail", "account": "anna", "key": "Limit"}"#,
    [
      "`configuration: { app, account, key }`":
        "have an app look up a key of its [configuration](app-configuration.md) for an account: `type` is `string` (default), `number` or `boolean`, `query` is `any` (default), `all`, for booleans `or` and `and`, for the others `min` and `max`"
    ], expects: [.value, .values, .conflict]
  ) { (value, names) throws(Mistake) in .configuration(try Action.ConfigurationLookup(value, names))
  }

  enum Key: String, MappingKey {
    case app, account, key, type, query

    var row: KeyRow {
      switch self {
      case .app: .required(.name, "The guest that looks it up")
      case .account: .required(.name, "Whose configuration")
      case .key: .required(.text, "The key")
      case .type:
        .optional(
          .word(of: ConfigurationQuestion.ValueType.self),
          "The type as which the app reads the values. Default: string")
      case .query:
        .optional(
          .word(of: ConfigurationQuestion.Query.self),
          "How a conflict is settled: `or` and `and` for booleans, `min` and `max` for numbers and strings. Default: any"
        )
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a look into a configuration")
    let type: ConfigurationQuestion.ValueType = try fields[.type]?.word() ?? .string
    let query: ConfigurationQuestion.Query = try fields[.query]?.word() ?? .any
    self.init(
      guest: try names.guest(fields.required(.app)),
      account: try names.account(fields.required(.account)),
      key: try fields.required(.key).text(), type: type, query: query)
    let question = ConfigurationQuestion(account: "", key: key, type: type, query: query)
    guard question.isMeaningful else {
      throw Mistake(
        .invalidValue, at: fields.position(of: .query),
        "`\(query.rawValue)` is no query for a \(type.rawValue): booleans have `any`, `or`, `and` and "
          + "`all`, numbers and strings `any`, `min`, `max` and `all`")
    }
  }
}
