internal import Encodings
internal import Foundation
internal import GraphDocuments
internal import Output
internal import Policy
internal import Scenario
internal import Simulation
package import Tenants

/// The policies of a device's apps.
package enum PoliciesOfApps: Sendable {
  /// The paths of policies, or of folders of them; at least one.
  case files([String])
  /// What a tenant assigns to a user, who is named by the user principal name.
  case tenant(Tenant, user: String)

  /// The tenant in place of a scenario's own policies; nil for policies in files.
  var tenants: ScenarioTenants? {
    switch self {
    case .files: nil
    case .tenant(let tenant, _): ScenarioTenants(tenant)
    }
  }
}

/// A list of apps on a user's devices. Each line has a bundle ID, or the path of a bundle, and the app's use.
struct AppList {
  /// The use of an app, by its keyword in the list.
  fileprivate enum Use: String, CaseIterable {
    /// With the organisation's account, under its policies.
    case managed
    /// With the organisation's account and a personal one.
    case multiIdentity
    /// Without the Intune App SDK.
    case unmanaged
  }

  fileprivate struct Entry {
    /// The bundle ID, or the path of a bundle.
    var app: String
    var use: Use
    var name: String
    var isPath: Bool { app.contains("/") }

    /// Returns the keys of the app in a scenario in `folder`.
    fileprivate func keys(in folder: String) -> String {
      let what =
        isPath
        ? "path: \(JSONWriter.quoted(AppList.path(app, in: folder)))" : "bundle: \(app)"
      return switch use {
      case .managed: "\(what), sdk: true, signedIn: [user]"
      case .multiIdentity: "\(what), sdk: true, multiIdentity: true, signedIn: [user, private]"
      case .unmanaged: what
      }
    }
  }

  private var entries: [Entry] = []
  /// The list's folder, as in ``ScenarioFiles/folder(of:)``.
  private let folder: String

  /// Reads a list. Empty lines and comments from `#` on are skipped.
  ///
  /// - Throws: ``RunError`` if the file cannot be read, or a line is invalid.
  init(_ file: String) throws(RunError) {
    folder = ScenarioFiles.folder(of: file)
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
        "an app is `managed`, `multiIdentity` or `unmanaged`, not `\(parts[1])`\(hint)",
        rule: "apps")
    }
    guard app.contains("/") || Name.isBundleID(app) else {
      throw RunError(
        place, "`\(app)` is neither a bundle id nor the path of a bundle", rule: "apps")
    }
    guard !entries.contains(where: { $0.app == app }) else {
      throw RunError(place, "`\(app)` is listed twice", rule: "apps")
    }
    entries.append(Entry(app: app, use: use, name: name(for: app)))
  }

  /// Returns a name for an app: the last part of its bundle ID, with a number if the name is taken.
  private func name(for app: String) -> String {
    let last = app.split(whereSeparator: { "./".contains($0) }).last { $0 != "app" } ?? ""
    let plain = last.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let stem = plain.first?.isLetter == true ? plain : "app\(plain)"
    let taken = Set(entries.map(\.name))
    guard taken.contains(stem) else { return stem }
    return (2...).lazy.map { "\(stem)-\($0)" }.first { !taken.contains($0) } ?? stem
  }

  /// Returns the path, which is relative to the current folder, for a scenario in `folder`. Reports then show
  /// the path as the user wrote it, unless it is in another folder.
  private static func path(_ path: String, in folder: String) -> String {
    let isAbsolute = path.hasPrefix("/") || !path.hasPrefix(folder)
    return isAbsolute
      ? URL(fileURLWithPath: path).standardizedFileURL.path : String(path.dropFirst(folder.count))
  }

  /// Returns a scenario of one user with these apps, under policies or as the user of a tenant.
  ///
  /// - Throws: ``RunError`` if a policy cannot be read.
  func scenario(under policies: PoliciesOfApps) throws(RunError) -> String {
    let (upn, stated) =
      switch policies {
      case .files(let paths): ("user@organisation.example", try lines(of: paths))
      case .tenant(let tenant, let user):
        (user, ["tenant: \(JSONWriter.quoted(Self.path(tenant.folder, in: folder)))"])
      }
    var lines = [
      "name: Apps on a device", "accounts:", "  user: { upn: \(JSONWriter.quoted(upn)) }",
      "  private: { upn: user@private.example }",
    ]
    lines += stated + ["apps:"]
    lines += entries.map { "  \(YAMLScalar.text($0.name)): { \($0.keys(in: folder)) }" }
    let first = YAMLScalar.text(entries.first?.name ?? "")
    return (lines + ["steps:", "  - launch: \(first)", ""]).joined(separator: "\n")
  }

  /// Returns the lines that state policies. If policies name one of the managed apps, their own targeting
  /// applies; otherwise all policies apply to all managed apps.
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
