extension Action {
  /// The whole configuration of an app from now on.
  public struct Configuration: StepDetail {
    public var guest: String
    public var entries: [String: String]
  }
}

extension Action.Configuration {
  public var actingGuest: String? { guest }

  public var text: String { "\(guest) gets another configuration" }
}

extension Action.Configuration {
  static let step = StepRow(
    "Give an app another configuration, in place of all of it",
    .mapping(MappingRow("configure", Key.self)),
    example: #"{"app": "mail", "configuration": {"IntuneMAMUPN": "anna@contoso.com"}}"#,
    [
      "`configure: { app, configuration }`":
        "give an app another configuration, in place of all of it"
    ], expects: [.identity, .managed, .exit]
  ) { (value, names) throws(Mistake) in .configure(try Action.Configuration(value, names)) }

  enum Key: String, MappingKey {
    case app, configuration

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .configuration: .required(.mapping(to: .text), "Keys and values")
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a configuration")
    var entries: [String: String] = [:]
    for entry in try fields.required(.configuration).mapping() {
      entries[entry.key] = try entry.value.text()
    }
    self.init(guest: try names.guest(fields.required(.app)), entries: entries)
  }
}
