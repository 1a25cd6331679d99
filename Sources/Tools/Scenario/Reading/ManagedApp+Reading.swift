import Transfer

extension Action.ManagedApp {
  enum Key: String, CaseIterable {
    case app, ask, identifier, key, text, code, message
  }

  enum Ask: String, CaseIterable {
    case configuration, legacyConfiguration, passwords, certificates, identities
    case password, certificate, identity, sign, report
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a question about what is managed")
    let ask: Ask = try fields.required(.ask).word()
    for key in [Key.identifier, .key, .text, .code, .message]
    where fields[key] != nil && !ask.keys.contains(key) {
      throw Mistake(
        .conflictingKeys, at: fields.position(of: key),
        "`\(ask.rawValue)` has no `\(key.rawValue)`")
    }
    self.init(
      guest: try names.guest(fields.required(.app)), question: try Self.question(ask, fields),
      key: try fields[.key]?.text())
  }

  private static func question(
    _ ask: Ask, _ fields: Fields<Key>
  ) throws(Mistake) -> Question {
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

  private static func identifier(_ fields: Fields<Key>) throws(Mistake) -> String {
    try fields.required(.identifier).text()
  }
}

extension Action.ManagedApp.Ask {
  /// What it takes beside `app` and `ask`.
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

extension Action {
  /// - Returns: `none` withdraws all declarations.
  static func declarations(_ value: YAMLValue) throws(Mistake) -> Action {
    let path = try value.text()
    return .declarations(path == "none" ? nil : path)
  }

  static func administratorEvents(_ value: YAMLValue) throws(Mistake) -> Action {
    guard try value.text() == "device" else {
      throw value.mistake(
        .invalidValue, "`administratorEvents` must be `device`, found `\(try value.text())`")
    }
    return .administratorEvents
  }
}
