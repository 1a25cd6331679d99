internal import AppConfiguration
internal import Bundle
internal import Declarations
internal import Encodings
internal import Enrollment
internal import Glibc
internal import GraphDocuments
package import Host
internal import Model
internal import Output
internal import Policy
package import Scenario

/// A scenario with the contents of all files that it names: the initial state of each of its cases.
package struct ResolvedScenario: Sendable {
  package let scenario: Scenario
  let tenants: ScenarioTenants
  /// The policies and configurations that administrators assign before the first step.
  private let assigned: AssignedDocuments
  /// The assignments of each tenant export that a step applies, keyed by the folder as the step names it.
  private let assignedLater: [String: AssignedDocuments]
  /// The documents of each configuration, by configuration name.
  private let configurations: [String: [AppConfigurationDocument]]
  private let profileWarnings: [String]
  /// The documents of each policy, by policy name.
  private let documents: [String: [PolicyDocument]]
  /// The device's initial restrictions, in the form that rules use.
  let state: DeviceRestrictions
  /// The administrator's initial declarations; nil if there are none.
  let declarations: DeclarationSet?
  /// The apps that the scenario names, then the extensions in their `PlugIns`.
  package private(set) var apps: [ResolvedApp]

  private let alias: Alias?

  /// A second bundle id for an app. Policies that target `bundle` also target `alias`.
  package struct Alias: Sendable {
    private let bundle: String
    private let alias: String

    package init(bundle: String, alias: String) {
      self.bundle = bundle
      self.alias = alias
    }
  }

  /// Reads the files that the scenario names.
  ///
  /// - Parameters:
  ///   - programs: The programs that devices start. Their folder also contains the executables of shipped bundles.
  ///   - tenants: Exports that were already read; nil to read the exports that the scenario names.
  /// - Throws: ``RunError`` if a file that the scenario names cannot be read, or contradicts the scenario.
  package init(
    _ scenario: Scenario, programs: DeviceConfiguration.Programs, alias: Alias? = nil,
    tenants: ScenarioTenants? = nil
  ) throws(RunError) {
    let folder = ScenarioFiles.folder(of: scenario.file)
    try scenario.checkDocuments(in: folder)
    let tenants =
      if let tenants { tenants } else { try ScenarioTenants(of: scenario, in: folder) }
    let scenario = try scenario.completed(in: folder).identified(by: tenants.initial)
    var errors = RunErrorCollector()
    let documents = errors.read { () throws(RunError) in
      try Self.documents(scenario, in: folder).mapValues { documents in
        documents.map { alias?.applied(to: $0) ?? $0 }
      }
    }
    let access = errors.read { () throws(RunError) in
      try ConditionalAccess(scenario, folder: folder)
    }
    let configurations = errors.read { () throws(RunError) in
      try Self.configurations(scenario, in: folder)
    }
    var warnings: [String] = []
    let state = errors.read { () throws(RunError) in
      try DeviceRestrictions(
        scenario.device, file: scenario.file, folder: folder, warnings: &warnings)
    }
    let declarations = errors.read { () throws(RunError) in
      try scenario.device.declarations.map { path throws(RunError) in
        try Self.declarations(at: path, in: folder)
      }
    }
    let apps = errors.read { () throws(RunError) in
      try RunError.collecting(scenario.apps) { app throws(RunError) in
        try ResolvedApp(app, in: scenario, folder: folder, programs: programs)
      }
    }
    guard let documents, let access, let configurations, let state, let declarations, var apps
    else { throw errors.combined }
    self.scenario = scenario
    self.alias = alias
    self.documents = documents
    self.configurations = configurations
    self.state = state
    profileWarnings = warnings
    self.declarations = declarations
    for app in apps { apps += app.plugIns(beside: apps, in: scenario, programs: programs) }
    self.apps = apps
    self.tenants = tenants
    assigned =
      try tenants.assigned(in: scenario, to: apps)
      ?? AssignedDocuments(
        statedIn: scenario, policies: documents, configurations: configurations, access)
    assignedLater = try tenants.assignedLater(in: scenario, to: apps)
    let bundles = Set(apps.map { $0.description.bundleID.lowercased() })
    _ = try RunError.collecting(apps) { app throws(RunError) in
      try app.checkContainment(among: bundles, in: scenario.file)
    }
    _ = try RunError.collecting(savings) { saving throws(RunError) in
      try self.documents(of: saving)
    }
  }

  /// The app protection policies that are assigned before the first step.
  var policies: [PolicyAssignment] { assigned.policies }

  /// The display names of the policies that are assigned before the first step or that steps can assign.
  var policyNames: Set<String> {
    let documents = scenario.policies.flatMap { self.documents(named: $0.name) }
    return Set((documents + policies.map(\.document)).map(\.displayName))
  }

  /// The scenario's policies, with their names in the scenario. If the scenario has a tenant, they are instead the
  /// policies that the tenant's export assigns, with their display names. `file` is nil for a policy that is written in
  /// the scenario.
  package var listedPolicies: [(name: String, file: String?)] {
    guard tenants.initial == nil else {
      var known: Set<String> = []
      return policies.map(\.document).filter {
        known.insert("\($0.file):\($0.position.line)").inserted
      }
      .map { ($0.displayName, $0.file) }
    }
    return scenario.policies.map { policy in
      switch policy.document {
      case .file(let path): (policy.name, path)
      case .inline: (policy.name, nil)
      }
    }
  }

  private var appConfigurations: [AppConfigurationAssignment] { assigned.configurations }

  private var configurationBook: ConfigurationBook {
    ConfigurationBook(appConfigurations, tokenValues: tokens, intuneUser: intuneUser)
  }

  /// The user for whom Intune manages the device. By default, this is the scenario's first account or, with a tenant,
  /// the first account that is a user of the tenant. Nil if another MDM, or no MDM, manages the device.
  private var intuneUser: Account? {
    if scenario.device.isMDMEnrolled, let user = assigned.deviceUser { return user }
    guard scenario.device.isManagedByIntune else { return nil }
    guard case .account(let name)? = scenario.device.service?.mdmUser else {
      return scenario.accounts.first?.account
    }
    return scenario.account(named: name)?.account
  }

  /// Returns the assignments of the export in `folder`, which is the path as a step states it. Empty if no step states
  /// the path.
  func assigned(byTenantIn folder: String) -> AssignedDocuments {
    assignedLater[folder] ?? AssignedDocuments()
  }

  /// The policies that steps save with new settings.
  private var savings: [Action.PolicySaving] {
    scenario.cases.flatMap(\.steps).flatMap(\.parts).compactMap { step -> Action.PolicySaving? in
      if case .change(.savePolicy(let saving)) = step.action { saving } else { nil }
    }
  }

  /// Returns the documents of the configuration `name` of the scenario. Empty if there is no such configuration.
  func documents(ofConfiguration name: String) -> [AppConfigurationDocument] {
    configurations[name] ?? []
  }

  /// Reads a folder of declarations or a `.mobileconfig`. An error in a declaration is not thrown; it becomes one of
  /// the result's problems.
  ///
  /// - Parameter path: The path as the scenario names it.
  /// - Throws: ``RunError`` if the path names neither, or if the profile cannot be used.
  static func declarations(
    at path: String, in folder: String
  ) throws(RunError) -> DeclarationSet {
    do throws(DeclarationDiagnostic) {
      let path = ScenarioFiles.resolve(path, in: folder)
      return try DeclarationSet(at: path, called: path)
    } catch {
      throw RunError(.path(error.file), error.message, rule: "declarations")
    }
  }

  /// Returns the declarations that the steps apply last; nil if no step applies declarations.
  func declarations(after steps: [Step]) throws(RunError) -> DeclarationSet? {
    let applied = steps.lazy.compactMap { step -> Action.Declarations? in
      if case .declarations(let declarations) = step.action { declarations } else { nil }
    }
    guard let last = applied.last else { return nil }
    guard let path = last.path else { return DeclarationSet() }
    return try Self.declarations(at: path, in: ScenarioFiles.folder(of: scenario.file))
  }

  package func installing(_ apps: [ResolvedApp]) -> ResolvedScenario {
    var resolved = self
    resolved.apps = apps
    return resolved
  }

  /// Returns the documents of the policy `name` of the scenario. Empty if there is no such policy.
  func documents(named name: String) -> [PolicyDocument] { documents[name] ?? [] }

  /// Returns the documents that a step saves: the documents in the step's file, or the policy's own documents.
  ///
  /// - Throws: ``RunError`` with the position of the error in the file.
  func documents(of saving: Action.PolicySaving) throws(RunError) -> [PolicyDocument] {
    guard let file = saving.file else { return documents(named: saving.policy) }
    return try PolicyFiles.load(
      ScenarioFiles.resolve(file, in: ScenarioFiles.folder(of: scenario.file))
    )
    .map { alias?.applied(to: $0) ?? $0 }
  }

  private static func documents(
    _ scenario: Scenario, in folder: String
  ) throws(RunError) -> [String: [PolicyDocument]] {
    let documents = try RunError.collecting(scenario.policies) { policy throws(RunError) in
      switch policy.document {
      case .file(let path): try PolicyFiles.load(ScenarioFiles.resolve(path, in: folder))
      case .inline(let json): try PolicyFiles.read(Array(json.utf8), file: scenario.file)
      }
    }
    return Dictionary(zip(scenario.policies.map(\.name), documents)) { $1 }
  }

  /// The documents of the policies whose files contain assignments that only a directory can evaluate. The scenario's
  /// assignments apply instead.
  private var documentsOfUnreadAssignments: [PolicyDocument] {
    scenario.policies.map { documents(named: $0.name) }
      .filter { $0.contains(where: \.dependsOnDirectory) }.flatMap(\.self)
  }

  /// A note that the policies' own assignments were not read, because the scenario assigns the policies; nil if no
  /// assignment needs the directory.
  var notice: String? {
    documentsOfUnreadAssignments.membershipNotice(scenario.isBuiltIn ? .everybody : .scenario)
  }

  /// Errors and probable mistakes in declarations, bundles, policies, conditional access, app
  /// configurations and the profile, one line each.
  var warnings: [String] {
    var seen: Set<PolicyWarning> = []
    for policy in policies {
      // If the scenario names the app, the policy need not.
      let isNamed = policy.apps != nil
      seen.formUnion(
        policy.document.warnings.filter {
          !isNamed || ![.noApps, .emptyAssignments].contains($0.code)
        })
    }
    let declared = declarations?.problems.map(\.description) ?? []
    let policyWarnings = seen.inOrder()
    let rules = apps.compactMap(\.bundle?.info.appExtension?.invalidRule).map { finding in
      var finding = finding
      finding.severity = .warning
      return finding.description
    }
    // Many scenarios may share a policy, so the note is about the policy's file and is reported once.
    let notices = notice.map {
      Diagnostic(
        .file(documentsOfUnreadAssignments.first?.file ?? scenario.file), $0, rule: "assignments",
        severity: .note
      ).description
    }
    return [notices].compactMap(\.self) + declared + rules + unreachedWarnings + profileWarnings
      + configurationWarnings
      + documentWarnings + tenants.warnings(in: scenario, apps)
      + assigned.conditionalAccess.warnings + policyWarnings
  }

  func configuration(_ settings: RunSettings, folder: String) -> DeviceConfiguration {
    let device = scenario.device
    var configuration = DeviceConfiguration(
      name: device.name, folder: folder, programs: settings.programs)
    configuration.seed = (settings.seed ?? device.seed) &+ UInt64(device.ordinal)
    configuration.startTime =
      device.beginsNow ? settings.machineTime ?? Int(time(nil)) : device.time
    configuration.state = state
    device.conditions.apply(to: &configuration.conditions)
    configuration.prompts = DeviceConfiguration.Prompts(device.prompts)
    configuration.appleAccount = device.appleAccount
    configuration.isHandoffOn = device.isHandoffOn
    configuration.recordsTelemetry = device.recordsTelemetry
    if let most = device.extensionsAtOnce { configuration.limits.extensionInstances = most }
    configuration.accounts = scenario.accounts.map(\.account)
    configuration.policies = policies
    configuration.conditionalAccess = assigned.conditionalAccess
    configuration.directory = device.directory
    configuration.language = ComplianceText.Language(device.language)
    device.service?.apply(to: &configuration.service) { scenario.account(named: $0)?.account }
    configuration.appConfigurations = appConfigurations
    configuration.configurationTokens = tokens
    configuration.intuneUser = intuneUser
    configuration.trace = settings.trace
    configuration.journal = settings.journal
    configuration.lineage = settings.lineage
    configuration.realTime = settings.realTime
    configuration.requiresConfinement = settings.requiresConfinement
    configuration.systemCalls = settings.systemCalls
    return configuration
  }
}

// MARK: - App configurations

extension ResolvedScenario {
  private static func configurations(
    _ scenario: Scenario, in folder: String
  ) throws(RunError) -> [String: [AppConfigurationDocument]] {
    let documents = try RunError.collecting(scenario.configurations) {
      configuration throws(RunError) in
      var documents: [AppConfigurationDocument]
      switch configuration.document {
      case .file(let path):
        documents = try ConfigurationFiles.load(ScenarioFiles.resolve(path, in: folder))
      case .inline(let json):
        documents = try ConfigurationFiles.read(Array(json.utf8), file: scenario.file)
      }
      if configuration.isDefault {
        for index in documents.indices { documents[index].isDefault = true }
      }
      return documents
    }
    return Dictionary(zip(scenario.configurations.map(\.name), documents)) { $1 }
  }

  /// Returns assignments of the configuration `name` to `account`, one for each document. The apps come from the
  /// scenario's assignment of the configuration to this account or, if there is none, from the configuration's first
  /// assignment.
  ///
  /// - Parameter reference: The account's name in the scenario.
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

  /// Warnings about ineffective keys in the configurations that the scenario states for apps. A key is ineffective if
  /// its white space or casing differs from the SDK's, if the SDK does not know its value, or if it has no effect on
  /// this device.
  private var configurationWarnings: [String] {
    let book = configurationBook
    let steps = scenario.cases.flatMap(\.steps)
    let isDeclared =
      declarations != nil
      || steps.contains { if case .declarations = $0.action { true } else { false } }
    // MDM may manage an app on an enrolled device if it has installed the app, or if declarations may.
    let mayBeManaged = { (app: AppDefinition) in
      isDeclared || app.isMDMManaged
        || app.containingApp.flatMap { scenario.app(named: $0) }?.isMDMManaged ?? false
    }
    let otherKeys = { (app: AppDefinition) in
      Set(book.managed(bundleID: app.bundle).keys)
    }
    let stated = apps.map(\.specification).flatMap { app in
      mistakes(
        in: app.configuration, beside: otherKeys(app),
        mayBeManaged: mayBeManaged(app)
      ).map { warning(of: app.name, at: app.position, $0) }
    }
    let byGuest = Dictionary(
      apps.map(\.specification).flatMap { app in app.guests.map { ($0, app) } },
      uniquingKeysWith: { first, _ in first })
    return stated
      + steps.flatMap(\.parts).flatMap { step -> [String] in
        guard case .configure(let change) = step.action, let app = byGuest[change.guest] else {
          return []
        }
        return mistakes(
          in: change.entries, beside: otherKeys(app),
          mayBeManaged: mayBeManaged(app)
        ).map { warning(of: change.guest, at: step.position, $0) }
      }
  }

  /// Returns the mistakes in an app's configuration, each with the code of its warning.
  ///
  /// - Parameter otherKeys: The keys that the app gets in addition to the configuration.
  private func mistakes(
    in configuration: [String: String], beside otherKeys: Set<String>,
    mayBeManaged: Bool
  ) -> [(code: AppConfigurationWarningCode, text: String)] {
    let keys = configuration.keys.sorted()
    let spaces = keys.compactMap { key -> (AppConfigurationWarningCode, String)? in
      let trimmed = key.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      guard trimmed != key else { return nil }
      return (
        .whiteSpace,
        "the key `\(key)` is surrounded by white space, and does not match `\(trimmed)`"
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
      SDKKey.mistake(inAllowedAccountsOnly: restriction, beside: Set(keys).union(otherKeys))
      ?? SDKKey.mistake(
        inAllowedAccountsOnly: restriction, isByMDM: state.isMDMEnrolled && mayBeManaged)
      ?? SDKKey.mistake(
        inRequireAccounts: configuration[SDKKey.requireAccounts.rawValue].map {
          ConfigurationValue.text($0)
        }, beside: Set(keys).union(otherKeys))
      ?? (!state.isMDMEnrolled
        ? SDKKey.mistake(onUnmanagedDevice: Set(keys))
        : !mayBeManaged ? SDKKey.mistake(inUnmanagedApp: Set(keys)) : nil)
    return spaces + values + (idle.map { [(.ineffectiveKey, $0)] } ?? [])
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

  /// The values of configuration tokens that come from the scenario: whether the device is supervised, and stated
  /// values.
  private var tokens: [ConfigurationToken: String] {
    let supervision = [
      ConfigurationToken.issupervised: scenario.device.isSupervised ? "True" : "False"
    ]
    return scenario.device.tokens.reduce(into: supervision) { tokens, entry in
      if let token = ConfigurationToken(rawValue: entry.key) { tokens[token] = entry.value }
    }
  }

  /// Warnings about probable mistakes in the app configurations on this device, one line each, in order.
  private var documentWarnings: [String] {
    let book = configurationBook
    let keys = apps.map {
      ($0.description.bundleID, Set($0.specification.configuration.keys))
    }
    var seen = Set(
      book.warnings(for: keys.map(\.0), beside: Dictionary(keys) { $0.union($1) }))
    if !state.isMDMEnrolled { seen.formUnion(book.warningsOutsideMDM) }
    for assignment in appConfigurations {
      // If the scenario names the app, the document need not.
      let isNamed = assignment.apps != nil
      seen.formUnion(
        assignment.document.warnings.filter {
          !isNamed || ![.noApps, .opaqueApps, .emptyAssignments].contains($0.code)
        })
    }
    return seen.inOrder()
  }
}

// MARK: - Policies without apps

extension ResolvedScenario {
  /// Warnings about assigned policies that reach none of the scenario's apps, and so affect no request.
  private var unreachedWarnings: [String] {
    var reach = policyReach
    // A policy saved during a case may reach other apps.
    return reach.warnings(except: Set(savings.map(\.policy)))
  }

  var policyReach: PolicyReach {
    PolicyReach(of: self, book: configurationBook)
  }
}

extension ResolvedScenario.Alias {
  fileprivate func applied(to document: PolicyDocument) -> PolicyDocument {
    guard document.targeting.bundleIDs.contains(bundle.lowercased()) else { return document }
    var document = document
    let targeting = document.targeting
    document.targeting = Targeting(
      bundleIDs: targeting.bundleIDs.union([alias]), appGroup: targeting.appGroup,
      levels: targeting.levels)
    return document
  }
}

extension DeviceConfiguration.Prompts {
  fileprivate init(_ prompts: DeviceDefinition.Prompts) {
    self =
      switch prompts {
      case .answered: .answered
      case .asked: .asked
      }
  }
}
