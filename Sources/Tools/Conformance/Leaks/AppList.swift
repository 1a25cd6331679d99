internal import Encodings
internal import Foundation
internal import GraphDocuments
internal import Output
internal import Policy
internal import Scenario
internal import Simulation
package import Tenants

package enum PoliciesOfApps: Sendable {
  /// Policies in files: at least one path of a policy or of a folder with policies.
  case files([String])
  /// The policies that a tenant assigns to a user.
  case tenant(TenantUser)

  /// A user of a tenant, with the user's device.
  package struct TenantUser: Sendable {
    var tenant: Tenant
    var upn: String
    var device: TenantDevice
    /// The assumed values of facts that the export does not state; nil if the answer depends on no such fact.
    package var supposition: DeliverySupposition?

    package init(_ upn: String, of tenant: Tenant, on device: TenantDevice) {
      self.tenant = tenant
      self.upn = upn
      self.device = device
    }

    fileprivate var tenants: ScenarioTenants { ScenarioTenants(tenant, unstated: .unknown) }
  }

  /// The tenant, whose assignments replace a scenario's policies; nil for policies in files.
  var tenants: ScenarioTenants? {
    switch self {
    case .files: nil
    case .tenant(let user):
      user.supposition.map(user.tenants.supposing) ?? user.tenants
    }
  }

  /// The display names of policies in files, abbreviated if there are many; nil for a tenant.
  var names: String? {
    get throws(RunError) {
      switch self {
      case .files(let paths):
        ListFormat.first(3, of: try PolicyFiles.load(paths).map(\.displayName).unique)
      case .tenant: nil
      }
    }
  }

  fileprivate var device: TenantDevice {
    switch self {
    case .files: TenantDevice()
    case .tenant(let user): user.device
    }
  }

  /// Returns the apps that the policies target, or that the tenant's documents name.
  ///
  /// - Throws: ``RunError`` if a policy cannot be read.
  fileprivate func targetings() throws(RunError) -> [Targeting] {
    switch self {
    case .files(let paths): try PolicyFiles.load(paths).map(\.targeting)
    case .tenant(let user): user.tenant.namedApps
    }
  }
}

/// A list of apps on a user's devices. Each line states an app and its use. The app is a bundle id, the path of a
/// bundle, or the name of a targeted or well-known app.
struct AppList {
  /// The use of an app. The raw value is the keyword in the list.
  fileprivate enum Use: String, CaseIterable {
    /// The app is used with the organisation's account, under its policies.
    case managed
    /// The app is used with the organisation's account and a personal account.
    case multiIdentity
    /// The app does not integrate the Intune App SDK.
    case unmanaged
  }

  fileprivate struct Entry {
    /// The bundle id, or the path of a bundle.
    var app: String
    var use: Use
    var name: String
    var isPath: Bool { app.contains("/") }

    /// Returns the YAML keys that define the app in a scenario file in `folder`.
    fileprivate func keys(in folder: String, on device: TenantDevice) -> String {
      let what =
        isPath
        ? "path: \(JSONWriter.quoted(AppList.path(app, in: folder)))" : "bundle: \(app)"
      let managed = what + (isPath ? "" : version(on: device)) + ", sdk: true"
      let installed = device.isManaged ? ", mdmManaged: true" : ""
      return switch use {
      case .managed: "\(managed)\(installed), signedIn: [user]"
      case .multiIdentity: "\(managed)\(installed), multiIdentity: true, signedIn: [user, private]"
      case .unmanaged: what
      }
    }

    private func version(on device: TenantDevice) -> String {
      device.version(of: app).map { ", version: \(JSONWriter.quoted($0))" } ?? ""
    }
  }

  private var entries: [Entry] = []
  /// The folder that contains the list, as in ``ScenarioFiles/folder(of:)``.
  private let folder: String
  private let policies: PoliciesOfApps
  private let targetings: [Targeting]

  /// Reads a list. Empty lines, and comments that begin with `#`, are skipped.
  ///
  /// - Throws: ``RunError`` if the file or a policy cannot be read, or a line is invalid.
  init(_ file: String, under policies: PoliciesOfApps) throws(RunError) {
    folder = ScenarioFiles.folder(of: file)
    self.policies = policies
    targetings = try policies.targetings()
    let text = try InputFile.documentText(file)
    let lines = text.drop { $0 == "\u{FEFF}" }
      .split(omittingEmptySubsequences: false) { $0.isNewline }
    for (index, line) in lines.enumerated() {
      let text = line.prefix { $0 != "#" }.trimmingCharacters(in: .whitespaces)
      guard !text.isEmpty else { continue }
      try add(text, at: .file(file, Position(line: index + 1, column: 1)))
    }
    guard entries.isEmpty || entries.contains(where: { $0.use != .unmanaged }) else {
      throw RunError(
        .file(file), "no app is `managed` or `multiIdentity`, so there is no data to follow",
        rule: "apps")
    }
    guard !entries.isEmpty else {
      throw RunError(
        .file(file), "the file names no app; expected lines such as `com.contoso.mail: managed`",
        rule: "apps")
    }
  }

  private mutating func add(_ text: String, at place: Diagnostic.Location) throws(RunError) {
    let parts = text.split(separator: ":", maxSplits: 1).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    guard parts.count == 2, let app = parts.first else {
      throw RunError(
        place,
        "`\(text)` does not name an app and its use; expected a line such as `com.contoso.mail: managed`",
        rule: "apps"
      )
    }
    guard let use = Use(rawValue: parts[1]) else {
      let known = Use.allCases.map(\.rawValue)
      let hint = Suggestion.nearest(to: parts[1], among: known)
      throw RunError(
        place,
        "the use of an app must be `managed`, `multiIdentity` or `unmanaged`, found `\(parts[1])`\(hint)",
        rule: "apps")
    }
    let isName = !app.contains("/") && !app.contains(".")
    guard let id = isName ? AppName.bundleID(of: app, among: targetings) : app else {
      let nearest = Targeting.app(nearestTo: app, among: targetings).map { Suggestion.text($0) }
      throw RunError(
        place,
        "no policy names an app `\(app)`"
          + (nearest
            ?? "; expected a bundle id, as in `com.contoso.mail`, or the path of a bundle"),
        rule: "apps")
    }
    guard id.contains("/") || Name.isBundleID(id) else {
      throw RunError(
        place, "`\(app)` is neither a bundle id nor the path of a bundle", rule: "apps")
    }
    guard !entries.contains(where: { $0.app == id }) else {
      throw RunError(place, "`\(app)` is listed twice", rule: "apps")
    }
    entries.append(Entry(app: id, use: use, name: name(for: id)))
  }

  /// Returns a name for an app: the last part of its bundle id, with a number appended if the name is taken.
  private func name(for app: String) -> String {
    let last = app.split(whereSeparator: { "./".contains($0) }).last { $0 != "app" } ?? ""
    let plain = last.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let stem = plain.first?.isLetter == true ? plain : "app\(plain)"
    let taken = Set(entries.map(\.name))
    guard taken.contains(stem) else { return stem }
    return (2...).lazy.map { "\(stem)-\($0)" }.first { !taken.contains($0) } ?? stem
  }

  /// Rewrites a path, which is relative to the current folder, for a scenario file in `folder`. A path below `folder`
  /// becomes relative to `folder`, so reports show it as the user wrote it. Any other path becomes absolute.
  private static func path(_ path: String, in folder: String) -> String {
    let isAbsolute = path.hasPrefix("/") || !path.hasPrefix(folder)
    return isAbsolute
      ? URL(fileURLWithPath: path).standardizedFileURL.path : String(path.dropFirst(folder.count))
  }

  /// Returns a scenario with these apps and one user. The policies come from files, or from the user's tenant.
  ///
  /// - Throws: ``RunError`` if a policy cannot be read.
  func scenario() throws(RunError) -> String {
    let (upn, stated) =
      switch policies {
      case .files(let paths): ("user@organisation.example", try lines(of: paths))
      case .tenant(let user):
        (
          user.upn,
          ["tenant: \(JSONWriter.quoted(Self.path(user.tenant.folder, in: folder)))"]
            + lines(of: user.device)
        )
      }
    var lines = [
      "name: Apps on a device", "accounts:", "  user: { upn: \(JSONWriter.quoted(upn)) }",
      "  private: { upn: user@private.example }",
    ]
    lines += stated + ["apps:"]
    lines += entries.map {
      "  \(YAMLScalar.text($0.name)): { \($0.keys(in: folder, on: policies.device)) }"
    }
    let first = YAMLScalar.text(entries.first?.name ?? "")
    return (lines + ["steps:", "  - launch: \(first)", ""]).joined(separator: "\n")
  }

  /// Returns the scenario's lines about the device; none for an unmanaged device without properties.
  private func lines(of device: TenantDevice) -> [String] {
    let keys = [
      device.isManaged ? "mdm: { enrolled: true }" : nil,
      device.osVersion.map { "osVersion: \(JSONWriter.quoted($0))" },
      device.model.map { "model: \(JSONWriter.quoted($0))" },
    ].compactMap(\.self)
    return keys.isEmpty ? [] : ["device: { \(keys.joined(separator: ", ")) }"]
  }

  /// Returns the scenario's lines about the policies. If a policy targets one of the managed apps by name, the
  /// policies' own targeting applies; otherwise all policies apply to all managed apps.
  private func lines(of paths: [String]) throws(RunError) -> [String] {
    let managed = entries.filter { $0.use != .unmanaged && !$0.isPath }.map(\.app)
    let names = try PolicyFiles.load(paths).contains { document in
      managed.contains { document.targeting.bundleIDs.contains($0.lowercased()) }
    }
    let apps = names ? "" : ", apps: [\(managed.joined(separator: ", "))]"
    return ["policies:"]
      + paths.enumerated().map { index, path in
        let name = index == 0 ? "organisation" : "organisation-\(index + 1)"
        let file = JSONWriter.quoted(Self.path(path, in: folder))
        return "  \(name): { file: \(file), assign: [{ account: user\(apps) }] }"
      }
  }
}
