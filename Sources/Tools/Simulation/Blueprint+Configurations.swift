internal import AppConfiguration
internal import GraphDocuments
internal import Host
internal import JSON
internal import Model
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
    var seen = Set(book.warnings(for: apps.map(\.description.bundleID)))
    for assignment in appConfigurations {
      // An app that the scenario names need not be named by the document.
      let isNamed = assignment.apps != nil
      seen.formUnion(
        assignment.document.warnings.filter {
          !isNamed || ![.noApps, .opaqueApps, .emptyAssignments].contains($0.code)
        })
    }
    return seen.map(\.description).sorted()
  }
}
