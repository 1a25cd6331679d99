internal import Bundle
internal import Foundation
internal import Host
internal import Model
internal import Scenario
internal import Wire

extension AppDescription {
  /// Describes an app of a scenario; what the scenario states takes precedence over what the app's bundle states.
  init(
    _ app: AppSpecification, _ bundle: BundleFolder?, team: String, in scenario: Scenario,
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
      configuration: app.configuration, sdkVersion: app.sdkVersion, version: app.version,
      webViews: app.webViews,
      behaviour: program == .readyMade ? app.behaviour : Behaviour())
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
    _ app: AppSpecification, _ bundle: BundleFolder?, folder: String
  ) -> Program {
    if app.isReadyMade { return .readyMade }
    if let executable = app.executable {
      return program(absolute(Blueprint.resolve(executable, in: folder)))
    }
    if let executable = bundle?.executable { return program(absolute(executable)) }
    return .readyMade
  }

  private static func program(_ path: String) -> Program {
    path.hasSuffix(".lua") ? .script(path: path) : .executable(path: path, arguments: [])
  }

  private static func kind(
    _ app: AppSpecification, _ bundle: BundleFolder?, in scenario: Scenario
  ) -> Kind {
    let stated = app.containingApp.flatMap { name in
      scenario.apps.first { $0.name == name }?.bundle
    }
    let containing = stated ?? bundle?.contents.info.intuneSettings?.containingApp ?? ""
    if let kind = app.extensionKind { return .extension(kind.point, in: containing) }
    let point = bundle?.contents.kind.point.flatMap(ExtensionPoint.init)
    return point.map { .extension($0, in: containing) } ?? .app
  }

  private static func absolute(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }
}

/// A bundle on disk: a folder with `Info.plist`, perhaps entitlements, and an executable.
struct BundleFolder {
  let contents: AppBundle
  /// The executable that `CFBundleExecutable` names: in the folder itself, or for bundles that ship with Sluice, beside
  /// Sluice's own programs, where no scripts are; nil where the bundle names none, or one for Apple's systems.
  let executable: String?

  /// Reads the bundle at `path`.
  ///
  /// - Parameter variables: values of build variables.
  /// - Throws: ``RunError`` where the bundle cannot be read.
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
      // Where nothing is built yet, the ready-made guest stands in.
      if name.contains("$(") || name.contains("${") { return nil }
      let own = "\(contents.source.path)/\(name)"
      guard FileManager.default.fileExists(atPath: own) else {
        return name.hasSuffix(".lua") ? own : "\(programs.folder)/\(name)"
      }
      return Self.isForApple(own) ? nil : own
    }
  }

  /// The folder, where the bundle is one and not a property list alone.
  var folder: String? {
    var isFolder = ObjCBool(false)
    let path = contents.source.path
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
      ? path : nil
  }

  /// Whether the file is a program of iOS or macOS (Mach-O, for one architecture or several), which no Linux runs.
  private static func isForApple(_ path: String) -> Bool {
    // A pipe in a bundle has no writer.
    guard InputFolder.isRegular(path), let file = FileHandle(forReadingAtPath: path) else {
      return false
    }
    defer { try? file.close() }
    let magic = (try? file.read(upToCount: 4)).flatMap { $0 }.map(Array.init) ?? []
    return [[0xCF, 0xFA, 0xED, 0xFE], [0xCE, 0xFA, 0xED, 0xFE], [0xCA, 0xFE, 0xBA, 0xBE]]
      .contains(magic)
  }
}
