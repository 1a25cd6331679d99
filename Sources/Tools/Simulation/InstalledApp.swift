internal import Bundle
internal import Diagnostics
internal import Foundation
internal import Host
internal import JSON
internal import Scenario

/// An app or extension on the devices of a scenario: one that the scenario names, or one in the `PlugIns` of such an
/// app.
struct InstalledApp: Sendable {
  var specification: AppSpecification
  /// The name in share sheets: the scenario's name, or the bundle's own.
  var title: String
  var description: AppDescription
  /// The contents of the app's bundle; nil: the scenario names none.
  var bundle: AppBundle?

  /// The kind of extension, as the scenario or the bundle says it; nil for an app.
  var extensionKind: AppSpecification.ExtensionKind? {
    specification.extensionKind
      ?? AppSpecification.ExtensionKind.allCases.first {
        $0.point == description.kind.extensionPoint
      }
  }

  /// Reads an app that the scenario names.
  ///
  /// - Throws: ``RunError`` where the app's bundle cannot be read.
  init(
    _ app: AppSpecification, in scenario: Scenario, folder: String,
    programs: DeviceConfiguration.Programs
  ) throws(RunError) {
    let team = Self.team(of: app, in: scenario)
    let bundle = try app.path.map { path throws(RunError) in
      try BundleFolder(
        Blueprint.resolve(path, in: folder), team: team,
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
    plugIn: AppBundle, _ specification: AppSpecification, in app: InstalledApp,
    of scenario: Scenario, _ programs: DeviceConfiguration.Programs
  ) {
    let bundle = BundleFolder(plugIn, programs: programs)
    self.specification = specification
    title = plugIn.info.name ?? specification.bundle
    description = AppDescription(
      specification, bundle, team: app.description.team, in: scenario, folder: "")
    self.bundle = plugIn
  }

  /// The extensions in the app's `PlugIns` that are not among `others`.
  func plugIns(
    beside others: [InstalledApp], in scenario: Scenario,
    programs: DeviceConfiguration.Programs
  ) -> [InstalledApp] {
    var known = others
    let plugIns = bundle?.plugIns ?? []
    for plugIn in plugIns {
      guard let identifier = plugIn.info.identifier,
        !known.contains(where: { $0.isCalled(identifier) || $0.isAt(plugIn.source.path) })
      else { continue }
      let name = Self.name(of: plugIn, identifier, beside: known)
      var specification = AppSpecification(
        position: self.specification.position, name: name, bundle: identifier,
        isMDMManaged: description.isMDMManaged)
      specification.containingApp = self.specification.name
      specification.isReadyMade = self.specification.isReadyMade
      known.append(
        InstalledApp(plugIn: plugIn, specification, in: self, of: scenario, programs))
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

  /// A name in the form that scenarios give: the bundle's own, or its identifier where the name is taken or none.
  private static func name(
    of plugIn: AppBundle, _ identifier: String, beside others: [InstalledApp]
  ) -> String {
    let own = (plugIn.info.name ?? "").filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let isTaken = others.contains { $0.specification.name.lowercased() == own.lowercased() }
    guard own.first?.isLetter == true, !isTaken else { return identifier }
    return own
  }

  /// The team of an app; an extension has its app's team.
  private static func team(of app: AppSpecification, in scenario: Scenario) -> String {
    let signed =
      app.containingApp.flatMap { name in scenario.apps.first { $0.name == name } } ?? app
    return app.team ?? signed.team
      ?? "TEAM\(signed.name.uppercased().filter { $0.isLetter || $0.isNumber })"
  }

  /// Checks that an extension is in one of `apps`, and an app in none.
  ///
  /// - Throws: ``RunError`` for an extension whose app is not one of `apps`, and an app that is to be in another.
  func checkContainment(among apps: [InstalledApp], in file: String) throws(RunError) {
    let place = Diagnostic.Place.file(file, specification.position)
    guard let containing = description.kind.containingApp else {
      guard specification.containingApp == nil else {
        throw RunError(
          place,
          "only an extension has a `containingApp`; by its bundle `\(specification.name)` is an app",
          rule: "conflicting-keys")
      }
      return
    }
    guard !apps.contains(where: { $0.isCalled(containing) }) else { return }
    let whose =
      containing.isEmpty
      ? "nobody says which app contains the extension `\(specification.name)`; state its `containingApp`"
      : "the app `\(containing)`, which contains the extension `\(specification.name)`, is not in the scenario"
    throw RunError(place, whose, rule: "containing-app")
  }
}
