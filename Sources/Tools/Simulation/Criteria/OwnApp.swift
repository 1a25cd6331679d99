internal import Bundle
internal import Diagnostics
internal import Foundation
internal import Scenario
internal import UniformTypes

/// An app that stands in scenarios in the place of the app under test: its bundle states its properties, and the
/// ready-made guest does what the steps say.
package struct OwnApp: Sendable {
  /// The absolute path of the bundle.
  private let path: String
  let bundle: AppBundle
  package let identifier: String
  private let variables: [String: String]
  /// The findings that keep the app from meeting criteria: the errors of `sluice bundle lint`.
  let errors: [BundleFinding]

  /// Reads the bundle of an app.
  ///
  /// - Parameter variables: values of build variables, for a bundle that was not built.
  /// - Throws: ``RunError`` where the bundle cannot be read, is no app, or has no bundle id.
  package init(_ path: String, variables: [String: String] = [:]) throws(RunError) {
    self.variables = variables
    self.path = URL(fileURLWithPath: path).standardizedFileURL.path
    do throws(BundleError) {
      bundle = try AppBundle(at: path, settings: BuildSettings(variables))
    } catch {
      throw RunError(error.diagnostic)
    }
    guard bundle.kind == .app else {
      throw RunError(.file(path), "it is an extension, and criteria are for apps", rule: "bundle")
    }
    guard let identifier = bundle.info.identifier else {
      throw RunError(.file(path), "`CFBundleIdentifier` is missing", rule: "bundle")
    }
    guard !identifier.contains("$(") else {
      throw RunError(
        .file(path),
        "`CFBundleIdentifier` is `\(identifier)`; --set gives build variables their values",
        rule: "bundle")
    }
    self.identifier = identifier
    let sharesGroup = Self.sharesGroup(bundle)
    errors = BundleReport.findings(about: .bundle(bundle, in: nil)).filter {
      $0.severity == .error || $0.rule == .appGroupUnlisted && !sharesGroup
    }
  }

  /// Whether the SDK finds a group that the app and its Open-In action share: both list the group in
  /// `AppGroupIdentifiers`.
  private static func sharesGroup(_ bundle: AppBundle) -> Bool {
    guard let action = bundle.plugIns.first(where: \.isOpenInAction) else { return true }
    let listed = { (bundle: AppBundle) in Set(bundle.info.intuneSettings?.appGroups ?? []) }
    return !listed(bundle).isDisjoint(with: listed(action))
  }

  // MARK: what the bundle declares

  var usesSDK: Bool { bundle.info.intuneSettings != nil }

  var isMultiIdentity: Bool { bundle.info.intuneSettings?.isMultiIdentity ?? false }

  /// The types of the documents that the app opens, each once, without the SDK's aliases of types.
  var documentTypes: [String] {
    InstalledBundle.documentTypes(of: bundle).reduce(into: [String]()) { types, type in
      if !IntuneTypeAlias.isTwin(type), !types.contains(type) { types.append(type) }
    }
  }

  /// The app's Open-In action; nil where no extension is one.
  var openInAction: AppBundle? { bundle.plugIns.first(where: \.isOpenInAction) }

  /// The extensions that share sheets offer, without the Open-In action.
  var sheetExtensions: [AppBundle] {
    bundle.plugIns.filter { $0.kind.isOfferedByRule && !$0.isOpenInAction }
  }

  // MARK: standing in

  /// The case with this app in the place of `role`, an app of the scenario.
  ///
  /// - Throws: ``Misfit`` where the app cannot take the role's place.
  func standing(
    as role: AppSpecification, in test: Case, of scenario: Scenario
  ) throws(Misfit) -> Stand {
    guard role.servers.isEmpty else {
      throw Misfit("it takes TLS connections, and the guest that stands for it makes none")
    }
    if let other = scenario.apps.first(where: { $0.name != role.name && isCalled($0.bundle) }) {
      throw Misfit(
        "the scenario's own app `\(other.name)` has the bundle id `\(identifier)`, too; "
          + "a copy of the bundle with another id can be tried")
    }
    var (scenario, test) = (scenario, test)
    // Its extensions are the bundle's own from now on.
    scenario.apps.removeAll { $0.containingApp == role.name }
    guard let index = scenario.apps.firstIndex(where: { $0.name == role.name }) else {
      throw Misfit("`\(role.name)` is in another app")
    }
    if role.isMultiIdentity, !isMultiIdentity {
      test = try test.withOneIdentity(of: role, in: scenario)
      scenario.apps[index].signedIn = role.signedIn.filter(scenario.isManaged)
    }
    take(&scenario.apps[index])
    scenario.rename(role.bundle, to: identifier)
    return Stand(
      role: role, scenario: scenario, test: test,
      alias: Blueprint.Alias(bundle: role.bundle, alias: identifier))
  }

  private func isCalled(_ identifier: String) -> Bool {
    self.identifier.lowercased() == identifier.lowercased()
  }

  /// Gives a role of the scenario to the app: the properties of the role are those of the bundle from now on.
  private func take(_ app: inout AppSpecification) {
    let team = bundle.team ?? app.team ?? "OWNTEAM"
    app.path = path
    app.buildVariables = variables
    app.bundle = identifier
    app.team = team
    app.usesSDK = false
    app.isMultiIdentity = false
    app.executable = nil
    app.isReadyMade = true
    app.schemes = []
    app.documentTypes = []
    app.appGroups = []
    if !app.keychainGroups.isEmpty { app.keychainGroups = ["\(team).\(identifier)"] }
  }

  /// A case with the app under test in it, and the app's name in policies.
  struct Stand {
    /// The replaced app, as the scenario states it.
    let role: AppSpecification
    var scenario: Scenario
    var test: Case
    var alias: Blueprint.Alias

    /// The job that runs the case as it is.
    var job: CriterionJob.Kind {
      var scenario = scenario
      scenario.cases = [test]
      return .run(scenario, alias)
    }
  }
}

extension AppBundle {
  var isOpenInAction: Bool { info.intuneSettings?.isOpenInAction ?? false }
}

/// The reason why an app cannot stand in a case.
struct Misfit: Error {
  /// The reason, in lower case and without full stop.
  var why: String

  init(_ why: String) { self.why = why }
}

extension Scenario {
  /// Whether a policy is assigned to the account.
  func isManaged(_ account: String) -> Bool {
    policies.contains { $0.assignments.contains { $0.account == account } }
  }

  func isManaged(_ identity: IdentityReference) -> Bool {
    if case .account(let account) = identity { isManaged(account) } else { false }
  }

  /// Renames a bundle in the assignments of policies to named apps.
  fileprivate mutating func rename(_ bundle: String, to other: String) {
    for policy in policies.indices {
      for assignment in policies[policy].assignments.indices {
        policies[policy].assignments[assignment].apps = policies[policy].assignments[assignment]
          .apps.map { apps in apps.map { $0.lowercased() == bundle.lowercased() ? other : $0 } }
      }
    }
  }
}
