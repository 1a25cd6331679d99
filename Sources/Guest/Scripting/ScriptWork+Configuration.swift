internal import Model
internal import SluiceKit

/// Calls about the configuration of the app. The device has delivered it before: nothing is asked.
extension ScriptWork {
  func readConfiguration() throws(ScriptMisuse) {
    guard call != .configurationData else {
      let data = try configuration(try arguments.options(0), "account").fullData
      return answer([.list(data.map { .record($0.mapValues(ScriptValue.init)) })])
    }
    let key = try arguments.text(0)
    let options = try arguments.options(1)
    switch call {
    case .configuredString, .configuredNumber, .configuredBoolean:
      let configuration = try configuration(options, "account", "query")
      answer([try value(of: key, in: configuration, options)])
    default: answer([values(of: key, in: try configuration(options, "account"))])
    }
  }

  private func values(of key: String, in configuration: IntuneMAMAppConfig) -> ScriptValue {
    switch call {
    case .configurationConflict: .boolean(configuration.hasConflict(key))
    case .configuredBooleans: .list(configuration.allBools(forKey: key).map(ScriptValue.boolean))
    case .configuredNumbers: .list(configuration.allNumbers(forKey: key).map(ScriptValue.init))
    default: .list(configuration.allStrings(forKey: key).map(ScriptValue.text))
    }
  }

  private func value(
    of key: String, in configuration: IntuneMAMAppConfig, _ options: ScriptFields
  ) throws(ScriptMisuse) -> ScriptValue {
    switch call {
    case .configuredBoolean:
      let query = try query(options, ["any": IntuneMAMBoolQueryType.any, "or": .or, "and": .and])
      return configuration.boolValue(forKey: key, queryType: query)
        .map(ScriptValue.boolean) ?? .nothing
    case .configuredNumber:
      let query = try query(
        options, ["any": IntuneMAMNumberQueryType.any, "min": .min, "max": .max])
      return configuration.numberValue(forKey: key, queryType: query)
        .map(ScriptValue.init) ?? .nothing
    default:
      let query = try query(
        options, ["any": IntuneMAMStringQueryType.any, "min": .min, "max": .max])
      return .text(orNothing: configuration.stringValue(forKey: key, queryType: query))
    }
  }

  private func query<Query>(
    _ options: ScriptFields, _ known: [String: Query]
  ) throws(ScriptMisuse) -> Query {
    let name = try options.text(orNothing: "query") ?? "any"
    guard let query = known[name] else {
      let names = known.keys.sorted().map { "`\($0)`" }.joined(separator: ", ")
      throw ScriptMisuse("`\(call.rawValue)` knows no `\(name)`: \(names)")
    }
    return query
  }

  /// The configuration of the account that is named, or else of the one that the script acts for.
  private func configuration(
    _ options: ScriptFields, _ known: String...
  ) throws(ScriptMisuse) -> IntuneMAMAppConfig {
    try options.only(known)
    let account =
      try options.text(orNothing: "account") ?? identity.accountID
      ?? application.policyManager.getUIPolicyAccountId()
    return application.appConfigManager.appConfig(forAccountId: account)
  }
}

extension ScriptValue {
  init(_ number: ConfigurationNumber) {
    switch number {
    case .integer(let number): self = .integer(Int64(number))
    case .real(let number): self = .number(number)
    }
  }

  init(_ value: ConfigurationValue) {
    switch value {
    case .text(let text): self = .text(text)
    case .integer(let number): self = .integer(Int64(number))
    case .real(let number): self = .number(number)
    case .boolean(let flag): self = .boolean(flag)
    case .list(let values): self = .list(values.map(ScriptValue.init))
    case .dictionary(let values): self = .record(values.mapValues(ScriptValue.init))
    }
  }
}
