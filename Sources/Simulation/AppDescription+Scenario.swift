internal import Bundle
internal import Foundation
internal import Host
internal import Scenario
internal import Transfer
internal import Wire

extension AppDescription {
  /// What a scenario says of an app, over what the bundle says that it names.
  init(
    _ app: AppSpecification, in scenario: Scenario, folder: String,
    programs: DeviceConfiguration.Programs
  ) throws(RunError) {
    let team = app.team ?? "TEAM\(app.name.uppercased().filter { $0.isLetter || $0.isNumber })"
    let bundle = try app.path.map { path throws(RunError) in
      try BundleFolder(Blueprint.resolve(path, in: folder), team: team, programs: programs)
    }
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
    allowsSeveralManagedAccounts = app.allowsSeveralManagedAccounts
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
  /// The executable that `CFBundleExecutable` names: in the folder itself, or for bundles that ship with
  /// Sluice, beside its own programs; nil where the bundle names none.
  let executable: String?

  init(
    _ path: String, team: String, programs: DeviceConfiguration.Programs
  ) throws(RunError) {
    do throws(BundleError) {
      contents = try AppBundle(at: path, settings: BuildSettings(team: team))
      try Self.checkLaunch(of: contents, file: "\(path)/Info.plist")
    } catch {
      throw RunError(error.description)
    }
    executable = contents.info.executable.map { name in
      let own = "\(path)/\(name)"
      let shipped = "\(programs.folder)/\(name)"
      return FileManager.default.fileExists(atPath: own) ? own : shipped
    }
  }

  /// A scenario's apps have an identifier.
  private static func checkLaunch(of bundle: AppBundle, file: String) throws(BundleError) {
    guard bundle.info.identifier != nil else {
      throw BundleError(file: file, message: "`CFBundleIdentifier` is missing")
    }
  }
}
