internal import AppConfiguration
internal import Bundle
internal import Declarations
internal import Diagnostics
internal import Enrollment
internal import Glibc
internal import GraphDocuments
internal import Host
internal import JSON
internal import Model
internal import Policy
internal import Scenario

/// A scenario, and the contents of all files that it names: the state that each of its cases begins with.
struct Blueprint: Sendable {
  let scenario: Scenario
  let policies: [PolicyAssignment]
  let appConfigurations: [AppConfigurationAssignment]
  /// The documents of each configuration, by its name.
  private let configurations: [String: [AppConfigurationDocument]]
  private let profileWarnings: [String]
  private let conditionalAccess: ConditionalAccess
  /// The documents of each policy, by its name.
  private let documents: [String: [PolicyDocument]]
  /// The device's restrictions, as rules see them, when a case begins.
  let state: DeviceRestrictions
  /// The administrator's declarations when a case begins; nil: none.
  let declarations: DeclarationSet?
  /// The apps that the scenario names, then the extensions in their `PlugIns`.
  private(set) var apps: [InstalledApp]

  /// What stands for another app in policies; nil: nothing.
  private let alias: Alias?

  /// A second bundle id for an app: policies that target `bundle` target `alias`, too.
  struct Alias: Sendable {
    var bundle: String
    var alias: String
  }

  /// Reads the files that the scenario names.
  ///
  /// - Parameter programs: the programs beside which the executables of shipped bundles are.
  /// - Throws: ``RunError`` where a policy or bundle that the scenario names cannot be read.
  init(
    _ scenario: Scenario, programs: DeviceConfiguration.Programs, alias: Alias? = nil
  ) throws(RunError) {
    let folder = Self.folder(of: scenario.file)
    try scenario.checkDocuments(in: folder)
    let scenario = try scenario.completed(in: folder)
    self.scenario = scenario
    self.alias = alias
    documents = try Self.documents(scenario, in: folder).mapValues { documents in
      documents.map { alias?.applied(to: $0) ?? $0 }
    }
    policies = Self.assignments(scenario, documents)
    conditionalAccess = try ConditionalAccess(scenario, folder: folder)
    configurations = try Self.configurations(scenario, in: folder)
    appConfigurations = Self.assignments(scenario, configurations)
    var warnings: [String] = []
    state = try DeviceRestrictions(scenario.device, folder: folder, warnings: &warnings)
    profileWarnings = warnings
    declarations = try scenario.device.declarations.map { path throws(RunError) in
      try Self.declarations(at: path, in: folder)
    }
    var apps: [InstalledApp] = []
    for app in scenario.apps {
      apps.append(try InstalledApp(app, in: scenario, folder: folder, programs: programs))
    }
    for app in apps { apps += app.plugIns(beside: apps, in: scenario, programs: programs) }
    for app in apps { try app.checkContainment(among: apps, in: scenario.file) }
    self.apps = apps
    for saving in savings { _ = try documents(of: saving) }
  }

  /// The policies that steps save with other settings.
  var savings: [Action.PolicySaving] {
    scenario.cases.flatMap(\.steps).flatMap(\.parts).compactMap { step -> Action.PolicySaving? in
      if case .savePolicy(let saving) = step.action { saving } else { nil }
    }
  }

  /// The documents of the scenario's configuration of that name; empty where there is none.
  func documents(ofConfiguration name: String) -> [AppConfigurationDocument] {
    configurations[name] ?? []
  }

  /// Reads a folder of declarations. Mistakes in the declarations themselves are reported to the administrator.
  ///
  /// - Parameter path: the folder's path, as the scenario has it.
  /// - Throws: ``RunError`` where there is no such folder.
  static func declarations(
    at path: String, in folder: String
  ) throws(RunError) -> DeclarationSet {
    do throws(DeclarationProblem) {
      let path = resolve(path, in: folder)
      return try DeclarationSet(at: path, called: path)
    } catch {
      throw RunError(.path(error.file), error.message, rule: "declarations")
    }
  }

  /// The declarations that steps have applied last; nil: none has.
  ///
  /// - Throws: ``RunError`` where there is no such folder.
  func declarations(after steps: [Step]) throws(RunError) -> DeclarationSet? {
    let applied = steps.lazy.compactMap { step -> Action.Declarations? in
      if case .declarations(let declarations) = step.action { declarations } else { nil }
    }
    guard let last = applied.last else { return nil }
    guard let path = last.path else { return DeclarationSet() }
    return try Self.declarations(at: path, in: Self.folder(of: scenario.file))
  }

  /// The same device with other apps.
  func installing(_ apps: [InstalledApp]) -> Blueprint {
    var blueprint = self
    blueprint.apps = apps
    return blueprint
  }

  /// The documents of the scenario's policy of that name; empty where there is none.
  func documents(named name: String) -> [PolicyDocument] { documents[name] ?? [] }

  /// The documents that a step saves in place of a policy's own.
  ///
  /// - Throws: ``RunError`` with the position of what is wrong in the file.
  func documents(of saving: Action.PolicySaving) throws(RunError) -> [PolicyDocument] {
    try PolicyFiles.load(Self.resolve(saving.file, in: Self.folder(of: scenario.file)))
      .map { alias?.applied(to: $0) ?? $0 }
  }

  private static func documents(
    _ scenario: Scenario, in folder: String
  ) throws(RunError) -> [String: [PolicyDocument]] {
    var result: [String: [PolicyDocument]] = [:]
    for policy in scenario.policies {
      switch policy.document {
      case .file(let path): result[policy.name] = try PolicyFiles.load(resolve(path, in: folder))
      case .inline(let json):
        result[policy.name] = try PolicyFiles.read(Array(json.utf8), file: scenario.file)
      }
    }
    return result
  }

  private static func assignments(
    _ scenario: Scenario, _ documents: [String: [PolicyDocument]]
  ) -> [PolicyAssignment] {
    scenario.policies.flatMap { policy in
      policy.assignments.flatMap { assignment -> [PolicyAssignment] in
        guard let account = scenario.account(named: assignment.account)?.account else { return [] }
        return (documents[policy.name] ?? []).map {
          PolicyAssignment(document: $0, account: account, apps: assignment.apps)
        }
      }
    }
  }

  /// The documents of policies whose own assignments depend on what only the directory can judge, and those merged with
  /// them: the scenario's assignments count for all of them.
  private var documentsOfUnreadAssignments: [PolicyDocument] {
    scenario.policies.map { documents(named: $0.name) }
      .filter { $0.contains { !$0.membership.isEmpty } }.flatMap(\.self)
  }

  /// The notice that the policies' own assignments were not read, because the scenario assigns them; nil if they have
  /// none that only the directory can judge.
  var notice: String? { documentsOfUnreadAssignments.membershipNotice(.scenario) }

  /// The mistakes and probable mistakes in declarations, bundles, policies, conditional access, app configurations and
  /// the profile, as lines.
  var warnings: [String] {
    var seen: Set<PolicyWarning> = []
    for policy in policies {
      // An app that the scenario names need not be named by the policy.
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
    // Many scenarios may take one policy: the note is about its file, and told once.
    let notices = notice.map {
      Diagnostic(
        .file(documentsOfUnreadAssignments.first?.file ?? scenario.file), $0, rule: "assignments",
        severity: .note
      ).description
    }
    return [notices].compactMap(\.self) + declared + rules + unreachedWarnings + profileWarnings
      + configurationWarnings
      + documentWarnings
      + conditionalAccess.warnings + policyWarnings
  }

  /// The configuration of a device for one case.
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
    configuration.accounts = scenario.accounts.map(\.account)
    configuration.policies = policies
    configuration.conditionalAccess = conditionalAccess
    configuration.directory = device.directory
    configuration.language = ComplianceText.Language(device.language)
    device.service?.apply(to: &configuration.service) { scenario.account(named: $0)?.account }
    configuration.appConfigurations = appConfigurations
    configuration.configurationTokens = tokens
    configuration.trace = settings.trace
    configuration.journal = settings.journal
    configuration.lineage = settings.lineage
    configuration.realTime = settings.realTime
    configuration.requiresConfinement = settings.requiresConfinement
    configuration.systemCalls = settings.systemCalls
    return configuration
  }

  /// `path`, relative to the scenario's folder where it is not absolute.
  static func resolve(_ path: String, in folder: String) -> String {
    path.hasPrefix("/") ? path : folder + path
  }

  /// The folder part of a file's path, with the last slash; empty where there is none.
  static func folder(of file: String) -> String {
    file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
  }
}

extension Blueprint.Alias {
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
  fileprivate init(_ prompts: DeviceSpecification.Prompts) {
    self =
      switch prompts {
      case .answered: .answered
      case .asked: .asked
      }
  }
}
