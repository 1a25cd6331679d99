internal import Bundle
internal import Encodings
internal import Foundation
internal import GraphDocuments
package import Host
package import Model
internal import Output
package import Scenario
internal import Wire

/// An app or extension on a scenario's devices. It is named by the scenario, or is in the `PlugIns` of a named app.
package struct ResolvedApp: Sendable {
  package var specification: AppDefinition
  /// The name in share sheets: the name in the scenario, or else the bundle's name, or else the bundle's id.
  var title: String
  package var description: AppDescription
  /// The contents of the app's bundle; nil if the scenario names no bundle for the app.
  var bundle: AppBundle?

  /// The kind of extension, from the scenario or the bundle; nil for an app.
  package var extensionKind: ExtensionPoint? { description.kind.extensionPoint }

  /// Reads an app that the scenario names.
  init(
    _ app: AppDefinition, in scenario: Scenario, folder: String,
    programs: DeviceConfiguration.Programs
  ) throws(RunError) {
    let team = Self.team(of: app, in: scenario)
    let bundle = try app.path.map { path throws(RunError) in
      try BundleFolder(
        ScenarioFiles.resolve(path, in: folder), team: team,
        variables: app.buildVariables.merging(["PRODUCT_BUNDLE_IDENTIFIER": app.bundle]) { own, _ in
          own
        },
        programs: programs)
    }
    specification = app
    title = app.name
    description = AppDescription(app, bundle, team: team, in: scenario, folder: folder)
    self.bundle = bundle?.contents
  }

  private init(
    plugIn: AppBundle, _ specification: AppDefinition, in app: ResolvedApp,
    of scenario: Scenario, _ programs: DeviceConfiguration.Programs
  ) {
    let bundle = BundleFolder(plugIn, programs: programs)
    self.specification = specification
    title = plugIn.info.name ?? specification.bundle
    description = AppDescription(
      specification, bundle, team: app.description.team, in: scenario, folder: "")
    self.bundle = plugIn
  }

  /// Returns the extensions in the app's `PlugIns` that are not among `others`.
  func plugIns(
    beside others: [ResolvedApp], in scenario: Scenario,
    programs: DeviceConfiguration.Programs
  ) -> [ResolvedApp] {
    var known = others
    let plugIns = bundle?.plugIns ?? []
    for plugIn in plugIns {
      guard let identifier = plugIn.info.identifier,
        !known.contains(where: { $0.isCalled(identifier) || $0.isAt(plugIn.source.path) })
      else { continue }
      let name = Self.name(of: plugIn, identifier, beside: known)
      var specification = AppDefinition(
        position: self.specification.position, name: name, bundle: identifier,
        isMDMManaged: description.isMDMManaged)
      specification.containingApp = self.specification.name
      specification.isReadyMade = self.specification.isReadyMade
      known.append(
        ResolvedApp(plugIn: plugIn, specification, in: self, of: scenario, programs))
    }
    return Array(known.dropFirst(others.count))
  }

  private func isAt(_ path: String) -> Bool {
    guard let own = bundle?.source.path else { return false }
    return URL(fileURLWithPath: own).standardizedFileURL
      == URL(fileURLWithPath: path).standardizedFileURL
  }

  private func isCalled(_ identifier: String) -> Bool {
    description.bundleID.lowercased() == identifier.lowercased()
  }

  /// Returns a name that is valid in scenarios: the bundle's name, or its identifier if the name is taken or unusable.
  private static func name(
    of plugIn: AppBundle, _ identifier: String, beside others: [ResolvedApp]
  ) -> String {
    let own = (plugIn.info.name ?? "").filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let isTaken = others.contains { $0.specification.name.lowercased() == own.lowercased() }
    guard own.first?.isLetter == true, !isTaken else { return identifier }
    return own
  }

  /// Returns the team that the app states, or else the team that its containing app states. If neither states a team,
  /// it is derived from the name of the containing app or, without a containing app, from the app's own name.
  private static func team(of app: AppDefinition, in scenario: Scenario) -> String {
    let signed =
      app.containingApp.flatMap(scenario.app(named:)) ?? app
    return app.team ?? signed.team
      ?? "TEAM\(signed.name.uppercased().filter { $0.isLetter || $0.isNumber })"
  }

  /// Checks that an extension has a containing app in the scenario, and that an app has none.
  ///
  /// - Parameter bundles: The bundle ids of all apps, in lower case.
  func checkContainment(among bundles: Set<String>, in file: String) throws(RunError) {
    let place = Diagnostic.Location.file(file, specification.position)
    guard let containing = description.kind.containingApp else {
      guard specification.containingApp == nil else {
        throw RunError(
          place,
          "only an extension has a `containingApp`; `\(specification.name)` is an app according to its bundle",
          rule: "conflicting-keys")
      }
      return
    }
    guard !bundles.contains(containing.lowercased()) else { return }
    let whose =
      containing.isEmpty
      ? "the containing app of the extension `\(specification.name)` is unknown; state its `containingApp`"
      : "the app `\(containing)`, which contains the extension `\(specification.name)`, is not in the scenario; add it to `apps`"
    throw RunError(place, whose, rule: "containing-app")
  }
}

// MARK: - Identifiers from bundles

extension Scenario {
  /// Returns the scenario, completed with the identifiers and teams from the bundles of its apps.
  ///
  /// - Throws: ``RunError`` if a bundle states another identifier or team, or no usable identifier.
  func completed(in folder: String) throws(RunError) -> Scenario {
    var apps = apps
    for index in apps.indices { try apps[index].complete(in: folder, of: file) }
    var scenario = self
    scenario.apps = apps
    return scenario
  }
}

extension AppDefinition {
  fileprivate mutating func complete(in folder: String, of file: String) throws(RunError) {
    guard let path else { return }
    let stated: AppBundle
    do throws(BundleError) {
      stated = try AppBundle(
        at: ScenarioFiles.resolve(path, in: folder), settings: BuildSettings(buildVariables))
    } catch {
      // If the bundle need not supply the identifier, installing the app reports the error.
      if !bundle.isEmpty { return }
      throw RunError(error.diagnostic)
    }
    let identifier = stated.info.identifier
    let isKnown = identifier?.contains("$(") == false && identifier?.contains("${") == false
    try take(
      StatedValue(
        key: "bundle", value: isKnown ? identifier : nil,
        place: stated.source.list.place(of: "CFBundleIdentifier")),
      lacking: identifier.map { "`CFBundleIdentifier` is `\($0)`, a variable without a value," }
        ?? "`CFBundleIdentifier` is missing", in: file)
    guard let rights = stated.source.entitlements, let signed = stated.entitlements.team,
      Name.isTeam(signed)
    else { return }
    let key = "com.apple.developer.team-identifier"
    let place = rights.place(of: rights[key] == nil ? "application-identifier" : key)
    try agree(StatedValue(key: "team", value: signed, place: place), with: team, in: file)
    team = team ?? signed
  }

  private mutating func take(
    _ stated: StatedValue, lacking reason: String, in file: String
  ) throws(RunError) {
    if !bundle.isEmpty { return try agree(stated, with: bundle, in: file) }
    guard let value = stated.value else {
      throw mistake(
        "\(reason) in \(stated.place); state the `bundle` of `\(name)`", "missing-key", in: file)
    }
    guard Name.isBundleID(value) else {
      throw mistake(
        "\(stated.place) states `\(value)`, which is not a bundle id; state the `bundle` of `\(name)`",
        "invalid-value", in: file)
    }
    bundle = value
  }

  private func agree(
    _ stated: StatedValue, with own: String?, in file: String
  ) throws(RunError) {
    guard let own, let value = stated.value, own.lowercased() != value.lowercased() else { return }
    throw mistake(
      "the `\(stated.key)` of `\(name)` is `\(own)` here and `\(value)` in \(stated.place); leave "
        + "it out here, or make them the same", "conflicting-keys", in: file)
  }

  private func mistake(_ message: String, _ code: String, in file: String) -> RunError {
    RunError(.file(file, position), message, rule: code)
  }
}

/// The value in a bundle that corresponds to a key of scenarios.
private struct StatedValue {
  var key: String
  /// The value; nil if it is missing or contains an unresolved variable.
  var value: String?
  /// The position of the value in the bundle, for messages.
  var place: String
}

extension PropertyList {
  /// Returns the position of a key, such as `Foo.app/Info.plist:9:2`.
  fileprivate func place(of key: String) -> String {
    position(of: [.key(key)]).map { "\(file):\($0.line):\($0.column)" } ?? file
  }
}

// MARK: - Descriptions for the device

extension AppDescription {
  /// Describes an app of a scenario. The scenario's statements take precedence over the bundle's statements.
  init(
    _ app: AppDefinition, _ bundle: BundleFolder?, team: String, in scenario: Scenario,
    folder: String
  ) {
    let settings = bundle?.contents.info.intuneSettings
    let entitlements = bundle?.contents.entitlements
    let program = Self.program(app, bundle, folder: folder)
    self.init(
      name: app.name, bundleID: app.bundle, team: team,
      kind: Self.kind(app, bundle, in: scenario),
      program: program, usesDispatch: app.usesDispatch,
      integratesSDK: app.usesSDK || settings != nil,
      isMultiIdentity: app.isMultiIdentity || settings?.isMultiIdentity ?? false,
      isMDMManaged: app.isMDMManaged,
      schemes: app.schemes + (bundle?.contents.info.schemes ?? []),
      associatedDomains: app.associatedDomains,
      keychainAccessGroups: app.keychainGroups + (entitlements?.keychainAccessGroups ?? []),
      appGroups: app.appGroups + (entitlements?.appGroups ?? []),
      configuration: app.configuration,
      sdkVersion: app.sdkVersion, version: app.version,
      webViews: app.webViews,
      behaviour: app.behaviour(of: program))
    bundlePath = bundle?.folder.map(Self.absolute)
    servers = app.servers
    management = app.management == .refused ? .refused : .possible
    allowsSeveralManagedAccounts = app.allowsSeveralManagedAccounts
    enrollsOnLaunch = app.enrollsOnLaunch ?? settings?.enrollsOnLaunch ?? false
    requiresPolicy = app.requiresPolicy ?? settings.map { !$0.startsWithoutPolicy } ?? false
    warnsWithoutPolicy = app.warnsWithoutPolicy ?? settings?.warnsWithoutPolicy ?? false
    scrubbedKeys = app.scrubbedKeys + (settings?.scrubbedValues ?? [])
    isTelemetryDisabled = app.isTelemetryDisabled || settings?.isTelemetryDisabled ?? false
    let plugin = bundle?.contents.info.appExtension
    hasFullAccess = app.hasFullAccess || plugin?.requestsOpenAccess ?? false
    isOpenInAction = app.isOpenInAction || settings?.isOpenInAction ?? false
    declaredTypes = bundle?.contents.info.declaredTypes ?? []
    let rule = app.activationRule ?? plugin?.activationRule
    if let rule {
      activation = .rule(rule)
    } else if plugin != nil {
      activation = .never
    }
  }

  private static func program(
    _ app: AppDefinition, _ bundle: BundleFolder?, folder: String
  ) -> Program {
    if app.isReadyMade { return .readyMade }
    if let executable = app.executable {
      return program(absolute(ScenarioFiles.resolve(executable, in: folder)))
    }
    if let executable = bundle?.executable { return program(absolute(executable)) }
    return .readyMade
  }

  private static func program(_ path: String) -> Program {
    path.hasSuffix(".lua") ? .script(path: path) : .executable(path: path, arguments: [])
  }

  private static func kind(
    _ app: AppDefinition, _ bundle: BundleFolder?, in scenario: Scenario
  ) -> Kind {
    let stated = app.containingApp.flatMap { scenario.app(named: $0)?.bundle }
    let containing = stated ?? bundle?.contents.info.intuneSettings?.containingApp ?? ""
    let point = app.extensionKind ?? bundle?.contents.kind.point.flatMap(ExtensionPoint.init)
    return point.map { .extension($0, in: containing) } ?? .app
  }

  private static func absolute(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }
}

extension AppDefinition {
  /// Returns the behaviour that the scenario states for the app's program. A ready-made guest gets all of it, a script
  /// only the failures, and an executable none.
  fileprivate func behaviour(of program: AppDescription.Program) -> Behaviour {
    let chances = failures == Failures() ? nil : failures.chances
    return switch program {
    case .readyMade:
      Behaviour(
        provides: provides.map { Item(text: $0) },
        acceptsIdentitySwitch: switchAnswer == .success, wipe: wipe,
        addsAccounts: addAnswer == .success, blocksAccounts: blockAnswer == .success,
        chances: chances)
    case .script: Behaviour(chances: chances)
    case .executable: Behaviour()
    }
  }
}

extension AppDefinition.Failures {
  fileprivate var chances: Chances {
    Chances(
      crash: UInt32(crash), hang: UInt32(hang), hoard: UInt32(hoard), refuse: UInt32(refuse),
      delay: UInt32(delay * 1_000))
  }
}

// MARK: - Bundles on disk

/// A bundle on disk: a folder with `Info.plist`, an executable, and optionally entitlements.
struct BundleFolder {
  let contents: AppBundle
  /// The path of the program that `CFBundleExecutable` names. A script must be in the bundle's folder. Another program
  /// may also be in the folder of Sluice's programs, like those of the bundles that Sluice includes. Nil if the bundle
  /// names no executable, if the name contains an unresolved variable, or if the program is for Apple's systems.
  let executable: String?

  init(
    _ path: String, team: String, variables: [String: String] = [:],
    programs: DeviceConfiguration.Programs
  ) throws(RunError) {
    let contents: AppBundle
    do throws(BundleError) {
      contents = try AppBundle(
        at: path, settings: BuildSettings(variables).over(BuildSettings(team: team)))
    } catch {
      throw RunError(error.diagnostic)
    }
    self.init(contents, programs: programs)
  }

  init(_ contents: AppBundle, programs: DeviceConfiguration.Programs) {
    self.contents = contents
    executable = contents.info.executable.flatMap { name in
      // With an unresolved variable, the bundle has not been built. The ready-made guest replaces its
      // program.
      if name.contains("$(") || name.contains("${") { return nil }
      let own = "\(contents.source.path)/\(name)"
      guard FileManager.default.fileExists(atPath: own) else {
        return name.hasSuffix(".lua") ? own : "\(programs.folder)/\(name)"
      }
      return Self.isForApple(own) ? nil : own
    }
  }

  /// The bundle's folder; nil if the bundle is only a property list.
  var folder: String? {
    var isFolder = ObjCBool(false)
    let path = contents.source.path
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
      ? path : nil
  }

  /// Returns whether the file is a program of iOS or macOS (Mach-O, for one or several architectures),
  /// which Linux cannot run.
  private static func isForApple(_ path: String) -> Bool {
    // Opening a pipe would block, since it has no writer.
    guard InputFolder.isRegular(path), let file = FileHandle(forReadingAtPath: path) else {
      return false
    }
    defer { try? file.close() }
    let magic = (try? file.read(upToCount: 4)).flatMap { $0 }.map(Array.init) ?? []
    return [[0xCF, 0xFA, 0xED, 0xFE], [0xCE, 0xFA, 0xED, 0xFE], [0xCA, 0xFE, 0xBA, 0xBE]]
      .contains(magic)
  }
}
