internal import AppConfiguration
internal import Diagnostics
internal import GraphDocuments
internal import Host
internal import JSON
internal import Model
internal import Policy
internal import Scenario

/// The app configurations of a scenario.
extension Blueprint {
  static func configurations(
    _ scenario: Scenario, in folder: String
  ) throws(RunError) -> [String: [AppConfigurationDocument]] {
    var result: [String: [AppConfigurationDocument]] = [:]
    for configuration in scenario.configurations {
      var documents: [AppConfigurationDocument]
      switch configuration.document {
      case .file(let path):
        documents = try ConfigurationFiles.load(resolve(path, in: folder))
      case .inline(let json):
        documents = try ConfigurationFiles.read(Array(json.utf8), file: scenario.file)
      }
      if configuration.isDefault {
        for index in documents.indices { documents[index].isDefault = true }
      }
      result[configuration.name] = documents
    }
    return result
  }

  static func assignments(
    _ scenario: Scenario, _ documents: [String: [AppConfigurationDocument]]
  ) -> [AppConfigurationAssignment] {
    scenario.configurations.flatMap { configuration in
      configuration.assignments.flatMap { assignment -> [AppConfigurationAssignment] in
        guard let account = scenario.account(named: assignment.account)?.account else { return [] }
        return (documents[configuration.name] ?? []).map {
          AppConfigurationAssignment(document: $0, account: account, apps: assignment.apps)
        }
      }
    }
  }

  /// The named configuration as assigned to `account` from now on: for the apps that the configuration's own assignment
  /// to the account names, where there is one.
  func configurations(
    named name: String, for account: Account, called reference: String
  ) -> [AppConfigurationAssignment] {
    let stated = scenario.configurations.first { $0.name == name }
    let apps =
      (stated?.assignments.first { $0.account == reference } ?? stated?.assignments.first)?.apps
    return documents(ofConfiguration: name).map {
      AppConfigurationAssignment(document: $0, account: account, apps: apps)
    }
  }

  /// The keys of apps' plain configurations that have no effect: their white space or casing differs from the SDK's
  /// key, or the SDK does not know the value.
  var configurationWarnings: [String] {
    let book = ConfigurationBook(appConfigurations, told: tokens)
    let stated = apps.map(\.specification).flatMap { app in
      mistakes(
        in: app.configuration, of: app, beside: book.managed(bundleID: app.bundle)
      ).map { warning(of: app.name, at: app.position, $0) }
    }
    return stated + scenario.cases.flatMap(\.steps).flatMap { configurationWarnings(of: $0, book) }
  }

  private func configurationWarnings(of step: Step, _ book: ConfigurationBook) -> [String] {
    if case .concurrently(let concurrency) = step.action {
      return concurrency.steps.flatMap { configurationWarnings(of: $0, book) }
    }
    guard case .configure(let change) = step.action,
      let app = apps.first(where: { $0.specification.guests.contains(change.guest) })
    else { return [] }
    let managed = book.managed(bundleID: app.specification.bundle)
    return mistakes(in: change.entries, of: app.specification, beside: managed).map {
      warning(of: change.guest, at: step.position, $0)
    }
  }

  private func mistakes(
    in configuration: [String: String], of app: AppSpecification,
    beside managed: [String: ConfigurationValue]
  ) -> [(code: AppConfigurationWarningCode, text: String)] {
    let keys = configuration.keys.sorted()
    let spaces = keys.compactMap { key -> (AppConfigurationWarningCode, String)? in
      let trimmed = key.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      guard trimmed != key else { return nil }
      return (
        .whiteSpace,
        "the key `\(key)` has white space around it, and is another key than `\(trimmed)`"
      )
    }
    let values = keys.compactMap { key -> (AppConfigurationWarningCode, String)? in
      if let near = SDKKey(miswritten: key) { return (.meaninglessValue, near.mistake(inKey: key)) }
      let value = ConfigurationValue.text(configuration[key] ?? "")
      return SDKKey(rawValue: key)?.mistake(in: value).map { (.meaninglessValue, $0) }
    }
    let restriction = configuration[SDKKey.allowedAccountsOnly.rawValue].map {
      ConfigurationValue.text($0)
    }
    let idle =
      SDKKey.mistake(inAllowedAccountsOnly: restriction, beside: Set(keys).union(managed.keys))
      ?? SDKKey.mistake(inAllowedAccountsOnly: restriction, isByMDM: mayHaveMDM(app))
    return spaces + values + (idle.map { [(.ineffectiveKey, $0)] } ?? [])
  }

  /// Whether MDM may manage the app: on an enrolled device, where it has installed the app, or declarations may.
  private func mayHaveMDM(_ app: AppSpecification) -> Bool {
    let isDeclared =
      declarations != nil
      || scenario.cases.flatMap(\.steps).contains {
        if case .declarations = $0.action { true } else { false }
      }
    return state.isMDMEnrolled && (app.isMDMManaged || isDeclared)
  }

  private func warning(
    of app: String, at position: Position,
    _ mistake: (code: AppConfigurationWarningCode, text: String)
  ) -> String {
    Diagnostic(
      .file(scenario.file, position), "the configuration of `\(app)`: \(mistake.text)",
      rule: mistake.code.rawValue, severity: .warning
    ).description
  }

  /// The values of the configuration tokens that only the scenario states.
  var tokens: [ConfigurationToken: String] {
    let supervision = [
      ConfigurationToken.issupervised: scenario.device.isSupervised ? "True" : "False"
    ]
    return scenario.device.tokens.reduce(into: supervision) { tokens, entry in
      if let token = ConfigurationToken(rawValue: entry.key) { tokens[token] = entry.value }
    }
  }

  /// The statements of the app configurations that are probably not meant on this device, as lines in order.
  var documentWarnings: [String] {
    let book = ConfigurationBook(appConfigurations, told: tokens)
    let keys = apps.map {
      ($0.description.bundleID, Set($0.specification.configuration.keys))
    }
    var seen = Set(
      book.warnings(for: keys.map(\.0), beside: Dictionary(keys) { $0.union($1) }))
    for assignment in appConfigurations {
      // An app that the scenario names need not be named by the document.
      let isNamed = assignment.apps != nil
      seen.formUnion(
        assignment.document.warnings.filter {
          !isNamed || ![.noApps, .opaqueApps, .emptyAssignments].contains($0.code)
        })
    }
    return seen.inOrder()
  }
}
