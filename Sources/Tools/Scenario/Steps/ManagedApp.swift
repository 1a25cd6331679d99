package import Model

extension Action {
  /// A guest's request for content that its administrator provides, or the guest's report to the administrator.
  package struct ManagedApp: GuestStep {
    package var guest: String
    package var question: Question
    /// The dot-separated key path of the configuration value to inspect. If nil, the names of the
    /// top-level keys are inspected.
    package var key: String?

    package enum Question: Sendable, Equatable {
      case configuration
      case legacyConfiguration
      case identifiers(ManagedSecret)
      case secret(ManagedSecret, identifier: String)
      /// A signature for the text, made with an identity's key.
      case signature(String, identifier: String)
      /// A report to the administrator about the app's reason for rejecting its configuration.
      case report(code: Int, message: String)
    }
  }
}

extension Action.ManagedApp {
  package var inspection: Inspection? { .managedValue(self) }

  package var text: String {
    switch question {
    case .configuration: "\(guest) asks for its managed configuration"
    case .legacyConfiguration: "\(guest) asks for its legacy managed configuration"
    case .identifiers(let kind): "\(guest) asks for its \(ManagedAspect(kind).name)"
    case .secret(let kind, let identifier): "\(guest) asks for the \(kind) `\(short(identifier))`"
    case .signature(_, let identifier): "\(guest) signs with the identity `\(short(identifier))`"
    case .report(let code, _): "\(guest) reports the error \(code) of its configuration"
    }
  }

  static let step = StepRow(
    "managedApp",
    "Have an app or extension read what its administrator provides, or report an error",
    .mapping(MappingRow("managedApp", Key.self)),
    example: #"{"app": "mail", "ask": "configuration"}"#,
    expects: .request.subtracting([.identity, .managed]),
    page: "managed-app.md"
  ) { (value, names) throws(InputError) in .managedApp(try Action.ManagedApp(value, names)) }

  fileprivate enum Key: String, MappingKey {
    case app, ask, identifier, key, text, code, message

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .ask:
        .required(
          .word(of: Action.ManagedApp.Ask.self),
          "The request; `sign` makes the device sign `text` with an identity, and `report` reports to the administrator why the app rejects its configuration"
        )
      case .identifier: .optional(.name, "The identifier of a password, certificate or identity")
      case .key:
        .optional(
          .name,
          "The path of the configuration value to receive, such as `collection.name`. Default: the top-level keys, one per line"
        )
      case .text: .optional(.name, "The text to sign")
      case .code: .optional(.integer, "The app's own error code")
      case .message: .optional(.name, "The message to the administrator")
      }
    }
  }

  enum Ask: String, CaseIterable {
    case configuration, legacyConfiguration, passwords, certificates, identities
    case password, certificate, identity, sign, report
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "`managedApp`")
    let ask: Ask = try fields.required(.ask).word()
    for key in [Key.identifier, .key, .text, .code, .message]
    where fields[key] != nil && !ask.keys.contains(key) {
      throw InputError(
        .conflictingKeys, at: fields.position(of: key),
        "`\(ask.rawValue)` has no `\(key.rawValue)`")
    }
    self.init(
      guest: try names.guest(fields.required(.app)), question: try Self.question(ask, fields),
      key: try fields[.key]?.text())
  }

  private static func question(
    _ ask: Ask, _ fields: Fields<Key>
  ) throws(InputError) -> Question {
    switch ask {
    case .configuration: return .configuration
    case .legacyConfiguration: return .legacyConfiguration
    case .passwords: return .identifiers(.password)
    case .certificates: return .identifiers(.certificate)
    case .identities: return .identifiers(.identity)
    case .password: return .secret(.password, identifier: try identifier(fields))
    case .certificate: return .secret(.certificate, identifier: try identifier(fields))
    case .identity: return .secret(.identity, identifier: try identifier(fields))
    case .sign:
      return .signature(
        try fields.required(.text).text(), identifier: try identifier(fields))
    case .report:
      return .report(
        code: try fields.required(.code).int(), message: try fields.required(.message).text())
    }
  }

  private static func identifier(_ fields: Fields<Key>) throws(InputError) -> String {
    try fields.required(.identifier).text()
  }
}

extension Action.ManagedApp.Ask {
  /// The keys that the request accepts in addition to `app` and `ask`.
  fileprivate var keys: Set<Action.ManagedApp.Key> {
    switch self {
    case .configuration, .legacyConfiguration: [.key]
    case .passwords, .certificates, .identities: []
    case .password, .certificate, .identity: [.identifier]
    case .sign: [.identifier, .text]
    case .report: [.code, .message]
    }
  }
}

// MARK: - Administrator declarations

extension Action {
  /// A folder of declarations that the administrator applies.
  package struct Declarations: StepDetail {
    /// The path of the folder, relative to the scenario file. If nil, all declarations are withdrawn.
    package var path: String?
  }
}

extension Action.Declarations {
  package var concernsEachDevice: Bool { true }

  package var namedFile: String? { path }

  package func mayConfigure(anyOf guests: [String]) -> Bool { true }

  package var text: String {
    guard let path else { return "the administrator withdraws all declarations" }
    return "the administrator applies the declarations of `\(short(path))`"
  }

  static let step = StepRow(
    "declarations",
    "Replace the administrator's declarations by those of a folder or a `.mobileconfig`, "
      + "relative to the scenario file; `none` withdraws them. The step's notes report problems",
    .value(.name),
    example: #""declarations/landmarks""#,
    path: .value
  ) { (value, names) throws(InputError) in .declarations(try Action.Declarations(value)) }

  private init(_ value: YAMLValue) throws(InputError) {
    let path = try value.text()
    self.path = path == "none" ? nil : path
  }
}
